package proof

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// Where subnormals are flushed, a sum may be −0 although it begins with +0: a
// negative sum is flushed after it. The sign then depends on the summands that
// an addition of +0 comes before, which are the first of each accumulator. A
// tree has no such operand; Arithmetic.Starts lists them.

// zeroSamples is the number of random inputs that AskZeros asks.
const zeroSamples = 16

// minusZero is the summand that most inputs of AskZeros have.
var minusZero = math.Copysign(0, -1)

// showsStarts reports whether the zero of a sum shows the summands that are
// added to +0.
func showsStarts(a sumtree.Arithmetic) bool {
	return (a.FTZ || a.Nodes.FlushOperands) && a.PlusZero && !a.PlusZeroOut && !a.Squares
}

// AskZeros asks for sums of zeros and of a few summands whose sum is flushed:
// neighbours, or any two, or summands and products that are flushed alone; for
// sums of subnormal summands that are not flushed themselves; and for a mean of
// one of these. base is the arithmetic as Basics finds it. There are none where
// the sign of the result shows nothing.
func AskZeros(
	c *ask.Channel, t *sumtree.Tree, base sumtree.Arithmetic,
) ([]ask.Sample, error) {
	if base.Mean {
		base.FTZ = true // which Basics does not see of a mean
	}
	if !showsStarts(base) || c.N < 2 || c.N > maxEdges || t.MaxArity() > 2 {
		return nil, nil
	}
	rng := ask.RandApart(c, "zeros")
	pairs := leafPairs(t)
	first := min(tinyPairs, len(pairs))
	samples := []ask.Sample{flushedPairs(c, pairs)}
	for k := range first {
		at := k * len(pairs) / first
		others := slices.Delete(slices.Clone(pairs), at, at+1)
		samples = append(samples, flushedPairs(c, pairs[at:at+1]), flushedPairs(c, others))
	}
	for k := range zeroSamples {
		i := rng.IntN(c.N)
		some := [][2]int{{i, (i + 1 + rng.IntN(c.N-1)) % c.N}}
		for _, p := range pairs {
			if k%2 == 0 && rng.IntN(2) == 0 && p[0] != i && p[1] != i {
				some = append(some, p)
			}
		}
		s := flushedPairs(c, some)
		for i := range s.X {
			switch {
			case k%4 < 2 || s.X[i] != 0 || rng.IntN(2) == 0:
			case s.Y == nil:
				s.X[i] = -c.Key.DType.MinNormal() / 2
			default:
				s.X[i], s.Y[i] = -c.Key.DType.MinNormal(), 0.5
			}
		}
		samples = append(samples, s)
	}
	samples = append(samples, flushedSums(c, t, rng, pairs)...)
	samples = append(samples, flushedRests(c, t, rng)...)
	if c.Key.Op.Products() {
		samples = append(samples, vanishing(c, nil, -c.Key.DType.MinNormal()))
	} else {
		samples = append(samples, subnormalLeaves(c, t, 0), subnormalLeaves(c, t, 1))
	}
	if base.Mean { // a negative mean that is rounded to zero
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ones(c)}
		s.X[c.N-1] = -c.Key.DType.Smallest()
		samples = append(samples, s)
	}
	c.Expect("subnormals", len(samples))
	return samples, ask.AskSamples(c, samples)
}

// maxSigns is the largest number of products whose signs of zero are each
// asked.
const maxSigns = 1 << 5

// zeroFactorsEach returns products that are −0 by factors that Basics does not
// ask: each kind of them for all products, or, where a call has many lanes, all
// kinds in turn.
func zeroFactorsEach(c *ask.Channel) []ask.Sample {
	kinds := []sumtree.Choice{{X: 0, Y: -1}, {X: 1, Y: minusZero}, {X: -1, Y: 0}}
	samples := make([]ask.Sample, len(kinds))
	for k := range kinds {
		s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: make([]float64, c.N)}
		for i := range s.X {
			kind := kinds[k]
			if c.Lanes() > 1 {
				kind = kinds[i%len(kinds)]
			}
			s.X[i], s.Y[i] = kind.X, kind.Y
		}
		samples[k] = s
	}
	if c.Lanes() > 1 {
		return samples[:1]
	}
	return samples
}

