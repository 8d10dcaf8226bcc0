package explain

import (
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/mma"
	"github.com/lastbit/lastbit/sumtree"
)

// arithmetic is a hypothesis about everything except the order.
type arithmetic struct {
	model  Model
	arith  sumtree.Arithmetic
	input  int        // index of inputRoundings
	narrow fp.Format  // that inputs are rounded to, instead of input; 0 is none
	width  int        // of fused sums, which have one order; else 0
	few    int        // tried with that many of the likeliest orders; 0 is all
	short  fp.Format  // that results are rounded to before they are widened; 0 is none
	unit   *unitGroup // computes the sums; nil for none
	// evaluate computes a sum where package sumtree has no such arithmetic.
	evaluate func(t *sumtree.Tree, x, y []float64) float64
}

// modelIn returns the model of sums in an order. The products that are fused
// are named by it.
func (a *arithmetic) modelIn(order string, t *sumtree.Tree) Model {
	m := a.model.with(Order, order)
	if a.arith.FMA != sumtree.FMANone && m[FMA] != "" {
		m[FMA] = fusing(t, &a.arith)
	}
	return m
}

// variant is a row of the catalogue: a change of an arithmetic.
type variant struct {
	cause Cause
	value string
	// applies reports whether the change may have an effect. nil is always.
	applies func(p *Problem, a *arithmetic) bool
	change  func(a *arithmetic)
	few     int // see arithmetic
}

// inputRounding rounds inputs to a shorter format.
type inputRounding struct {
	name      string
	precision int
	narrow    func(x float64) float64
	format    fp.Format // after rounding
	unitsOnly bool      // of matrix units' inputs alone
}

// inputRoundings are the formats that matrix units take their inputs in. The
// first leaves them alone.
var inputRoundings = []inputRounding{
	{asGiven, 24, nil, fp.Binary32, false},
	{"tf32", 11, func(x float64) float64 { return tf32(x, 0xfff, true) }, fp.TF32, false},
	{"tf32 (truncated)", 11, func(x float64) float64 { return tf32(x, 0, false) }, fp.TF32, false},
	{"tf32 (ties away)", 11, func(x float64) float64 { return tf32(x, 0x1000, false) }, fp.TF32,
		false},
	{"bf16", 8, rounded8(fp.NearestEven), fp.BFloat16, false},
	{"bf16 (truncated)", 8, rounded8(fp.TowardZero), fp.BFloat16, false},
	{"f16", 11, func(x float64) float64 { return fp.Binary16.Round(x, fp.NearestEven) },
		fp.Binary16, false},
	{"f8e4m3fn", 4, saturated(fp.E4M3FN), fp.E4M3FN, true},
	{"f8e5m2", 3, saturated(fp.E5M2), fp.E5M2, true},
	{"f8e4m3fnuz", 4, saturated(fp.E4M3FNUZ), fp.E4M3FNUZ, true},
	{"f8e5m2fnuz", 3, saturated(fp.E5M2FNUZ), fp.E5M2FNUZ, true},
}

// saturated returns the rounding to nearest even that makes the largest number
// of what is too large.
func saturated(f fp.Format) func(x float64) float64 {
	return func(x float64) float64 { return f.RoundSaturated(x, fp.NearestEven) }
}

// rounded8 returns the rounding to bfloat16, which has 8 bits.
func rounded8(m fp.Mode) func(x float64) float64 {
	return func(x float64) float64 { return fp.BFloat16.Round(x, m) }
}

// tf32 keeps 10 bits of the fraction of a binary32 number, after it has added
// half a unit, or for ties to even a little less.
func tf32(x float64, half uint32, even bool) float64 {
	if x-x != 0 {
		return x
	}
	b := math.Float32bits(float32(x))
	if even {
		half += b >> 13 & 1
	}
	return float64(math.Float32frombits((b + half) &^ 0x1fff))
}

