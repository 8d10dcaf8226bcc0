package probetest

import (
	"context"
	"fmt"
	"slices"

	"github.com/lastbit/lastbit/probe"
)

// checkChanged holds that a call with the hint of Batch.Changed gives the
// results of one without.
func checkChanged(s *subject) error {
	b, other := s.normals(), s.normals()
	if err := s.call(context.Background(), b); err != nil {
		return err
	}
	for round := range 8 {
		b.Changed = []int{}
		for range round {
			i := s.rng.IntN(len(b.X))
			b.X[i] = other.X[i] + float64(round)
			b.Changed = append(b.Changed, i)
		}
		if err := s.call(context.Background(), b); err != nil {
			return err
		}
		hinted := slices.Clone(b.Out)
		b.Changed = nil
		if round%2 == 1 { // another batch between
			if err := s.call(context.Background(), other); err != nil {
				return err
			}
		}
		if err := s.call(context.Background(), b); err != nil {
			return err
		}
		if err := sameBits(b.Out, hinted); err != nil {
			return fmt.Errorf("with %d elements listed as changed: %w", round, err)
		}
	}
	return nil
}

// Hints returns t with a check of the hints that it gets: a call whose
// Batch.Changed leaves out an element that has changed, or that comes with
// another batch than the last call, fails.
func Hints(t probe.Target) probe.Target { return &hints{Target: t} }

type hints struct {
	probe.Target
	last *probe.Batch
	x, y []float64 // of the last call
}

// Call calls the target if the hint is true.
func (h *hints) Call(ctx context.Context, b *probe.Batch) error {
	if err := h.check(b); err != nil {
		return &probe.Fault{ID: "bad-batch", Thing: h.Key().Target, Cause: err.Error()}
	}
	h.last = nil
	if err := h.Target.Call(ctx, b); err != nil {
		return err
	}
	h.last, h.x, h.y = b, append(h.x[:0], b.X...), append(h.y[:0], b.Y...)
	return nil
}

func (h *hints) check(b *probe.Batch) error {
	if b.Changed == nil {
		return nil
	}
	if h.last != b {
		return fmt.Errorf("the last call had another batch")
	}
	for _, i := range b.Changed {
		h.x[i] = b.X[i]
	}
	if err := sameBits(h.x, b.X); err != nil {
		return fmt.Errorf("an element of X has changed that is not listed: %w", err)
	}
	if err := sameBits(h.y, b.Y); err != nil {
		return fmt.Errorf("Y has changed: %w", err)
	}
	return nil
}
