package mpi

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lastbit/lastbit/probe"
)

// TestDeadRank kills a rank: the next call is a fault, the one after it is
// answered, and nothing is left.
func TestDeadRank(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			target := open(t, name+":allreduce", probe.Spec{N: 3})
			b := probe.NewBatch(target)
			copy(b.X, []float64{1, 2, 4})
			ranks := processes(t, rankRole)
			if err := target.Call(t.Context(), b); err != nil || b.Out[0] != 7 {
				t.Fatal(b.Out, err)
			}
			if err := syscall.Kill(ranks[len(ranks)-1], syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			var err error
			for range 1000 { // until mpirun has seen it
				if err = target.Call(t.Context(), b); err != nil {
					break
				}
			}
			if f := fault(t, err, "worker-died"); !strings.Contains(f.Cause, "mpirun ended (") ||
				strings.HasSuffix(f.Cause, ": ") {
				t.Error(f)
			}
			if err := target.Call(t.Context(), b); err != nil || b.Out[0] != 7 {
				t.Fatal(b.Out, err)
			}
		})
	}
}

// TestNothingLeft holds that a job is gone, with its files, after a call that
// was cancelled, and after one that was not answered in time.
func TestNothingLeft(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			before, _ := filepath.Glob("/dev/shm/lastbit*")
			target := open(t, name+":allreduce", probe.Spec{N: 3, M: 100000})
			b := probe.NewBatch(target)
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Millisecond)
			defer cancel()
			if err := target.Call(ctx, b); err == nil {
				t.Fatal("the call was not cancelled")
			}
			target.Close()
			for range 300 {
				if len(processes(t, jobRole, rankRole)) == 0 {
					break
				}
				time.Sleep(100 * time.Millisecond)
			}
			left, _ := filepath.Glob("/dev/shm/lastbit*")
			if pids := processes(t, jobRole, rankRole); len(pids) != 0 || len(left) > len(before) {
				t.Errorf("processes %v and files %v are left", pids, left)
			}
		})
	}
}

// processes returns those of this program that were started in one of the
// roles.
func processes(t *testing.T, roles ...string) (pids []int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range all {
		exe, err := os.Readlink(dir + "/exe")
		if err != nil || exe != self {
			continue
		}
		environ, _ := os.ReadFile(dir + "/environ")
		for v := range strings.SplitSeq(string(environ), "\x00") {
			if role, ok := strings.CutPrefix(v, "LASTBIT_WORKER="); ok &&
				slices.Contains(roles, role) {
				pid, _ := strconv.Atoi(filepath.Base(dir))
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// TestStoppedWhileStarting ends a job while mpirun is starting its ranks, and
// holds that none is left soon after: ranks that start later end at once.
func TestStoppedWhileStarting(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			open(t, name+":allreduce", probe.Spec{N: 2}).Close()
			for range 100 { // the ranks of that one
				if len(processes(t, jobRole, rankRole)) == 0 {
					break
				}
				time.Sleep(50 * time.Millisecond)
			}
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for ctx.Err() == nil && len(processes(t, rankRole)) == 0 {
					time.Sleep(10 * time.Millisecond)
				}
				cancel()
			}()
			if _, err := Open(ctx, name+":allreduce", probe.Spec{N: 40}); !errors.Is(err,
				context.Canceled) {
				t.Fatalf("Open ended with %v", err)
			}
			start := time.Now()
			for len(processes(t, jobRole, rankRole)) > 0 {
				if time.Since(start) > endGrace {
					t.Fatalf("after %v there are %d ranks", endGrace, len(processes(t, rankRole)))
				}
				time.Sleep(50 * time.Millisecond)
			}
		})
	}
}

// TestKilledJobIsSwept kills a job with all its processes: its folder stays,
// and the next job removes it.
func TestKilledJobIsSwept(t *testing.T) {
	target := open(t, "openmpi:allreduce", probe.Spec{N: 2})
	folders := func() int {
		all, _ := filepath.Glob("/dev/shm/lastbit*/" + lockName)
		return len(all)
	}
	before := folders()
	for _, pid := range processes(t, jobRole, rankRole, guardRole) {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
	}
	target.Close()
	if folders() != before {
		t.Fatalf("%d folders after the job was killed, %d before", folders(), before)
	}
	open(t, "openmpi:allreduce", probe.Spec{N: 2})
	if got := folders(); got != before {
		t.Errorf("%d folders with a new job, want %d", got, before)
	}
}
