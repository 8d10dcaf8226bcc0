package wire

import (
	"errors"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
	"github.com/lastbit/lastbit/probe/internal/plan"
)

func TestHostilePrograms(t *testing.T) {
	key, lanes, err := plan.Key("test:program", probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		role, id string
		parts    []string
	}{
		{"silent", "worker-timeout",
			[]string{"no answer within 300ms", "never answered the hello"}},
		{"mute exit", "worker-died", []string{"exit status 3", "cannot find my brain"}},
		{"refuse", "worker-refused", []string{"no such op"}},
		{"garbage hello", "worker-protocol", []string{"Welcome to FooSum"}},
		{"long line", "worker-protocol", []string{"not a line of the protocol"}},
		{"bad key", "worker-protocol", []string{"colour"}},
		{"bad value", "worker-protocol", []string{"f31"}},
		{"bad escape", "worker-protocol", []string{"100%"}},
		{"twice", "worker-protocol", []string{"twice"}},
		{"too many lanes", "worker-protocol", []string{"999999999"}},
		{"no lanes", "worker-protocol", []string{`"0"`}},
		{"cells of a sum", "worker-protocol", []string{"not a matrix"}},
		{"shm unasked", "worker-protocol", []string{"shared memory"}},
		{"integers unasked", "worker-protocol", []string{"was not asked for them"}},
		{"odd integers", "worker-protocol", []string{`"i9" is no type of integers`}},
		{"keeps a pipe", "worker-protocol", []string{"shared memory that it does not use"}},
		{"moves one", "worker-protocol", []string{`"64" is not three numbers`}},
		{"moves back", "worker-protocol", []string{"not three numbers of at least 0"}},
		{"moves no y", "worker-protocol", []string{"moves an operand that sum has not"}},
		{"eager", "worker-protocol", []string{"3 bytes after"}},
		{"hang", "worker-timeout", []string{"no answer within 300ms"}},
		{"die", "worker-died", []string{"exit status 7", "more or less"}},
		{"half", "worker-died", []string{"after 2 of the 8 bytes"}},
		{"half line", "worker-died", []string{`middle of the line "o"`}},
		{"too much", "worker-protocol", []string{"1 bytes more"}},
		{"garbage", "worker-protocol", []string{"The answer is 42"}},
		{"binary garbage", "worker-protocol", []string{"not a line"}},
		{"close", "worker-died", nil},
	} {
		t.Run(c.role, func(t *testing.T) {
			t.Parallel()
			p := program(t, c.role)
			if c.id == "worker-timeout" {
				p.Start, p.Call = time.Minute, 300*time.Millisecond
			}
			if c.role == "silent" {
				p.Start = 300 * time.Millisecond
			}
			w, err := Open(t.Context(), p, key, lanes)
			if err == nil {
				defer w.Close()
				b := probe.NewBatch(w)
				for i := range 2 { // the second starts the program anew
					err = w.Call(t.Context(), b)
					drivertest.Fault(t, err, c.id, c.parts...)
					if w.Restarts() != i {
						t.Errorf("%d restarts, want %d", w.Restarts(), i)
					}
				}
			}
			drivertest.Fault(t, err, c.id, c.parts...)
		})
	}
}

func TestErrorsAndRestart(t *testing.T) {
	w := open(t, program(t, "honest"), probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 13})
	b := probe.NewBatch(w)
	b.X[0] = 13
	drivertest.Fault(t, w.Call(t.Context(), b), "worker-error", "panic: thirteen")
	b.X[0] = 1
	if err := w.Call(t.Context(), b); err != nil || w.Restarts() != 0 {
		t.Fatalf("after an error that the program reported: %v, %d restarts", err, w.Restarts())
	}
	b.X[0] = 14
	drivertest.Fault(t, w.Call(t.Context(), b), "worker-died", "exit status 14")
	b.X[0] = 2
	if err := w.Call(t.Context(), b); err != nil || b.Out[0] != 2 || w.Restarts() != 1 {
		t.Fatalf("after its death: %v, sum %v, %d restarts", err, b.Out[0], w.Restarts())
	}
	b.X = b.X[:12]
	drivertest.Fault(t, w.Call(t.Context(), b), "bad-batch")
	w.Close()
	drivertest.Fault(t, w.Call(t.Context(), probe.NewBatch(w)), "bad-batch")
}

func TestRefusal(t *testing.T) {
	key, lanes, err := plan.Key("test:program",
		probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 666})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), program(t, "honest"), key, lanes)
	drivertest.Fault(t, err, "worker-refused", "this number is not for sums")
	var r *Refusal
	if !errors.As(err, &r) || r.Text != "this number is not for sums" {
		t.Errorf("refusal %v", r)
	}
	p := program(t, "honest")
	p.Fields = []Field{{"colour", "blue"}}
	_, err = Open(t.Context(), p, key, lanes)
	drivertest.Fault(t, err, "worker-refused", `unknown key "colour"`)
	key.N, key.Integers = 6, probe.Int8
	_, err = Open(t.Context(), program(t, "honest"), key, lanes)
	drivertest.Fault(t, err, "worker-refused", `unknown key "integers"`)
	_, err = Open(t.Context(), program(t, "nothing but ok"), key, lanes)
	drivertest.Fault(t, err, "worker-protocol", "names no type of its results")
}

func TestMissingProgram(t *testing.T) {
	key, lanes, err := plan.Key("test:program", probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), Program{Args: []string{"no-such-program-anywhere"}}, key, lanes)
	drivertest.Fault(t, err, "worker-start", "no-such-program-anywhere")
	_, err = Open(t.Context(), Program{}, key, lanes)
	drivertest.Fault(t, err, "worker-start")
}
