package libraries

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/probe/python"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// isWhole reports whether tests take all their cases, and not those for every
// day.
func isWhole() bool { return os.Getenv("LASTBIT_SWEEP") == "all" }

const (
	sweepSeed   = 20251
	sweepInputs = 12 // of each kind
	sweepLimit  = 5 * time.Minute
)

// sweepSizes are the numbers of summands of the whole sweep.
var sweepSizes = []int{1, 2, 3, 7, 8, 31, 100, 129, 1000, 4097, 8193}

// TestSweep reveals every function that lastbit knows in the environment of
// current libraries, and replays each verified finding on inputs that reveal
// does not make. With LASTBIT_SWEEP=all it tries every operation, format and
// size, and the libraries of the machine as well.
func TestSweep(t *testing.T) {
	drivers := map[string]*python.Driver{"current": {Python: pyenv.Python(t), Share: true}}
	whole := isWhole()
	if whole {
		drivers["machine"] = &python.Driver{Share: true}
	}
	for name, d := range drivers {
		var tried, verified atomic.Int32
		t.Run(name, func(t *testing.T) {
			t.Cleanup(d.Close)
			for i, l := range d.List(t.Context()) {
				if l.Absent != "" {
					continue
				}
				for _, s := range sweepSpecs(l, i, whole) {
					t.Run(fmt.Sprintf("%s/%s/%s/%d", l.Address[3:], s.Op, s.DType, s.N),
						func(t *testing.T) {
							t.Parallel()
							tried.Add(1)
							if sweep(t, d, l.Address[3:], s) {
								verified.Add(1)
							}
						})
				}
			}
		})
		t.Logf("%s: %d of %d findings were verified", name, verified.Load(), tried.Load())
		if verified.Load() == 0 && tried.Load() > 0 {
			t.Errorf("%s: no finding was verified", name)
		}
	}
}

// sweepSpecs returns what the sweep asks of a function: all that it offers, or
// one small request, of float32 numbers if it takes them.
func sweepSpecs(l probe.Listing, i int, whole bool) []probe.Spec {
	ops, dtypes, sizes := l.Ops, l.DTypes, sweepSizes
	if !whole {
		ops, sizes = ops[i%len(ops):][:1], []int{100 + i}
		if dtypes = dtypes[:1]; slices.Contains(l.DTypes, fp.Binary32) {
			dtypes = []fp.Format{fp.Binary32}
		}
	}
	var specs []probe.Spec
	for _, op := range ops {
		for _, dtype := range dtypes {
			for _, n := range sizes {
				s := probe.Spec{Op: op, DType: dtype, N: n, Timeout: sweepLimit}
				switch op {
				case probe.Gemv:
					s.M = 16
				case probe.Gemm:
					s.M, s.Cols = 16, 4
				}
				specs = append(specs, s)
			}
		}
	}
	return specs
}

// sweep reveals one target and replays its finding. It reports whether the
// finding is verified.
func sweep(t *testing.T, d *python.Driver, address string, s probe.Spec) bool {
	ctx, cancel := context.WithTimeout(t.Context(), sweepLimit)
	defer cancel()
	target, err := d.Open(ctx, address, s)
	var fault *probe.Fault
	if errors.As(err, &fault) && fault.ID == "unsupported" {
		t.Skipf("the library does not offer it: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	f, err := reveal.Reveal(ctx, target, reveal.Options{})
	if errors.Is(err, context.DeadlineExceeded) {
		t.Skipf("no verdict within %v", sweepLimit)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s verified=%v %s %s %v", f.Verdict, f.Verified, f.Family, f.Key, f.Warnings)
	if f.Verdict != reveal.TreeVerdict || !f.Verified {
		return false
	}
	if target.Key().Op == probe.Softmax {
		return true // the exponentials of other inputs are not known
	}
	if address == "duckdb.fsum" && s.N <= 2 {
		return true // Kahan's correction of two summands shows in infinities only
	}
	if err := revealtest.Mismatch(t.Context(), target, f, sweepSeed, sweepInputs); err != nil {
		t.Error(err)
	}
	return true
}

// TestMismatchIsFound holds that the sweep's inputs tell trees and arithmetics
// apart that differ in one thing.
func TestMismatchIsFound(t *testing.T) {
	for _, op := range []probe.Op{probe.Sum, probe.Dot} {
		s := probe.Spec{Op: op, DType: fp.Binary32, N: 20}
		target, err := gofunc.Open(t.Context(), "go:naive", s)
		if err != nil {
			t.Fatal(err)
		}
		f := revealtest.Must(t, target, reveal.Options{}, nil)
		if err := revealtest.Mismatch(t.Context(), target, f, sweepSeed, sweepInputs); err != nil {
			t.Errorf("a true finding: %v", err)
		}
		right := *f.Arithmetic
		for name, change := range map[string]func(a *sumtree.Arithmetic){
			"zero":        func(a *sumtree.Arithmetic) { a.PlusZero = !a.PlusZero },
			"inputs":      func(a *sumtree.Arithmetic) { a.DAZ = true },
			"results":     func(a *sumtree.Arithmetic) { a.FTZ = true },
			"accumulator": func(a *sumtree.Arithmetic) { a.Nodes.Acc = fp.Binary64 },
		} {
			wrong := right
			change(&wrong)
			f.Arithmetic = &wrong
			if revealtest.Mismatch(t.Context(), target, f, sweepSeed, sweepInputs) == nil {
				t.Errorf("%s with another %s is taken for true", op, name)
			}
		}
		f.Arithmetic = &right
		f.Tree = sumtree.Family{Kind: sumtree.ReverseChain}.Tree(20)
		if revealtest.Mismatch(t.Context(), target, f, sweepSeed, sweepInputs) == nil {
			t.Errorf("%s with another tree is taken for true", op)
		}
	}
}
