package wire

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
)

func TestCancel(t *testing.T) {
	p := program(t, "hang")
	p.Call = time.Hour
	w := open(t, p, probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4})
	pid := w.child.proc.Pid
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	err := w.Call(ctx, probe.NewBatch(w))
	drivertest.Fault(t, err, "cancelled")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v is not context.Canceled", err)
	}
	if alive(pid) {
		t.Errorf("process %d is still there", pid)
	}
	drivertest.Fault(t, w.Call(ctx, probe.NewBatch(w)), "cancelled")
	_, err = Open(ctx, p, w.asked, 1)
	drivertest.Fault(t, err, "cancelled")
}

// alive reports whether a process of that number exists, a zombie included.
func alive(pid int) bool {
	if runtime.GOOS != "linux" {
		return false
	}
	_, err := os.Stat("/proc/" + strconv.Itoa(pid))
	return err == nil
}

// A host that is killed takes its programs with it, even one that does not
// watch its input.
func TestHostKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		require.Missing(t, "Linux, where a child can ask to die with its parent")
	}
	p := program(t, "host")
	cmd := exec.Command(p.Args[0])
	cmd.Env = p.Env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(lineReader{out}.line())
	if err != nil {
		t.Fatal(err)
	}
	if !alive(pid) {
		t.Fatalf("process %d is not there", pid)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // reports that it was killed
	drivertest.WaitForEnd(t, pid)
}

// The processes that a program starts end with it.
func TestGrandchildren(t *testing.T) {
	drivertest.NeedProcesses(t)
	sh := require.Program(t, "sh")
	script := `read hello; sleep 1000 & echo "error $!"; wait`
	key := probe.Key{Target: "test:program", Op: probe.Sum, DType: fp.Binary64, N: 1, Threads: 1}
	_, err := Open(t.Context(), Program{Args: []string{sh, "-c", script}}, key, 1)
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(refusal.Text)
	if err != nil {
		t.Fatal(err)
	}
	drivertest.WaitForEnd(t, pid)
}

// A process that a program leaves behind, in a session of its own and with the
// pipes in its hands, does not keep the host from seeing that the program
// ended.
func TestLeftBehind(t *testing.T) {
	drivertest.NeedProcesses(t)
	sh := require.Program(t, "sh")
	require.Program(t, "setsid")
	file := filepath.Join(t.TempDir(), "pid")
	script := `read hello
setsid sh -c 'echo $$ > "$0"; exec sleep 100' "$1" &
while ! test -s "$1"; do sleep 0.01; done
exit 3`
	key := probe.Key{Target: "test:program", Op: probe.Sum, DType: fp.Binary64, N: 1, Threads: 1}
	_, err := Open(t.Context(),
		Program{Args: []string{sh, "-c", script, sh, file}, Start: time.Hour}, key, 1)
	drivertest.Fault(t, err, "worker-died", "without an answer (exit status 3)")
	pid := drivertest.ReadPID(t, file)
	if !drivertest.IsRunning(pid) {
		t.Error("the fault came only when the process that was left behind had ended")
	}
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may have ended
	}
}

func TestNothingLeft(t *testing.T) {
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	count := goroutines()
	var pids []int
	var wg sync.WaitGroup
	for _, r := range []string{"honest", "hang", "die", "close", "too much"} {
		p := program(t, r)
		p.Call, p.Shared = 200*time.Millisecond, true
		w := open(t, p, probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 4})
		pids = append(pids, w.child.proc.Pid)
		wg.Go(func() {
			_ = w.Call(context.Background(), probe.NewBatch(w)) // the faults are another test's
			w.Close()
			w.Close()
		})
	}
	wg.Wait()
	for _, pid := range pids {
		if alive(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
	for range 3000 { // half a minute: machines are busy
		if goroutines() <= count {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", goroutines(), count)
}

// goroutines counts the goroutines of this package.
func goroutines() int {
	buf := make([]byte, 1<<20)
	return strings.Count(string(buf[:runtime.Stack(buf, true)]), "wire.(*child)") +
		strings.Count(string(buf), "wire.startChild")
}
