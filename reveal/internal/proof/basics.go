package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// baseArithmetic returns the arithmetic as far as it is known before any
// search. Its sums begin with +0.
func baseArithmetic(c *ask.Channel) sumtree.Arithmetic {
	op := c.Key.Op
	return sumtree.Arithmetic{In: c.Key.DType, Out: c.Key.Out, Mean: c.Key.Mean, PlusZero: true,
		Products: op.Products() || op.Squares(), Squares: op.Squares()}
}

// Basics finds the sign of a sum of −0, and whether subnormal inputs and
// results are flushed to zero, on two leaves that are added directly. Second
// factors are 4, so that products of subnormal inputs can be normal. The error
// is a Fact, WrongZero, when a sum of zeros is not zero.
func Basics(c *ask.Channel, t *sumtree.Tree) (sumtree.Arithmetic, error) {
	a := baseArithmetic(c)
	least := c.Key.DType.MinNormal()
	scale := 1.0
	var y []float64
	if c.Key.Op.Products() {
		scale = 4
		y = slices.Repeat([]float64{scale}, c.N)
	}
	fills := []ask.Fill{func(row []float64) {
		for i := range row {
			row[i] = math.Copysign(0, -1)
		}
	}}
	i, j, two := siblings(t)
	if two && !c.Key.Mean { // the quotient of a subnormal shows nothing
		fills = append(fills,
			func(row []float64) { row[i], row[j] = least/2, 2*least },
			func(row []float64) { row[i], row[j] = (1+0.5/scale)*least, -least })
	}
	c.Expect("traits", len(fills))
	out, err := c.AskMain(y, fills...)
	if err != nil {
		return a, err
	}
	if out[0] != 0 {
		const what = "a sum of zeros is not zero"
		want := 0.0
		return a, &verdict.Fact{Reason: verdict.WrongZero, What: what,
			Witness: c.Witness(what, y, fills[0], out[:1], &want)}
	}
	a.PlusZero = !math.Signbit(out[0])
	if c.N == 1 && !c.Key.Mean {
		return a, flushesAlone(c, &a)
	}
	if len(out) > 1 {
		a.DAZ = out[1] == 2*least*scale
		a.FTZ = out[2] == 0
	}
	if a.FTZ && a.PlusZero {
		if a.PlusZeroOut, err = endsWithZero(c, t, y); err != nil {
			return a, err
		}
	}
	if a.DAZ && y != nil {
		// Second factors of the replays are of moderate size.
		y[i] = least / 2
		out, err = c.AskMain(y, func(row []float64) { row[i], row[j] = scale, 2*least })
		a.DAZ = err == nil && out[0] == 2*least*scale
	}
	return a, err
}

// flushesAlone finds what becomes of a subnormal that is the only summand. A
// product may have subnormal factors, or be subnormal itself.
func flushesAlone(c *ask.Channel, a *sumtree.Arithmetic) error {
	least := c.Key.DType.MinNormal()
	alone := func(x, y float64) (out float64, err error) {
		var second []float64
		if a.Products {
			second = []float64{y}
		}
		all, err := c.AskMain(second, ask.Values([]float64{x}))
		if err != nil {
			return 0, err
		}
		return all[0], nil
	}
	flushed, err := alone(-0.75*least, 1)
	if err != nil || flushed != 0 {
		return err
	}
	a.FTZ, a.DAZ = true, true
	a.PlusZeroOut = a.PlusZero && !math.Signbit(flushed)
	if !a.Products {
		return nil
	}
	first, err := alone(0.75*least, 4)
	if err != nil {
		return err
	}
	second, err := alone(4, 0.75*least)
	if err != nil {
		return err
	}
	product, err := alone(1.5*least, 0.5)
	a.DAZ, a.FTZ = first == 0 && second == 0, product == 0
	return err
}

// endsWithZero reports whether a negative sum that the root flushes is +0.
func endsWithZero(c *ask.Channel, t *sumtree.Tree, y []float64) (bool, error) {
	order, lo, _ := t.LeafOrder()
	kids := t.Children(t.Root())
	i, j := order[lo[kids[0]]], order[lo[kids[1]]]
	least := c.Key.DType.MinNormal()
	scale := 1.0
	if y != nil {
		scale = y[i]
	}
	out, err := c.AskMain(y, func(row []float64) {
		row[i], row[j] = -(1+0.5/scale)*least, least
	})
	return err == nil && out[0] == 0 && !math.Signbit(out[0]), err
}

// siblings returns two leaves that are operands of one addition.
func siblings(t *sumtree.Tree) (i, j int, ok bool) {
	for id := t.Leaves(); id < t.Nodes(); id++ {
		if kids := t.Children(id); t.IsLeaf(int(kids[0])) && t.IsLeaf(int(kids[1])) {
			return int(kids[0]), int(kids[1]), true
		}
	}
	return 0, 0, false
}

// The largest numbers of fraction bits that alignment looks for. float16 has
// room for fewer.
const (
	maxAlign     = 52
	maxAlignHalf = 38
)

// alignment returns the number of fraction bits below the largest operand that
// a fused node keeps, 0 when it keeps all that could be looked for. It masks
// the first three operands of such a node with 2^top, 2^(top−k) and −2^top.
func alignment(c *ask.Channel, t *sumtree.Tree) (int, error) {
	order, lo, _ := t.LeafOrder()
	var leaves []int
	for id := t.Leaves(); id < t.Nodes(); id++ {
		if kids := t.Children(id); len(kids) > 2 {
			for _, k := range kids[:3] {
				leaves = append(leaves, int(order[lo[k]]))
			}
			break
		}
	}
	top, most := maxAlign, maxAlign
	if c.Key.DType == fp.Binary16 {
		top, most = 14, maxAlignHalf
	}
	fills := make([]ask.Fill, most+1)
	for k := range fills {
		fills[k] = func(row []float64) {
			row[leaves[0]], row[leaves[2]] = math.Ldexp(1, top), -math.Ldexp(1, top)
			row[leaves[1]] = math.Ldexp(1, top-k)
		}
	}
	c.ExpectQuestions("alignment", len(fills))
	out, err := c.Ask(nil, fills...)
	if err != nil {
		return 0, err
	}
	for k, o := range out {
		if o == 0 {
			return k - 1, nil
		}
	}
	return 0, nil
}
