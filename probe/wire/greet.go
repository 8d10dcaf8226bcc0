package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// start agrees on the key with a process: with the Pool's process unless this
// worker fails it, else with a new one.
func (w *Worker) start(ctx context.Context) error {
	for {
		isNew, err := w.join(ctx)
		if err != nil {
			return err
		}
		if w.failed {
			w.restarts++
			w.failed = false
		}
		if err = w.greet(ctx, isNew); err != errEnded && !w.isInDoubt(err) {
			return err
		}
	}
}

// join gives the worker a process, and reports whether it is new.
func (w *Worker) join(ctx context.Context) (isNew bool, err error) {
	if ctx.Err() != nil {
		return false, w.cancelled(ctx)
	}
	var extra []*os.File
	if w.mem != nil {
		extra = append(extra, w.mem.file)
	}
	if w.prog.Pool != nil && !w.alone {
		w.child, w.session, isNew, err = w.prog.Pool.join(w.prog, extra...)
	} else {
		isNew = true
		w.child, err = startChild(w.prog, extra...)
	}
	if fault, ok := errors.AsType[*probe.Fault](err); ok {
		return false, fault
	}
	if err != nil {
		return false, w.fault("worker-start", "it cannot be started",
			"check that the program exists and may be run", err)
	}
	return isNew, nil
}

// greet sends the hello to the worker's process.
func (w *Worker) greet(ctx context.Context, isNew bool) error {
	fields := append(helloFields(w.asked, w.wanted), w.prog.Fields...)
	if w.mem != nil {
		clear(w.mem.mem) // of the inputs that ended the program
		fields = append(fields, Field{"shm", w.mem.path(!isNew || w.prog.Connect != nil)})
	}
	var a answer
	err := w.exchange(ctx, w.prog.Start, func(c *child) (err error) {
		w.others = c.opened
		hello := formatLine(fmt.Sprintf("lastbit %d", Version), fields)
		// A program that does not read its hello may still report why.
		_, _ = io.WriteString(c.in, w.begin(c)+hello)
		if a, err = w.readAnswer(c); err == nil {
			c.opened++
		}
		return err
	})
	var own *reported
	if errors.As(err, &own) {
		w.release()
		return w.fault("worker-refused", "it refused the request",
			"ask for something else; docs/reference/wire.md describes the request",
			&Refusal{shorten(own.text)})
	}
	if err != nil {
		return err
	}
	w.answer, w.opened = a, true
	return nil
}

// readAnswer reads the answer to a hello.
func (w *Worker) readAnswer(c *child) (answer, error) {
	a := answer{key: w.asked, lanes: w.wanted}
	line, err := readLine(c)
	if err != nil {
		return a, err
	}
	words := strings.Fields(line)
	if text, ok := strings.CutPrefix(line, "error "); ok {
		return a, &reported{text}
	}
	if len(words) == 0 || words[0] != "ok" {
		return a, violation("it answered " + quote(line) +
			" to the hello, where ok or error was expected")
	}
	fields, err := parseFields(words[1:])
	if err != nil {
		return a, violation("its answer to the hello is wrong: " + err.Error())
	}
	for _, f := range fields {
		if err := a.set(f); err != nil {
			return a, violation("its answer to the hello is wrong: " + err.Error())
		}
	}
	if err := w.checkAnswer(a); err != nil {
		return a, err
	}
	if n := c.reply.Buffered(); n > 0 {
		return a, violation(fmt.Sprintf("it wrote %d bytes after its answer to the hello", n))
	}
	return a, nil
}

// maxValues bounds the values of a call if the program chooses its lanes.
const maxValues = 1 << 28

// checkAnswer refuses impossible answers.
func (w *Worker) checkAnswer(a answer) error {
	matrix := a.key.M > 0
	switch {
	case !a.key.Out.Valid():
		return violation("it names no format of its results")
	case a.lanes != w.wanted && (matrix || a.shared):
		return violation(fmt.Sprintf("it takes %d lanes, but %d were fixed", a.lanes, w.wanted))
	case a.lanes > w.wanted && a.lanes > maxValues/a.key.N:
		return violation(fmt.Sprintf("it wants %d lanes of %d values a call, which is too much",
			a.lanes, a.key.N))
	case w.asked.Integers != "" && a.key.Results == "":
		return violation("it was asked for integers, and names no type of its results")
	case w.asked.Integers == "" && a.key.Results != "":
		return violation("it returns integers, and was not asked for them")
	case a.cells && (!matrix || a.key.Op == probe.Sum):
		return violation("it offers cells, but its results are not a matrix")
	case a.keeps && !a.shared:
		return violation("it keeps inputs in shared memory that it does not use")
	case a.reach.Y > 0 && !a.key.Op.Products():
		return violation(fmt.Sprintf("it moves an operand that %s has not", a.key.Op))
	case a.shared && w.mem == nil:
		return violation("it wants shared memory that was not offered")
	case a.key.Out.Bytes() > fp.Binary64.Bytes():
		return violation("its results are too wide")
	case w.opened && !reflect.DeepEqual(a, w.answer):
		return violation(fmt.Sprintf("after a new start it reports %s, before it reported %s",
			a.key, w.answer.key))
	}
	return nil
}
