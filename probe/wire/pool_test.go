package wire

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
)

// The first summands that end the program of playSessions.
const (
	deadly  = 13 // always
	crowded = 14 // if the program has had more than one session
)

// playSessions adds float64 values in several sessions.
func playSessions() {
	in := bufio.NewReader(os.Stdin)
	lengths, using, opened := map[string]int{}, "", 0
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch words := strings.Fields(line); words[0] {
		case "use":
			using = words[1]
		case "forget":
			delete(lengths, words[1])
		case "lastbit":
			n := 0
			for _, word := range words {
				_, _ = fmt.Sscanf(word, "n=%d", &n) // others are not asked for
			}
			if n == 666 {
				fmt.Println("error this number is not for sums")
				continue
			}
			opened++
			lengths[using] = n
			fmt.Println("ok")
		case "call":
			x := make([]byte, 8*lengths[using])
			if _, err := io.ReadFull(in, x); err != nil || len(x) == 0 {
				os.Exit(1)
			}
			first, sum := 0.0, 0.0
			for i := range lengths[using] {
				v := math.Float64frombits(binary.NativeEndian.Uint64(x[8*i:]))
				if sum += v; i == 0 {
					first = v
				}
			}
			if first == deadly || first == crowded && opened > 1 {
				os.Exit(7)
			}
			os.Stdout.Write(binary.NativeEndian.AppendUint64([]byte("ok\n"), math.Float64bits(sum)))
		}
	}
}

// pooled opens a worker of n summands in the process of a pool.
func pooled(t *testing.T, pool *Pool, n int) *Worker {
	t.Helper()
	p := program(t, "sessions")
	p.Fields, p.Pool, p.Kind = nil, pool, "sessions"
	return open(t, p, probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: n})
}

// sumFrom calls a worker for first + 1 + 1 + …, and checks the sum.
func sumFrom(t *testing.T, w *Worker, first float64) error {
	b := probe.NewBatch(w)
	for i := range b.X {
		b.X[i] = 1
	}
	b.X[0] = first
	err := w.Call(t.Context(), b)
	if want := first + float64(len(b.X)-1); err == nil && b.Out[0] != want {
		t.Errorf("sum %v, not %v", b.Out[0], want)
	}
	return err
}

// TestPool opens and calls several workers at the same time. They share one
// process, which waits for others when all are closed.
func TestPool(t *testing.T) {
	var pool Pool
	t.Cleanup(pool.Close)
	workers := make([]*Worker, 5)
	var wg sync.WaitGroup
	for i := range workers {
		workers[i] = pooled(t, &pool, i+1)
	}
	pid := workers[0].child.proc.Pid
	for i, w := range workers {
		if w.child.proc.Pid != pid {
			t.Errorf("worker %d has process %d, not %d", i, w.child.proc.Pid, pid)
		}
		wg.Go(func() {
			for k := range 100 {
				if err := sumFrom(t, w, float64(100+k)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	p := program(t, "sessions")
	p.Pool, p.Kind = &pool, "sessions"
	key := workers[0].asked
	key.N = 666
	_, err := Open(t.Context(), p, key, 1)
	drivertest.Fault(t, err, "worker-refused")
	if err := sumFrom(t, workers[0], 1); err != nil {
		t.Errorf("after a refusal: %v", err)
	}
	if pool.Idle() != 0 {
		t.Errorf("%d processes are idle", pool.Idle())
	}
	for _, w := range workers {
		w.Close()
	}
	if pool.Idle() != 1 {
		t.Errorf("%d processes are idle after the last worker", pool.Idle())
	}
	next := pooled(t, &pool, 9)
	if got := next.child.proc.Pid; got != pid {
		t.Errorf("the next worker has process %d, not %d", got, pid)
	}
	pool.Close()
	if err := sumFrom(t, next, 1); err != nil {
		t.Errorf("after the pool was closed: %v", err)
	}
	next.Close()
	if runtime.GOOS == "linux" {
		drivertest.WaitForEnd(t, pid)
	}
}

// TestPoolDeath ends the process of several workers in a call of one of them.
// The others go on in another process, as if nothing had happened.
func TestPoolDeath(t *testing.T) {
	for _, c := range []struct {
		name     string
		first    float64
		fault    string // "" for none
		restarts int    // of the worker whose call it was
	}{
		{"its own fault", deadly, "worker-died", 2},
		{"the fault of others", crowded, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var pool Pool
			t.Cleanup(pool.Close)
			culprit, other := pooled(t, &pool, 3), pooled(t, &pool, 4)
			if err := sumFrom(t, culprit, c.first); c.fault != "" {
				drivertest.Fault(t, err, c.fault)
			} else if err != nil {
				t.Error(err)
			}
			for _, w := range []*Worker{culprit, other} {
				if err := sumFrom(t, w, 1); err != nil {
					t.Error(err)
				}
			}
			if culprit.Restarts() != c.restarts || other.Restarts() != 0 {
				t.Errorf("%d and %d restarts", culprit.Restarts(), other.Restarts())
			}
			third := pooled(t, &pool, 5)
			if third.child != other.child || third.child == culprit.child {
				t.Error("the next worker shares a process with the culprit")
			}
		})
	}
}
