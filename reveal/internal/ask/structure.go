package ask

import "math"

// Structure is an input whose output depends on the order alone: masks of one
// magnitude, as many positive as negative, at random leaves, and weights on the
// others. Whatever the precision and the rounding, the result is the sum of the
// weights that meet no mask that is still there.
type Structure struct {
	Plus, Minus []int
	Weights     Weights
	Exp         int // masks are ±2^Exp
}

// Opening is the first structures asked, with the outputs of the main lane and
// the counts that they represent.
type Opening struct {
	Structures []Structure
	Outputs    []float64
	Counts     []float64
}

// maxMaskPairs bounds the mask pairs of a structure. Three masks of 2^Lo do not
// overflow in float16, whose exponents stay below 20; and where counts are
// remainders, they move by 4·Step at most.
const (
	maxMaskPairs    = 12
	maxMaskPairsFew = 3
	halfExponents   = 20
)

// Structure returns a random structure, of one mask pair or of many.
func (in *Inputs) Structure(many bool) Structure {
	most := min(in.n/2, maxMaskPairs)
	if in.scale.Hi < halfExponents || in.scale.Step != 0 {
		most = min(most, maxMaskPairsFew)
	}
	m := min(most, 1)
	if many && most > 1 {
		m = 1 + in.rng.IntN(most)
	}
	leaves := in.leaves(2 * m)
	return Structure{
		Plus:    leaves[:m],
		Minus:   leaves[m:],
		Weights: in.Weights(nil),
		Exp:     in.scale.Lo,
	}
}

// Structures returns k structures: the first of one mask pair, the others of
// many.
func (in *Inputs) Structures(k int) []Structure {
	s := make([]Structure, k)
	for i := range s {
		s[i] = in.Structure(i > 0)
	}
	return s
}

// PairStructure returns random weights with one mask pair.
func (in *Inputs) PairStructure(q Pair) Structure {
	return Structure{
		Plus:    []int{q.A},
		Minus:   []int{q.B},
		Weights: in.Weights(nil),
		Exp:     in.scale.Lo,
	}
}

// leaves returns k different leaves. Half of the time they are close together,
// since families differ in their treatment of the last few.
func (in *Inputs) leaves(k int) []int {
	span, from := in.n, 0
	if near := 4*k + 4; near < in.n && in.rng.IntN(2) == 0 {
		span = near
		from = in.rng.IntN(in.n - near + 1)
		if in.rng.IntN(2) == 0 {
			from = in.n - near
		}
	}
	seen := map[int]bool{}
	var all []int
	for len(all) < k {
		if i := from + in.rng.IntN(span); !seen[i] {
			seen[i] = true
			all = append(all, i)
		}
	}
	return all
}

// Fill returns the input with masks of 2^exp and weights in units.
func (s Structure) Fill(exp int, unit float64) Fill {
	return func(row []float64) {
		for i, c := range s.Weights {
			row[i] = c * unit
		}
		for k := range s.Plus {
			row[s.Plus[k]], row[s.Minus[k]] = math.Ldexp(1, exp), -math.Ldexp(1, exp)
		}
	}
}

// Input returns the input in the scale of c.
func (s Structure) Input(c *Channel) Fill { return s.Fill(s.Exp, c.Scale.Unit) }

// Logical returns the input as sumtree.Family.Masked and a replay in float64
// take it: masks of 2^200 and weights.
func (s Structure) Logical() []float64 {
	x := make([]float64, len(s.Weights))
	s.Fill(200, 1)(x)
	return x
}

// Unmasked returns the count of an implementation that loses nothing to a mask.
func (s Structure) Unmasked() float64 {
	c := s.Weights.Total()
	for k := range s.Plus {
		c -= s.Weights[s.Plus[k]] + s.Weights[s.Minus[k]]
	}
	return c
}

// askStructures asks each structure once, in all lanes, and returns the outputs
// and counts of the main lane, and the lanes that agree with it on every one.
func askStructures(c *Channel, all []Structure) (o Opening, pool []int, err error) {
	o.Structures = all
	agree := make([]bool, c.Lanes())
	for i := range agree {
		agree[i] = true
	}
	for _, s := range all {
		fill := s.Input(c)
		out, err := c.AskAll(nil, fill)
		if err != nil {
			return o, nil, err
		}
		main := out[c.pool[0]]
		n, ok := c.Scale.Count(main)
		if !ok {
			return o, nil, NotACount(c, fill, main)
		}
		o.Outputs, o.Counts = append(o.Outputs, main), append(o.Counts, n)
		for lane, v := range out {
			agree[lane] = agree[lane] && SameBits(v, main)
		}
	}
	pool = []int{c.pool[0]}
	for lane, a := range agree {
		if a && lane != c.pool[0] {
			pool = append(pool, lane)
		}
	}
	return o, pool, nil
}
