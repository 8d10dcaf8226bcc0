package proof

import (
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// maxSingleNodes is the largest number of inner nodes that are probed one by
// one.
const maxSingleNodes = 1200

// SettleParts looks for arithmetics of the parts of a tree: a BLAS may keep its
// tail in double, or round to float16 between chunks. Nodes that look alike
// from above and below form a class, a few of each class are probed one by one,
// and the assembled arithmetic is tried on the samples. When that fails every
// node is probed, if there are not too many.
func SettleParts(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic, samples *[]ask.Sample,
) ([]sumtree.Arithmetic, error) {
	if t.MaxArity() > 2 || t.Inner() == 0 {
		return nil, nil
	}
	x := &partProber{c: c, t: t, parent: t.Parents(), size: t.Sizes(), height: t.Heights(),
		flushes: base.FTZ, endsWithZero: base.PlusZeroOut,
		parts: make([]part, t.Inner()), probed: make([]bool, t.Inner())}
	x.order, x.lo, _ = t.LeafOrder()
	if x.flushes {
		if err := askTiny(c, t, samples); err != nil {
			return nil, err
		}
	}
	var err error
	if x.first, err = findFirst(c, t, base, samples); err != nil {
		return nil, err
	}
	for _, pass := range []struct{ each, corrections bool }{{}, {false, true}, {true, true}} {
		if pass.each && t.Inner() > maxSingleNodes {
			break
		}
		x.corrections = pass.corrections
		if err := x.probeClasses(pass.each); err != nil {
			return nil, err
		}
		var all []sumtree.Arithmetic
		for _, a := range tinyReadings(readings(c, base)) {
			all = append(all, x.assemble(a)...)
			if a.FTZ && a.PlusZero && !a.PlusZeroOut && x.c.Key.DType == fp.BFloat16 {
				a.PlusZeroOut = true // not seen where the root keeps subnormals
				all = append(all, x.assemble(a)...)
			}
		}
		if x.overflow != nil {
			*samples = append(*samples, *x.overflow)
			x.overflow = nil
		}
		left, err := Settle(c, t, unique(all), samples)
		if len(left) > 0 || err != nil {
			return left, err
		}
	}
	return nil, nil
}

// tinyReadings returns arithmetics, and those that flush products by what they
// are before they are rounded, or after with any exponent, in the place of what
// is stored.
func tinyReadings(all []sumtree.Arithmetic) []sumtree.Arithmetic {
	for _, a := range all[:len(all):len(all)] {
		if !a.FTZ || !a.Products {
			continue
		}
		for _, tiny := range []sumtree.Tininess{sumtree.TinyAfter, sumtree.TinyBefore} {
			a.Tiny = tiny
			all = append(all, a)
		}
	}
	return all
}

// part is the arithmetic of one inner node, as far as probes show it.
type part struct {
	acc   fp.Format // 0 for the root, whose unrounded result does not show
	fused [2]bool   // of its children that are leaves
	// Two summands alone give its sum with the rounding error added to it.
	corrects bool
	keeps    bool // subnormal sums, although others are flushed
	plusZero bool // a flushed sum is +0, whatever its sign was
	starts   bool // a leaf among its operands is added to +0
}

// partProber probes the nodes of a tree.
type partProber struct {
	c            *ask.Channel
	t            *sumtree.Tree
	parent, size []int32
	height       []int32
	order, lo    []int32
	corrections  bool        // probe part.corrects too
	flushes      bool        // some results are flushed
	endsWithZero bool        // no flushed sum is −0
	overflow     *ask.Sample // of the first node that corrects; nil for none
	first        []bool      // of findFirst; nil where that is not known
	parts        []part      // of every inner node
	probed       []bool      // not only like others of its class
}

// probeClasses fills in parts: by probing the first, the middle and the last
// node of every class, and the others too when these are not alike; or each
// node.
func (x *partProber) probeClasses(each bool) error {
	members := map[uint64][]int{}
	var classes []uint64
	sig := x.signatures()
	for k := range x.t.Inner() {
		s := sig[k]
		if each {
			s = uint64(k)
		}
		if members[s] == nil {
			classes = append(classes, s)
		}
		members[s] = append(members[s], x.t.Leaves()+k)
	}
	var some []int
	for _, s := range classes {
		some = append(some, ends(members[s])...)
	}
	if err := x.probe(some); err != nil {
		return err
	}
	var others []int
	for _, s := range classes {
		nodes := members[s]
		first := *x.part(nodes[0])
		if slices.ContainsFunc(ends(nodes), func(v int) bool { return *x.part(v) != first }) {
			others = append(others, exceptEnds(nodes)...)
			continue
		}
		for _, v := range nodes {
			*x.part(v) = first
		}
	}
	if err := x.probe(others); err != nil {
		return err
	}
	if !x.flushes || x.endsWithZero {
		return nil
	}
	for _, s := range classes {
		if err := x.probeZeros(members[s]); err != nil {
			return err
		}
	}
	return nil
}

// ends returns the first, the middle and the last of some nodes, each once.
func ends(nodes []int) []int {
	last := len(nodes) - 1
	return slices.Compact([]int{nodes[0], nodes[len(nodes)/2], nodes[last]})
}

// exceptEnds returns the nodes that ends does not.
func exceptEnds(nodes []int) []int {
	known := ends(nodes)
	return slices.DeleteFunc(slices.Clone(nodes), func(v int) bool {
		return slices.Contains(known, v)
	})
}

// signatures hashes the shape around every node: its size, the positions of
// leaves among its children, and the same of all its ancestors. The nodes of a
// chain that each add one leaf share one signature, except for the lowest.
func (x *partProber) signatures() []uint64 {
	n := x.t.Leaves()
	sig := make([]uint64, x.t.Inner())
	mix := func(h uint64, v ...uint64) uint64 {
		for _, w := range v {
			h = (h ^ w) * 0x9E3779B97F4A7C15
			h ^= h >> 29
		}
		return h
	}
	isLink := func(id int) bool { // adds one leaf to a partial sum
		k := x.t.Children(id)
		return x.t.IsLeaf(int(k[0])) != x.t.IsLeaf(int(k[1]))
	}
	for k := x.t.Inner() - 1; k >= 0; k-- {
		id := n + k
		kids := x.t.Children(id)
		up := uint64(0)
		if q := x.parent[id]; q >= 0 {
			up = sig[int(q)-n]
			if isLink(id) && isLink(int(q)) {
				sig[k] = up
				continue
			}
		}
		a, b := uint64(x.size[kids[0]]), uint64(x.size[kids[1]])
		sig[k] = mix(up, 1, min(a, b), max(a, b))
	}
	return sig
}

func (x *partProber) leafUnder(id int32) int { return int(x.order[x.lo[id]]) }

func (x *partProber) part(id int) *part { return &x.parts[id-x.t.Leaves()] }

// probe finds the arithmetic of nodes, and writes it to parts. Those
// that an earlier pass probed are probed for corrections only.
func (x *partProber) probe(nodes []int) error {
	var fresh []int
	for _, v := range nodes {
		if k := v - x.t.Leaves(); !x.probed[k] {
			x.probed[k] = true
			x.parts[k] = part{}
			fresh = append(fresh, v)
		}
	}
	if err := x.probeFormats(fresh); err != nil {
		return err
	}
	if x.flushes {
		if err := x.probeSubnormals(fresh); err != nil {
			return err
		}
	}
	if x.c.Key.Op.Products() {
		x.c.Expect("parts", len(fresh))
		for _, v := range fresh {
			if err := x.probeProducts(v); err != nil {
				return err
			}
		}
	}
	if !x.corrections {
		return nil
	}
	return x.probeCorrections(nodes)
}

// probeProducts finds the products that enter the addition of a node unrounded.
func (x *partProber) probeProducts(id int) (err error) {
	fused := isFused
	switch {
	case x.c.Key.DType != fp.BFloat16:
	case x.flushes:
		fused = keepsProduct
	default:
		fused = overflowsLate
	}
	kids := x.t.Children(id)
	for k := range kids {
		if !x.t.IsLeaf(int(kids[k])) {
			continue
		}
		x.part(id).fused[k], err = fused(x, int(kids[k]), x.leafUnder(kids[1-k]))
		if err != nil {
			return err
		}
	}
	return nil
}

// probeFormats finds which of the possible formats the sums of nodes are held
// in: 1 + 2^-k, with −1 added by the next node up, gives 2^-k if k bits were
// kept. The format of the root is left open.
func (x *partProber) probeFormats(nodes []int) error {
	nodes = belowRoot(x, nodes)
	formats := ask.Accumulators(x.c.Key)
	slices.SortFunc(formats, func(a, b fp.Format) int { return a.Precision() - b.Precision() })
	for at := len(formats) - 1; at > 0; at-- {
		one := 1.0
		if x.c.Key.DType == fp.Binary16 {
			one = 0x1p6 // 2^(6-26) is still a float16
		}
		bit := one / float64(uint64(1)<<(formats[at-1].Precision()+2))
		keeps, err := x.has(nodes, nodeTest{step: "parts", first: one, second: bit, sibling: -one,
			more: bit, nonzero: true})
		if err != nil {
			return err
		}
		var others []int
		for k, v := range nodes {
			if keeps[k] {
				x.part(v).acc = formats[at]
			} else {
				others = append(others, v)
			}
		}
		nodes = others
	}
	for _, v := range nodes {
		x.part(v).acc = formats[0]
	}
	return nil
}

// isFused reports whether the product of a leaf enters its addition unrounded:
// (1+q)² − (1+2q) is q², or 0 where the square was rounded first.
func isFused(x *partProber, leaf, other int) (bool, error) {
	q := 1 / float64(uint64(1)<<((x.c.Key.DType.Precision()+1)/2))
	y := ask.Ones(x.c.N)
	y[leaf] = 1 + q
	out, err := x.c.Ask(y, func(row []float64) {
		row[leaf], row[other] = 1+q, -(1 + 2*q)
	})
	if err != nil {
		return false, err
	}
	return out[0] != 0, nil
}

// assemble returns the arithmetics that the probed parts allow. The probes
// leave open how the root rounds, and whether nodes in the narrow format add in
// the wide one and round twice.
func (x *partProber) assemble(base sumtree.Arithmetic) []sumtree.Arithmetic {
	n := x.t.Leaves()
	fused := make([]bool, n)
	for k, part := range x.parts {
		for c, id := range x.t.Children(n + k) {
			if x.t.IsLeaf(int(id)) {
				fused[id] = part.fused[c]
			}
		}
	}
	if base.Products && slices.Contains(fused, true) {
		base.FMA, base.Fused = sumtree.FMAMixed, sumtree.RangesOf(fused)
	}
	if base.Products && x.c.Key.DType == fp.BFloat16 {
		base.Product = fp.Binary32
	}
	switch {
	case x.first != nil:
		base.Starts = sumtree.RangesOf(x.first)
		base.DAZ = false
	case showsStarts(base):
		base.Starts = startingLeaves(x.t, x.parts, fused)
	}
	var all []sumtree.Arithmetic
	for _, root := range rootFormats(x) {
		for _, twice := range []bool{false, true} {
			for _, carry := range x.carries() {
				for _, finite := range []bool{false, true}[:1+min(1, len(carry))] {
					a := base
					x.setNodes(&a, root, twice, carry, finite)
					if a.FTZ && a.PlusZero && a.Products {
						b := a
						b.FromZero, b.Starts = true, nil
						all = append(all, b)
					}
					all = append(all, a)
				}
			}
		}
	}
	return all
}

// rootFormats returns the formats that the root may round to. A sum of two
// results' values, which a rounded product is, is the same in the format of the
// result as in one of more than twice its precision.
func rootFormats(x *partProber) []fp.Format {
	k := x.c.Key
	for i, id := range x.t.Children(x.t.Root()) {
		if x.t.IsLeaf(int(id)) {
			rounded := k.DType == k.Out && !x.part(x.t.Root()).fused[i]
			if k.Op.Products() && !rounded || k.DType.Precision() > k.Out.Precision() {
				return ask.Accumulators(k)
			}
		} else if x.parts[int(id)-x.t.Leaves()].acc != k.Out {
			return ask.Accumulators(k)
		}
	}
	return slices.DeleteFunc(ask.Accumulators(k), func(f fp.Format) bool {
		return f.Precision() >= 2*k.Out.Precision()+2
	})
}

// setNodes writes the formats of the parts into a: the commonest as the rule,
// the others as exceptions. If carry is nil, no node carries.
func (x *partProber) setNodes(
	a *sumtree.Arithmetic, root fp.Format, twice bool, carry []sumtree.Carry, finite bool,
) {
	nodes := map[sumtree.NodeArith][]bool{} // which inner nodes have that arithmetic
	count := map[sumtree.NodeArith]int{}
	var order []sumtree.NodeArith
	wide := widestOf(x, root)
	for k, part := range x.parts {
		arith := sumtree.NodeArith{Acc: part.acc}
		if part.acc == 0 {
			arith.Acc = root
		}
		if twice && arith.Acc != wide && arith.Acc.Precision() <= fp.Binary32.Precision() {
			arith = sumtree.NodeArith{Acc: wide, Store: arith.Acc}
		}
		if carry != nil {
			arith.Carry = carry[k]
			arith.CarryFinite = finite && carry[k] != sumtree.CarryNone
		}
		arith.KeepsSubnormals = part.keeps && a.FTZ
		arith.PlusZero = showsPlusZero(x, k) && a.FTZ && arith.Carry == sumtree.CarryNone
		if nodes[arith] == nil {
			nodes[arith] = make([]bool, len(x.parts))
			order = append(order, arith)
		}
		nodes[arith][k] = true
		count[arith]++
	}
	slices.SortStableFunc(order, func(a, b sumtree.NodeArith) int { return count[b] - count[a] })
	a.Nodes, a.Except = order[0], nil
	for _, arith := range order[1:] {
		e := sumtree.Exception{Inner: sumtree.RangesOf(nodes[arith]), Arith: arith}
		a.Except = append(a.Except, e)
	}
}

// showsPlusZero reports whether inner node k makes +0 of a flushed sum, and the
// addition above it does not.
func showsPlusZero(x *partProber, k int) bool {
	up := int(x.parent[x.t.Leaves()+k]) - x.t.Leaves()
	return x.parts[k].plusZero && !(up >= 0 && x.parts[up].plusZero)
}

// widestOf returns the format of the highest precision among root and the
// parts, the first seen of equals.
func widestOf(x *partProber, root fp.Format) fp.Format {
	wide := root
	for _, p := range x.parts {
		if p.acc != 0 && p.acc.Precision() > wide.Precision() {
			wide = p.acc
		}
	}
	return wide
}
