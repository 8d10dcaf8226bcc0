package reveal

import (
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/sumtree"
)

// packed inserts leaf after leaf into a growing tree, several at once, by set
// probes: a mask pair on two leaves and powers of two on up to p others, zeros
// elsewhere. The output is then a bit mask: which of the others lie outside the
// lowest common ancestor of the pair. Pairs under disjoint nodes share a call.
//
// Every pending leaf has a region, the part of the tree where it can still
// belong; a question about a node near the region's centroid halves it. Probes:
// about n·log2(n)/p for any tree, p being the bits of the format, and no more
// than twice that; leaves are taken up in random order, so that no shape of tree
// is worst.
//
// With multiway false every node found is binary, and the certificate tells
// whether that was so.
func (p *prober) packed(multiway bool) (*sumtree.Tree, error) {
	if p.n == 1 {
		return sumtree.NewBuilder(1).Tree()
	}
	g := newGrower(p, multiway)
	g.insertFirst()
	p.expect("packed", int(float64(p.n)*math.Log2(float64(p.n))/float64(g.bits)*1.2))
	for {
		g.admit()
		if len(g.pending) == 0 {
			break
		}
		q := g.question()
		if err := g.put(q); err != nil {
			return nil, err
		}
	}
	return build(p.n, g.root, func(id int) []int { return g.kids[id-p.n] })
}

// inFlight is how many leaves are looked for at the same time. Many fill the
// answers better: the calls needed at n = 1024 and 24 bits fall from 795 to 550
// when 100 leaves in flight become all.
const inFlight = 4096

// grower is the growing tree and the leaves that are on their way into it.
type grower struct {
	p        *prober
	multiway bool
	bits     int
	waiting  []int // leaves not yet looked at
	pending  []*seeker

	root   int
	parent []int   // of leaves and inner nodes; −1 for the root
	kids   [][]int // of inner nodes
	rep    []int   // a leaf under a node
	depth  []int   // scratch of walks
	size   []int   // scratch of centroid
}

// seeker is a leaf and what is known of its place: inside top (−1: nothing is
// known), outside every node of out.
type seeker struct {
	leaf int
	top  int
	out  map[int]bool
	not  map[int]bool // children of top it is known not to join, where all are in out or leaves
	next int          // node to ask about; 0 when that has to be found out
}

// query is one mask pair and the seekers whose bits it answers.
type query struct {
	node    int // masks stay inside this node
	pair    pair
	seekers []*seeker
	probe   *seeker // a triple question: this seeker is masked, with child kid of node
	kid     int
	watch   []int // the leaves whose bits answer a triple question
}

func newGrower(p *prober, multiway bool) *grower {
	g := &grower{p: p, multiway: multiway, bits: p.sc.bits, waiting: p.rng.Perm(p.n),
		parent: make([]int, p.n), rep: sequence(p.n)}
	return g
}

func (g *grower) isLeaf(v int) bool { return v < g.p.n }

func (g *grower) children(v int) []int {
	if g.isLeaf(v) {
		return nil
	}
	return g.kids[v-g.p.n]
}

func (g *grower) insertFirst() {
	a, b := g.waiting[0], g.waiting[1]
	g.waiting = g.waiting[2:]
	g.root = g.newNode(-1, a, b)
}

func (g *grower) newNode(parent int, kids ...int) int {
	v := g.p.n + len(g.kids)
	g.kids = append(g.kids, kids)
	g.parent = append(g.parent, parent)
	g.rep = append(g.rep, g.rep[kids[0]])
	for _, k := range kids {
		g.parent[k] = v
	}
	return v
}

// admit takes waiting leaves up until enough are in flight.
func (g *grower) admit() {
	for len(g.pending) < inFlight && len(g.waiting) > 0 {
		g.pending = append(g.pending, &seeker{leaf: g.waiting[0], top: -1, out: map[int]bool{}, not: map[int]bool{}})
		g.waiting = g.waiting[1:]
	}
}

// wish is what a seeker wants to know next: whether it lies in node, or, with
// triple, whether it joins child kid of node.
type wish struct {
	node   int
	triple bool
	kid    int
}

