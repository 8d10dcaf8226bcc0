package explain

import (
	"hash/maphash"
	"math"
)

// Where the summands of one element are the summands of another one, multiplied
// by a power of two or by −1, so are the results, in every order and nearly
// every arithmetic. Such an element is not further evidence.

// onePerKind returns the elements of a list without those whose summands are,
// up to such a factor, another one's before.
func (p *Problem) onePerKind(list []int) []int {
	rows := kinds(p.x, p.N)
	columns := kinds(p.y, p.N)
	seen := map[[2]uint64]bool{}
	var some []int
	for _, e := range list {
		kind := [2]uint64{rows[p.row(e)]}
		if columns != nil {
			kind[1] = columns[e%p.cols]
		}
		if !seen[kind] {
			seen[kind] = true
			some = append(some, e)
		}
	}
	return some
}

// kinds returns a hash of each row of n numbers that is the same for a multiple
// of a row by a power of two, or by −1.
func kinds(v []float64, n int) []uint64 {
	var all []uint64
	seed := maphash.MakeSeed()
	for len(v) >= n {
		all = append(all, kind(seed, v[:n]))
		v = v[n:]
	}
	return all
}

// kind returns the hash of one row.
func kind(seed maphash.Seed, row []float64) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	first, sign := 0, 0.0 // of the first number that is not zero
	for _, v := range row {
		fraction, exp := math.Frexp(v)
		if finite := v-v == 0 && v != 0; finite && sign == 0 {
			first, sign = exp, math.Copysign(1, v)
		} else if !finite {
			exp = first
		}
		//lastbit:ignore nankey NaN and zeros count as they are
		maphash.WriteComparable(&h, [2]uint64{math.Float64bits(fraction * sign),
			uint64(exp - first)})
	}
	return h.Sum64()
}
