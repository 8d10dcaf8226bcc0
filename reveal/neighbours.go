package reveal

import (
	"context"
	"errors"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/order"
	"github.com/lastbit/lastbit/reveal/internal/proof"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// neighbours reveals a function that adds neighbouring inputs first, as the
// trapezoidal rule does: the tree of the n−1 sums of neighbours. Without a
// verified tree the finding is nil. refusal tells why there is none, and is
// empty for a function that does not add neighbours.
func (x *weigher) neighbours() (f *Finding, refusal string, err error) {
	r := x.run(x.t)
	adds, err := proof.AddsNeighbours(r.c)
	x.calls = r.c.Calls()
	if err != nil || !adds {
		return nil, "", err
	}
	sums := &neighbourSums{Target: x.t, batch: probe.NewBatch(x.t)}
	inner := x.run(sums)
	w, refusal, err := proof.FindWeights(inner.c, true)
	x.calls = inner.c.Calls()
	if err != nil || w == nil {
		return nil, refusal, err
	}
	w.Neighbours = true
	cl, err := x.triples(sums, w)
	var no *verdict.Fact
	if errors.As(err, &no) {
		return nil, unmasked(w, no.What), nil
	}
	if err != nil {
		return nil, "", err
	}
	r = x.run(x.t)
	r.algorithm, r.lanes = order.TriplesName, 1
	return x.verify(r, cl, w)
}

// triples claims and certifies the tree of the sums of neighbours. They cannot
// be masks and counts in many places at once, so the questions are rooted
// triples: a pair of masks, and one unit.
func (x *weigher) triples(t *neighbourSums, w *proof.Weighting) (claim, error) {
	m := newMasked(t, w)
	m.fits = t.fits
	r := x.run(m)
	defer func() { x.calls = r.c.Calls() }()
	return r.claimByTriples(ask.MaskLevels(r.c))
}

// neighbourSums is a target seen as a sum of the sums of neighbours.
type neighbourSums struct {
	probe.Target
	batch *probe.Batch
}

// Key returns the key of the target, with as many summands as there are
// neighbours.
func (t *neighbourSums) Key() probe.Key {
	k := t.Target.Key()
	k.N--
	return k
}

// fits reports whether some input has the sums z of neighbours.
func (t *neighbourSums) fits(z []float64) bool {
	return proof.InputsFromNeighbourSums(t.Key().DType, z, t.batch.X[:len(z)+1])
}

// Call runs the target on inputs whose sums of neighbours are the summands of
// the batch.
func (t *neighbourSums) Call(ctx context.Context, b *probe.Batch) error {
	n := t.Key().N
	for lane := range t.Lanes() {
		z, x := b.X[lane*n:(lane+1)*n], t.batch.X[lane*(n+1):(lane+1)*(n+1)]
		if !proof.InputsFromNeighbourSums(t.Key().DType, z, x) {
			return &verdict.Fact{Reason: verdict.NoRange,
				What: "no input has the sums of neighbours that the question needs"}
		}
	}
	if err := t.Target.Call(ctx, t.batch); err != nil {
		return err
	}
	copy(b.Out, t.batch.Out)
	return nil
}
