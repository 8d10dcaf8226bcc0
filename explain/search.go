package explain

import (
	"cmp"
	"context"
	"hash/maphash"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// Tree is an order, and perhaps an arithmetic, that was revealed in an
// implementation.
type Tree struct {
	Name       string // of the implementation
	Tree       *sumtree.Tree
	Arithmetic *sumtree.Arithmetic
}

// candidate is a hypothesis that reproduces the results of one side tried so
// far.
type candidate struct {
	rank  int // of all hypotheses; the likeliest is 0
	name  string
	model Model
	tree  *sumtree.Tree // nil for the correctly rounded result
	order uint64        // a hash of the tree
	arith *arithmetic
}

// search tries hypotheses against two sides.
type search struct {
	p        *Problem
	out      fp.Format
	want     [2][]float64
	probes   []int // elements that hypotheses are tried on first
	differ   int   // elements that differ
	kinds    int   // of them, without those that are no further evidence
	progress func(step string, done, total int)
	seed     maphash.Seed
	usual    string // the accumulator that names leave out
	tried    int    // hypotheses so far
	at       [2]int // the row and the column of the first element, of a part

	units []unitTree  // the orders of matrix units
	short []fp.Format // the format of the inputs, and others that hold all of them
}

// mostProbes bounds the elements that every hypothesis is tried on.
const mostProbes = 24

func newSearch(p *Problem, a, b []float64, out fp.Format) *search {
	s := &search{p: p, out: out, want: [2][]float64{a, b}, seed: maphash.MakeSeed()}
	if s.short = []fp.Format{p.In}; p.products() {
		for _, i := range p.stored() {
			s.short = append(s.short, inputRoundings[i].format)
		}
	}
	s.units = unitTrees(p.N, s.short)
	if p.In == out && out.Precision() >= fp.Binary32.Precision() {
		s.usual = out.String()
	}
	var differ, equal []int
	for e := range a {
		if same(a[e], b[e]) {
			equal = append(equal, e)
		} else {
			differ = append(differ, e)
		}
	}
	s.differ = len(differ)
	differ, equal = p.onePerKind(differ), p.onePerKind(equal)
	s.kinds = len(differ)
	s.probes = append(spread(differ, mostProbes), spread(equal, mostProbes/4)...)
	return s
}

// spread returns at most most elements of a list, evenly spaced.
func spread(list []int, most int) []int {
	if len(list) <= most {
		return list
	}
	var some []int
	for i := range most {
		some = append(some, list[i*len(list)/most])
	}
	return some
}

// matcher compares predictions of one hypothesis with the results of one side.
// A sum that is −0 in the hypothesis may be +0 throughout: it starts from +0.
type matcher struct {
	failed bool
	zero   float64 // the sum of −0 so far: its sign, or 0 while it is open
}

// take compares one prediction.
func (m *matcher) take(predicted, want float64) bool {
	if predicted == 0 && want == 0 && math.Signbit(predicted) {
		sign := math.Copysign(1, want)
		m.failed = m.failed || m.zero != 0 && m.zero != sign
		m.zero = sign
	} else if !same(predicted, want) {
		m.failed = true
	}
	return !m.failed
}

// evaluator computes predictions of a hypothesis. It is not safe for concurrent
// use.
type evaluator struct {
	s        *search
	c        *candidate
	replayer *sumtree.Replayer
	truth    *truth
	narrow   [2][]float64
}

// newEvaluator prepares predictions; scratch is nil, or another evaluator of
// the same tree that is not used any more. It returns nil where the arithmetic
// makes no sense for the tree.
func (s *search) newEvaluator(c *candidate, scratch *evaluator) *evaluator {
	ev := &evaluator{s: s, c: c}
	var err error
	switch {
	case c.tree == nil:
		ev.truth = &truth{p: s.p, out: s.out}
	case c.arith.evaluate != nil || c.arith.unit != nil:
	case scratch != nil && scratch.replayer != nil && scratch.c.tree == c.tree:
		ev.replayer, err = scratch.replayer.With(c.arith.arith)
	default:
		ev.replayer, err = sumtree.NewReplayer(c.tree, c.arith.arith)
	}
	if err != nil {
		return nil
	}
	return ev
}

// predict returns the hypothesis's result of an element.
func (ev *evaluator) predict(e int) float64 {
	if ev.truth != nil {
		return ev.truth.correct(e)
	}
	x, y := ev.s.p.Element(e)
	a := ev.c.arith
	if a.evaluate != nil {
		return a.evaluate(ev.c.tree, x, y)
	}
	if round := a.inputRounding(); round != nil {
		x, y = ev.rounded(0, x, round), ev.rounded(1, y, round)
	}
	v, err := 0.0, error(nil)
	if a.unit != nil {
		v = a.unit.sum(x, y)
	} else if v, err = ev.replayer.Sum(x, y); err != nil {
		return math.NaN()
	}
	if a.width > 0 { // rounded toward zero, and then to the format of the result
		out := ev.s.out
		if a.short != 0 {
			out = a.short
		}
		v = out.Round(v, fp.NearestEven)
	}
	return v
}

// inputRounding returns the rounding of inputs, nil for none.
func (a *arithmetic) inputRounding() func(x float64) float64 {
	if a.narrow != 0 {
		return func(x float64) float64 { return a.narrow.Round(x, fp.NearestEven) }
	}
	return inputRoundings[a.input].narrow
}

// rounded returns rounded inputs, nil for nil.
func (ev *evaluator) rounded(which int, v []float64, round func(float64) float64) []float64 {
	if v == nil {
		return nil
	}
	r := ev.narrow[which][:0]
	for _, x := range v {
		r = append(r, round(x))
	}
	ev.narrow[which] = r
	return r
}

// hold returns the sides, of those given, whose results in the elements the
// hypothesis reproduces.
func (ev *evaluator) hold(sides [2]bool, elements []int) [2]bool {
	var m [2]matcher
	for _, e := range elements {
		v := ev.predict(e)
		for k := range sides {
			sides[k] = sides[k] && m[k].take(v, ev.s.want[k][e])
		}
		if !sides[0] && !sides[1] {
			break
		}
	}
	return sides
}

// try tries arithmetics in all orders, and returns those that reproduce the
// probes of a side.
func (s *search) try(ctx context.Context, all []arithmetic, sides [2]bool) (found [2][]*candidate) {
	list := orders(s.p.N, s.mostOrders(len(all)))
	var mu sync.Mutex
	s.each(ctx, "trying orders", len(list), func(i int) {
		local := s.tryOrder(list[i], i, all, sides)
		mu.Lock()
		defer mu.Unlock()
		for k := range found {
			found[k] = append(found[k], local[k]...)
		}
	})
	s.tried += len(list) * len(all)
	for k := range found {
		found[k] = distinct(found[k])
	}
	return found
}

// mostWork bounds the additions of a search, about: some ten seconds of one
// core.
const mostWork = 6e8

// mostOrders bounds the orders to try with that number of arithmetics.
func (s *search) mostOrders(arithmetics int) int {
	const treeCost, perArithmetic, least = 10, 2, 24
	return max(affordable(s.p.N, treeCost+perArithmetic*arithmetics), least)
}

// affordable returns how often there is time for a number of additions, the
// product of the factors. It does not overflow.
func affordable(factors ...int) int {
	additions := 1.0
	for _, f := range factors {
		additions *= float64(max(f, 1))
	}
	return int(min(mostWork/additions, math.MaxInt32))
}

// tryOrder tries arithmetics in one order, the i-th.
func (s *search) tryOrder(
	o order, i int, all []arithmetic, sides [2]bool,
) (found [2][]*candidate) {
	tree := o.Tree(s.p.N)
	var hash uint64
	var last *evaluator
	for k := range all {
		a := &all[k]
		if a.few > 0 && i >= a.few || a.width > 0 && i > 0 {
			continue
		}
		c := &candidate{rank: s.tried + i*len(all) + k, tree: tree, arith: a, model: a.model}
		if a.width > 0 {
			c.tree = sumtree.Family{Kind: sumtree.Fused, Block: a.width}.Tree(s.p.N)
		}
		ev := s.newEvaluator(c, last)
		if ev == nil {
			continue
		}
		if a.width == 0 && a.evaluate == nil {
			last = ev
		}
		held := ev.hold(sides, s.probes)
		if !held[0] && !held[1] {
			continue
		}
		if hash == 0 || a.width > 0 {
			hash = s.hash(c.tree)
		}
		if c.order = hash; a.width == 0 {
			c.model = a.modelIn(s.orderName(o, tree), tree)
		}
		c.name = c.model.name(s.usual)
		for k := range found {
			if held[k] {
				found[k] = append(found[k], c)
			}
		}
	}
	return found
}

// hash returns a hash of a tree.
func (s *search) hash(t *sumtree.Tree) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	_ = t.WriteText(&h) // to a hash, which takes everything
	return h.Sum64()
}

