// Package drivertest checks in tests how drivers fail, and what they leave.
package drivertest

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
)

// Fault returns the fault that err is. It ends the test if err is none of that
// ID, if the fault lacks its thing, cause or cure, if its text lacks one of the
// parts, or if it is longer than a line. Cancelled work needs no cure.
func Fault(t testing.TB, err error, id string, parts ...string) *probe.Fault {
	t.Helper()
	var f *probe.Fault
	if !errors.As(err, &f) || f.ID != id {
		t.Fatalf("got %v, want the fault %s", err, id)
	}
	if f.Thing == "" || f.Cause == "" || f.Cure == "" && id != "cancelled" {
		t.Fatalf("the fault %+v lacks its thing, cause or cure", f)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Fatalf("the fault %q does not contain %q", err, p)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Fatalf("the fault %q is longer than a line", err)
	}
	return f
}

// Opened returns a target that a driver has opened; the end of the test closes
// it. It ends the test if err is not nil: by require.Missing if err is the
// fault of the ID missing.
func Opened(t testing.TB, target probe.Target, err error, missing, what string) probe.Target {
	t.Helper()
	var f *probe.Fault
	if errors.As(err, &f) && f.ID == missing {
		require.Missing(t, what)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { target.Close() })
	return target
}

// NeedProcesses ends the test where IsRunning cannot find processes.
func NeedProcesses(t testing.TB) {
	t.Helper()
	if runtime.GOOS != "linux" {
		require.Missing(t, "/proc, where processes can be found")
	}
}

// ReadPID returns the number of a process that a script has written to a file.
func ReadPID(t testing.TB, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// IsRunning reports whether a process exists and is not a zombie: an orphan may
// stay one where nobody adopts it.
func IsRunning(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !bytes.Contains(b, []byte(") Z "))
}

// WaitForEnd waits until a process has ended. It ends the test after a minute.
func WaitForEnd(t testing.TB, pid int) {
	t.Helper()
	for i := 0; IsRunning(pid); i++ {
		if i == 6000 {
			t.Fatalf("process %d outlives the program that started it", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
