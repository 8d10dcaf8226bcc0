package mpi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
)

// scenarioVariable is set in the environment of a test binary that mpirun has
// started, and names its scenario.
const scenarioVariable = "LASTBIT_TEST_MPI"

// scenarios holds the work of the ranks; those for the tests of one file are in
// that file.
var scenarios = map[string]func(world *Comm) error{
	"collectives": collectives,
	"sums":        sums,
	"messages":    messages,
	"short":       shortMessage,
	"error":       rank1(func() error { return errors.New("the disk is on fire") }),
	"panic":       rank1(func() error { panic("out of cheese") }),
	"goexit":      rank1(func() error { runtime.Goexit(); return nil }),
	"exit":        rank1(func() error { os.Exit(3); return nil }),
	"kill":        rank1(killSelf),
	"nil":         rank1(func() error { var p *int; *p = 1; return nil }),
	"bad op":      badOp,
	"alone":       func(*Comm) error { return errors.New("it fails") },
	"bench":       bench,
}

func TestMain(m *testing.M) {
	if name := os.Getenv(scenarioVariable); name != "" {
		if err := Run(Options{}, scenarios[name]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// rank1 lets rank 1 do something while the others wait for it.
func rank1(do func() error) func(*Comm) error {
	return func(c *Comm) error {
		if err := c.Barrier(); err != nil {
			return err
		}
		if c.Rank() == 1 {
			return do()
		}
		return c.Barrier()
	}
}

func killSelf() error {
	p, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	if err := p.Kill(); err != nil {
		return err
	}
	select {}
}

// badOp reduces with an operation that panics in one rank.
func badOp(c *Comm) error {
	op, err := NewOp(c, 1, true, func(dst, src []int64) {
		for i := range dst {
			if dst[i]+src[i] >= 3 {
				panic("cannot count to three")
			}
			dst[i] += src[i]
		}
	})
	if err != nil {
		return err
	}
	return Allreduce(c, []int64{int64(c.Rank())}, op)
}

// mpiruns are the names that Debian gives the starters of both libraries.
var mpiruns = []string{"mpirun.openmpi", "mpirun.mpich"}

// launch runs a scenario with n ranks, and returns their standard output and
// standard error.
func launch(t testing.TB, mpirun string, n int, scenario string) (stdout, stderr string,
	err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	if n > 0 {
		cmd = require.Ranks(ctx, mpirun, n, os.Args[0])
	}
	cmd.Env = append(cmd.Environ(), scenarioVariable+"="+scenario, "GOTRACEBACK=none")
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("%s -n %d: %q hangs\n%s", mpirun, n, scenario, errs.String())
	}
	return out.String(), errs.String(), err
}

// eachMPI runs a test with both libraries.
func eachMPI(t *testing.T, test func(t *testing.T, mpirun string)) {
	for _, mpirun := range mpiruns {
		t.Run(strings.TrimPrefix(mpirun, "mpirun."), func(t *testing.T) {
			test(t, require.Program(t, mpirun))
		})
	}
}

func TestCollectives(t *testing.T) {
	eachMPI(t, func(t *testing.T, mpirun string) {
		for _, n := range []int{1, 2, 3, 4, 8} {
			if _, stderr, err := launch(t, mpirun, n, "collectives"); err != nil || stderr != "" {
				t.Errorf("%d ranks: %v\n%s", n, err, stderr)
			}
		}
	})
}

// TestSums holds that reproducible sums over ranks equal the sums of one
// process.
func TestSums(t *testing.T) {
	eachMPI(t, func(t *testing.T, mpirun string) {
		for _, n := range []int{1, 2, 3, 4, 8} {
			if _, stderr, err := launch(t, mpirun, n, "sums"); err != nil || stderr != "" {
				t.Errorf("%d ranks: %v\n%s", n, err, stderr)
			}
		}
	})
}

// TestEnds holds that the job fails with a message when a rank ends early.
func TestEnds(t *testing.T) {
	eachMPI(t, func(t *testing.T, mpirun string) {
		for scenario, message := range map[string]string{
			"error":  "mpi: rank 1 of 3 ends the job: the disk is on fire",
			"panic":  "mpi: rank 1 of 3 ends the job: panic: out of cheese",
			"goexit": "mpi: rank 1 of 3 ends the job: the goroutine ended by runtime.Goexit",
			"nil": "mpi: rank 1 of 3 ends the job: panic: runtime error: invalid memory " +
				"address or nil pointer dereference",
			"bad op": "ends the job: in an operation on ranks: panic: cannot count to three",
			"short":  "has sent 2 values, and rank",
			"exit":   "",
			"kill":   "",
		} {
			t.Run(scenario, func(t *testing.T) {
				_, stderr, err := launch(t, mpirun, 3, scenario)
				if err == nil || !strings.Contains(stderr, message) {
					t.Errorf("it ended with %v and wrote\n%s", err, stderr)
				}
			})
		}
	})
}
