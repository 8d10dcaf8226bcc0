package reveal

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/sumtree"
)

// The numbers of summands that weights are looked for with, means apart. In
// fewer, one summand that counts twice looks like a rule.
const (
	minWeighed = 5
	maxWeighed = 4096
)

// weigh returns the finding of the sum of the weighted summands, for a function
// that is not a sum of its summands: see f. It is f, with a warning, when there
// are no weights, or when the tree is not verified on the function's own
// inputs.
func weigh(ctx context.Context, t probe.Target, opt Options, f *Finding) (*Finding, error) {
	k := t.Key()
	if k.Op != probe.Sum && !k.Op.Products() || k.Mean || k.N < 2 {
		return f, nil
	}
	if k.N > maxWeighed {
		if f.Constant == nil {
			f.Warnings = append(f.Warnings, fmt.Sprintf("summands may have weights: lastbit looks "+
				"for those of %d summands at most", maxWeighed))
		}
		return f, nil
	}
	w := newWeigher(ctx, t, opt, f.Calls)
	g, err := w.byRule()
	if g != nil || err != nil {
		return g, err
	}
	if k.Op.Products() { // their means only
		f.Calls = w.calls
		return f, nil
	}
	r := w.run(w.t)
	twice, err := proof.AddsTwice(r.c)
	if w.calls = r.c.Calls(); err != nil {
		return nil, err
	}
	if twice != "" {
		f.Warnings = append(f.Warnings, twice)
		f.Calls = w.calls
		return f, nil
	}
	var refusal string
	g, refusal, err = w.neighbours()
	if g != nil || err != nil {
		return g, err
	}
	g, other, err := w.freely()
	if g != nil || err != nil {
		return g, err
	}
	g, squares, err := w.centred()
	if g != nil || err != nil {
		return g, err
	}
	if squares != "" {
		other = squares
	}
	if refusal != "" {
		other = "neighbours are added first, and then: " + refusal
	}
	f.Warnings = append(f.Warnings, other)
	f.Calls = w.calls
	return f, nil
}

// weigher looks for the weights of a target's summands.
type weigher struct {
	ctx   context.Context
	t     probe.Target // remembers what it is asked
	opt   Options
	calls int // all that were made so far

	memory *ask.Memory
	seen   []ask.Sample // of attempts that failed
}

// newWeigher returns a weigher that knows what opt.memory remembers.
func newWeigher(ctx context.Context, t probe.Target, opt Options, calls int) *weigher {
	w := &weigher{ctx: ctx, opt: opt, calls: calls, memory: opt.memory}
	w.t, w.opt.memory = &remembering{t, w.memory}, nil // other targets have memories of their own
	return w
}

// run returns a run of a target that is asked further questions.
func (w *weigher) run(t probe.Target) *run { return newRun(w.ctx, t, w.opt, w.calls) }

// hold challenges arithmetics that reproduce samples of the target, and returns
// those that no answer contradicts. samples grows by the questions.
func (w *weigher) hold(
	r *run, t *sumtree.Tree, left []sumtree.Arithmetic, samples *[]ask.Sample,
) ([]sumtree.Arithmetic, error) {
	defer func() { w.calls = r.c.Calls() }()
	if len(left) == 0 {
		w.seen = append(w.seen, *samples...)
		return nil, nil
	}
	infinite, err := proof.AskInfinite(r.c)
	if err != nil {
		return nil, err
	}
	*samples = append(*samples, infinite...)
	left = proof.Reproducing(t, left, infinite)
	if len(left) > 0 && left[0].Products == r.c.Key.Op.Products() {
		if left, _, err = challenge(r.c, t, left, samples); err != nil {
			return nil, err
		}
	}
	left = proof.Reproducing(t, left, w.seen)
	proof.Recall(t, &left, w.memory.Samples())
	if len(left) == 0 {
		w.seen = append(w.seen, *samples...)
	}
	return left, nil
}

// remembering is a target of a memory.
type remembering struct {
	probe.Target
	memory *ask.Memory
}

// Call runs the target, and remembers the main lane's question and answer.
func (t *remembering) Call(ctx context.Context, b *probe.Batch) error {
	err := t.Target.Call(ctx, b)
	if err == nil {
		t.memory.Keep(t.Target, b)
	}
	return err
}

// byRule looks for a rule in the weights, and reveals the sum of the weighted
// summands. The finding is nil when there is no rule, or when its tree is not
// verified on the function's own inputs.
func (w *weigher) byRule() (f *Finding, err error) {
	k := w.t.Key()
	r := w.run(w.t)
	rule, err := findRule(r.c)
	w.calls = r.c.Calls()
	if err != nil || rule == nil || k.Op.Products() && !rule.mean {
		return nil, err
	}
	t := &weighted{Target: w.t, rule: rule, key: k}
	t.key.Mean = rule.mean
	inner := w.run(t)
	inner.weighed = true
	f, err = inner.finding()
	w.calls = inner.c.Calls()
	if err != nil || !f.Verified || f.Verdict != TreeVerdict {
		return nil, err
	}
	r = w.run(w.t)
	samples, _, err := proof.AskReplays(r.c, f.Tree, r.opt.Replays)
	if err != nil {
		return nil, err
	}
	edges, err := proof.AskEdges(r.c, f.Tree)
	if err != nil {
		return nil, err
	}
	samples = append(samples, edges...)
	left, err := proof.Settle(r.c, f.Tree, rule.arithmetics(*f.Arithmetic), &samples)
	if err != nil {
		return nil, err
	}
	if left, err = w.hold(r, f.Tree, left, &samples); err != nil || len(left) == 0 {
		return nil, err
	}
	f.Key, f.Calls, f.Arithmetic = k, r.c.Calls(), &left[0]
	f.Traits = commonTraits(f.Tree, left)
	f.Evidence.ReplayTried += len(samples)
	f.Evidence.ReplayMatched += len(samples)
	return f, nil
}

