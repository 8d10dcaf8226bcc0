package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/examples/internal/demo"
	"github.com/lastbit/lastbit/internal/require"
)

const golden = "c06e05beb3b87f59" // of 20×20 values after 50 steps

// rankVariable is set in the environment of a test binary that mpirun has
// started: it is the program then.
const rankVariable = "LASTBIT_TEST_STENCIL"

func TestMain(m *testing.M) {
	if os.Getenv(rankVariable) != "" {
		demo.Main(run)
		return
	}
	os.Exit(m.Run())
}

// TestSerial computes without MPI.
func TestSerial(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		var out strings.Builder
		args := fmt.Sprintf("-n 20 -steps 50 -workers %d", workers)
		err := run(strings.Fields(args), &out)
		if err != nil || !strings.HasPrefix(out.String(), golden+" ") {
			t.Errorf("%s: %q (%v), want hash %s", args, out.String(), err, golden)
		}
	}
}

// TestRanks computes by the ranks of both MPI libraries. Exactly one prints.
func TestRanks(t *testing.T) {
	for _, mpirun := range []string{"mpirun.openmpi", "mpirun.mpich"} {
		t.Run(strings.TrimPrefix(mpirun, "mpirun."), func(t *testing.T) {
			path := require.Program(t, mpirun)
			for n := 1; n <= 4; n++ {
				out, stderr, err := launch(t, path, n, "-n", "20", "-steps", "50")
				named := strings.Contains(out, fmt.Sprintf("(ranks: %d)", n))
				if err != nil || !strings.HasPrefix(out, golden+" ") || !named ||
					strings.Count(out, "\n") != 1 {
					t.Errorf("%d ranks: %q (%v), want hash %s\n%s", n, out, err, golden, stderr)
				}
			}
			const want = "stencil: 3 ranks for 2 rows: take at most one rank for each row"
			if _, stderr, err := launch(t, path, 3, "-n", "2"); err == nil ||
				!strings.Contains(stderr, want) {
				t.Errorf("3 ranks for 2 rows: %v\n%s", err, stderr)
			}
		})
	}
}

func launch(t *testing.T, mpirun string, n int, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := require.Ranks(ctx, mpirun, n, os.Args[0], append(args, "-mpi", "-workers", "2")...)
	cmd.Env = append(cmd.Env, rankVariable+"=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &errs, time.Second
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func TestFlags(t *testing.T) {
	const want = "stencil: -steps -1: it must be from 0 to 1000000; stencil -h lists the flags"
	if err := run([]string{"-steps", "-1"}, t.Output()); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