// wish returns the next question of s; ok is false when its place is found, and
// then it has been inserted.
func (g *grower) wish(s *seeker) (wish, bool) {
	if s.next != 0 {
		return wish{node: s.next}, true
	}
	if v := g.centroid(s); v >= 0 {
		s.next = v
		return wish{node: v}, true
	}
	if s.top < 0 { // outside the root
		g.root = g.newNode(-1, g.root, s.leaf)
		return wish{}, false
	}
	// Inside top and outside its inner children: on the edge to one of its
	// children, or, where sums are fused, a further child.
	var open []int
	for _, k := range g.children(s.top) {
		if !s.not[k] {
			open = append(open, k)
		}
	}
	switch {
	case len(open) == 1 && !g.multiway:
		g.insertAbove(open[0], s.leaf)
		return wish{}, false
	case len(open) == 0:
		g.kids[s.top-g.p.n] = append(g.kids[s.top-g.p.n], s.leaf)
		g.parent[s.leaf] = s.top
		return wish{}, false
	}
	return wish{node: s.top, triple: true, kid: open[0]}, true
}

// insertAbove puts the leaf on the edge between v and its parent.
func (g *grower) insertAbove(v, leaf int) {
	up := g.parent[v]
	w := g.newNode(up, v, leaf)
	if up < 0 {
		g.root = w
		return
	}
	kids := g.kids[up-g.p.n]
	kids[slices.Index(kids, v)] = w
}

// centroid returns the inner node that splits the region of s best, −1 when no
// node is left to ask about. The region's places are the edges above its nodes.
func (g *grower) centroid(s *seeker) int {
	// Walk the region top-down; order holds its nodes, parents first.
	start := s.top
	if start < 0 {
		start = g.root
	}
	order := g.depth[:0]
	order = append(order, start)
	if s.top < 0 && s.out[g.root] {
		return -1
	}
	for at := 0; at < len(order); at++ {
		if v := order[at]; v == s.top || !s.out[v] {
			order = append(order, g.children(v)...)
		}
	}
	g.depth = order
	if len(g.size) < len(g.parent) {
		g.size = make([]int, 2*len(g.parent))
	}
	// size is the number of places inside a node: the edges below it.
	for _, v := range order {
		g.size[v] = 0
	}
	for _, v := range slices.Backward(order) {
		if v != start {
			g.size[g.parent[v]] += g.size[v] + 1
		}
	}
	total := g.size[start]
	if s.top < 0 {
		total++
	}
	best, split := -1, total+1
	for _, v := range order {
		if v == s.top || g.isLeaf(v) || s.out[v] {
			continue
		}
		if worse := max(g.size[v], total-g.size[v]); worse < split {
			best, split = v, worse
		}
	}
	return best
}

// within reports whether v lies in the subtree of u.
func (g *grower) within(v, u int) bool {
	for v >= 0 && v != u {
		v = g.parent[v]
	}
	return v == u
}

// outside reports whether s is known to lie outside node u.
func (g *grower) outside(s *seeker, u int) bool {
	for v := u; v >= 0; v = g.parent[v] {
		if s.out[v] {
			return true
		}
		if v == s.top {
			return false
		}
	}
	// u is not below top: outside unless top is below u.
	return s.top >= 0 && !g.within(s.top, u)
}

// question chooses the queries of one call: the most wanted first, then every
// other that is disjoint from those chosen.
func (g *grower) question() []*query {
	type group struct {
		wish
		seekers []*seeker
	}
	var groups []*group
	index := map[wish]*group{}
	still := g.pending[:0]
	for _, s := range g.pending {
		w, ok := g.wish(s)
		if !ok {
			continue
		}
		still = append(still, s)
		if q := index[w]; q != nil && !w.triple {
			q.seekers = append(q.seekers, s)
			continue
		}
		q := &group{wish: w, seekers: []*seeker{s}}
		groups = append(groups, q)
		index[w] = q
	}
	g.pending = still
	slices.SortStableFunc(groups, func(a, b *group) int { return len(b.seekers) - len(a.seekers) })
	var chosen []*query
	bits := 0
	for _, q := range groups[:min(len(groups), groupLook)] {
		if bits >= g.bits {
			break
		}
		if !g.compatible(q.node, q.seekers, chosen) {
			continue
		}
		c := g.query(q.wish, q.seekers, g.bits-bits)
		if c == nil {
			continue
		}
		bits += len(c.seekers) + len(c.watch)
		chosen = append(chosen, c)
	}
	g.fillUp(chosen, g.bits-bits)
	return chosen
}

