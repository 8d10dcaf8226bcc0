package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// probeCorrection reports whether two summands that meet at a node, alone among
// zeros, give s + (b − (s − a)), s being their rounded sum. Kahan's summation
// does, at each of its additions that another one follows.
func (x *partProber) probeCorrection(id int, acc fp.Format) (bool, error) {
	if acc == 0 {
		acc = ask.Accumulators(x.c.Key)[0]
	}
	p, ok := correctedPair(x.c, acc)
	if !ok {
		return false, nil
	}
	kids := x.t.Children(id)
	i, j := x.leafUnder(kids[0]), x.leafUnder(kids[1])
	out, err := x.c.Ask(nil,
		func(row []float64) { row[i], row[j] = p.a, p.b },
		func(row []float64) { row[i], row[j] = p.b, p.a })
	if err != nil {
		return false, err
	}
	corrects := slices.Contains(p.want, out[0]) || slices.Contains(p.want, out[1])
	if corrects && x.overflow == nil {
		err = x.askOverflow(i, j)
	}
	return corrects, err
}

// askOverflow asks for the sum of two of the largest numbers, whose error is
// not finite.
func (x *partProber) askOverflow(i, j int) error {
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
	a, b float64
	want []float64
}

// maxCorrectedTries bounds the pairs that correctedPair tries; a few in a
// hundred will do.
const maxCorrectedTries = 4000

// correctedPair looks for a pair of summands whose sum, corrected in the format
// acc, gives another result than their rounded sum.
func correctedPair(c *ask.Channel, acc fp.Format) (corrected, bool) {
	in := c.Key.DType
	add := func(a, b float64) float64 { return acc.Add(a, b, fp.NearestEven) }
	for range maxCorrectedTries {
		gap := 1 + c.Rand.IntN(acc.Precision())
		b := in.Round(1+c.Rand.Float64(), fp.NearestEven)
		a := in.Round(math.Ldexp(c.Rand.Float64()-0.5, 1-gap), fp.NearestEven)
		s := add(a, b)
		p := corrected{a, b, results(c, acc, add(s, add(b, -add(s, -a))))}
		plain := results(c, acc, s)
		same := func(v float64) bool { return slices.Contains(plain, v) }
		if !slices.ContainsFunc(p.want, same) {
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
