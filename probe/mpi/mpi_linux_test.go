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
	"github.com/lastbit/lastbit/probe/internal/drivertest"
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
			f := drivertest.Fault(t, err, "worker-died", "mpirun ended (")
			if strings.HasSuffix(f.Cause, ": ") {
				t.Error(f)
			}
			if err := target.Call(t.Context(), b); err != nil || b.Out[0] != 7 {
				t.Fatal(b.Out, err)
			}
		})
	}
}

// TestNothingLeft checks that a job is gone, with its files, after a call that
// was cancelled, and after one that was not answered in time.
func TestNothingLeft(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			target := open(t, name+":allreduce", probe.Spec{N: 3, M: 100000})
			folder := folderOf(t, processes(t, jobRole)[0])
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
			if pids := processes(t, jobRole, rankRole); len(pids) != 0 || exists(folder) {
				t.Errorf("processes %v are left, and the folder: %v", pids, exists(folder))
			}
		})
	}
}

// processes returns this program's processes that were started in one of the
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
// holds that none is left after some time: ranks that start later end at once.
func TestStoppedWhileStarting(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			open(t, name+":allreduce", probe.Spec{N: 2}).Close()
			for range 1000 { // the ranks of that one
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
			if _, err := Open(ctx, name+":allreduce", probe.Spec{N: 64}); !errors.Is(err,
				context.Canceled) {
				t.Fatalf("Open ended with %v", err)
			}
			start := time.Now()
			for len(processes(t, jobRole, rankRole)) > 0 {
				if patience := 20 * endGrace; time.Since(start) > patience {
					t.Fatalf("after %v there are %d ranks", patience, len(processes(t, rankRole)))
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
	folder := folderOf(t, processes(t, jobRole)[0])
	for _, pid := range processes(t, jobRole, rankRole, guardRole) {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
	}
	target.Close()
	open(t, "openmpi:allreduce", probe.Spec{N: 2})
	if exists(folder) {
		t.Errorf("%s is there", folder)
	}
}

// folderOf returns the folder of a job, by the lock that it has open.
func folderOf(t *testing.T, job int) string {
	t.Helper()
	files, err := filepath.Glob("/proc/" + strconv.Itoa(job) + "/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		// The link may have the name that the lock had when it was opened.
		path, err := os.Readlink(file)
		if err == nil && strings.HasPrefix(filepath.Base(path), lockName) {
			return filepath.Dir(path)
		}
	}
	t.Fatalf("job %d holds no lock", job)
	return ""
}