// weighting is a rule that the weights of n summands follow: all are 1/n, or
// all are the same power of two, the first and the last halved or not.
type weighting struct {
	n      int
	mean   bool
	weight float64 // of all, or of all except for the ends
	halved bool    // the ends have half of it: the trapezoidal rule
}

// at returns the weight of a summand. A mean is divided by n in the end.
func (w *weighting) at(i int) float64 {
	switch {
	case w.mean:
		return 1
	case w.halved && (i == 0 || i == w.n-1):
		return w.weight / 2
	}
	return w.weight
}

// arithmetics returns the ways to apply the weights to a sum of arithmetic a:
// to every summand, in the format of the summands or of the accumulator, or to
// the sum where all are the same.
func (w *weighting) arithmetics(a sumtree.Arithmetic) []sumtree.Arithmetic {
	if w.mean {
		return []sumtree.Arithmetic{a}
	}
	var all []sumtree.Arithmetic
	if !w.halved {
		b := a
		b.Factor = w.weight
		all = append(all, b)
	}
	weights := map[float64][]bool{}
	var order []float64
	for i := range w.n {
		f := w.at(i)
		if f != 1 && weights[f] == nil {
			weights[f] = make([]bool, w.n) //lastbit:ignore nankey factors are numbers
			order = append(order, f)
		}
		if f != 1 {
			weights[f][i] = true
		}
	}
	for _, f := range order {
		a.Weights = append(a.Weights, sumtree.Weight{
			Leaves: sumtree.RangesOf(weights[f]), Factor: f})
	}
	for _, product := range slices.Compact([]fp.Format{0, a.Nodes.Acc}) {
		a.Product = product
		all = append(all, a)
	}
	return all
}

// findRule asks every summand alone, and returns the rule that the weights
// follow, nil if they follow none. It gives up at the first weight that no rule
// explains.
func findRule(c *ask.Channel) (*weighting, error) {
	c.ExpectQuestions("weights", c.N)
	lanes := len(c.Pool())
	var w *weighting
	var first float64
	for at := 0; at < c.N; at += lanes {
		var fills []ask.Fill
		for i := at; i < min(at+lanes, c.N); i++ {
			fills = append(fills, func(row []float64) { row[i] = 1 })
		}
		out, err := c.Ask(nil, fills...)
		if err != nil {
			return nil, err
		}
		for k, v := range out {
			switch i := at + k; {
			case i == 0:
				first = v
			case i == 1:
				w = weightingOf(c, first, v)
			}
			if at+k > 0 && (w == nil || !w.explains(at+k, v)) {
				return nil, nil
			}
		}
	}
	return w, nil
}

// weightingOf returns the rule that the first two weights can follow, or nil.
func weightingOf(c *ask.Channel, first, second float64) *weighting {
	w := &weighting{n: c.N, weight: second, halved: first == second/2}
	if first == second && second == c.Key.Out.Round(1/float64(c.N), fp.NearestEven) {
		w.mean = true
		return w
	}
	significand, _ := math.Frexp(second)
	if c.N < minWeighed || significand != 0.5 || first != second && !w.halved ||
		first == 1 && second == 1 {
		return nil
	}
	return w
}

// explains reports whether a summand i of 1 alone gives out.
func (w *weighting) explains(i int, out float64) bool {
	if w.mean {
		return out == w.weight
	}
	return out == w.at(i)
}

// weighted is a target as a sum of weighted summands: what it is asked to add
// is divided by weights below 1 first, and its results by the weight above 1.
// All are powers of two, and neither quotient is rounded.
type weighted struct {
	probe.Target
	rule  *weighting
	key   probe.Key
	batch *probe.Batch
}

// Key returns the key of the target, or the key of a mean where the rule is
// one.
func (w *weighted) Key() probe.Key { return w.key }

// Call runs the target on what the weights make of the batch.
func (w *weighted) Call(ctx context.Context, b *probe.Batch) error {
	if w.batch == nil {
		w.batch = probe.NewBatch(w.Target)
	}
	above := 1.0
	if !w.rule.mean {
		above = max(1, w.rule.weight)
	}
	for i, x := range b.X {
		w.batch.X[i] = x / (w.rule.at(i%w.rule.n) / above)
	}
	copy(w.batch.Y, b.Y)
	if err := w.Target.Call(ctx, w.batch); err != nil {
		return err
	}
	for i, v := range w.batch.Out {
		b.Out[i] = v / above
	}
	return nil
}
