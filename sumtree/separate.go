package sumtree

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Choice is a value that a leaf may have: a summand, or two factors.
type Choice struct{ X, Y float64 }

// Separate looks for an input that a and b give different results for in the
// order of t, among those whose leaf i has one of the values choices(i). y is
// nil for sums. Two NaN are one result.
//
// The leaves of two subtrees are independent, so what matters of a subtree is
// the pairs of values that it can have under a and under b. Separate finds a
// node's pairs from the pairs of its operands, from the leaves to the root. It
// follows at most limit pairs of a node; 0 follows all, and ok = false is a
// proof then that a and b are equal on all inputs of the choices.
//
// It takes plain sums and dot products, of additions of two operands; for
// other trees and arithmetics ok is false. Cost: two additions for each pair of
// pairs that meet.
func (t *Tree) Separate(
	a, b Arithmetic, choices func(leaf int) []Choice, limit int,
) (x, y []float64, ok bool) {
	s := newSeparator(t, a, b, limit)
	if s == nil {
		return nil, nil, false
	}
	for i := range t.Leaves() {
		s.leaf(i, choices(i))
	}
	for k := 0; k < t.Inner() && !s.hopeless; k++ {
		s.node(k)
	}
	at := s.apart()
	if at < 0 {
		return nil, nil, false
	}
	x, y = make([]float64, t.Leaves()), make([]float64, t.Leaves())
	s.trace(t.Root(), at, x, y)
	if !a.Products {
		y = nil
	}
	return x, y, s.differs(x, y)
}

// differs reports whether replays of an input have different results.
func (s *separator) differs(x, y []float64) bool {
	var out [2]float64
	for w, r := range s.r {
		var err error
		if out[w], err = r.Sum(x, y); err != nil {
			return false
		}
	}
	return !isSame(out[0], out[1])
}

// isSeparable reports whether Separate takes an arithmetic.
func (a *Arithmetic) isSeparable() bool {
	carries := func(e Exception) bool { return e.Arith.Carry != CarryNone }
	return a.Significand == 0 && !a.Squares && a.Neighbours == 0 && a.Centre == nil &&
		len(a.Weights) == 0 && a.Rescale == 0 && a.After == nil && a.Nodes.Carry == CarryNone &&
		!slices.ContainsFunc(a.Except, carries)
}

// separator follows the values of nodes under two arithmetics.
type separator struct {
	t     *Tree
	r     [2]*Replayer
	limit int
	nodes [][]joint
	still []joint             // of nodes whose leaves have one value each: isStill
	sums  []joint             // room for the sums of one node
	seen  jointSet            // of the node under way
	given map[Choice]struct{} // of the leaf under way, where its value is not all

	isStill  []bool
	keeps    []keeping // of inner nodes
	hopeless bool      // some still node is NaN under both
}

// keeping describes an addition that left all pairs of one operand as they are:
// another addition that is like it leaves them so, too.
type keeping struct {
	is    bool
	side  int    // of the operand that was kept
	class [2]int // of the arithmetic
	fused [2]bool
	other joint // the other operand
}

// joint is a pair of values that a node can have.
type joint struct {
	v     [2]float64
	zeros [2]bool  // all leaves are zeros, as additions take them
	given Choice   // of a leaf
	from  [2]int32 // of the operands: their pairs
}

// jointSet is a hash table of pairs of values: open addressing, linear probing.
type jointSet struct {
	slots []int32 // places in the list of a node, from 1; 0 is free
}

// reset empties the set, for at most count pairs.
func (t *jointSet) reset(count int) {
	size := 1 << bits.Len(uint(2*count))
	if size > cap(t.slots) {
		t.slots = make([]int32, size)
	}
	t.slots = t.slots[:size]
	clear(t.slots)
}

// add reports whether j is none of the list's pairs of values; then its place
// is the next one.
func (t *jointSet) add(list []joint, j *joint) bool {
	a, b := math.Float64bits(j.v[0]), math.Float64bits(j.v[1])
	hash := (a ^ bits.RotateLeft64(b, 32)) * 0x9E3779B97F4A7C15
	mask := len(t.slots) - 1
	for at := int(hash>>32) & mask; ; at = (at + 1) & mask {
		if t.slots[at] == 0 {
			t.slots[at] = int32(len(list) + 1)
			return true
		}
		o := &list[t.slots[at]-1]
		if o.isLike(j) {
			return false
		}
	}
}

// newSeparator returns nil where Separate finds nothing.
func newSeparator(t *Tree, a, b Arithmetic, limit int) *separator {
	if t.MaxArity() > 2 || !a.isSeparable() || !b.isSeparable() || a.Products != b.Products {
		return nil
	}
	s := &separator{t: t, limit: limit, nodes: make([][]joint, t.Nodes()),
		still: make([]joint, t.Nodes()), isStill: make([]bool, t.Nodes()),
		keeps: make([]keeping, t.Inner()), given: map[Choice]struct{}{}}
	for k, arith := range []Arithmetic{a, b} {
		r, err := NewReplayer(t, arith)
		if err != nil {
			return nil
		}
		r.makeRoom()
		r.x, r.y = make([]float64, t.Leaves()), make([]float64, t.Leaves())
		s.r[k] = r
	}
	return s
}