// AskSigns asks for sums of products that are −0: all with the same factors,
// which shows a factor whose zero loses its sign; and, of a few products, all
// except one, which has factors of other signs. A product that loses the sign
// of its zero shows where the sum does not begin with +0.
func AskSigns(c *ask.Channel, t *sumtree.Tree) ([]ask.Sample, error) {
	if !c.Key.Op.Products() || c.N > maxEdges || t.MaxArity() > 2 {
		return nil, nil
	}
	samples := zeroFactorsEach(c)
	one := []sumtree.Choice{{X: minusZero, Y: -1}, {X: 0, Y: -1}, {X: 0, Y: 1}}
	for i := range c.N {
		if c.N > maxSigns {
			break
		}
		for _, odd := range one {
			s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N), Y: ask.Ones(c.N)}
			for j := range s.X {
				s.X[j] = minusZero
			}
			s.X[i], s.Y[i] = odd.X, odd.Y
			samples = append(samples, s)
		}
	}
	c.Expect("zeros", len(samples))
	return samples, ask.AskSamples(c, samples)
}

// flushedPairs returns the summands −0 except pairs that add up to a negative
// number that is flushed.
func flushedPairs(c *ask.Channel, pairs [][2]int) ask.Sample {
	s := ask.Sample{Kind: ask.Edge, X: make([]float64, c.N)}
	for i := range s.X {
		s.X[i] = minusZero
	}
	for _, p := range pairs {
		s.X[p[0]], s.X[p[1]] = -1.5*c.Key.DType.MinNormal(), 1.25*c.Key.DType.MinNormal()
	}
	if c.Key.Op.Products() {
		s.Y = ask.Ones(c.N)
	}
	return s
}

// subnormalLeaves returns positive summands: the least normal number for one of
// each two leaves that are added to each other, and half of it for all others.
// Every sum of two or more is normal, and a summand that is flushed alone
// shows.
func subnormalLeaves(c *ask.Channel, t *sumtree.Tree, normal int) ask.Sample {
	least := c.Key.DType.MinNormal()
	s := ask.Sample{Kind: ask.Edge, X: slices.Repeat([]float64{least / 2}, c.N)}
	for _, p := range leafPairs(t) {
		s.X[p[normal]] = least
	}
	return s
}

// openings are the places of a tree where a sum may begin with +0: the leaves
// that are added to each other, the first sum of each chain of sums, and single
// sums.
type openings struct {
	t       *sumtree.Tree
	pairs   [][2]int
	first   []sumtree.Ranges // of startsByLevel, as chained is
	chained bool
	sums    []int // inner nodes

	starts map[sumtree.FMA]sumtree.Ranges // of pairStarts, where a rule tells all
}

// newOpenings returns the openings of a tree, which the first question about
// them finds.
func newOpenings(t *sumtree.Tree) *openings {
	return &openings{t: t, starts: map[sumtree.FMA]sumtree.Ranges{}}
}

// find finds the openings of a tree of additions of two operands.
func (x *openings) find() {
	if x.pairs != nil {
		return
	}
	x.pairs = leafPairs(x.t)
	x.first, x.chained = startsByLevel(x.t)
	x.sums = lastSums(x.t)
	if k, ok := storedSum(x.t); ok {
		x.sums = append(x.sums, k)
	}
}

