package proof

import (
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// modes lists the rounding modes, the likeliest first.
func modes() []fp.Mode {
	return []fp.Mode{fp.NearestEven, fp.TowardZero, fp.Up, fp.Down, fp.NearestAway}
}

// modesOf returns the modes that the search expects of an arithmetic. The
// quotient of a mean is rounded twice, so ties away from zero would look like
// another format of the quotient.
//
// In a sum of many, masks of both signs have taken up units and stayed as they
// were. Toward zero, masks of the other sign than the units move; up, all do
// where units are positive, and down, where they are negative.
//
// Arm's instructions for dot products of bfloat16 round to odd.
func modesOf(c *ask.Channel, base sumtree.Arithmetic) []fp.Mode {
	all := modes()
	if base.Mean {
		all = all[:len(all)-1]
	}
	if c.Key.DType == fp.BFloat16 && base.Products && c.Key.Out == fp.Binary32 {
		all = append(all, fp.ToOdd)
	}
	if c.N < stayedMasks || c.Scale.Step != 0 || c.Key.Op.Positive() {
		return all
	}
	moves := fp.Up
	if c.Scale.Unit < 0 {
		moves = fp.Down
	}
	return slices.DeleteFunc(all, func(m fp.Mode) bool { return m == fp.TowardZero || m == moves })
}

// stayedMasks is the least number of summands of a certified tree whose masks
// rule out modes.
const stayedMasks = 256

// Uniform returns the arithmetics that all nodes of t may share: every
// accumulator, rounding mode and way of products. For products of 16-bit
// numbers these include the sums of matrix accelerators, which align two
// operands as they do more.
func Uniform(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic,
) ([]sumtree.Arithmetic, error) {
	return uniform(c, t, base, newOpenings(t).withStarts)
}

// uniform is Uniform with the arithmetics that expand makes of each, where the
// tree has additions of two operands only.
func uniform(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic,
	expand func(sumtree.Arithmetic) []sumtree.Arithmetic,
) ([]sumtree.Arithmetic, error) {
	if t.MaxArity() > 2 {
		return uniformFused(c, t, base)
	}
	var all []sumtree.Arithmetic
	for _, reading := range readings(c, base) {
		for _, mode := range modesOf(c, base) {
			for _, acc := range ask.Accumulators(c.Key) {
				endsWithZero := reading.PlusZeroOut && !base.PlusZeroOut
				if endsWithZero && isNeverMinusZero(reading, acc, mode) {
					continue // the same function as base
				}
				for _, store := range stores(c, acc) {
					for _, a := range productRules(c, reading, acc) {
						if store == fp.Binary32 && a.FMA == sumtree.FMANone {
							continue // rounding to binary64 first changes nothing
						}
						a.Nodes = sumtree.NodeArith{Acc: acc, Store: store, Mode: mode,
							FlushOperands: reading.Nodes.FlushOperands}
						for _, a := range conversions(c, a) {
							all = append(all, expand(a)...)
						}
					}
				}
			}
		}
	}
	all = append(all, wide(c, base)...)
	if isShortProduct(c) {
		// The accelerators known keep 20 to 28 fraction bits, and truncate.
		for bits := 20; bits <= 28; bits++ {
			for _, a := range fusedArithmetics(t, base, []fp.Format{fp.Binary32}, bits) {
				if a.Nodes.Trunc == fp.TowardZero && a.Except == nil {
					all = append(all, a)
				}
			}
		}
	}
	return all, nil
}

// wide returns the arithmetics of accumulators wider than a float64: the 80-bit
// format of x87, and binary128. Short formats show no difference to float64.
func wide(c *ask.Channel, base sumtree.Arithmetic) []sumtree.Arithmetic {
	if c.Key.DType.Precision() < fp.Binary32.Precision() || base.Mean || base.DAZ || base.FTZ ||
		base.Nodes.FlushOperands || base.FlushOut {
		return nil
	}
	modes := modesOf(c, base)
	if c.N > maxWideDirected {
		modes = modes[:1]
	}
	var all []sumtree.Arithmetic
	for _, mode := range modes {
		for _, bits := range []int{64, 113} {
			a := base
			a.Significand, a.Nodes = bits, sumtree.NodeArith{Acc: fp.Binary64, Mode: mode}
			all = append(all, conversions(c, a)...)
			if a.Products {
				a.Product = c.Key.DType
				all = append(all, conversions(c, a)...)
			}
		}
	}
	return all
}

// conversions returns an arithmetic, and where its additions hold more than the
// result does, the same with other conversions: to nearest where the additions
// round in one direction, since a program may end the mode before it converts
// the sum; and else, of results of 16 bits or fewer, toward zero and to nearest
// with ties away from zero, as programs do that keep the first bits of a
// float32, of the sum or of the sum and half a last place.
func conversions(c *ask.Channel, a sumtree.Arithmetic) []sumtree.Arithmetic {
	all := []sumtree.Arithmetic{a}
	acc := held(a.Nodes).Precision()
	if a.Significand != 0 {
		acc = a.Significand
	}
	if acc <= a.Out.Precision() || a.Mean {
		return all
	}
	if a.Nodes.Mode != fp.NearestEven {
		if c.N > 2 || !hidesRounding(a, acc) {
			a.OutNearest = true
			all = append(all, a)
		}
		return all
	}
	if a.Out.Precision() < fp.Binary32.Precision() {
		for _, mode := range []fp.Mode{fp.TowardZero, fp.NearestAway} {
			a.OutMode = mode
			all = append(all, a)
		}
	}
	return all
}

// hidesRounding reports whether a single addition that holds acc bits, rounded
// to nearest at last, gives the same result in its direction as to nearest: it
// holds the sum exactly whenever that is close to halfway between two results.
// Rounded down, a sum that is zero is −0.
func hidesRounding(a sumtree.Arithmetic, acc int) bool {
	out := a.Out.Precision()
	short := a.In.Precision() <= out
	if a.Products {
		short = a.FMA == sumtree.FMANone && a.Product != 0 && a.Product.Precision() <= out
	}
	return short && acc >= 2*out+2 && a.Nodes.Mode != fp.Down // as double rounding needs
}

// maxWideDirected is the largest number of summands whose wide accumulators may
// round in other directions than to nearest: a replay takes 200 ns a summand.
const maxWideDirected = 1 << 12

// readings returns the arithmetics that the probes of Basics allow, the
// likeliest first. A short result that is flushed may be flushed by its
// conversion only. A mean shows its subnormals to replays alone, and may be a
// quotient or a product. The quotient of a short mean may be a float64, as
// NumPy's quotient of a float32 and an integer is, and may be rounded to −0
// before it is added to the result's +0, as PyTorch's avg_pool1d does.
func readings(c *ask.Channel, base sumtree.Arithmetic) []sumtree.Arithmetic {
	all := []sumtree.Arithmetic{base}
	short := c.Key.Out.Precision() < fp.Binary32.Precision()
	if short && (base.FTZ || base.Mean) {
		a := base
		a.FTZ, a.FlushOut = false, true
		all = append(all, a)
	}
	if !base.Mean {
		return all
	}
	if short && base.PlusZero {
		a := base
		a.PlusZeroOut = true
		all = append(all, a)
	}
	for _, flushes := range [][2]bool{{true, true}, {false, true}, {true, false}} {
		a := base
		a.DAZ, a.FTZ = flushes[0], flushes[1]
		all = append(all, a)
		if a.FTZ && a.PlusZero {
			a.PlusZeroOut = true
			all = append(all, a)
		}
	}
	if c.N&(c.N-1) != 0 { // 1/n is rounded
		for _, a := range slices.Clone(all) {
			a.Reciprocal = true
			all = append(all, a)
			if a.Reciprocal = false; short {
				a.Quotient = fp.Binary64
				all = append(all, a)
			}
		}
	}
	return all
}

// isNeverMinusZero reports whether a sum that begins with +0 has no result −0,
// so that adding +0 in the end changes nothing: no sum of its summands is so
// small that acc or the output format rounds it to zero, and opposite ones add
// up to +0. Only −0 and −0 give −0 then.
func isNeverMinusZero(a sumtree.Arithmetic, acc fp.Format, mode fp.Mode) bool {
	least := a.In.Smallest()
	return a.PlusZero && !a.FTZ && !a.Nodes.FlushOperands && !a.FlushOut && !a.Products &&
		!a.Mean && mode != fp.Down && acc.Smallest() <= least && a.Out.Smallest() <= least
}

// isShortProduct reports whether the summands are products of a format shorter
// than float32.
func isShortProduct(c *ask.Channel) bool {
	return c.Key.Op.Products() && c.Key.DType.Precision() < fp.Binary32.Precision()
}

// uniformFused is Uniform for trees with nodes of more than two operands.
func uniformFused(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic,
) ([]sumtree.Arithmetic, error) {
	bits, err := alignment(c, t)
	formats := ask.Accumulators(c.Key)
	if c.Key.Out != fp.Binary64 && c.Key.DType.Precision() < fp.Binary32.Precision() {
		// The bits that aligned sums of short products keep fit float32 and
		// float64 alike.
		formats = slices.DeleteFunc(formats, func(f fp.Format) bool { return f == fp.Binary64 })
	}
	all := fusedArithmetics(t, base, formats, bits)
	if bits > 0 {
		all = append(all, fusedArithmetics(t, base, formats, 0)...)
	}
	return all, err
}

// stores returns the formats that sums rounded to acc may be kept in: acc
// itself (0), or the format of results when that is narrower. Products of
// binary32 that are added in binary64 may be kept in binary32.
func stores(c *ask.Channel, acc fp.Format) []fp.Format {
	all := []fp.Format{0}
	out := c.Key.Out
	isShort := out.Precision() < fp.Binary32.Precision()
	isProduct := out == fp.Binary32 && c.Key.DType == out &&
		(c.Key.Op.Products() || c.Key.Op == probe.SumSq)
	if acc.Precision() > out.Precision() && (isShort || isProduct) {
		all = append(all, out)
	}
	return all
}

// productRules returns base with every way that products may enter an
// accumulator.
func productRules(c *ask.Channel, base sumtree.Arithmetic, acc fp.Format) []sumtree.Arithmetic {
	if !base.Products {
		return []sumtree.Arithmetic{base}
	}
	rules := []sumtree.FMA{sumtree.FMANone, sumtree.FMALater, sumtree.FMAChain, sumtree.FMAEarlier}
	in := c.Key.DType
	formats := []fp.Format{0}
	if acc.Precision() >= 2*in.Precision() {
		// Products are exact in the accumulator's format.
		rules = append([]sumtree.FMA{sumtree.FMAAll}, rules...)
		switch {
		case in.Precision() >= fp.Binary32.Precision():
		case acc == fp.Binary64:
			formats = append(formats, fp.Binary32)
		case base.FTZ: // an exact product may be flushed
			formats = append(formats, acc)
		}
	}
	var all []sumtree.Arithmetic
	for _, r := range rules {
		for _, f := range formats {
			if f != 0 && r == sumtree.FMAAll {
				continue
			}
			a := base
			a.FMA, a.Product = r, f
			if (f == acc || f == 0 && r == sumtree.FMANone) && base.FTZ && base.PlusZero {
				b := a
				b.FromZero = true
				all = append(all, b)
			}
			all = append(all, a)
		}
	}
	return all
}

// fusedArithmetics returns the arithmetics that fused sums of this width may
// have: every rounding of the operands and of the sum, with nodes of two
// operands either fused sums as well (the last group of a matrix accelerator)
// or ordinary additions.
func fusedArithmetics(
	t *sumtree.Tree, base sumtree.Arithmetic, formats []fp.Format, bits int,
) []sumtree.Arithmetic {
	base.FMA = sumtree.FMANone
	if base.Products {
		base.FMA = sumtree.FMAAll
	}
	binary := make([]bool, t.Inner())
	for k := range binary {
		binary[k] = len(t.Children(t.Leaves()+k)) == 2
	}
	mixed := t.MaxArity() > 2 && slices.Contains(binary, true)
	var all []sumtree.Arithmetic
	for _, n := range fusedNodes(base.Products, formats, bits) {
		a := base
		a.Nodes = n
		all = append(all, a)
		if !mixed {
			continue
		}
		for _, plain := range slices.Compact([]fp.Mode{n.Mode, fp.NearestEven}) {
			ordinary := sumtree.NodeArith{Acc: n.Acc, Mode: plain}
			a.Except = []sumtree.Exception{{Inner: sumtree.RangesOf(binary), Arith: ordinary}}
			all = append(all, a)
		}
	}
	return all
}

// fusedNodes returns the arithmetics of one fused node that keeps bits bits; 0
// keeps all.
func fusedNodes(products bool, formats []fp.Format, bits int) []sumtree.NodeArith {
	modes := []fp.Mode{fp.TowardZero, fp.NearestEven, fp.Down, fp.Up}
	truncs := modes
	if bits == 0 {
		truncs = modes[:1] // nothing is truncated
	}
	var nodes []sumtree.NodeArith
	for _, acc := range formats {
		for _, trunc := range truncs {
			for _, mode := range modes {
				n := sumtree.NodeArith{Acc: acc, Mode: mode, Align: bits, Trunc: trunc}
				nodes = append(nodes, n)
				if products && bits > 0 {
					n.Factors = true
					nodes = append(nodes, n)
				}
			}
		}
	}
	return nodes
}
