package gofunc

import (
	"context"
	"fmt"
	"time"

	"github.com/lastbit/lastbit/probe"
)

// computer holds a function and its arrays, in their own formats. load and
// store run in the caller's goroutine; compute runs in one that may never
// return.
type computer interface {
	lanes() int
	load(b *probe.Batch)
	compute()
	store(out []float64)

	// reach returns how far move moves each operand, in bytes. move drops what
	// the last load has stored.
	reach() probe.Placement
	move(at probe.Placement)
}

// matrixComputer is a computer that has a matrix of outputs.
type matrixComputer interface {
	computer
	cells() (rows, cols int)
	storeCells(all []float64)
}

type target struct {
	key     probe.Key
	c       computer
	timeout time.Duration
	alone   bool            // no sum of it is shared among threads
	at      probe.Placement // of the operands
	running chan error      // of a call that was left; nil when there is none
	dead    error           // why it is unusable
}

// matrixTarget is a target that is a probe.CellTarget.
type matrixTarget struct {
	*target
	m matrixComputer
}

func newTarget(key probe.Key, c computer, timeout time.Duration, alone bool) probe.Target {
	t := &target{key: key, c: c, timeout: timeout, alone: alone}
	if m, ok := c.(matrixComputer); ok {
		return &matrixTarget{t, m}
	}
	return t
}

// Key returns the key.
func (t *target) Key() probe.Key { return t.key }

// Lanes returns the number of rows, 1 for vectors.
func (t *target) Lanes() int { return t.c.lanes() }

// Close drops the arrays. It never fails.
func (t *target) Close() error {
	t.dead = &probe.Fault{ID: "target-closed", Thing: t.key.Target, Cause: "it has been closed",
		Cure: "open it again"}
	return nil
}

// Reach returns how far operands can be moved. Formats of 16 bits, which Go
// lacks, have no data to move.
func (t *target) Reach() probe.Placement {
	if t.key.DType.Bytes() < 4 {
		return probe.Placement{}
	}
	return t.c.reach()
}

// OtherThreads returns 0 for a function that is known to share no sum among
// threads. Nothing is known of others.
func (t *target) OtherThreads() (time.Duration, bool) { return 0, t.alone }

// Call computes a batch.
func (t *target) Call(ctx context.Context, b *probe.Batch) error {
	return t.CallAt(ctx, b, probe.Placement{})
}

// CallAt computes a batch with the operands moved.
func (t *target) CallAt(ctx context.Context, b *probe.Batch, at probe.Placement) error {
	if err := t.call(ctx, b, at); err != nil {
		return err
	}
	t.c.store(b.Out)
	return nil
}

// Cells returns the shape of the matrix of outputs.
func (t *matrixTarget) Cells() (rows, cols int) { return t.m.cells() }

// CallCells computes a batch and keeps the whole matrix.
func (t *matrixTarget) CallCells(ctx context.Context, b *probe.Batch, all []float64) error {
	if err := t.Call(ctx, b); err != nil {
		return err
	}
	t.m.storeCells(all)
	return nil
}

func (t *target) call(ctx context.Context, b *probe.Batch, at probe.Placement) error {
	if t.dead != nil {
		return t.dead
	}
	if err := ctx.Err(); err != nil {
		return cancelled(t.key.Target, err)
	}
	timer := time.NewTimer(t.timeout)
	defer timer.Stop()
	if t.running != nil { // a call that was cancelled still has the arrays
		if _, err := t.wait(ctx, timer); t.running != nil {
			return err
		}
	}
	if at != t.at {
		t.c.move(at)
		t.at = at
	}
	t.c.load(b)
	t.running = make(chan error, 1)
	go guarded(t.key.Target, t.c.compute, t.running)
	_, err := t.wait(ctx, timer)
	return err
}

// wait waits for the running call to end; done reports whether it has.
func (t *target) wait(ctx context.Context, timer *time.Timer) (done bool, err error) {
	select {
	case err := <-t.running:
		t.running = nil
		return true, err
	case <-ctx.Done():
		return false, cancelled(t.key.Target, ctx.Err())
	case <-timer.C:
		t.dead = &probe.Fault{ID: "target-timeout", Thing: t.key.Target,
			Cause: fmt.Sprintf("a call did not end within %v, and a Go function cannot be stopped",
				t.timeout),
			Cure: "allow more with --timeout, or open it again"}
		return false, t.dead
	}
}

func cancelled(thing string, err error) error {
	return &probe.Fault{ID: "target-cancelled", Thing: thing, Cause: "the call was cancelled",
		Err: err}
}

// guarded runs f and sends how it ended.
func guarded(thing string, f func(), done chan<- error) {
	returned := false
	defer func() {
		switch p := recover(); {
		case p != nil:
			done <- &probe.Fault{ID: "target-panicked", Thing: thing,
				Cause: fmt.Sprintf("the function panicked: %v", p),
				Cure:  "call it directly to see where"}
		case !returned:
			done <- &probe.Fault{ID: "target-panicked", Thing: thing,
				Cause: "the function ended its goroutine", Cure: "let it return"}
		default:
			done <- nil
		}
	}()
	f()
	returned = true
}