// variants is the catalogue of arithmetics, next to the formats of the
// accumulator and the rules of FMA.
func variants() []variant {
	rounds := func(m fp.Mode) func(*arithmetic) {
		return func(a *arithmetic) { a.arith.Nodes.Mode = m }
	}
	flushes := func(daz, ftz bool) func(*arithmetic) {
		return func(a *arithmetic) { a.arith.DAZ, a.arith.FTZ = daz, ftz }
	}
	carries := func(c sumtree.Carry) func(*arithmetic) {
		return func(a *arithmetic) { a.arith.Nodes.Carry = c }
	}
	evaluates := func(f func(*sumtree.Tree, []float64, []float64) float64) func(*arithmetic) {
		return func(a *arithmetic) { a.evaluate = f }
	}
	doubleSum := func(p *Problem, a *arithmetic) bool {
		return p.In == fp.Binary64 && !p.products() && !a.arith.Mean && a.arith.Out == fp.Binary64
	}
	inOneFormat := func(p *Problem, a *arithmetic) bool {
		f := p.In
		return a.arith.Mean && (f == fp.Binary32 || f == fp.Binary64) && a.arith.Out == f &&
			a.arith.Nodes.Acc == f
	}
	widens := func(p *Problem, a *arithmetic) bool {
		return p.In.Precision() >= 24 && a.arith.FMA == sumtree.FMANone && !a.arith.Mean &&
			a.arith.Nodes.Acc == fp.Binary64 &&
			(!a.arith.Products || a.arith.Product == fp.Binary64)
	}
	unfused := func(_ *Problem, a *arithmetic) bool { return a.arith.FMA == sumtree.FMANone }
	all := []variant{
		{Accumulator, kahan, unfused, carries(sumtree.CarryOn), 0},
		{Accumulator, kahanAdded, unfused, carries(sumtree.CarryAdded), 0},
		{Accumulator, "Neumaier", doubleSum, evaluates(neumaier), 1},
		{Accumulator, "running mean (Welford)", inOneFormat, func(a *arithmetic) {
			a.evaluate = runningMean(a.arith.In)
		}, 1},
		{Accumulator, wideNames[x87], widens, func(a *arithmetic) {
			a.arith.Significand, a.arith.Product = x87, 0
		}, 2},
		{Flush, flushesBoth, underflows, flushes(true, true), 0},
		{Flush, flushesResults, underflows, flushes(false, true), 0},
		{Flush, flushesInputs, underflows, flushes(true, false), 0},
		{Rounding, modeNames[fp.TowardZero], nil, rounds(fp.TowardZero), 0},
		{Rounding, modeNames[fp.Up], nil, rounds(fp.Up), 0},
		{Rounding, modeNames[fp.Down], nil, rounds(fp.Down), 0},
		{Rounding, timesReciprocal, func(_ *Problem, a *arithmetic) bool { return a.arith.Mean },
			func(a *arithmetic) { a.arith.Reciprocal = true }, 0},
	}
	all = append(all, narrowings()...)
	for _, f := range []fp.Format{fp.Binary32, fp.BFloat16, fp.Binary16} {
		all = append(all, variant{
			cause: Inputs, value: f.String(),
			applies: func(p *Problem, a *arithmetic) bool {
				return p.In == fp.Binary64 && unfused(p, a) && !p.holds(f)
			},
			change: func(a *arithmetic) {
				if a.narrow = f; a.arith.Products { // which are exact
					a.model = a.model.with(FMA, "")
				}
			},
		})
	}
	return all
}

// narrowings are the variants whose inputs are rounded.
func narrowings() []variant {
	var all []variant
	for i, r := range inputRoundings[1:] {
		if r.unitsOnly {
			continue
		}
		all = append(all, variant{
			cause: Inputs, value: r.name,
			applies: func(p *Problem, a *arithmetic) bool {
				return p.In == fp.Binary32 && a.arith.FMA == sumtree.FMANone &&
					(p.products() || r.format != fp.TF32) && a.arith.Product != fp.Binary64
			},
			change: func(a *arithmetic) {
				a.input = i + 1
				if a.arith.Products { // which are exact
					a.model = a.model.with(FMA, "")
				}
			},
		})
	}
	return all
}

// underflows reports whether numbers may be subnormal.
func underflows(p *Problem, a *arithmetic) bool {
	return p.mayUnderflow(p.In) || p.mayUnderflow(a.arith.Nodes.Acc)
}

// accumulators returns the formats that a sum may be accumulated in, the
// likeliest first.
func accumulators(in, out fp.Format) []fp.Format {
	all := map[fp.Format][]fp.Format{
		fp.Binary64: {fp.Binary64},
		fp.Binary32: {fp.Binary32, fp.Binary64},
		fp.Binary16: {fp.Binary32, fp.Binary16, fp.Binary64},
		fp.BFloat16: {fp.Binary32, fp.BFloat16, fp.Binary64},
	}[in]
	if out == fp.Binary64 {
		return slices.DeleteFunc(slices.Clone(all), func(f fp.Format) bool { return f != out })
	}
	return all
}

// arithmetics returns the hypotheses about the arithmetic of a problem with
// results of format out: usual ones, and those that are tried where none of
// them reproduces the results.
func (p *Problem) arithmetics(out fp.Format) (usual, unusual []arithmetic) {
	for _, acc := range accumulators(p.In, out) {
		usual = append(usual, p.accumulated(acc, out)...)
	}
	for _, base := range usual {
		for _, v := range variants() {
			if v.applies != nil && !v.applies(p, &base) {
				continue
			}
			a := base
			a.model = a.model.with(v.cause, v.value)
			a.few = v.few
			v.change(&a)
			unusual = append(unusual, a)
		}
	}
	if p.products() && out != fp.Binary64 {
		for _, i := range p.stored() {
			usual = append(usual, p.units(inputRoundings[i].format, i)...)
		}
	}
	usual = append(usual, p.fused(out, 0)...)
	for i, r := range inputRoundings[1:] {
		switch {
		case !r.unitsOnly && p.In == fp.Binary32:
			unusual = append(unusual, p.fused(out, i+1)...)
		case r.unitsOnly && p.products() && out != fp.Binary64:
			unusual = append(unusual, p.units(r.format, i+1)...)
		}
	}
	return usual, unusual
}

