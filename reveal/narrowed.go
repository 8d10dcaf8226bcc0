package reveal

import (
	"context"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// A sum of float64 may have a float32 accumulator. Masks of float64 overflow
// there, so the order is revealed with summands of float32, and the rounding of
// the others is looked for afterwards.

// narrow reveals a sum of float64 that is added in float32. f is the refusal so
// far, which it returns for any other target.
func narrow(ctx context.Context, t probe.Target, opt Options, f *Finding) (*Finding, error) {
	w := newWeigher(ctx, t, opt, f.Calls)
	isNarrow, err := overflowsEarly(w.run(w.t))
	if err != nil || !isNarrow {
		return f, err
	}
	inner := w.run(&narrowed{w.t})
	g, err := inner.finding()
	w.calls = inner.c.Calls()
	if err != nil || !g.Verified || g.Verdict != TreeVerdict {
		return f, err
	}
	r := w.run(w.t)
	samples, _, err := proof.AskReplays(r.c, g.Tree, r.opt.Replays)
	if err != nil {
		return nil, err
	}
	edges, err := proof.AskEdges(r.c, g.Tree)
	if err != nil {
		return nil, err
	}
	samples = append(samples, edges...)
	first, err := proof.RoundedFirst(r.c, g.Tree, &samples)
	if err != nil {
		return nil, err
	}
	all := widenings(*g.Arithmetic, r.c.Key, g.Tree, first)
	left, err := proof.Settle(r.c, g.Tree, all, &samples)
	if err != nil {
		return nil, err
	}
	if left, err = w.hold(r, g.Tree, left, &samples); err != nil || len(left) == 0 {
		f.Calls = w.calls
		return f, err
	}
	g.Key, g.Calls, g.Arithmetic = r.c.Key, r.c.Calls(), &left[0]
	g.Traits = commonTraits(g.Tree, left)
	g.Evidence.ReplayTried += len(samples)
	g.Evidence.ReplayMatched += len(samples)
	return g, nil
}

// mayBeNarrow reports whether a finding may come from an accumulator that is
// narrower than the summands.
func mayBeNarrow(f *Finding) bool {
	return f.Verdict == Unsupported && f.Key.DType == fp.Binary64 && f.Key.Op == probe.Sum
}

// overflowsEarly reports whether a number beyond float32 alone gives an
// infinity.
func overflowsEarly(r *run) (bool, error) {
	out, err := r.c.AskMain(nil, func(row []float64) { row[0] = 0x1p200 })
	return err == nil && math.IsInf(out[0], 1), err
}

// narrowed is a sum of float64 seen as one of float32.
type narrowed struct{ probe.Target }

// Key returns the key of the target, with summands and results of float32.
func (t *narrowed) Key() probe.Key {
	k := t.Target.Key()
	k.DType, k.Out = fp.Binary32, fp.Binary32
	return k
}

// Call runs the target. A result that is not a float32 ends the attempt.
func (t *narrowed) Call(ctx context.Context, b *probe.Batch) error {
	if err := t.Target.Call(ctx, b); err != nil {
		return err
	}
	for _, v := range b.Out {
		if v == v && !fp.Binary32.Contains(v) {
			return &verdict.Fact{Reason: verdict.NoTree, What: "a result is not a float32"}
		}
	}
	return nil
}

// widenings returns the arithmetics of float64 that an arithmetic of float32
// may belong to: each summand is rounded to float32 before it is added, or each
// sum in float64 is, and first are the summands that are rounded alone.
func widenings(
	a sumtree.Arithmetic, k probe.Key, t *sumtree.Tree, first sumtree.Ranges,
) []sumtree.Arithmetic {
	a.In, a.Out = k.DType, k.Out
	cast := a
	cast.Product, cast.Rescale = fp.Binary32, 1
	if t.MaxArity() > 2 || len(first) == 1 && first[0] == [2]int{0, t.Leaves()} {
		return []sumtree.Arithmetic{cast}
	}
	store := func(n sumtree.NodeArith) sumtree.NodeArith {
		n.Acc, n.Store = fp.Binary64, fp.Binary32
		return n
	}
	a.Nodes, a.Starts, a.Except = store(a.Nodes), first, slices.Clone(a.Except)
	for k, e := range a.Except {
		a.Except[k].Arith = store(e.Arith)
	}
	return []sumtree.Arithmetic{cast, a}
}
