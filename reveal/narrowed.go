package reveal

import (
	"context"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// A sum of float64 may have a float32 accumulator, and a sum of float64 or
// float32 one of 16 bits; or each input is rounded to such a format first.
// Masks of the inputs' format overflow there, or are rounded, so the order is
// revealed with inputs of the narrow format, and the rounding of the others is
// looked for afterwards.

// narrow reveals a sum that is added in a narrower format than its inputs have.
// f is the refusal so far, which it returns for any other target.
func narrow(ctx context.Context, t probe.Target, opt Options, f *Finding) (*Finding, error) {
	opt.memory = new(ask.Memory) // holds the questions of both formats
	w := newWeigher(ctx, t, opt, f.Calls)
	r := w.run(w.t)
	in, out, err := narrowFormats(r)
	defer func() {
		if err == nil {
			f.Calls = max(f.Calls, w.calls)
		}
	}()
	if w.calls = r.c.Calls(); err != nil || in == 0 {
		return f, err
	}
	inner := w.run(&narrowed{w.t, in, out})
	g, err := inner.finding()
	w.calls = inner.c.Calls()
	if err != nil || !g.Verified || g.Verdict != TreeVerdict {
		return f, err
	}
	r = w.run(w.t)
	samples, _, err := proof.AskReplays(r.c, g.Tree, r.opt.Replays)
	if err != nil {
		return nil, err
	}
	edges, err := proof.AskEdges(r.c, g.Tree)
	if err != nil {
		return nil, err
	}
	samples = append(samples, edges...)
	first, err := proof.RoundedFirst(r.c, g.Tree, in, &samples)
	if err != nil {
		return nil, err
	}
	all := widenings(*g.Arithmetic, r.c.Key, g.Tree, first)
	left, err := proof.Settle(r.c, g.Tree, all, &samples)
	if err != nil {
		return nil, err
	}
	left, vanishing, err := proof.SettleStarts(r.c, g.Tree, left)
	if err != nil {
		return nil, err
	}
	samples = append(samples, vanishing...)
	if left, err = w.hold(r, g.Tree, left, &samples); err != nil || len(left) == 0 {
		return f, err
	}
	g.Key, g.Calls, g.Arithmetic = r.c.Key, r.c.Calls(), &left[0]
	g.Traits = commonTraits(g.Tree, left)
	g.Evidence.ReplayTried += len(samples)
	g.Evidence.ReplayMatched += len(samples)
	return g, nil
}

// mayBeNarrow reports whether a finding may come from an accumulator that is
// narrower than the summands: masks are no finite numbers there, or counts are
// rounded, or replays fail.
func mayBeNarrow(f *Finding) bool {
	k, v := f.Key, f.Verdict
	return (v == Unsupported || v == ValueDependent || v == TreeVerdict && !f.Verified) &&
		(k.DType == fp.Binary64 || k.DType == fp.Binary32) && !k.Mean &&
		(k.Op == probe.Sum || k.Op.Products())
}

// narrowFormats returns the format that a single number is rounded to, and the
// format that a sum of two such numbers is: 0 where the number is not rounded.
func narrowFormats(r *run) (in, out fp.Format, err error) {
	k := r.c.Key
	places := 1 + 0x1p-7 + 0x1p-10 + 0x1p-22
	if k.DType == fp.Binary64 {
		places += 0x1p-40
	}
	second := min(1, k.N-1)
	pair := func(small float64) ask.Fill {
		return func(row []float64) { row[0], row[second] = 0x1p14, small }
	}
	var y []float64
	if k.Op.Products() {
		y = ask.Ones(k.N)
	}
	got, err := r.c.AskMain(y, func(row []float64) { row[0] = places }, pair(0x1p-9), pair(0x1p-13))
	if err != nil || k.N < 2 {
		return 0, 0, err
	}
	for _, f := range []fp.Format{fp.Binary32, fp.Binary16, fp.BFloat16} {
		if f.Precision() < k.DType.Precision() && got[0] == f.Round(places, fp.NearestEven) {
			in = f
		}
	}
	switch {
	case got[1] == 0x1p14:
		return in, in, nil
	case got[2] == 0x1p14:
		return in, fp.Binary32, nil
	}
	return in, k.Out, nil
}

// narrowed is a sum seen as one of a narrower format.
type narrowed struct {
	probe.Target
	in, out fp.Format
}

// Key returns the key of the target, with the formats of summands and results.
func (t *narrowed) Key() probe.Key {
	k := t.Target.Key()
	k.DType, k.Out = t.in, t.out
	return k
}

// Call runs the target. A result that is not a number of the format ends the
// attempt.
func (t *narrowed) Call(ctx context.Context, b *probe.Batch) error {
	if err := t.Target.Call(ctx, b); err != nil {
		return err
	}
	for _, v := range b.Out {
		if v == v && !t.out.Contains(v) {
			return &verdict.Fact{Reason: verdict.NoTree,
				What: "a result is not a number of " + t.out.String()}
		}
	}
	return nil
}

// widenings returns the arithmetics of a key that an arithmetic of a narrow
// format may belong to: each summand is rounded to it before it is added, each
// factor before it is multiplied, each sum of wide numbers is, or only the
// result. first are the summands that are rounded alone.
func widenings(
	a sumtree.Arithmetic, k probe.Key, t *sumtree.Tree, first sumtree.Ranges,
) []sumtree.Arithmetic {
	narrow := a.In
	a.In = k.DType
	if !slices.ContainsFunc(heldFormats(a), func(f fp.Format) bool { return f != a.Out }) {
		a.Out = k.Out // rounds nothing
	}
	cast := a
	if cast.Product == 0 {
		cast.Product = narrow
	}
	if a.Products {
		cast.FactorFormat = narrow
	} else {
		cast.Product, cast.Rescale = narrow, 1
	}
	all := []sumtree.Arithmetic{cast}
	if t.MaxArity() > 2 {
		return all
	}
	a.Product = 0
	if a.Products && a.FMA == sumtree.FMANone {
		stored := a
		stored.ProductStore = narrow
		all = append(all, stored)
	}
	for _, b := range append(throughSingle(a, narrow, first),
		a, storing(a, k.DType, narrow, first)) {
		all = append(all, b)
		for _, rule := range []sumtree.FMA{
			sumtree.FMANone, sumtree.FMALater, sumtree.FMAChain, sumtree.FMAEarlier,
		} {
			if b.Products && b.FMA != rule {
				c := b
				c.FMA, c.Fused = rule, nil
				all = append(all, c)
			}
		}
	}
	return all
}

// throughSingle returns the arithmetics of float64 whose summands, products or
// factors are rounded to float32, and the sums in it to a format of 16 bits.
func throughSingle(
	a sumtree.Arithmetic, narrow fp.Format, first sumtree.Ranges,
) []sumtree.Arithmetic {
	if a.In != fp.Binary64 || narrow == fp.Binary32 {
		return nil
	}
	a = storing(a, fp.Binary32, narrow, first)
	b := a
	switch {
	case !a.Products:
		a.Product, a.Rescale = fp.Binary32, 1
		return []sumtree.Arithmetic{a}
	case a.FMA == sumtree.FMANone:
		a.ProductStore = fp.Binary32
	}
	b.FactorFormat, b.Product = fp.Binary32, fp.Binary32
	return []sumtree.Arithmetic{a, b}
}

// storing returns an arithmetic whose sums of wide numbers are stored in a
// narrow format.
func storing(
	a sumtree.Arithmetic, wide, narrow fp.Format, first sumtree.Ranges,
) sumtree.Arithmetic {
	store := func(n sumtree.NodeArith) sumtree.NodeArith {
		n.Acc, n.Store = wide, narrow
		return n
	}
	a.Nodes, a.Starts, a.Except = store(a.Nodes), first, slices.Clone(a.Except)
	for k, e := range a.Except {
		a.Except[k].Arith = store(e.Arith)
	}
	return a
}
