package reveal

import (
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

// accumulators returns the formats in which a sum of that key may be rounded,
// the likeliest first.
func accumulators(k probe.Key) []fp.Format {
	var all []fp.Format
	add := func(f fp.Format) {
		if f.Valid() && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	add(k.Acc)
	if k.DType == fp.Binary16 || k.DType == fp.BFloat16 {
		add(fp.Binary32)
	}
	add(k.Out)
	add(k.DType)
	if k.DType != fp.Binary64 {
		add(fp.Binary64)
	}
	return all
}

// common is the part of the arithmetic that is known before the search.
func (p *prober) common(plusZero, daz, ftz bool) sumtree.Arithmetic {
	return sumtree.Arithmetic{
		In: p.key.DType, Out: p.key.Out, Products: p.key.Op.Products(), Mean: p.key.Mean,
		PlusZero: plusZero, DAZ: daz, FTZ: ftz,
	}
}

// uniform returns the arithmetics that all nodes may share: every accumulator,
// rounding and way of products. For products of 16-bit numbers these include
// the sums of matrix accelerators, which align two operands as they do more.
func (p *prober) uniform(t *sumtree.Tree, base sumtree.Arithmetic) ([]sumtree.Arithmetic, error) {
	if t.MaxArity() > 2 {
		bits, err := p.alignment(t)
		formats := accumulators(p.key)
		if p.key.Out != fp.Binary64 && p.key.DType.Precision() < fp.Binary32.Precision() {
			// What aligned sums of short products keep fits float32 and float64 alike.
			formats = slices.DeleteFunc(formats, func(f fp.Format) bool { return f == fp.Binary64 })
		}
		all := fusedArithmetics(t, base, formats, bits)
		if bits > 0 {
			all = append(all, fusedArithmetics(t, base, formats, 0)...)
		}
		return all, err
	}
	var all []sumtree.Arithmetic
	for _, mode := range []fp.Mode{fp.NearestEven, fp.TowardZero, fp.Up, fp.Down} {
		for _, acc := range accumulators(p.key) {
			for _, store := range p.stores(acc) {
				for _, a := range p.products(base, acc) {
					a.Nodes = sumtree.NodeArith{Acc: acc, Store: store, Mode: mode}
					all = append(all, a)
				}
			}
		}
	}
	if p.key.Op.Products() && p.key.DType.Precision() < fp.Binary32.Precision() {
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

// stores returns the formats in which sums rounded to acc may be kept: in acc
// itself, or in the format of inputs or results when that is narrower.
func (p *prober) stores(acc fp.Format) []fp.Format {
	all := []fp.Format{0}
	if acc.Precision() > p.key.Out.Precision() && p.key.Out.Precision() < fp.Binary32.Precision() {
		all = append(all, p.key.Out)
	}
	return all
}

// settleRounds bounds the questions that tell arithmetics apart, settleWork the
// summands replayed in the search for each.
const (
	settleRounds = 12
	settleWork   = 1 << 25
)

// settle returns the arithmetics that reproduce the bank, the likeliest first.
// While there are several, it looks for an input on which they differ and asks
// it; the bank grows by these. Those that remain give the same results on every
// input that could be thought of.
func (p *prober) settle(t *sumtree.Tree, all []sumtree.Arithmetic, bank *[]sample) ([]sumtree.Arithmetic, error) {
	var left []sumtree.Arithmetic
	for _, a := range all {
		if n, _ := matches(t, a, *bank, true); n == len(*bank) {
			left = append(left, a)
		}
	}
	for round := 0; len(left) > 1 && round < settleRounds; round++ {
		s, ok := p.telling(t, left)
		if !ok {
			break
		}
		out, err := p.askIn(p.pool[:1], s.y, copied(s.x))
		if err != nil {
			return nil, err
		}
		s.out = out[0]
		*bank = append(*bank, s)
		var still []sumtree.Arithmetic
		for _, a := range left {
			if n, _ := matches(t, a, []sample{s}, true); n == 1 {
				still = append(still, a)
			}
		}
		left = still
	}
	return left, nil
}

// telling looks for an input on which not all arithmetics give the same.
func (p *prober) telling(t *sumtree.Tree, all []sumtree.Arithmetic) (sample, bool) {
	var replayers []*sumtree.Replayer
	for _, a := range all {
		r, err := sumtree.NewReplayer(t, a)
		if err != nil {
			continue
		}
		replayers = append(replayers, r)
	}
	shape := newShape(t)
	for k := range max(4, min(1500, settleWork/(p.n*len(replayers)))) {
		s := sample{kind: bankKinds[k%len(bankKinds)], y: p.secondFactors()}
		s.x = p.sampleOf(s.kind, shape, s.y)
		var first float64
		for i, r := range replayers {
			v, err := r.Sum(s.x, s.y)
			if err == nil && i > 0 && !sameBits(v, first) {
				return s, true
			}
			first = v
		}
	}
	return sample{}, false
}

// products returns the ways in which products may enter an accumulator.
func (p *prober) products(base sumtree.Arithmetic, acc fp.Format) []sumtree.Arithmetic {
	if !p.key.Op.Products() {
		return []sumtree.Arithmetic{base}
	}
	rules := []sumtree.FMA{sumtree.FMANone, sumtree.FMALater, sumtree.FMAChain, sumtree.FMAEarlier}
	in := p.key.DType
	formats := []fp.Format{0}
	if acc.Precision() >= 2*in.Precision() {
		rules = append([]sumtree.FMA{sumtree.FMAAll}, rules...) // products are exact in the accumulator's format
		if in.Precision() < fp.Binary32.Precision() && acc == fp.Binary64 {
			formats = append(formats, fp.Binary32)
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
			all = append(all, a)
		}
	}
	return all
}

// partwise looks for arithmetics of the parts of a tree: a BLAS may keep its
// tail in double, or round to float16 between chunks. Nodes that look alike from
// above and below form a class, a few of each class are probed one by one, and
// the assembled arithmetic is tried on the bank. When that fails every node is
// probed, if there are not too many.
func (p *prober) partwise(t *sumtree.Tree, base sumtree.Arithmetic, bank *[]sample) ([]sumtree.Arithmetic, error) {
	if t.MaxArity() > 2 || t.Inner() == 0 {
		return nil, nil
	}
	x := &partProber{p: p, t: t, parent: t.Parents(), size: t.Sizes()}
	x.order, x.lo, x.hi = t.LeafOrder()
	for _, each := range []bool{false, true} {
		if each && t.Inner() > partwiseLimit {
			break
		}
		if err := x.classes(each); err != nil {
			return nil, err
		}
		if left, err := p.settle(t, x.assemble(base), bank); len(left) > 0 || err != nil {
			return left, err
		}
	}
	return nil, nil
}

// partwiseLimit is the largest number of inner nodes that are probed one by one.
const partwiseLimit = 1200

// part is what is known of one inner node.
type part struct {
	acc   fp.Format // 0 for the root, whose result cannot be looked at unrounded
	fused [2]bool   // of its children that are leaves
}

type partProber struct {
	p             *prober
	t             *sumtree.Tree
	parent, size  []int32
	order, lo, hi []int32
	parts         []part // of every inner node
}

// classes fills in parts: by probing some nodes of every class, or each node.
func (x *partProber) classes(each bool) error {
	members := map[uint64][]int{}
	var keys []uint64
	sig := x.signatures()
	for k := range x.t.Inner() {
		s := sig[k]
		if each {
			s = uint64(k)
		}
		if members[s] == nil {
			keys = append(keys, s)
		}
		members[s] = append(members[s], x.t.Leaves()+k)
	}
	x.parts = make([]part, x.t.Inner())
	x.p.expect("parts", 3*len(keys))
	for _, s := range keys {
		nodes := members[s]
		probed := map[int]part{}
		uniform := true
		for _, at := range []int{0, len(nodes) / 2, len(nodes) - 1} {
			if _, ok := probed[at]; ok {
				continue
			}
			got, err := x.probe(nodes[at])
			if err != nil {
				return err
			}
			probed[at] = got
			uniform = uniform && got == probed[0]
		}
		for at, v := range nodes {
			got := probed[0]
			if !uniform {
				var ok bool
				if got, ok = probed[at]; !ok {
					var err error
					if got, err = x.probe(v); err != nil {
						return err
					}
				}
			}
			x.parts[v-x.t.Leaves()] = got
		}
	}
	return nil
}

// signatures hashes what distinguishes nodes: their size, which of their
// children are leaves, and the same of all their ancestors; the nodes of a chain
// that each add one leaf share one signature, but for the lowest.
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
	link := func(id int) bool { // adds one leaf to a partial sum
		k := x.t.Children(id)
		return x.t.IsLeaf(int(k[0])) != x.t.IsLeaf(int(k[1]))
	}
	for k := x.t.Inner() - 1; k >= 0; k-- {
		id := n + k
		kids := x.t.Children(id)
		up := uint64(0)
		if q := x.parent[id]; q >= 0 {
			up = sig[int(q)-n]
			if link(id) && link(int(q)) {
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

// probe finds the arithmetic of one node.
func (x *partProber) probe(id int) (part, error) {
	var got part
	kids := x.t.Children(id)
	acc, err := x.format(id)
	if err != nil {
		return got, err
	}
	got.acc = acc
	if !x.p.key.Op.Products() {
		return got, nil
	}
	for k := range kids {
		if !x.t.IsLeaf(int(kids[k])) {
			continue
		}
		if got.fused[k], err = x.fused(int(kids[k]), x.leafUnder(kids[1-k])); err != nil {
			return got, err
		}
	}
	return got, nil
}

// format finds in which of the possible formats a node's sum is held: 1 + 2^-k,
// with −1 added by the next node up, gives 2^-k if k bits were kept.
func (x *partProber) format(id int) (fp.Format, error) {
	up := x.parent[id]
	if up < 0 {
		return 0, nil
	}
	other := x.t.Children(int(up))[0]
	if int(other) == id {
		other = x.t.Children(int(up))[1]
	}
	kids := x.t.Children(id)
	i, j, l := x.leafUnder(kids[0]), x.leafUnder(kids[1]), x.leafUnder(other)
	formats := accumulators(x.p.key)
	slices.SortFunc(formats, func(a, b fp.Format) int { return a.Precision() - b.Precision() })
	for at := len(formats) - 1; at > 0; at-- {
		k := formats[at-1].Precision() + 2
		one := 1.0
		if x.p.key.DType == fp.Binary16 {
			one = 0x1p6 // 2^(6-26) is still a float16
		}
		out, err := x.p.ask(nil, func(row []float64) {
			row[i], row[j], row[l] = one, one/float64(uint64(1)<<k), -one
		})
		if err != nil {
			return 0, err
		}
		if out[0] != 0 {
			return formats[at], nil
		}
	}
	return formats[0], nil
}

// fused finds whether the product of a leaf enters its addition unrounded:
// (1+q)² − (1+2q) is q², or 0 where the square was rounded first.
func (x *partProber) fused(leaf, other int) (bool, error) {
	q := 1 / float64(uint64(1)<<((x.p.key.DType.Precision()+1)/2))
	y := make([]float64, x.p.n)
	for i := range y {
		y[i] = 1
	}
	y[leaf] = 1 + q
	out, err := x.p.ask(y, func(row []float64) {
		row[leaf], row[other] = 1+q, -(1 + 2*q)
	})
	if err != nil {
		return false, err
	}
	return out[0] != 0, nil
}

// assemble returns the arithmetics that the probed parts allow: what is rounded
// at the root, and whether nodes in the narrow format add in the wide one and
// round twice, is left open by the probes.
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
	formats := accumulators(x.p.key)
	var all []sumtree.Arithmetic
	for _, root := range formats {
		for _, twice := range []bool{false, true} {
			a := base
			if a.Products {
				a.FMA, a.Fused = sumtree.FMAMixed, sumtree.RangesOf(fused)
			}
			x.setNodes(&a, root, twice)
			all = append(all, a)
		}
	}
	return all
}

// setNodes writes the formats of the parts into a: the commonest as the rule,
// the others as exceptions.
func (x *partProber) setNodes(a *sumtree.Arithmetic, root fp.Format, twice bool) {
	kinds := map[sumtree.NodeArith][]bool{}
	var order []sumtree.NodeArith
	wide := slices.MaxFunc(x.formatsSeen(root), func(a, b fp.Format) int { return a.Precision() - b.Precision() })
	for k, part := range x.parts {
		arith := sumtree.NodeArith{Acc: part.acc}
		if part.acc == 0 {
			arith.Acc = root
		}
		if twice && arith.Acc != wide && arith.Acc.Precision() < fp.Binary32.Precision() {
			arith = sumtree.NodeArith{Acc: wide, Store: arith.Acc}
		}
		if kinds[arith] == nil {
			kinds[arith] = make([]bool, len(x.parts))
			order = append(order, arith)
		}
		kinds[arith][k] = true
	}
	count := func(in []bool) (c int) {
		for _, b := range in {
			if b {
				c++
			}
		}
		return c
	}
	slices.SortStableFunc(order, func(a, b sumtree.NodeArith) int { return count(kinds[b]) - count(kinds[a]) })
	a.Nodes, a.Except = order[0], nil
	for _, arith := range order[1:] {
		a.Except = append(a.Except, sumtree.Exception{Inner: sumtree.RangesOf(kinds[arith]), Arith: arith})
	}
}

func (x *partProber) formatsSeen(root fp.Format) []fp.Format {
	seen := []fp.Format{root}
	for _, p := range x.parts {
		if p.acc != 0 && !slices.Contains(seen, p.acc) {
			seen = append(seen, p.acc)
		}
	}
	return seen
}
