package wire

import (
	"context"

	"github.com/lastbit/lastbit/probe"
)

// Reopen sends another hello to the running program, for a program that takes
// one (again=1). It implements probe.Reopener.
func (w *Worker) Reopen(ctx context.Context, s probe.Spec) (probe.Target, error) {
	next, err := w.succeed(s)
	if err == nil {
		err = next.greet(ctx)
	}
	w.Close()
	if err != nil {
		if next != nil {
			next.Close()
		}
		return nil, err
	}
	return next.Target(), nil
}

// succeed returns a worker for another Spec, which takes over the process and
// the shared memory of w.
func (w *Worker) succeed(s probe.Spec) (*Worker, error) {
	if w.prog.Again == nil || !w.answer.again || w.child == nil {
		return nil, w.fault("worker-refused", "its process serves one request only",
			"open it anew", nil)
	}
	p, key, lanes, err := w.prog.Again(s)
	if err != nil {
		return nil, err
	}
	next := newWorker(p, key, lanes)
	if w.mem != nil {
		next.place = layoutOf(key, lanes)
		if err := w.mem.grow(next.place.size); err != nil {
			return nil, w.fault("worker-refused", "there is no shared memory for the request",
				"open it anew", err)
		}
	}
	next.child, next.mem = w.child, w.mem
	w.child, w.mem = nil, nil
	return next, nil
}
