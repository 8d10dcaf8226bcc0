package python

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
	"github.com/lastbit/lastbit/probe/probetest"
)

// callingProgram listens for connections, as the Python
// package does on systems without inherited sockets.
const callingProgram = `
import contextlib, numpy, socket, threading
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
print(server.getsockname()[1], flush=True)
def serve(connection):
    file = connection.makefile("rb", 0)
    assert file.readline() == b"token\n"
    code = connection.recv(int(file.readline()), socket.MSG_WAITALL)
    program = {}
    exec(code, program)
    names = {"sum": numpy.sum, "rows": lambda x: numpy.sum(x, axis=1), "matmul": numpy.matmul}
    free = contextlib.suppress()
    program["answer"](connection, {k: program["Given"](f, None, free) for k, f in names.items()})
while True:
    threading.Thread(target=serve, args=(server.accept()[0],)).start()
`

// callingProcess starts a program that answers, and returns its place.
func callingProcess(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(interpreterWith(t, "numpy"), "-c", callingProgram)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it never ends by itself
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return "tcp:127.0.0.1:" + strings.TrimSpace(line) + ":token"
}

// Callables of the calling process pass the suite of every driver.
func TestCallerConformance(t *testing.T) {
	place := callingProcess(t)
	for name, s := range map[string]probe.Spec{
		"sum":    {DType: fp.Binary32, N: 40},
		"rows":   {DType: fp.Binary64, N: 20, M: 3, Axis: "1"},
		"matmul": {DType: fp.Binary32, N: 20, Op: probe.Gemm, M: 4, Cols: 3},
	} {
		t.Run(name, func(t *testing.T) {
			s.Threads = -1
			probetest.Run(t, func() (probe.Target, error) {
				c := &Caller{Place: place} // a connection that has ended is not made again
				t.Cleanup(c.Close)
				return c.Open(t.Context(), name, s)
			})
		})
	}
}

// A caller refuses what it cannot honour, and names that nobody has given.
func TestCallerRefusals(t *testing.T) {
	c := &Caller{Place: callingProcess(t)}
	t.Cleanup(c.Close)
	sum := probe.Spec{DType: fp.Binary32, N: 10, Threads: -1}
	for _, r := range []struct {
		name string
		set  func(*probe.Spec)
		id   string
	}{
		{"sum", func(s *probe.Spec) { s.Threads = 1 }, "bad-spec"},
		{"sum", func(s *probe.Spec) { s.Env = []string{"A=1"} }, "unsupported-option"},
		{"sum", func(s *probe.Spec) { s.Acc = fp.Binary64 }, "unsupported-option"},
		{"other", func(*probe.Spec) {}, "callable-missing"},
		{"rows", func(*probe.Spec) {}, "callable-raised"},
		{"sum", func(s *probe.Spec) { s.DType = fp.BFloat16 }, "unsupported"},
	} {
		s := sum
		r.set(&s)
		_, err := c.Open(t.Context(), r.name, s)
		f := drivertest.Fault(t, err, r.id)
		if !strings.HasPrefix(f.Thing, "caller:"+r.name) {
			t.Errorf("the thing is %s", f.Thing)
		}
	}
}

// Places without anybody who answers are faults.
func TestNoCaller(t *testing.T) {
	for _, place := range []string{
		"", "fd:none", "tcp:127.0.0.1:1:token", "tcp:nowhere", "pipe:3",
	} {
		c := &Caller{Place: place}
		_, err := c.Open(t.Context(), "sum", probe.Spec{DType: fp.Binary32, N: 10, Threads: -1})
		drivertest.Fault(t, err, "no-caller")
		c.Close()
	}
}