// withStarts returns an arithmetic, and where it matters the same with an
// accumulator for each pair of leaves that are added to each other, or for each
// leaf; with one for each chain of such sums, too, as windows of windows have,
// or for the chains of one level; with a sum that is stored before a rest; and
// with one that the +0 of a lane without summands is added to. Accumulators
// flush subnormal summands alone, which Basics may take for all summands.
func (x *openings) withStarts(a sumtree.Arithmetic) []sumtree.Arithmetic {
	if !showsStarts(a) || a.FromZero || x.t.MaxArity() > 2 {
		return []sumtree.Arithmetic{a}
	}
	x.find()
	b, c := a, a
	b.Starts = x.pairStarts(a)
	c.Starts = sumtree.Ranges{{0, x.t.Leaves()}}
	all := []sumtree.Arithmetic{a, b, c}
	if a.DAZ && !a.Products { // of c it is the same function
		b.DAZ = false
		all = append(all, b)
	}
	if len(a.Except) > 0 {
		return all
	}
	n := a.Nodes
	n.PlusZero = true
	known := all[:len(all):len(all)]
	for _, first := range x.first {
		for _, d := range known {
			if x.chained || len(d.Starts) == 0 || d.Starts[0] != c.Starts[0] {
				d.Except = []sumtree.Exception{{Inner: first, Arith: n}}
				all = append(all, d)
			}
		}
	}
	for _, k := range x.sums {
		for _, d := range known {
			d.Except = []sumtree.Exception{{Inner: sumtree.Ranges{{k, k + 1}}, Arith: n}}
			all = append(all, d)
		}
	}
	return all
}

// lastSums returns the inner nodes that the last addition of two sums takes. A
// lane without summands may add its +0 to one of them.
func lastSums(t *sumtree.Tree) []int {
	var sums []int
	for _, id := range t.Children(t.Root()) {
		if t.IsLeaf(int(id)) {
			return nil
		}
		sums = append(sums, int(id)-t.Leaves())
	}
	return sums
}

// pairStarts returns the leaf of each pair that is added to +0.
func (x *openings) pairStarts(a sumtree.Arithmetic) sumtree.Ranges {
	rule := a.FMA
	if !a.Products && len(a.Weights) == 0 {
		rule = sumtree.FMANone
	}
	if known, ok := x.starts[rule]; ok {
		return known
	}
	x.find()
	starts, fused := make([]bool, x.t.Leaves()), a.FusedLeaves(x.t)
	for _, p := range x.pairs {
		starts[started(p, fused)] = true
	}
	r := sumtree.RangesOf(starts)
	if rule != sumtree.FMAMixed {
		x.starts[rule] = r
	}
	return r
}

// started returns the leaf of a pair that is added to +0: the one whose product
// is rounded alone, or the first.
func started(pair [2]int, fused []bool) int {
	if fused[pair[0]] && !fused[pair[1]] {
		return pair[1]
	}
	return pair[0]
}

// probeZeros finds the nodes of a class that make +0 of negative sums, and
// those that begin with +0, for nodes whose subnormals are known.
func (x *partProber) probeZeros(nodes []int) error {
	err := probeClass(nodes, x.addsZero, func(id int, zero bool) { x.part(id).plusZero = zero })
	if err != nil {
		return err
	}
	return probeClass(nodes, x.startsZero, func(id int, zero bool) { x.part(id).starts = zero })
}

// probeClass probes the first, the middle and the last node of a class, and the
// others too when these are not alike.
func probeClass(nodes []int, probe func(id int) (bool, error), set func(id int, got bool)) error {
	got := map[int]bool{}
	uniform := true
	for _, v := range ends(nodes) {
		is, err := probe(v)
		if err != nil {
			return err
		}
		got[v] = is
		uniform = uniform && is == got[nodes[0]]
	}
	for _, v := range nodes {
		is, known := got[v]
		switch {
		case known:
		case uniform:
			is = got[nodes[0]]
		default:
			var err error
			if is, err = probe(v); err != nil {
				return err
			}
		}
		set(v, is)
	}
	return nil
}

// addsZero reports whether a sum that is flushed reaches the end as +0 although
// it was negative. The other operands above the node are negative sums that are
// flushed too, so that the result is −0 otherwise. It takes the parts that keep
// subnormals from x.parts: they make no zero of such a sum.
func (x *partProber) addsZero(id int) (bool, error) {
	if x.parent[id] < 0 || x.parts[id-x.t.Leaves()].keeps {
		return false, nil
	}
	q := newZeroQuestion(x)
	q.vanish(id)
	return q.isPlusZero(id)
}