// leaf fills in the pairs of values of a leaf.
func (s *separator) leaf(i int, choices []Choice) {
	if len(choices) == 1 {
		s.give(i, choices[0])
		s.settle(i, joint{given: choices[0],
			zeros: [2]bool{s.r[0].isZero(i), s.r[1].isZero(i)}})
		return
	}
	s.seen.reset(len(choices))
	clear(s.given)
	for _, c := range choices {
		s.give(i, c)
		j := joint{given: c, v: [2]float64{s.r[0].val[i], s.r[1].val[i]},
			zeros: [2]bool{s.r[0].isZero(i), s.r[1].isZero(i)}}
		s.add(i, j)
	}
}

// give sets a leaf to a choice.
func (s *separator) give(i int, c Choice) {
	for _, r := range s.r {
		r.x[i], r.y[i] = r.factors(i, c)
		if r.a.Products {
			r.takeProduct(i)
		} else {
			r.val[i] = r.x[i]
		}
		if r.a.Starts.Contains(i) {
			r.startLeaf(i)
		}
	}
}

// factors returns a choice as the arithmetic takes it.
func (r *Replayer) factors(leaf int, c Choice) (x, y float64) {
	return r.a.skipped(leaf, r.a.input(c.X), r.a.input(c.Y))
}

// settle gives a node the one pair of values that its replays hold.
func (s *separator) settle(id int, j joint) {
	j.v = [2]float64{s.r[0].val[id], s.r[1].val[id]}
	s.still[id], s.isStill[id] = j, true
	s.hopeless = s.hopeless || j.v[0] != j.v[0] && j.v[1] != j.v[1]
}

// pairs returns the pairs of values of a node.
func (s *separator) pairs(id int32) []joint {
	if s.isStill[id] {
		return s.still[id : id+1]
	}
	return s.nodes[id]
}

// node fills in the pairs of values of inner node k.
func (s *separator) node(k int) {
	id := s.t.Leaves() + k
	kids := s.t.Children(id)
	if s.isStill[kids[0]] && s.isStill[kids[1]] {
		p, q := &s.still[kids[0]], &s.still[kids[1]]
		for _, r := range s.r {
			r.val[id] = r.inner(k)
		}
		s.settle(id, joint{
			zeros: [2]bool{p.zeros[0] && q.zeros[0], p.zeros[1] && q.zeros[1]}})
		return
	}
	adds := s.keepingOf(k)
	kept := kids[adds.side]
	if s.hasKept(kept, adds) {
		s.nodes[id], s.keeps[k] = s.nodes[kept], adds
		return
	}
	ps, qs := s.pairs(kids[0]), s.pairs(kids[1])
	sums := slices.Grow(s.sums[:0], len(ps)*len(qs))
	for i := range ps {
		p := &ps[i]
		s.set(int(kids[0]), p)
		for j := range qs {
			q := &qs[j]
			s.set(int(kids[1]), q)
			sum := joint{from: [2]int32{int32(i), int32(j)}}
			for w, r := range s.r {
				sum.v[w] = r.inner(k)
				sum.zeros[w] = p.zeros[w] && q.zeros[w]
			}
			sums = append(sums, sum)
		}
	}
	if s.isUnchanged(sums, adds, kept) {
		s.nodes[id], s.sums, s.keeps[k] = sums, nil, adds
		return
	}
	s.sums = sums
	s.seen.reset(len(sums))
	for k := range sums {
		s.add(id, sums[k])
	}
	if id != s.t.Root() {
		s.prune(id)
	}
}

// keepingOf returns what the addition of inner node k is, if it keeps the pairs
// of an operand. Only that one may have several.
func (s *separator) keepingOf(k int) keeping {
	kids := s.t.Children(s.t.Leaves() + k)
	adds := keeping{}
	if s.isStill[kids[0]] {
		adds.side = 1
	}
	other := kids[1-adds.side]
	if !s.isStill[other] {
		return adds
	}
	adds.is, adds.other = true, s.still[other]
	for w, r := range s.r {
		adds.class[w], adds.fused[w] = r.classOf(k), r.isFused(other)
	}
	return adds
}

// hasKept reports whether the pairs of a node were kept by an addition like
// adds.
func (s *separator) hasKept(id int32, adds keeping) bool {
	if !adds.is || s.t.IsLeaf(int(id)) || s.isStill[id] {
		return false
	}
	had := &s.keeps[int(id)-s.t.Leaves()]
	return had.is && had.side == adds.side && had.class == adds.class &&
		had.fused == adds.fused && had.other.isLike(&adds.other) &&
		isSame(had.other.given.X, adds.other.given.X) &&
		isSame(had.other.given.Y, adds.other.given.Y)
}

