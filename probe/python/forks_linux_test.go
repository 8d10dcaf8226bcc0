package python

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// relayName names this program as the interpreter of forked: it hands the
// worker's code and descriptors to testdata/forks.py.
const relayName = "relay-python3"

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == relayName {
		if err := relay(filepath.Join(filepath.Dir(os.Args[0]), "socket"), os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// A relay with the race detector in it sleeps a second before it ends.
	if err := os.Setenv("GORACE", os.Getenv("GORACE")+" atexit_sleep_ms=0"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// relay has a worker forked, and stays until it has ended.
func relay(socket, code string) error {
	fds := []int{0, 1, 2}
	var st syscall.Stat_t
	if syscall.Fstat(3, &st) == nil &&
		st.Mode&syscall.S_IFMT == syscall.S_IFREG { // not one of Go's own
		fds = append(fds, 3)
	}
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return err
	}
	if _, _, err := conn.WriteMsgUnix([]byte{0}, syscall.UnixRights(fds...), nil); err != nil {
		return err
	}
	if _, err := io.WriteString(conn, code); err != nil {
		return err
	}
	if err := conn.CloseWrite(); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, conn)
	return err
}

// forked returns an interpreter with a module already loaded: it runs forks of
// one process that has loaded it. Its workers use one thread unless their code
// changes that.
func forked(t *testing.T, python, module string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "forks") // t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, relayName)
	if err := os.Symlink(self, name); err != nil {
		t.Fatal(err)
	}
	_, out := startPython(t, python, "testdata/forks.py", filepath.Join(dir, "socket"), module)
	if s := bufio.NewScanner(out); !s.Scan() || s.Text() != "ready" {
		t.Fatal("the process to be forked did not start")
	}
	return name
}
