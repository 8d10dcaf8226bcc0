package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/lastbit/lastbit/probe"
)

// Program is a program to start.
type Program struct {
	Args   []string      // the command and its arguments; searched on PATH if it has no slash
	Env    []string      // its environment; nil is this process's own
	Dir    string        // its working directory; "" is this process's own
	Fields []Field       // fields of the hello beyond the key
	Start  time.Duration // from the start to the answer to the hello; 0 is 60 s
	Call   time.Duration // of one call; 0 is 10 s
	Shared bool          // offer shared memory, where the system has it
	Stderr io.Writer     // gets the start of the program's standard error, unless nil

	// Connect returns a connection to a program that runs already, instead of
	// Args. It is called once for each process that would be started. Closing
	// the connection ends every read and write on it. Such a program is never
	// killed, and the Pool keeps its connection for as long as it holds.
	Connect func() (io.ReadWriteCloser, error)

	// Pool runs the workers of one Kind in one process. nil gives each worker a
	// process of its own, which ends with it.
	Pool *Pool
	Kind string

	// Fault returns the Fault of an error that the program reports in a call,
	// or nil for worker-error. It may be nil.
	Fault func(text string) *probe.Fault
}

// Refusal is the text of a program's error answer to a hello. It is the Err of
// the Fault worker-refused.
type Refusal struct{ Text string }

// Error returns the text.
func (r *Refusal) Error() string { return r.Text }

// Worker is a program that is kept running and answers calls: a probe.Target.
// It is used by one goroutine at a time.
type Worker struct {
	prog     Program
	asked    probe.Key
	wanted   int // lanes proposed
	answer   answer
	opened   bool
	restarts int
	failed   bool   // the last process ended by a fault of this worker's
	alone    bool   // it failed a shared process, and gets none again
	session  string // in a process of the Pool; "" has a process of its own
	others   int    // workers that had used the process before the last request
	child    *child
	mem      *shared
	place    layout
	held     *probe.Batch // the shared memory has its inputs; nil: unknown
	buf      []byte
	closed   bool
}

