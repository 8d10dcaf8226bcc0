package python

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
)

// workers returns the processes that this one has started.
func workers(t *testing.T) []int {
	t.Helper()
	drivertest.NeedProcesses(t)
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended meanwhile
		}
		fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		if fields[1] == strconv.Itoa(os.Getpid()) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	return pids
}

// signal sends a signal to the only worker.
func signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	pids := workers(t)
	if len(pids) != 1 {
		t.Fatalf("workers %v, want one", pids)
	}
	p, err := os.FindProcess(pids[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// sumOf calls a target for 1 + 1 + … and checks the sum.
func sumOf(t *testing.T, target probe.Target) {
	t.Helper()
	b := probe.NewBatch(target)
	for i := range b.X {
		b.X[i] = 1
	}
	if err := target.Call(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if b.Out[0] != float64(len(b.X)) {
		t.Errorf("sum %v of %d ones", b.Out[0], len(b.X))
	}
}

// A worker that is killed, or stops, makes one fault; the next call works.
func TestKilledAndStopped(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		id     string
		part   string
	}{{syscall.SIGKILL, "worker-died", "signal: killed"}, {syscall.Signal(stopSignal),
		"worker-timeout", "within 5s"}} {
		target := open(t, "numpy.sum",
			probe.Spec{DType: fp.Binary32, N: 1000, Timeout: 5 * time.Second})
		sumOf(t, target)
		signal(t, c.signal)
		drivertest.Fault(t, target.Call(t.Context(), probe.NewBatch(target)), c.id, c.part)
		sumOf(t, target)
		if n := target.(probe.Restarter).Restarts(); n != 1 {
			t.Errorf("%d restarts", n)
		}
		target.Close()
		if left := workers(t); len(left) != 0 {
			t.Errorf("workers %v are left", left)
		}
	}
}

// stopSignal is SIGSTOP on Linux, where workers can be found; other systems'
// syscall packages may not have it.
const stopSignal = 19

func TestCancel(t *testing.T) {
	target := open(t, "numpy.matmul",
		probe.Spec{Op: probe.Gemm, DType: fp.Binary16, N: 1000, M: 400, Cols: 400})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	err := target.Call(ctx, probe.NewBatch(target))
	drivertest.Fault(t, err, "cancelled")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v is not context.Canceled", err)
	}
	if left := workers(t); len(left) != 0 {
		t.Errorf("workers %v are left", left)
	}
}

// The operands lie in memory as requested.
func TestPlaces(t *testing.T) {
	python := interpreterWith(t, "numpy")
	code, _, ok := strings.Cut(workerCode(), "\nmain()\n")
	if !ok {
		t.Fatal("the worker has no main")
	}
	code += `
for line in sys.stdin:
    r = Request(line)
    s = NumPy(r, Buffers(r))
    for a in (s.a, s.b) if r.products else (s.a,):
        strides = ",".join(str(n // a.itemsize) for n in a.strides)
        print(a.__array_interface__["data"][0] % 64, strides, end=" ")
    print()
`
	cases := []struct{ hello, want string }{
		{"op=sum dtype=f32 n=10 lanes=1 function=numpy.sum align=0", "0 1"},
		{"op=sum dtype=f64 n=10 lanes=1 function=numpy.sum align=8 stride=3", "8 3"},
		{"op=sum dtype=f16 n=10 lanes=1 function=numpy.sum align=63", "63 1"},
		{"op=sum dtype=f32 n=10 lanes=4 m=4 axis=1 function=numpy.sum", "0 10,1"},
		{"op=sum dtype=f32 n=10 lanes=4 m=4 axis=1 order=F function=numpy.sum align=4", "4 1,4"},
		{"op=sum dtype=f32 n=10 lanes=4 m=4 axis=0 function=numpy.sum", "0 4,1"},
		{"op=sum dtype=f32 n=10 lanes=4 m=4 axis=0 order=F stride=2 function=numpy.sum", "0 2,20"},
		{"op=dot dtype=f32 n=10 lanes=1 function=numpy.dot align=20 stride=2", "20 2 20 2"},
		{"op=gemv dtype=f32 n=10 m=4 lanes=4 function=numpy.dot trans=a align=12", "12 1,4 12 1"},
		{"op=gemv dtype=f32 n=10 m=4 lanes=4 function=numpy.dot order=F stride=3", "0 1,12 0 3"},
		{"op=gemm dtype=f64 n=10 m=4 cols=3 lanes=4 function=numpy.dot align=16", "16 10,1 16 3,1"},
		{"op=gemm dtype=f64 n=10 m=4 cols=3 lanes=4 function=numpy.dot trans=b align=16",
			"16 10,1 16 1,10"},
		{"op=gemm dtype=f64 n=10 m=4 cols=3 lanes=4 function=numpy.dot trans=ab order=F",
			"0 10,1 0 3,1"},
	}
	var in strings.Builder
	for _, c := range cases {
		in.WriteString("lastbit 1 " + c.hello + "\n")
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", code)
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(cases) {
		t.Fatalf("%d answers to %d questions", len(lines), len(cases))
	}
	for i, c := range cases {
		if got := strings.TrimSpace(lines[i]); got != c.want {
			t.Errorf("%s: %q, want %q", c.hello, got, c.want)
		}
	}
}
