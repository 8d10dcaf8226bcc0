package residue

import (
	"math"
	"math/bits"
	"slices"
)

// MaxDepth bounds the products of an element: their sum fits 32 bits.
const MaxDepth = 1 << 15

// maxMagnitude bounds the largest magnitude of a row that takes part, and its
// inverse: no product of two norms overflows, and no joined integer underflows.
const maxMagnitude = 0x1p400

// minNorm bounds the logarithm of the norms of integers, so that rounding
// changes them by little.
const minNorm = 20

// maxNorm bounds it from above, as the kernels do.
const maxNorm = 93

// certain bounds the error that a plan aims at, 2^-certain of half an ULP:
// about one element in 2^certain cannot be rounded.
const certain = 9

// The size of a sample: sampleElements elements, of sampleRows rows and as many
// columns. All of them except sampleOpen are to be certain.
const (
	sampleRows     = 7
	sampleElements = sampleRows * sampleRows
	sampleOpen     = 2
)

// plan is a number of moduli, and the logarithms of the norms that rows of both
// factors are scaled to.
type plan struct {
	moduli      int
	left, right float64
}

// choose returns the plan for two factors. It reports false if no number of
// moduli is enough for most elements.
func choose(left, right *side) (plan, bool) {
	var exact [2]float64
	for i, s := range []*side{left, right} {
		exact[i] = minNorm
		usable := 0
		for r := range s.sample() {
			exact[i] = max(exact[i], s.exactNorm(r))
			usable++
		}
		if usable <= sampleRows/2 {
			return plan{}, false
		}
	}
	near := max(minNorm, sampleNorm(left, right))
	for n := 1; n <= len(moduli); n++ {
		log := logRange(n)
		switch {
		case exact[0]+exact[1] <= log && exact[0] <= maxNorm && exact[1] <= maxNorm:
			rest := float64((log - exact[0] - exact[1]) / 2)
			return plan{n, min(exact[0]+rest, maxNorm), min(exact[1]+rest, maxNorm)}, true
		case 2*near <= log && log/2 <= maxNorm:
			return plan{n, log / 2, log / 2}, true
		}
	}
	return plan{}, false
}

// sample yields the rows of a sample, except those that do not take part.
func (s *side) sample() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for t := range sampleRows {
			if i := (2*t + 1) * s.N / (2 * sampleRows); !s.rows[i].isOut() && !yield(i) {
				return
			}
		}
	}
}

// sampleNorm returns the logarithm of the norms of integers that most elements
// of a sample need in order to be rounded.
func sampleNorm(left, right *side) float64 {
	needs := make([]float64, 0, sampleElements)
	for i := range left.sample() {
		for j := range right.sample() {
			a, b := &left.rows[i], &right.rows[j]
			if a.norm == 0 || b.norm == 0 {
				continue
			}
			var c float64
			y := right.Row(j)
			for p, v := range left.Row(i) {
				c += float64(v * y[p])
			}
			// Half a unit of a row scaled to norm Q is at most its norm/Q.
			e := float64(a.norm*b.sum) + float64(b.norm*a.sum)
			//lastbit:ignore libm the plan changes no bits
			needs = append(needs, math.Log2(e/math.Abs(c))+53+certain)
		}
	}
	if len(needs) == 0 {
		return 0
	}
	slices.Sort(needs)
	return needs[max(0, len(needs)-1-sampleOpen)]
}

// exactNorm returns the logarithm of the norm, rounded up, that makes the
// elements of a row, and of others with a norm a little larger, integers.
func (s *side) exactNorm(i int) float64 {
	lowest := math.MaxInt
	for _, v := range s.Row(i) {
		if v != 0 {
			b := math.Float64bits(v)
			exponent := max(1, int(b>>52&0x7ff))
			significand := b&(1<<52-1) | 1<<52
			lowest = min(lowest, exponent+bits.TrailingZeros64(significand)-1075)
		}
	}
	if lowest == math.MaxInt {
		return 0
	}
	_, e := math.Frexp(s.rows[i].norm * 1.25)
	return float64(e - lowest)
}
