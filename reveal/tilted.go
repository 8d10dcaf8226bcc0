package reveal

import (
	"context"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// tilt claims and certifies the tree of weighted summands whose products are
// fused with additions, by triples of rounded sums. Its error is a
// *verdict.Fact when no tree explains the answers.
func (x *weigher) tilt(w *proof.Weighting) (claim, error) {
	t := &tilted{Target: x.t, batch: probe.NewBatch(x.t)}
	r := x.run(t)
	if t.q = proof.FindTilted(r.c, w); t.q == nil {
		return claim{}, &verdict.Fact{Reason: verdict.NoRange,
			What: "results do not show the last place of the products"}
	}
	defer func() { x.calls = r.c.Calls() }()
	return r.claimByTriples(ask.MaskLevels(r.c))
}

// tilted is a target whose products cannot cancel, as a tree that answers
// rooted triples: its rows hold the numbers of a proof.Tilted.
type tilted struct {
	probe.Target
	q     *proof.Tilted
	batch *probe.Batch
}

// Call answers triples: 1 where the two masks meet before either meets the
// unit, and 0 otherwise.
func (t *tilted) Call(ctx context.Context, b *probe.Batch) error {
	n := t.Key().N
	clear(t.batch.X)
	apart := make([]int, t.Lanes())
	for lane := range apart {
		at := readTriple(b.X[lane*n : (lane+1)*n])
		if apart[lane] = -1; at == nil {
			continue
		}
		apart[lane] = at[2]
		t.q.Fill(t.batch.X[lane*n:(lane+1)*n], at[0], at[1], at[2])
	}
	if err := t.Target.Call(ctx, t.batch); err != nil {
		return err
	}
	clear(b.Out)
	for lane, k := range apart {
		if k < 0 {
			continue
		}
		yes, ok := t.q.Answer(k, t.batch.Out[lane])
		if !ok {
			return &verdict.Fact{Reason: verdict.NoTree, What: "the sum of one large and two " +
				"tiny products is neither of the two that an order gives"}
		}
		if yes {
			b.Out[lane] = 1
		}
	}
	return nil
}
