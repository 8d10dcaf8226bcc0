package exact

// Limbs is the length of the vector that AppendLimbs appends.
const Limbs = 5 + limbs

// mostMerged is how many vectors of limbs may be added up.
const mostMerged = 1 << 30

// AppendLimbs appends the state to dst as a vector of Limbs integers. The sum of such
// vectors, element by element, is one of the merged state: whatever adds 64-bit
// integers, an MPI reduction, a database, merges accumulators, up to 2^30 of them.
//
// The vector begins with the counts of summands, of −0, NaN, +Inf and −Inf among
// them; then follow the digits of the sum, the lowest first: digit i counts
// 2^(32i − 2148).
func (a *Accumulator) AppendLimbs(dst []int64) []int64 {
	c := a.carried()
	v := c.count.values()
	dst = append(dst, v[:]...)
	return append(dst, c.sum[:]...)
}

// AddLimbs merges a vector that AppendLimbs gave, or the sum of up to 2^30 of them.
// The error is about a vector of another length, or with digits that no such sum has;
// it leaves a as it is.
func (a *Accumulator) AddLimbs(v []int64) error {
	var b Accumulator
	if err := setVector(v, Limbs, 5, []number{{b.sum[:], 0}}); err != nil {
		return err
	}
	b.count.set([5]int64(v))
	a.Merge(&b)
	return nil
}
