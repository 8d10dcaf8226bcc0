package proof

import (
	"math/bits"
	"math/rand/v2"
)

// zeroes returns the property that at most a number of summands, most, are not
// zero. Inputs are made with left of them.
func zeroes(where string, left func(rng *rand.Rand, n int) int, most func(n int) int) property {
	nonzero := func(v []float64) (n int) {
		for _, x := range v {
			if x != 0 {
				n++
			}
		}
		return n
	}
	return property{where: where,
		holds: func(v []float64) bool { return nonzero(v) <= most(len(v)) },
		shape: func(d *propertyDrawer, v []float64) {
			d.signs(v)
			for _, i := range d.rng.Perm(len(v))[:len(v)-min(left(d.rng, len(v)), len(v)-1)] {
				v[i] = 0
			}
		},
		spoil: func(d *propertyDrawer, v []float64) {
			zeros := len(v) - nonzero(v)
			for i := range v {
				if v[i] == 0 && zeros > 1 {
					v[i] = d.magnitude()
					zeros--
				}
			}
		}}
}

// halfZero is the property that half of the summands are zero.
func halfZero() property {
	return zeroes("where half of the summands are zero",
		func(_ *rand.Rand, n int) int { return n - (n+2)/2 }, func(n int) int { return n / 2 })
}

// nearlyZero is the property that eleven of twelve summands are zero, or more.
// Of the inputs, half have as few as that allows, and the others fewer, down to
// fewestNonzero.
func nearlyZero() property {
	most := func(n int) int { return max(fewestNonzero, n/12) }
	p := zeroes("where nearly all summands are zero", func(rng *rand.Rand, n int) int {
		if rng.IntN(2) == 0 {
			return most(n)
		}
		return most(n) >> rng.IntN(bits.Len(uint(most(n)/fewestNonzero)))
	}, most)
	p.hides = true
	return p
}

// fewestNonzero is the fewest summands that have several orders.
const fewestNonzero = 3
