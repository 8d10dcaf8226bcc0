package reveal

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// basics finds the sum of −0, and whether subnormal inputs and results are
// flushed to zero, on two leaves that are added directly. Second factors are 4,
// so that products of subnormal inputs can be normal.
func (p *prober) basics(t *sumtree.Tree) (a sumtree.Arithmetic, err error) {
	least := p.key.DType.MinNormal()
	scale := 1.0
	var y []float64
	if p.key.Op.Products() {
		scale = 4
		y = make([]float64, p.n)
		for i := range y {
			y[i] = scale
		}
	}
	a = p.common(true, false, false)
	fills := []func([]float64){func(row []float64) {
		for i := range row {
			row[i] = math.Copysign(0, -1)
		}
	}}
	i, j, two := together(t)
	if two && !p.key.Mean { // the quotient of a subnormal is no witness
		fills = append(fills,
			func(row []float64) { row[i], row[j] = least/2, 2*least },
			func(row []float64) { row[i], row[j] = (1+0.5/scale)*least, -least })
	}
	p.expect("traits", (len(fills)+len(p.pool)-1)/len(p.pool))
	out, err := p.ask(y, fills...)
	if err != nil {
		return a, err
	}
	if out[0] != 0 {
		want := 0.0
		return a, &inconsistent{verdict: NotASum, what: "a sum of zeros is not zero", witness: p.witness("a sum of zeros is not zero", y, fills[0], out[:1], &want)}
	}
	a.PlusZero = !math.Signbit(out[0])
	if len(out) > 1 {
		a.DAZ = out[1] == 2*least*scale
		a.FTZ = out[2] == 0
	}
	return a, nil
}

// together returns two leaves that are operands of one addition.
func together(t *sumtree.Tree) (i, j int, ok bool) {
	for id := t.Leaves(); id < t.Nodes(); id++ {
		if kids := t.Children(id); t.IsLeaf(int(kids[0])) && t.IsLeaf(int(kids[1])) {
			return int(kids[0]), int(kids[1]), true
		}
	}
	return 0, 0, false
}

// fusedArithmetics returns what fused sums that keep that many bits may be:
// every rounding of the operands and of the sum, with nodes of two operands
// either fused sums as well (the last group of a matrix accelerator) or ordinary
// additions.
func fusedArithmetics(t *sumtree.Tree, base sumtree.Arithmetic, formats []fp.Format, bits int) []sumtree.Arithmetic {
	base.FMA = sumtree.FMANone
	if base.Products {
		base.FMA = sumtree.FMAAll
	}
	binary := make([]bool, t.Inner())
	for k := range binary {
		binary[k] = len(t.Children(t.Leaves()+k)) == 2
	}
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
				if base.Products && bits > 0 {
					n.Factors = true
					nodes = append(nodes, n)
				}
			}
		}
	}
	var all []sumtree.Arithmetic
	for _, n := range nodes {
		a := base
		a.Nodes = n
		all = append(all, a)
		if t.MaxArity() > 2 && slices.Contains(binary, true) {
			for _, plain := range slices.Compact([]fp.Mode{n.Mode, fp.NearestEven}) {
				a.Except = []sumtree.Exception{{Inner: sumtree.RangesOf(binary), Arith: sumtree.NodeArith{Acc: n.Acc, Mode: plain}}}
				all = append(all, a)
			}
		}
	}
	return all
}

// maxAlign is the largest number of fraction bits that alignment looks for;
// float16 has room for fewer.
const (
	maxAlign     = 52
	maxAlignHalf = 38
)

