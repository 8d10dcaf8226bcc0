package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// probeCorrections finds the nodes that correct their sums. Two summands that
// meet at one, alone among zeros, give s + e, where s is their rounded sum and
// e = b − (s − a). Kahan's summation does, at each of its additions that
// another one follows. Where the next addition takes −s, e is left.
func (x *partProber) probeCorrections(nodes []int) error {
	for k, acc := range ask.Accumulators(x.c.Key) {
		held := slices.DeleteFunc(slices.Clone(nodes), func(v int) bool {
			own := x.part(v).acc
			return own != acc && (own != 0 || k > 0)
		})
		if len(held) == 0 {
			continue
		}
		p, ok := correctedPair(x.c, acc)
		if !ok {
			continue
		}
		for range 2 {
			if err := x.askCorrections(held, p); err != nil {
				return err
			}
			p.a, p.b = p.b, p.a
			held = slices.DeleteFunc(held, func(v int) bool { return x.part(v).corrects })
		}
	}
	return x.askOverflow(nodes)
}

// askCorrections asks for the sum of a pair at each of the nodes.
func (x *partProber) askCorrections(nodes []int, p corrected) error {
	below := belowRoot(x, nodes)
	corrects, err := x.has(below, nodeTest{step: "parts", first: p.a, second: p.b,
		sibling: -p.sum, more: p.rest})
	if err != nil {
		return err
	}
	for k, v := range below {
		x.part(v).corrects = corrects[k]
	}
	if root := x.t.Root(); len(below) < len(nodes) {
		kids := x.t.Children(root)
		out, err := x.c.Ask(nil, func(row []float64) {
			row[x.leafUnder(kids[0])], row[x.leafUnder(kids[1])] = p.a, p.b
		})
		if err != nil {
			return err
		}
		x.part(root).corrects = slices.Contains(p.want, out[0])
	}
	return nil
}

// askOverflow asks for the sum of two of the largest numbers, whose error is
// not finite, at the first node that corrects, once.
func (x *partProber) askOverflow(nodes []int) error {
	k := slices.IndexFunc(nodes, func(v int) bool { return x.part(v).corrects })
	if k < 0 || x.overflow != nil {
		return nil
	}
	kids := x.t.Children(nodes[k])
	i, j := x.leafUnder(kids[0]), x.leafUnder(kids[1])
	s := ask.Sample{Kind: ask.Large, X: make([]float64, x.c.N)}
	s.X[i], s.X[j] = x.c.Key.DType.Max(), x.c.Key.DType.Max()
	out, err := x.c.AskMain(nil, ask.Values(s.X))
	if err != nil {
		return err
	}
	if x.c.Key.Op.Products() {
		s.Y = ask.Ones(x.c.N)
	}
	s.Out = out[0]
	x.overflow = &s
	return nil
}

// corrected is a pair of summands whose corrected sum gives one of the results
// want, and whose rounded sum gives none of them.
type corrected struct {
	a, b      float64
	sum, rest float64 // their rounded sum, and its correction
	want      []float64
}

// maxCorrectedTries bounds the pairs that correctedPair tries; a few in a
// hundred will do.
const maxCorrectedTries = 4000

// correctedPair looks for a pair of summands whose sum, corrected in the format
// acc, gives another result than their rounded sum. It is corrected by the same
// amount where the correction is taken off a summand −s, and s is an input.
func correctedPair(c *ask.Channel, acc fp.Format) (corrected, bool) {
	in, rng := c.Key.DType, ask.RandApart(c, "carry")
	add := func(a, b float64) float64 { return acc.Add(a, b, fp.NearestEven) }
	for range maxCorrectedTries {
		gap := 1 + rng.IntN(acc.Precision())
		b := in.Round(1+rng.Float64(), fp.NearestEven)
		a := in.Round(math.Ldexp(rng.Float64()-0.5, 1-gap), fp.NearestEven)
		s := add(a, b)
		rest := add(b, -add(s, -a))
		p := corrected{a, b, s, rest, results(c, acc, add(s, rest))}
		plain := results(c, acc, s)
		same := func(v float64) bool { return slices.Contains(plain, v) }
		if add(s, rest)-s == rest && s-add(s, -rest) == rest && in.Round(s, fp.NearestEven) == s &&
			!slices.ContainsFunc(p.want, same) {
			return p, true
		}
	}
	return corrected{}, false
}

// results returns the results that a sum may give: for a mean, by division and
// by the rounded 1/n.
func results(c *ask.Channel, acc fp.Format, sum float64) []float64 {
	last := []float64{sum}
	if c.Key.Mean {
		n := float64(c.N)
		part := acc.Round(1/n, fp.NearestEven)
		last = []float64{
			acc.Round(sum/n, fp.NearestEven), acc.Mul(sum, part, fp.NearestEven),
		}
	}
	for i, v := range last {
		last[i] = c.Key.Out.Round(v, fp.NearestEven)
	}
	return last
}

// carries returns the ways that the additions of all nodes may carry their
// errors: the only one, nil, when no node corrects its sum. Where the error of
// the last addition is lost, that addition corrects nothing, and is the one
// above those that do. A sum that carries everywhere is not taken for a tree.
func (x *partProber) carries() [][]sumtree.Carry {
	added := make([]sumtree.Carry, len(x.parts))
	on := make([]sumtree.Carry, len(x.parts))
	found := false
	for k, p := range x.parts {
		if !p.corrects {
			continue
		}
		found = true
		added[k], on[k] = sumtree.CarryAdded, sumtree.CarryOn
		if up := x.parent[x.t.Leaves()+k]; up >= 0 {
			on[int(up)-x.t.Leaves()] = sumtree.CarryOn
		}
	}
	if !found {
		return [][]sumtree.Carry{nil}
	}
	var all [][]sumtree.Carry
	for _, carry := range [][]sumtree.Carry{added, on} {
		if slices.Contains(carry, sumtree.CarryNone) {
			all = append(all, carry)
		}
	}
	return all
}