// groupLook bounds the questions that are tried for one call.
const groupLook = 128

// fillUp gives the bits that are left to seekers for which a chosen node is not
// the best question, but a question.
func (g *grower) fillUp(chosen []*query, room int) {
	asked := map[*seeker]bool{}
	for _, c := range chosen {
		for _, s := range c.seekers {
			asked[s] = true
		}
		asked[c.probe] = true
	}
	for _, s := range g.pending[:min(len(g.pending), fillUpLook)] {
		if room == 0 {
			return
		}
		if asked[s] {
			continue
		}
		var open *query
		n := 0
		for _, c := range chosen {
			if !g.outside(s, c.node) {
				n++
				open = c
			}
		}
		if n == 1 && open.probe == nil && g.undecided(s, open.node) {
			open.seekers = append(open.seekers, s)
			room--
		}
	}
}

// fillUpLook bounds the seekers that fillUp looks at.
const fillUpLook = 512

// undecided reports whether s may lie inside u and may lie outside.
func (g *grower) undecided(s *seeker, u int) bool {
	return !g.outside(s, u) && u != s.top && (s.top < 0 || !g.within(s.top, u))
}

// compatible reports whether a query under node can share a call with the ones
// chosen: nodes disjoint, and every seeker outside all nodes but its own.
func (g *grower) compatible(node int, seekers []*seeker, chosen []*query) bool {
	for _, c := range chosen {
		if g.within(node, c.node) || g.within(c.node, node) {
			return false
		}
		for _, s := range c.seekers {
			if !g.outside(s, node) {
				return false
			}
		}
		if c.probe != nil && !g.outside(c.probe, node) {
			return false
		}
		for _, s := range seekers {
			if !g.outside(s, c.node) {
				return false
			}
		}
	}
	return true
}

func (g *grower) query(w wish, seekers []*seeker, room int) *query {
	if !w.triple {
		kids := g.children(w.node)
		return &query{node: w.node, pair: pair{g.rep[kids[0]], g.rep[kids[1]]}, seekers: seekers[:min(len(seekers), room)]}
	}
	s := seekers[0]
	q := &query{node: w.node, pair: pair{s.leaf, g.rep[w.kid]}, probe: s, kid: w.kid}
	for _, k := range g.children(w.node) {
		if k != w.kid {
			q.watch = append(q.watch, g.rep[k])
		}
	}
	if len(q.watch) > room { // one of them answers for all
		q.watch = q.watch[:1]
	}
	if len(q.watch) > room {
		return nil
	}
	return q
}

// put makes the call and takes the answers in.
func (g *grower) put(queries []*query) error {
	if len(queries) == 0 {
		return nil
	}
	var bits []int
	var pairs []pair
	for _, q := range queries {
		pairs = append(pairs, q.pair)
		for _, s := range q.seekers {
			bits = append(bits, s.leaf)
		}
		bits = append(bits, q.watch...)
	}
	masks := g.p.fill(nil, pairs)
	fill := func(row []float64) {
		for k, leaf := range bits {
			row[leaf] = math.Ldexp(g.p.sc.unit, k)
		}
		masks(row)
	}
	out, err := g.p.ask(nil, fill)
	if err != nil {
		return err
	}
	c, ok := g.p.count(out[0])
	if !ok || c >= math.Ldexp(1, len(bits)) {
		return g.p.nonsense(fill, out[0])
	}
	mask := uint64(c)
	at := 0
	for _, q := range queries {
		for _, s := range q.seekers {
			s.next = 0
			if mask>>at&1 != 0 {
				s.out[q.node] = true
			} else {
				s.top = q.node
			}
			at++
		}
		if q.probe == nil {
			continue
		}
		seen := mask >> at & (1<<len(q.watch) - 1)
		at += len(q.watch)
		switch seen {
		case 1<<len(q.watch) - 1: // all outside: it joins kid
			g.insertAbove(q.kid, q.probe.leaf)
			g.pending = slices.DeleteFunc(g.pending, func(s *seeker) bool { return s == q.probe })
		case 0:
			q.probe.not[q.kid] = true
		default:
			return &inconsistent{what: fmt.Sprintf("leaves %d and %d meet below some operands of a sum and above others", q.pair.a, q.pair.b),
				witness: g.p.witness("an output that no tree gives", nil, fill, out, nil)}
		}
	}
	return nil
}
