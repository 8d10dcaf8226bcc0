package wire

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/lastbit/lastbit/probe"
)

// errEnded is the error of an exchange that did not begin, since the process
// has been ended by another worker of its Pool.
var errEnded = errors.New("the process has ended")

// exchange runs do, which talks to the child, within a time limit, when it is
// the worker's turn. A failure is a Fault, and the child is gone. An error that
// the program has reported itself is returned unchanged, and the child lives.
func (w *Worker) exchange(ctx context.Context, limit time.Duration, do func(*child) error) error {
	c := w.child
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
	}
	switch {
	case ctx.Err() != nil:
		return w.cancelled(ctx)
	case c.ended:
		w.child, w.session = nil, ""
		return errEnded
	}
	var stopped atomic.Int32
	stop := func(by int32) func() {
		return func() {
			if stopped.CompareAndSwap(0, by) {
				c.abort()
			}
		}
	}
	timer := time.AfterFunc(limit, stop(byTimeout))
	undo := context.AfterFunc(ctx, stop(byContext))
	err := do(c)
	timer.Stop()
	undo()
	var own *reported
	by := stopped.Swap(-1)
	if by == 0 && (err == nil || errors.As(err, &own)) {
		return err
	}
	state := w.abandon(c)
	if err == nil {
		return nil // the answer came before the end did
	}
	return w.explain(ctx, err, by, limit, state, c)
}

// abandon ends a process that failed the worker, and returns its state.
func (w *Worker) abandon(c *child) *os.ProcessState {
	if w.session != "" {
		w.prog.Pool.drop(w.prog.Kind, c)
		w.alone = true
	}
	w.child, w.session, w.failed, c.ended = nil, "", w.opened, true
	return c.end()
}

// isInDoubt reports whether an error may be the fault of another worker: a
// process died that others have used.
func (w *Worker) isInDoubt(err error) bool {
	var f *probe.Fault
	return w.others > 0 && w.prog.Connect == nil && errors.As(err, &f) && f.ID == "worker-died"
}

// explain makes the Fault of a failed exchange.
func (w *Worker) explain(ctx context.Context, err error, by int32, limit time.Duration,
	state *os.ProcessState, c *child) error {
	words := c.words.last()
	if words != "" {
		words = "; its last words: " + words
	}
	var end *ended
	isOurs := w.prog.Connect == nil
	switch {
	case by == byContext:
		return w.cancelled(ctx)
	case by == byTimeout && !isOurs:
		return w.fault("worker-timeout", fmt.Sprintf("no answer within %v", limit),
			"give it more time, or fewer values", nil)
	case errors.As(err, &end) && !isOurs:
		return w.fault("worker-died", fmt.Sprintf("it ended the connection %s", end.when),
			"see whether its process has ended", nil)
	case by == byTimeout && !w.opened:
		return w.fault("worker-timeout",
			fmt.Sprintf("no answer within %v, so it was killed%s", limit, words),
			"it never answered the hello: check that it is a program for docs/reference/wire.md, "+
				"or give it more time to start", nil)
	case by == byTimeout:
		return w.fault("worker-timeout",
			fmt.Sprintf("no answer within %v, so it was killed%s", limit, words),
			"give it more time, or fewer values", nil)
	case errors.As(err, &end):
		return w.fault("worker-died",
			fmt.Sprintf("it ended %s (%s)%s", end.when, stateText(state), words),
			"run it by hand to see why", nil)
	}
	return w.fault("worker-protocol", err.Error()+words, "compare it with docs/reference/wire.md",
		nil)
}

// stateText returns how a process ended.
func stateText(s *os.ProcessState) string {
	if s == nil {
		return "and does not go away"
	}
	return s.String()
}

// cancelled is the Fault of a call that the caller ended.
func (w *Worker) cancelled(ctx context.Context) error {
	return w.fault("cancelled", "the work was cancelled", "", context.Cause(ctx))
}

// fault returns a Fault about the program.
func (w *Worker) fault(id, cause, cure string, err error) error {
	return &probe.Fault{ID: id, Thing: w.asked.Target, Cause: cause, Cure: cure, Err: err}
}
