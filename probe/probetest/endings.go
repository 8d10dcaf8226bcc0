package probetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/lastbit/lastbit/probe"
)

// checkCancelled calls with a context that has ended, and then with one that
// has not.
func checkCancelled(s *subject) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.call(ctx, s.normals()); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("a cancelled call ends with %v, want a fault that wraps context.Canceled",
			err)
	}
	next := checkIntegers
	if !s.isSum() {
		next = checkRepeated
	}
	if err := next(s); err != nil {
		return fmt.Errorf("after a cancelled call: %w", err)
	}
	return nil
}

func checkClosed(s *subject) error {
	b := s.normals()
	if err := s.call(context.Background(), b); err != nil {
		return err
	}
	for range 2 {
		if err := s.Close(); err != nil {
			return fmt.Errorf("close: %w", err)
		}
		if err := s.call(context.Background(), b); err == nil {
			return errors.New("a call after Close returns no error")
		} else if f := (*probe.Fault)(nil); !errors.As(err, &f) {
			return err
		}
	}
	return nil
}
