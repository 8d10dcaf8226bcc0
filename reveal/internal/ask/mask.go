package ask

import (
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/probe"
)

// Inputs makes random inputs in the formats and the scale of a channel.
type Inputs struct {
	key   probe.Key
	n     int
	rng   *rand.Rand
	scale *Scale
}

// A Pair is two leaves that carry +M and −M.
type Pair struct{ A, B int }

// Weights are whole numbers of units on the leaves.
type Weights []float64

// Ones returns weights of 1 on n leaves.
func Ones(n int) Weights {
	w := make(Weights, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// Total returns the sum of the weights.
func (w Weights) Total() float64 {
	var s float64
	for _, x := range w {
		s += x
	}
	return s
}

// Weights returns a random weight of at least 1 for every leaf, with a total
// below 2^Bits. Where there are too many leaves for that, those that Chosen
// returns have weight 1 and the others have 0.
func (in *Inputs) Weights(first []int) Weights {
	w := make(Weights, in.n)
	budget := in.scale.Limit() - 1
	largest := math.Ldexp(1, min(in.key.DType.Precision(), 24))
	top := min(math.Floor(budget/float64(in.n)), largest)
	if top < 1 {
		for _, i := range in.Chosen(first) {
			w[i] = 1
		}
		return w
	}
	for i := range w {
		w[i] = 1 + math.Floor(in.rng.Float64()*top)
	}
	return w
}

// Chosen returns a random choice of leaves, some of them twice, whose count is
// below 2^Bits. Leaves of first are served first.
func (in *Inputs) Chosen(first []int) []int {
	left := int(in.scale.Limit() - 1) //lastbit:ignore floatconv a count of summands
	all := make([]int, 0, left)
	seen := map[int]bool{}
	for _, i := range first {
		if left > 0 && !seen[i] {
			seen[i] = true
			all = append(all, i)
			left--
		}
	}
	for range left {
		all = append(all, in.rng.IntN(in.n))
	}
	return all
}

// powers returns 2^(Lo−7) … 2^(Hi−7).
func (s *Scale) powers() []float64 {
	p := make([]float64, s.Hi-s.Lo+1)
	for k := range p {
		p[k] = math.Ldexp(1, s.Lo+k-7)
	}
	return p
}

// Masks sets masks of both signs on the pairs of a patch: see Mask.
func (in *Inputs) Masks(p *Patch, pairs []Pair) {
	powers := in.scale.powers()
	for _, q := range pairs {
		mask := float64(128+in.rng.IntN(128)) * powers[in.rng.IntN(len(powers))]
		if in.rng.IntN(2) == 0 {
			mask = -mask
		}
		p.Set(q.A, mask)
		p.Set(q.B, -mask)
	}
}

// Mask returns a random value of 2^Lo … 2^(Hi+1), so that in general only its
// own opposite cancels it. It has 8 significant bits: an implementation that
// rounds its operands to a shorter format, or aligns them, does not change it.
func (in *Inputs) Mask() float64 {
	significand := float64(128 + in.rng.IntN(128))
	return math.Ldexp(significand, in.scale.Lo+in.rng.IntN(in.scale.Hi-in.scale.Lo+1)-7)
}

// Masked returns an input with weights in units, and masks on each pair.
func (in *Inputs) Masked(w Weights, pairs []Pair) Fill {
	masks := make([]float64, len(pairs))
	for i := range masks {
		masks[i] = in.Mask()
		if in.rng.IntN(2) == 0 {
			masks[i] = -masks[i]
		}
	}
	return func(row []float64) {
		for i, c := range w {
			row[i] = c * in.scale.Unit
		}
		for i, q := range pairs {
			row[q.A], row[q.B] = masks[i], -masks[i]
		}
	}
}
