package probetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/probe"
)

// checkMoved computes sums of integers with the operands of a probe.Movable in
// other places, and in their own ones after each.
func checkMoved(s *subject) error {
	m, ok := s.Target.(probe.Movable)
	if !ok {
		return nil
	}
	far := m.Reach()
	if min(far.X, far.Y, far.Out) < 0 || far.Y > 0 && !s.Key().Op.Products() {
		return fmt.Errorf("it moves operands by up to %+v", far)
	}
	var kept probe.Placement
	if far == kept {
		return nil
	}
	for _, at := range placements(far, s.Key().DType.Bytes()) {
		for _, at := range []probe.Placement{at, {}, kept, at} {
			if err := s.expectAt(m, at); err != nil {
				return fmt.Errorf("moved by %+v: %w", at, err)
			}
		}
		b := s.integers()
		want := func(r int) float64 { return s.result(s.exactly(b, r)) }
		if err := s.expect(b, want); err != nil {
			return fmt.Errorf("after a move by %+v: %w", at, err)
		}
		kept = at
	}
	if m.Reach() != far {
		return errors.New("its reach changes")
	}
	return nil
}

// placements returns some placements within a reach: each operand alone, and
// all of them.
func placements(far probe.Placement, size int) []probe.Placement {
	var list []probe.Placement
	for _, by := range []int{size, 16, 64, 2048 + size, 4096 - size, math.MaxInt} {
		past := func(most int) int { return min(by, most) / size * size }
		x, y, out := past(far.X), past(far.Y), past(far.Out)
		list = append(list, probe.Placement{X: x, Y: y, Out: out}, probe.Placement{X: x},
			probe.Placement{Y: y}, probe.Placement{Out: out})
	}
	return list
}

// expectAt computes a batch of integers with the operands moved.
func (s *subject) expectAt(m probe.Movable, at probe.Placement) error {
	b := s.integers()
	x, y := slices.Clone(b.X), slices.Clone(b.Y)
	for i := range b.Out {
		b.Out[i] = math.Inf(-1) // a lane that is not written shows
	}
	call := func() error { return m.CallAt(context.Background(), b, at) }
	if err := watched(call); err != nil {
		return err
	}
	if !slices.Equal(b.X, x) || !slices.Equal(b.Y, y) {
		return errors.New("it changes its inputs")
	}
	for r, got := range b.Out {
		if want := s.result(s.exactly(b, r)); got != want {
			return fmt.Errorf("lane %d is %v, want %v", r, got, want)
		}
	}
	return nil
}
