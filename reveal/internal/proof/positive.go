package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// PositiveArithmetics returns the arithmetics that a sum of non-negative
// summands may have, additions rounded to nearest as the levels have shown, and
// sums of as many bits; l is nil for two summands or one. steps and kind are
// what may become of the sum. Questions decide whether subnormal squares are
// flushed.
func PositiveArithmetics(
	c *ask.Channel, t *sumtree.Tree, steps []ask.Step, kind sumtree.EpilogueKind, l *ask.Levels,
) ([]sumtree.Arithmetic, error) {
	acc, shown, wide := c.Key.Out, l != nil, 0
	if shown {
		acc, wide = l.Acc, l.Wide
	}
	base := baseArithmetic(c)
	if err := flushes(c, &base, acc); err != nil {
		return nil, err
	}
	all, err := Uniform(c, t, base)
	if err != nil {
		return nil, err
	}
	var out []sumtree.Arithmetic
	for _, a := range append(all, subnormalProducts(c, all)...) {
		if a.Nodes.Mode != fp.NearestEven || shown && (a.Significand != wide ||
			wide == 0 && held(a.Nodes).Precision() != acc.Precision()) {
			continue
		}
		for _, s := range append(steps[:len(steps):len(steps)], ask.Step{})[:max(1, len(steps))] {
			a.Factor, a.Divisor = s.Factor, s.Divisor
			for _, e := range epilogues(c, kind, a.Nodes) {
				a.After = e
				out = append(out, a)
			}
		}
	}
	return out, nil
}

// held returns the format that nodes of an arithmetic hold their sums in.
func held(n sumtree.NodeArith) fp.Format {
	if n.Store != 0 {
		return n.Store
	}
	return n.Acc
}

// subnormalProducts returns the arithmetics that round products, with products
// in the accumulator's format where that holds all products except subnormal
// ones: bfloat16 in float32.
func subnormalProducts(c *ask.Channel, all []sumtree.Arithmetic) []sumtree.Arithmetic {
	if c.Key.DType != fp.BFloat16 {
		return nil
	}
	var out []sumtree.Arithmetic
	for _, a := range all {
		if a.Nodes.Acc == fp.Binary32 && a.Product == 0 && a.FMA != sumtree.FMAAll {
			a.Product = fp.Binary32
			out = append(out, a)
		}
	}
	return out
}

// flushes asks whether a subnormal square, and the square of a subnormal, are
// zero. Where squares of subnormals vanish anyway, nothing shows of the latter.
func flushes(c *ask.Channel, base *sumtree.Arithmetic, acc fp.Format) error {
	if !c.Key.Op.Squares() {
		return nil
	}
	in := c.Key.DType
	var fills []ask.Fill
	square := in.Round(math.Sqrt(0.6*acc.MinNormal()), fp.NearestEven)
	subnormal := in.MinNormal() / 2
	for _, v := range []float64{square, subnormal} {
		fills = append(fills, func(row []float64) { row[0] = v })
	}
	out, err := c.AskMain(nil, fills...)
	if err != nil {
		return err
	}
	base.FTZ = square >= in.MinNormal() && out[0] == 0
	// The square of the subnormal would be a normal number of the accumulator
	// and of the result.
	least := max(acc.MinNormal(), c.Key.Out.MinNormal())
	base.DAZ = float64(subnormal*subnormal) >= least && out[1] == 0
	return nil
}

// epilogues returns what may become of the sum of nodes with that arithmetic.
func epilogues(
	c *ask.Channel, kind sumtree.EpilogueKind, n sumtree.NodeArith,
) []*sumtree.Epilogue {
	if kind == "" {
		return []*sumtree.Epilogue{nil}
	}
	formats := []fp.Format{n.Acc}
	if out := c.Key.Out; out != n.Acc {
		formats = append(formats, out)
		if out.Precision() < fp.Binary32.Precision() && n.Acc != fp.Binary32 {
			formats = append(formats, fp.Binary32)
		}
	}
	var all []*sumtree.Epilogue
	for _, f := range formats {
		for _, e := range epiloguesIn(kind) {
			e.Format = f
			all = append(all, &e)
		}
	}
	return all
}

// epiloguesIn returns the ways to compute a function of the sum, without their
// format.
func epiloguesIn(kind sumtree.EpilogueKind) []sumtree.Epilogue {
	switch kind {
	case sumtree.Root:
		return []sumtree.Epilogue{{Kind: kind}}
	case sumtree.Softmax:
		return []sumtree.Epilogue{{Kind: kind, Inverse: sumtree.Divides},
			{Kind: kind, Inverse: sumtree.Reciprocal}}
	}
	var all []sumtree.Epilogue
	for _, inverse := range []sumtree.Inverse{
		sumtree.Reciprocal, sumtree.Divides, sumtree.Rsqrt,
	} {
		for _, times := range []bool{false, true} {
			for _, eps := range []float64{1e-5, 1e-6, 0x1p-23, 0x1p-52, 0} {
				all = append(all, sumtree.Epilogue{
					Kind: kind, Inverse: inverse, Eps: eps, Times: times,
				})
			}
		}
	}
	return all
}

// SizesMatter returns the fact that the closest arithmetic reproduces all
// inputs of moderate size, but not some others; nil where that is not so.
func (m *Mismatch) SizesMatter(*ask.Channel) (*verdict.Fact, error) {
	var moderate []ask.Sample
	for _, s := range m.Samples {
		if s.Kind.IsModerate() || isModerate(s.X) {
			moderate = append(moderate, s)
		}
	}
	if n, _ := countMatches(m.Tree, m.Closest, moderate); n < len(moderate) || n < 8 {
		return nil, nil
	}
	return m.fact(verdict.SizesMatter,
		"summands of moderate size are added in the order of the tree, and others are not"), nil
}

// isModerate reports whether all values but zeros are of the sizes that
// AskFusedTies gives its inputs.
func isModerate(x []float64) bool {
	const least, most = 0x1p-60, 0x1p8
	return !slices.ContainsFunc(x, func(v float64) bool {
		return v != 0 && !(math.Abs(v) >= least && math.Abs(v) <= most)
	})
}

// OneZeroMatters returns the fact that the closest arithmetic reproduces all
// inputs except some with zeros; nil where that is not so.
func (m *Mismatch) OneZeroMatters(c *ask.Channel) (*verdict.Fact, error) {
	if zeros, others := m.missesZeros(c.Key.Out); !zeros || others {
		return nil, nil
	}
	return m.fact(verdict.ZerosMatter, "zeros among the summands change the order of the others"),
		nil
}