// accumulated returns the arithmetics of an accumulator: one for each rule of
// FMA where products are not exact.
func (p *Problem) accumulated(acc, out fp.Format) []arithmetic {
	base := arithmetic{
		model: plainModel("", acc.String()),
		arith: sumtree.Arithmetic{In: p.In, Out: out, Nodes: sumtree.NodeArith{Acc: acc},
			Mean: p.Op == Mean},
	}
	if !p.products() {
		base.model[FMA] = ""
		return []arithmetic{base}
	}
	base.arith.Products, base.arith.Product = true, acc
	if 2*p.In.Precision() <= acc.Precision() {
		base.model[FMA] = ""
		all := []arithmetic{base}
		if acc == fp.Binary64 && p.In == fp.Binary32 {
			short := base
			short.model = base.model.with(Accumulator, "f64, products in f32")
			short.arith.Product = p.In
			all = append(all, short)
		}
		return all
	}
	var all []arithmetic
	for _, rule := range []sumtree.FMA{sumtree.FMANone, sumtree.FMALater, sumtree.FMAChain,
		sumtree.FMAAll, sumtree.FMAEarlier} {
		a := base
		a.arith.FMA = rule
		a.model = base.model.with(FMA, fmaNames[rule])
		all = append(all, a)
	}
	return all
}

// fmaNames describe the rules of FMA: the products that enter their addition
// unrounded.
var fmaNames = map[sumtree.FMA]string{
	sumtree.FMANone:    noFMA,
	sumtree.FMALater:   "all but first products",
	sumtree.FMAEarlier: "earlier products",
	sumtree.FMAChain:   "products added to sums",
	sumtree.FMAAll:     "all products",
}

// fused returns the arithmetics of matrix units that add several products at
// once: the units of package mma, other widths and bits, and sums that are
// exact before they are rounded.
func (p *Problem) fused(out fp.Format, input int) []arithmetic {
	short := p.In == fp.Binary16 || p.In == fp.BFloat16
	if !p.products() || !short && input == 0 || out == fp.Binary64 {
		return nil
	}
	in := p.In
	if input > 0 {
		in = inputRoundings[input].format
	}
	all := p.units(in, input)
	known := func(width, align int) bool {
		return slices.ContainsFunc(all, func(a arithmetic) bool {
			u := a.unit
			return u != nil && u.arith.Structure == mma.Fused && u.arith.Terms == width &&
				u.arith.Bits == align && u.arith.Precision == fp.Binary32.Precision()
		})
	}
	for _, width := range []int{16, 8, 4, 32, 2} {
		for _, align := range []int{25, 24, 23, 0} {
			if known(width, align) {
				continue
			}
			value := fmt.Sprintf("fused(%d+1), %d bits", width, align)
			node := sumtree.NodeArith{Acc: fp.Binary32, Mode: fp.TowardZero, Align: align,
				Trunc: fp.TowardZero, Factors: align > 0}
			if align == 0 {
				value, node.Mode = fmt.Sprintf("fused(%d+1), exact", width), fp.NearestEven
			}
			all = append(all, arithmetic{
				model: p.fusedModel(value, input), input: input, width: width,
				arith: sumtree.Arithmetic{In: fp.Binary32, Out: fp.Binary32, Products: true,
					Product: fp.Binary64, Nodes: node, PlusZero: true},
			})
		}
	}
	return all
}

// orders returns the orders to try for n summands, the likeliest first, at most
// that many: families, then orders by hand. Where there are not enough for all,
// the likely families come first, and the rest of them last.
func orders(n, most int) []order {
	var all []order
	for _, f := range families(n, math.MaxInt) {
		all = append(all, f)
	}
	hand := handOrders(n)
	if at := len(sumtree.Likely(n)); len(all)+len(hand) > most {
		all = slices.Insert(all, min(at, len(all)), hand...)
	} else {
		all = append(all, hand...)
	}
	return all[:min(len(all), most)]
}

// families returns the orders to try for n summands, the likeliest first, at
// most that many. Orders of the groups of matrix units come last.
func families(n, most int) []sumtree.Family {
	all := append(append(sumtree.Likely(n), amxOrder()), sumtree.Candidates(n)...)
	for _, name := range []string{fourByPairs, onePair, laterFirst} {
		if f, err := sumtree.ParseFamily(name); err == nil {
			all = append(all, f)
		}
	}
	seen := map[string]bool{}
	all = slices.DeleteFunc(all, func(f sumtree.Family) bool {
		name := f.String()
		again := seen[name] || f.Kind == sumtree.Fused
		seen[name] = true
		return again
	})
	return all[:min(len(all), most)]
}