// startsZero reports whether a node whose operands are leaves begins with +0,
// or a leaf among them does: the result is +0 although they are −0, and all
// other operands above are negative sums that are flushed. Where such an
// operand is never −0, no result shows the difference.
func (x *partProber) startsZero(id int) (bool, error) {
	q := newZeroQuestion(x)
	leaf := false
	for _, k := range x.t.Children(id) {
		if !x.t.IsLeaf(int(k)) {
			q.vanish(int(k))
			continue
		}
		q.row[int(k)], leaf = minusZero, true
	}
	if !leaf {
		return false, nil
	}
	return q.isPlusZero(id)
}

// zeroQuestion is an input whose partial sums are −0 where no +0 is added.
type zeroQuestion struct {
	*partProber
	row map[int]float64 // the leaves that are not +0
	y   []float64
}

func newZeroQuestion(x *partProber) *zeroQuestion {
	return &zeroQuestion{partProber: x, row: map[int]float64{}, y: ask.Ones(x.c.N)}
}

// vanish gives the leaves under v values whose sum is −0: a sum of −least/4
// that is flushed, or a product of −least/2. A product that is fused with its
// addition is −0, and so is a summand that is not flushed alone: otherwise the
// sum would be flushed, which would hide +0 beside it.
func (q *zeroQuestion) vanish(v int) {
	least := q.c.Key.DType.MinNormal()
	if q.t.IsLeaf(v) {
		if q.fuses(v) || q.first != nil && !q.first[v] {
			q.row[v] = minusZero
		} else {
			q.row[v], q.y[v] = -least, 0.5
		}
		return
	}
	kids := q.t.Children(v)
	if q.parts[v-q.t.Leaves()].keeps {
		q.vanish(int(kids[0]))
		q.vanish(int(kids[1]))
		return
	}
	q.row[q.leafUnder(kids[0])], q.row[q.leafUnder(kids[1])] = -1.5*least, 1.25*least
}

// fuses reports whether the product of a leaf was found to be fused with its
// addition.
func (q *zeroQuestion) fuses(leaf int) bool {
	up := int(q.parent[leaf])
	return q.parts[up-q.t.Leaves()].fused[slices.Index(q.t.Children(up), int32(leaf))]
}

// isPlusZero makes the other operands of all additions above a node −0, and
// reports whether the result is +0.
func (q *zeroQuestion) isPlusZero(id int) (bool, error) {
	for v := id; q.parent[v] >= 0; v = int(q.parent[v]) {
		kids := q.t.Children(int(q.parent[v]))
		other := int(kids[0])
		if other == v {
			other = int(kids[1])
		}
		q.vanish(other)
	}
	if !q.c.Key.Op.Products() {
		for i := range q.row {
			q.row[i] *= q.y[i]
		}
		q.y = nil
	}
	out, err := q.c.Ask(q.y, func(row []float64) {
		for i, v := range q.row {
			row[i] = v
		}
	})
	if err != nil {
		return false, err
	}
	return out[0] == 0 && !math.Signbit(out[0]), nil
}

// startingLeaves returns the leaves that parts of t are found to add to +0.
func startingLeaves(t *sumtree.Tree, parts []part, fused []bool) sumtree.Ranges {
	is := make([]bool, t.Leaves())
	for k, part := range parts {
		if !part.starts {
			continue
		}
		kids := t.Children(t.Leaves() + k)
		i, j := int(kids[0]), int(kids[1])
		switch {
		case t.IsLeaf(i) && t.IsLeaf(j):
			is[started([2]int{i, j}, fused)] = true
		case t.IsLeaf(i):
			is[i] = true
		default:
			is[j] = true
		}
	}
	return sumtree.RangesOf(is)
}
