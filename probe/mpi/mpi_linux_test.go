package mpi

import (
	"context"
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
			if f := fault(t, err, "worker-died"); !strings.Contains(f.Cause, "mpirun ended (") || strings.HasSuffix(f.Cause, ": ") {
				t.Error(f)
			}
			if err := target.Call(t.Context(), b); err != nil || b.Out[0] != 7 {
				t.Fatal(b.Out, err)
			}
		})
	}
}

// TestNothingLeft holds that a job is gone, with its files, after a call that was
// cancelled, and after one that was not answered in time.
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

// processes returns those of this program that were started in one of the roles.
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
			if role, ok := strings.CutPrefix(v, "LASTBIT_WORKER="); ok && slices.Contains(roles, role) {
				pid, _ := strconv.Atoi(filepath.Base(dir))
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