// alignment returns how many fraction bits below the largest operand a fused
// node keeps, 0 when it keeps all that could be looked for.
func (p *prober) alignment(t *sumtree.Tree) (int, error) {
	order, lo, _ := t.LeafOrder()
	var leaves []int
	for id := t.Leaves(); id < t.Nodes(); id++ {
		if kids := t.Children(id); len(kids) > 2 {
			for _, c := range kids[:3] {
				leaves = append(leaves, int(order[lo[c]]))
			}
			break
		}
	}
	top, most := maxAlign, maxAlign
	if p.key.DType == fp.Binary16 {
		top, most = 14, maxAlignHalf
	}
	fills := make([]func([]float64), most+1)
	for k := range fills {
		fills[k] = func(row []float64) {
			row[leaves[0]], row[leaves[1]], row[leaves[2]] = math.Ldexp(1, top), math.Ldexp(1, top-k), -math.Ldexp(1, top)
		}
	}
	p.expect("alignment", (len(fills)+len(p.pool)-1)/len(p.pool))
	out, err := p.ask(nil, fills...)
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

// agreed describes what all of the arithmetics have in common; the rest could not
// be told, and is unknown.
func agreed(t *sumtree.Tree, all []sumtree.Arithmetic) Traits {
	tr := describe(t, all[0])
	for _, a := range all[1:] {
		o := describe(t, a)
		if !slices.Equal(held(all[0]), held(a)) {
			tr.Accumulator = "unknown"
		}
		if o.FMA != tr.FMA {
			tr.FMA = "unknown"
		}
		if o.Rounding != tr.Rounding {
			tr.Rounding = "unknown"
		}
		if o.Align != tr.Align {
			tr.Align = 0
		}
	}
	return tr
}

// held returns the formats in which partial sums are held, rounded to another one
// before or not.
func held(a sumtree.Arithmetic) []fp.Format {
	var all []fp.Format
	add := func(n sumtree.NodeArith) {
		f := n.Acc
		if n.Store != 0 {
			f = n.Store
		}
		if !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	add(a.Nodes)
	for _, e := range a.Except {
		add(e.Arith)
	}
	return all
}

// describe puts an arithmetic into words.
func describe(t *sumtree.Tree, a sumtree.Arithmetic) Traits {
	var formats []string
	add := func(n sumtree.NodeArith) {
		s := n.Acc.String()
		if n.Store != 0 {
			s += " stored as " + n.Store.String()
		}
		if !slices.Contains(formats, s) {
			formats = append(formats, s)
		}
	}
	add(a.Nodes)
	for _, e := range a.Except {
		add(e.Arith)
	}
	tr := Traits{Accumulator: formats[0], Rounding: a.Nodes.Mode.String(), Subnormals: "kept", Initial: "-0"}
	if len(formats) > 1 {
		tr.Accumulator = "mixed: " + strings.Join(formats, ", ")
	}
	if a.PlusZero {
		tr.Initial = "+0"
	}
	switch {
	case a.DAZ && a.FTZ:
		tr.Subnormals = "flushed"
	case a.DAZ:
		tr.Subnormals = "inputs flushed"
	case a.FTZ:
		tr.Subnormals = "results flushed"
	}
	tr.FMA = fmaTrait(t, a)
	if w := t.MaxArity(); w > 2 {
		tr.Width, tr.Align = w, a.Nodes.Align
	}
	return tr
}

// fmaTrait is true when every product that can be fused into a partial sum is,
// and "exact" where products are exact in the accumulator's format, fused or not.
func fmaTrait(t *sumtree.Tree, a sumtree.Arithmetic) any {
	switch {
	case !a.Products:
		return false
	case a.FMA == sumtree.FMAAll:
		return "exact"
	}
	fused := a.FusedLeaves(t)
	var yes, no int
	for id := t.Leaves(); id < t.Nodes(); id++ {
		kids := t.Children(id)
		leaves, any := 0, false
		for _, c := range kids {
			if t.IsLeaf(int(c)) {
				leaves++
				any = any || fused[c]
			}
		}
		switch {
		case any:
			yes++
		case leaves == 1:
			no++
		case leaves > 1 && a.FMA != sumtree.FMAChain:
			no++
		}
	}
	switch {
	case yes == 0:
		return false
	case no == 0 || a.FMA != sumtree.FMAMixed:
		return true
	}
	return "mixed"
}

// String gives the traits on one line.
func (t Traits) String() string {
	s := fmt.Sprintf("accumulator %s, FMA %v, rounding %s, subnormals %s, initial %s", t.Accumulator, t.FMA, t.Rounding, t.Subnormals, t.Initial)
	if t.Width > 0 {
		s += fmt.Sprintf(", fused sums of %d operands", t.Width)
		if t.Align > 0 {
			s += fmt.Sprintf(" aligned to %d bits", t.Align)
		}
	}
	return s
}
