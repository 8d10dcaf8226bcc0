package exact

// Limbs is the length of the vector that AppendLimbs appends.
const Limbs = 5 + limbs

// maxMerged bounds the vectors of limbs that may be added.
const maxMerged = 1 << 30

// AppendLimbs appends the state to dst as a vector of Limbs integers. The
// elementwise sum of up to 2^30 such vectors is a vector of the merged state,
// so that anything that adds 64-bit integers merges accumulators: an MPI
// reduction, a database.
//
// The vector begins with the numbers of summands, of −0, NaN, +Inf and −Inf.
// The digits of the sum follow, the lowest first, in units of 2^(32i − 2148).
func (a *Accumulator) AppendLimbs(dst []int64) []int64 {
	c := a.carried()
	v := c.count.values()
	dst = append(dst, v[:]...)
	return append(dst, c.sum[:]...)
}

// AddLimbs merges a vector of AppendLimbs, or the sum of up to 2^30 of them. A
// vector of another length, or with digits that no such sum has, is an error
// and leaves a unchanged.
func (a *Accumulator) AddLimbs(v []int64) error {
	var l long
	if err := setVector(v, Limbs, 5, []number{{l.sum[:], 0}}); err != nil {
		return err
	}
	l.count.set([5]int64(v))
	a.mergeLong(&l)
	return nil
}
