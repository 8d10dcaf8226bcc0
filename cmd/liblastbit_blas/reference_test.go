//go:build linux && cgo

package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
)

// reference returns the reference BLAS, as Debian has it.
func reference(t *testing.T) string {
	t.Helper()
	const path = "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3"
	if _, err := os.Stat(path); err != nil {
		require.Missing(t, path)
	}
	return path
}

// TestReference compares random calls of every routine of BLAS with the
// reference: of finite numbers, with infinities and NaN, with increments of
// zero, and with wrong arguments.
func TestReference(t *testing.T) {
	p := build(t)
	lib := reference(t)
	recorder := filepath.Join(t.TempDir(), "recorder.so")
	run(t, nil, "gcc", "-shared", "-fPIC", "-o", recorder, "testdata/recorder.c")
	out, _ := run(t, []string{"LD_PRELOAD=" + recorder}, pyenv.Python(t), "testdata/reference.py",
		p.library, lib, recorder, "30")
	if !strings.HasPrefix(out, "compared 4140 calls, 1337 of them wrong") {
		t.Error(out)
	}
}

// TestWrongArguments calls routines with wrong arguments. The program gets the
// message, and its end, of the BLAS that it is linked to.
func TestWrongArguments(t *testing.T) {
	p := build(t)
	lib := reference(t)
	program := compile(t, "wrong.c", lib)
	t.Setenv("LD_LIBRARY_PATH", filepath.Dir(lib)) // the name may be another's
	for number := range 5 {
		args := []string{program, strconv.Itoa(number)}
		want, code := outputs(t, args)
		got, ours := outputs(t, append([]string{p.lastbit, "run", "--quiet", "--"}, args...))
		if got != want || ours != code {
			t.Errorf("call %d: exit code %d,\n%swant %d,\n%s", number, ours, got, code, want)
		}
		if !strings.Contains(strings.ToLower(want), "parameter") {
			t.Errorf("call %d: no message: %s", number, want)
		}
	}
}

// outputs runs a command and returns both of its outputs and its exit code.
func outputs(t *testing.T, args []string) (text string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	code = codeOf(t, cmd)
	return out.String() + talk.String(), code
}