// isUnchanged reports whether the sums of an addition equal the values of one
// operand, because the other adds a zero. They need no sifting then.
func (s *separator) isUnchanged(sums []joint, adds keeping, kept int32) bool {
	if !adds.is || s.t.IsLeaf(int(kept)) {
		return false
	}
	before := s.pairs(kept)
	for k := range sums {
		if !sums[k].isLike(&before[k]) {
			return false
		}
	}
	return true
}

// isLike reports whether two pairs of values are the same.
func (j *joint) isLike(o *joint) bool {
	return isSame(j.v[0], o.v[0]) && isSame(j.v[1], o.v[1]) && j.zeros == o.zeros
}

// set gives a node a pair of values.
func (s *separator) set(id int, j *joint) {
	for w, r := range s.r {
		r.val[id] = j.v[w]
		if id < s.t.Leaves() {
			r.x[id], r.y[id] = r.factors(int(id), j.given)
		}
	}
}

// add adds a pair of values to a node, unless it has that. No result shows
// anything after both are NaN.
func (s *separator) add(id int, j joint) {
	if j.v[0] != j.v[0] && j.v[1] != j.v[1] {
		return
	}
	if id < s.t.Leaves() && (s.r[0].wide || s.r[1].wide) {
		if _, has := s.given[j.given]; has {
			return // no float64 holds all unrounded products
		}
		s.given[j.given] = struct{}{}
	} else if !s.seen.add(s.nodes[id], &j) {
		return
	}
	s.nodes[id] = append(s.nodes[id], j)
}

// prune leaves a node at most limit pairs of values and all pairs of zeros:
// half of them differ, as far as there are such, and both halves are spread
// evenly over all sizes.
func (s *separator) prune(id int) {
	all := s.nodes[id]
	if s.limit == 0 || len(all) <= s.limit {
		return
	}
	room := make([]joint, 0, 2*len(all))
	zeros, apart, same := room[:0:0], room[:0:len(all)], room[len(all):len(all)]
	for _, j := range all {
		switch {
		case j.v[0] == 0 && j.v[1] == 0:
			zeros = append(zeros, j)
		case isSame(j.v[0], j.v[1]):
			same = append(same, j)
		default:
			apart = append(apart, j)
		}
	}
	share := max(s.limit/2, s.limit-len(same))
	apart = spread(apart, share)
	s.nodes[id] = slices.Concat(zeros, apart, spread(same, s.limit-len(apart)))
}

// spread returns at most count of some pairs, of all sizes and signs.
func spread(all []joint, count int) []joint {
	if len(all) <= count {
		return all
	}
	type keyed struct {
		key uint64
		at  int
	}
	order := make([]keyed, len(all))
	for i := range all {
		order[i] = keyed{ascending(all[i].v[0]), i}
	}
	slices.SortFunc(order, func(p, q keyed) int {
		return cmp.Or(cmp.Compare(p.key, q.key), p.at-q.at)
	})
	some := make([]joint, count)
	for k := range some {
		some[k] = all[order[k*(len(all)-1)/max(1, count-1)].at]
	}
	return some
}

// ascending returns a number that grows with v; −0 comes before +0.
func ascending(v float64) uint64 {
	b := math.Float64bits(v)
	if math.Signbit(v) {
		return ^b
	}
	return b | 1<<63
}

// apart returns a pair of the root with different results, those that are
// finite first; −1 for none.
func (s *separator) apart() int {
	root := s.t.Root()
	found := -1
	if s.hopeless {
		return found
	}
	all := s.pairs(int32(root))
	for at := range all {
		j := &all[at]
		var out [2]float64
		for w, r := range s.r {
			arith := r.a.Nodes
			if s.t.Inner() > 0 {
				arith = *r.arithOf(s.t.Inner() - 1)
			}
			out[w] = r.finishOf(arith, j.v[w], nil, j.zeros[w])
		}
		if isSame(out[0], out[1]) {
			continue
		}
		if found < 0 {
			found = at
		}
		if out[0]-out[0] == 0 && out[1]-out[1] == 0 {
			return at
		}
	}
	return found
}

// isSame reports whether two results are the same bits, or both NaN.
func isSame(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// trace writes the input that a pair of values of a node comes from.
func (s *separator) trace(id, at int, x, y []float64) {
	j := s.pairs(int32(id))[at]
	if id < s.t.Leaves() {
		x[id], y[id] = j.given.X, j.given.Y
		return
	}
	for w, c := range s.t.Children(id) {
		s.trace(int(c), int(j.from[w]), x, y)
	}
}
