package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// x87 is the number of bits of a significand in the 80-bit format.
const x87 = 64

// wideNames are the names of accumulators that have no fp.Format, by the bits
// of their significands.
var wideNames = map[int]string{x87: "80-bit", 113: "binary128"}

// revealed returns a hypothesis of a revealed tree.
func (s *search) revealed(t Tree) *candidate {
	a := *t.Arithmetic
	m := plainModel(t.Name, accumulatorOf(&a))
	switch {
	case !a.Products || hasExactProducts(&a):
		m[FMA] = ""
	case a.FMA != sumtree.FMANone:
		m[FMA] = fusing(t.Tree, &a)
	}
	m[Flush] = flushOf(&a)
	m[Rounding] = s.roundingOf(t)
	m[Fused] = fusedOf(t.Tree, &a)
	input := 0
	if a.In != s.p.In {
		if input = inputIn(a.In); input > 0 && !s.p.holds(a.In) {
			m[Inputs] = inputRoundings[input].name
		}
	}
	return &candidate{rank: s.tried, name: t.Name, model: m, tree: t.Tree,
		order: s.hash(t.Tree), arith: &arithmetic{model: m, arith: a, input: input}}
}

// nodesOf returns the arithmetics of all inner nodes.
func nodesOf(a *sumtree.Arithmetic) []sumtree.NodeArith {
	nodes := []sumtree.NodeArith{a.Nodes}
	for _, e := range a.Except {
		nodes = append(nodes, e.Arith)
	}
	return nodes
}

// hasExactProducts reports whether no product is rounded, fused or not.
func hasExactProducts(a *sumtree.Arithmetic) bool {
	bits := a.Significand
	switch {
	case a.Product != 0:
		bits = a.Product.Precision()
	case bits == 0:
		bits = a.In.Precision()
	}
	return bits >= 2*a.In.Precision()
}

// accumulatorOf returns the value of Accumulator, in the words of the
// catalogue.
func accumulatorOf(a *sumtree.Arithmetic) string {
	if a.Significand != 0 {
		name := wideNames[a.Significand]
		if a.Products && a.Product != 0 && !hasExactProducts(a) {
			name += ", products in " + a.Product.String()
		}
		return name
	}
	switch a.Nodes.Carry {
	case sumtree.CarryOn:
		return kahan
	case sumtree.CarryAdded:
		return kahanAdded
	}
	var formats []string
	for _, n := range nodesOf(a) {
		name := n.Acc.String()
		if n.Store != 0 && n.Store != n.Acc {
			name += " stored as " + n.Store.String()
		}
		if n.Carry != sumtree.CarryNone {
			name = kahan
		}
		if !slices.Contains(formats, name) {
			formats = append(formats, name)
		}
	}
	name := strings.Join(formats, " and ")
	if a.Products && a.Product != 0 && a.Product != a.Nodes.Acc && !hasExactProducts(a) {
		name += ", products in " + a.Product.String()
	}
	return name
}

// flushOf returns the value of Flush, in the words of the catalogue.
func flushOf(a *sumtree.Arithmetic) string {
	value, part := keeps, a.FTZ && a.KeepsOut
	switch {
	case a.DAZ && a.FTZ:
		value = flushesBoth
	case a.FTZ:
		value = flushesResults
	case a.DAZ:
		value = flushesInputs
	case a.Nodes.FlushOperands:
		value = "operands flushed"
	case a.FlushOut:
		value = "flushed when the result is rounded"
	}
	for _, n := range nodesOf(a) {
		part = part || n.KeepsSubnormals || n.FlushOperands != a.Nodes.FlushOperands
	}
	if part {
		value += " in part"
	}
	return value
}

// modeNames has the value of Rounding for every mode except nearest even.
var modeNames = map[fp.Mode]string{
	fp.TowardZero: "toward zero", fp.Up: "up", fp.Down: "down",
	fp.NearestAway: "to nearest, ties away",
}

// roundingOf returns the value of Rounding: everything that is rounded in
// another way than to nearest even, or once more.
func (s *search) roundingOf(t Tree) string {
	a := t.Arithmetic
	var all []string
	for _, n := range nodesOf(a) {
		if name := modeNames[n.Mode]; name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if a.OutNearest {
		all = append(all, "result to nearest")
	}
	if name := modeNames[a.OutMode]; name != "" {
		all = append(all, "result "+name)
	}
	if a.Reciprocal {
		all = append(all, timesReciprocal)
	}
	if a.Quotient != 0 {
		all = append(all, "divided in "+a.Quotient.String())
	}
	if a.After != nil {
		all = append(all, a.After.String())
	}
	if a.Out != s.out {
		all = append(all, resultIn(a.Out))
	}
	mixed := slices.ContainsFunc(a.Except, func(e sumtree.Exception) bool {
		return e.Arith.Mode != a.Nodes.Mode
	})
	if mixed || a.Factor != 0 || a.Divisor != 0 || a.Rescale != 0 || len(a.Weights) > 0 ||
		a.Centre != nil || a.Neighbours != 0 || a.FactorFormat != 0 || a.ProductStore != 0 {
		all = append(all, "as "+t.Name+" rounds")
	}
	if len(all) == 0 {
		return toNearest
	}
	return strings.Join(all, ", ")
}

// fusedOf returns the value of Fused: the widest sum, and the bits that each
// kind of node keeps of its operands.
func fusedOf(t *sumtree.Tree, a *sumtree.Arithmetic) string {
	if t.MaxArity() <= 2 {
		return notFused
	}
	var kinds []string
	for _, n := range nodesOf(a) {
		kind := "exact"
		if n.Align > 0 {
			kind = fmt.Sprintf("%d bits %s", n.Align, n.Trunc)
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return fmt.Sprintf("up to %d summands at once, %s", t.MaxArity(), strings.Join(kinds, " and "))
}