// Open starts a program and agrees with it on a key. The program's answer (its
// library and version, the format of its results, the number of lanes that it
// takes) replaces the values of key. The error is a *probe.Fault: worker-start,
// worker-refused, or one that a call can end with.
func Open(ctx context.Context, p Program, key probe.Key, lanes int) (*Worker, error) {
	w := &Worker{prog: p, asked: key, wanted: lanes}
	if w.prog.Start <= 0 {
		w.prog.Start = 60 * time.Second
	}
	if w.prog.Call <= 0 {
		w.prog.Call = probe.Spec{}.CallTimeout()
	}
	if w.asked.Out == 0 {
		w.asked.Out = w.asked.DType
	}
	if p.Shared {
		w.place = layoutOf(key, lanes)
		if mem, err := newShared(w.place.size); err == nil {
			w.mem = mem
		}
	}
	if err := w.start(ctx); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Target returns w as a probe.CellTarget if the program answers with whole
// matrices, else as a plain probe.Target. Both are probe.Restarters,
// probe.Threaded and probe.Movable.
func (w *Worker) Target() probe.Target {
	if w.answer.cells {
		return cellWorker{w}
	}
	return w
}

// Key returns the key agreed on.
func (w *Worker) Key() probe.Key {
	k := w.answer.key
	k.OutIndex = slices.Clone(k.OutIndex)
	return k
}

// Lanes returns the number of results of a call.
func (w *Worker) Lanes() int { return w.answer.lanes }

// Restarts returns the number of times that the program was started again.
func (w *Worker) Restarts() int { return w.restarts }

// OtherThreads returns the processor time of the threads of the program's
// process, except its first one. ok is false where it is unknown.
func (w *Worker) OtherThreads() (t time.Duration, ok bool) {
	if w.child == nil || w.child.proc == nil {
		return 0, false
	}
	return otherThreads(w.child.proc.Pid)
}

// Close closes the program's input, and kills the program if it does not end,
// or leaves it to Program.Pool. The Worker must not be used afterwards.
func (w *Worker) Close() error {
	w.closed = true
	w.release()
	if w.mem != nil {
		w.mem.close()
		w.mem = nil
	}
	return nil
}

// release leaves the process to the Pool, or ends it.
func (w *Worker) release() {
	switch {
	case w.child == nil:
	case w.session != "":
		w.prog.Pool.leave(w.prog.Kind, w.session, w.child)
	default:
		w.child.end()
	}
	w.child, w.session = nil, ""
}

// Call sends b's inputs to the program and waits for the outputs. NaN and ±Inf
// among them are results like others. The error is a *probe.Fault: worker-error
// if the program reported one; worker-died, worker-timeout, worker-protocol or
// cancelled if it has been killed; the next Call starts it anew.
func (w *Worker) Call(ctx context.Context, b *probe.Batch) error {
	return w.call(ctx, "call\n", b, b.Out)
}

// Reach returns the largest offsets of operands that the program offers.
func (w *Worker) Reach() probe.Placement { return w.answer.reach }

// CallAt is Call with the operands moved.
func (w *Worker) CallAt(ctx context.Context, b *probe.Batch, at probe.Placement) error {
	if at == (probe.Placement{}) {
		return w.Call(ctx, b)
	}
	return w.call(ctx, "call at="+formatPlacement(at)+"\n", b, b.Out)
}

// cellWorker is a Worker whose program can answer with the whole matrix.
type cellWorker struct{ *Worker }

// Cells returns the shape of the output matrix.
func (c cellWorker) Cells() (rows, cols int) { return c.answer.key.M, max(1, c.answer.key.Cols) }

// CallCells is Call, and also fills all with the whole matrix, row by row.
func (c cellWorker) CallCells(ctx context.Context, b *probe.Batch, all []float64) error {
	rows, cols := c.Cells()
	if len(all) != rows*cols {
		return c.fault("bad-batch",
			fmt.Sprintf("room for %d outputs, not %d·%d", len(all), rows, cols),
			"make it of the size that Cells gives", nil)
	}
	if err := c.call(ctx, "cells\n", b, all); err != nil {
		return err
	}
	col := 0
	if ix := c.answer.key.OutIndex; len(ix) == 2 {
		col = ix[1]
	}
	for r := range b.Out {
		b.Out[r] = all[r*cols+col]
	}
	return nil
}

// call makes one exchange: the word and the inputs of b for the outputs. It
// makes another one if the process has been ended by another worker, or if it
// may have died of another worker's call.
func (w *Worker) call(ctx context.Context, word string, b *probe.Batch, out []float64) error {
	if err := w.check(b); err != nil {
		return err
	}
	for {
		err := w.callOnce(ctx, word, b, out)
		if err != errEnded && !w.isInDoubt(err) {
			return err
		}
	}
}

// callOnce makes one exchange.
func (w *Worker) callOnce(ctx context.Context, word string, b *probe.Batch, out []float64) error {
	patch := b.Changed != nil && b == w.held && w.child != nil && w.answer.keeps
	w.held = nil
	if w.child == nil {
		if err := w.start(ctx); err != nil {
			return err
		}
	}
	err := w.exchange(ctx, w.prog.Call, func(c *child) error {
		w.others = c.opened - 1
		broken := w.send(c, word, b, patch)
		if err := w.readOK(c); err != nil {
			return err // more precise than the broken pipe that goes with it
		}
		if broken != nil {
			return violation("it answered before it had read its input (" + broken.Error() + ")")
		}
		return w.receive(c, out)
	})
	if err == nil {
		w.held = b
	}
	var own *reported
	if errors.As(err, &own) {
		if w.prog.Fault != nil {
			if f := w.prog.Fault(shorten(own.text)); f != nil {
				return f
			}
		}
		return w.fault("worker-error", "it reported an error: "+shorten(own.text),
			"read its message; docs/reference/wire.md describes the request", nil)
	}
	return err
}

// check refuses batches that are not of the worker's size.
func (w *Worker) check(b *probe.Batch) error {
	key := &w.answer.key
	y := 0
	if key.Op.Products() {
		y = key.N
	}
	if w.closed {
		return w.fault("bad-batch", "it has been closed", "open it again", nil)
	}
	if len(b.X) != w.Lanes()*key.N || len(b.Y) != y || len(b.Out) != w.Lanes() {
		return w.fault("bad-batch",
			fmt.Sprintf("a batch of %d, %d and %d values, not %d, %d and %d", len(b.X), len(b.Y),
				len(b.Out), w.Lanes()*key.N, y, w.Lanes()),
			"make batches with probe.NewBatch", nil)
	}
	return nil
}

// begin returns the lines that come before a request.
func (w *Worker) begin(c *child) string {
	if w.session == "" {
		return ""
	}
	return w.prog.Pool.selectSession(c, w.session)
}

// send writes a request. With patch, the shared memory holds the inputs of the
// last call, and only the elements of b.Changed are written.
func (w *Worker) send(c *child, word string, b *probe.Batch, patch bool) error {
	f := w.answer.key.DType
	nx, ny := len(b.X)*f.Bytes(), len(b.Y)*f.Bytes()
	if w.answer.shared {
		x := w.mem.mem[w.place.x : w.place.x+nx]
		if patch {
			encodeAt(f, x, b.X, b.Changed)
		} else {
			encodeMany(f, x, b.X)
			encodeMany(f, w.mem.mem[w.place.y:w.place.y+ny], b.Y)
		}
		_, err := io.WriteString(c.in, w.begin(c)+word)
		return err
	}
	word = w.begin(c) + word
	w.buf = slices.Grow(w.buf[:0], len(word)+nx+ny)[:len(word)+nx+ny]
	copy(w.buf, word)
	encodeMany(f, w.buf[len(word):len(word)+nx], b.X)
	encodeMany(f, w.buf[len(word)+nx:], b.Y)
	_, err := c.in.Write(w.buf)
	return err
}

// readOK reads the line that comes before outputs.
func (w *Worker) readOK(c *child) error {
	line, err := readLine(c)
	if err != nil {
		return err
	}
	if text, ok := strings.CutPrefix(line, "error "); ok {
		return &reported{text}
	}
	if line != "ok" {
		return violation("it answered " + quote(line) + " where ok or error was expected")
	}
	return nil
}

// receive reads outputs.
func (w *Worker) receive(c *child, out []float64) error {
	f := w.answer.key.Out
	size := len(out) * f.Bytes()
	if w.answer.shared {
		Decode(f, out, w.mem.mem[w.place.out:w.place.out+size])
	} else {
		w.buf = slices.Grow(w.buf[:0], size)[:size]
		if n, err := io.ReadFull(c.reply, w.buf); err != nil {
			return &ended{fmt.Sprintf("after %d of the %d bytes of %d results", n, size, len(out))}
		}
		Decode(f, out, w.buf)
	}
	if n := c.reply.Buffered(); n > 0 {
		return violation(fmt.Sprintf("it wrote %d bytes more than %d results of format %s take", n,
			len(out), f))
	}
	return nil
}

// readLine reads one line without its end.
func readLine(c *child) (string, error) {
	b, err := c.reply.ReadSlice('\n')
	switch {
	case err == nil:
		return strings.TrimSuffix(string(b[:len(b)-1]), "\r"), nil
	case errors.Is(err, bufio.ErrBufferFull):
		return "", violation("it wrote " + quote(string(b)) +
			", which is not a line of the protocol")
	case len(b) > 0:
		return "", &ended{"in the middle of the line " + quote(string(b))}
	}
	return "", &ended{"without an answer"}
}

// The faults of the program in an exchange.
type (
	reported  struct{ text string } // it reported an error itself
	ended     struct{ when string } // its output ended
	violation string                // it broke the protocol
)

func (e *reported) Error() string { return e.text }
func (e *ended) Error() string    { return "it ended " + e.when }
func (e violation) Error() string { return string(e) }

// The host's reasons to end an exchange.
const (
	byTimeout = iota + 1
	byContext
)