// distinct sorts hypotheses by their rank, and drops those that repeat an
// earlier one under another name.
func distinct(list []*candidate) []*candidate {
	slices.SortFunc(list, func(c, d *candidate) int { return cmp.Compare(c.rank, d.rank) })
	type key struct {
		order uint64
		arith *arithmetic
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(list, func(c *candidate) bool {
		k := key{c.order, c.arith}
		again := seen[k]
		seen[k] = true
		return again
	})
}

// each calls f for 0 … n−1 on all processors, until ctx ends.
func (s *search) each(ctx context.Context, step string, n int, f func(i int)) {
	var next, done atomic.Int64
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				f(i)
				if s.progress != nil {
					mu.Lock()
					s.progress(step, int(done.Add(1)), n)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
}

// verify keeps the hypotheses that reproduce every element of a side, as many
// as there is time for. The likeliest come first.
func (s *search) verify(ctx context.Context, side int, list []*candidate) []*candidate {
	elements := len(s.want[side])
	const least, most = 8, 256
	list = list[:min(len(list), max(least, min(most, affordable(elements, s.p.N))))]
	keep := make([]bool, len(list))
	for i, c := range list {
		keep[i] = s.reproduces(ctx, c, side) == elements
	}
	var kept []*candidate
	for i, c := range list {
		if keep[i] {
			kept = append(kept, c)
		}
	}
	return kept
}

// reproduces returns the number of elements of a side that the hypothesis
// gives.
func (s *search) reproduces(ctx context.Context, c *candidate, side int) int {
	const part = 256
	n := len(s.want[side])
	parts := (n + part - 1) / part
	count := make([]int, parts)
	var zeros [2]atomic.Int64 // sums of −0 that are +0, and −0
	s.each(ctx, "replaying "+c.name, parts, func(i int) {
		ev := s.newEvaluator(c, nil)
		for e := i * part; e < min((i+1)*part, n); e++ {
			var m matcher
			if m.take(ev.predict(e), s.want[side][e]) {
				count[i]++
			}
			if m.zero > 0 {
				zeros[0].Add(1)
			} else if m.zero < 0 {
				zeros[1].Add(1)
			}
		}
	})
	total := 0
	for _, k := range count {
		total += k
	}
	return total - int(min(zeros[0].Load(), zeros[1].Load())) // one of the two signs fails
}
