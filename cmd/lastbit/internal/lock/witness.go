package lock

import (
	"context"

	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// replayed is the target of a locked operation: it replays the tree.
type replayed struct {
	key probe.Key
	r   *sumtree.Replayer
}

// newReplayed returns the target of an operation as it was locked.
func newReplayed(o *lockfile.Operation, now probe.Key) (*replayed, error) {
	r, err := o.Replayer()
	if err != nil {
		return nil, err
	}
	now.Target, now.Out = "as locked", o.Out()
	return &replayed{now, r}, nil
}

func (t *replayed) Key() probe.Key { return t.key }

func (t *replayed) Lanes() int { return 1 }

func (t *replayed) Call(_ context.Context, b *probe.Batch) (err error) {
	b.Out[0], err = t.r.Sum(b.X, b.Y)
	if err != nil {
		return &probe.Fault{ID: "bad-lock", Thing: t.key.String(), Cause: "it cannot be replayed",
			Cure: "write the lock file anew with lastbit lock", Err: err}
	}
	return nil
}

func (t *replayed) Close() error { return nil }

// Witness is an input that an operation now gives another result for.
type Witness struct {
	Keys [2]probe.Key `json:"keys"` // as locked, and now
	*reveal.Difference
}

// Witness finds an input that shows a change: the locked tree, replayed, and
// the implementation give other bits. It returns nil where the lock has no
// tree, and where no input shows it.
func (s *Survey) Witness(ctx context.Context, c *lockfile.Change) (*Witness, error) {
	if c.Kind != lockfile.Changed || !c.Old.Verified() || c.Old.Spec.Op == probe.Softmax {
		return nil, nil
	}
	now, err := s.open(ctx, lockfile.Request{Target: c.Old.Target, Spec: c.Old.Spec})
	if err != nil {
		return nil, err
	}
	defer now.Close()
	old, err := newReplayed(c.Old, now.Key())
	if err != nil {
		return nil, &probe.Fault{ID: "bad-lock", Thing: c.Name, Cause: "it cannot be replayed",
			Cure: "write the lock file anew with lastbit lock", Err: err}
	}
	compared, err := reveal.Compare(ctx, []probe.Target{old, now}, s.Options)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || len(compared.Differences) == 0 || compared.Differences[0].Witness == nil {
		return nil, nil // the change is reported without an input
	}
	return &Witness{[2]probe.Key{old.Key(), now.Key()}, &compared.Differences[0]}, nil
}

// Between finds an input that two operations give other bits for, by replaying
// both. It returns nil where one of them has no verified tree, and where no
// input shows a difference.
func Between(ctx context.Context, a, b *lockfile.Operation, opt reveal.Options) (*Witness, error) {
	if !a.Verified() || !b.Verified() || a.Spec.Op == probe.Softmax {
		return nil, nil
	}
	var keys [2]probe.Key
	var targets []probe.Target
	for i, o := range []*lockfile.Operation{a, b} {
		t, err := newReplayed(o, o.Spec.Key(o.Target))
		if err != nil {
			return nil, err
		}
		t.key.Target = []string{"A", "B"}[i]
		keys[i] = t.key
		targets = append(targets, t)
	}
	compared, err := reveal.Compare(ctx, targets, opt)
	if err != nil || len(compared.Differences) == 0 || compared.Differences[0].Witness == nil {
		return nil, ctx.Err()
	}
	return &Witness{keys, &compared.Differences[0]}, nil
}

// OperationOf returns the operation of a finding that was made without the
// questions of lastbit lock: whether it depends on threads, position or
// alignment stays open.
func OperationOf(r lockfile.Request, f *reveal.Finding) (*lockfile.Operation, error) {
	return operation(r, f)
}
