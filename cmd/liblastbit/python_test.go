//go:build linux && cgo

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
)

// TestPython runs the tests of the Python package that call the library, and
// the examples of its docstrings.
func TestPython(t *testing.T) {
	require.Program(t, "gcc")
	python := pyenv.Python(t)
	dir := t.TempDir()
	library, blas := filepath.Join(dir, "liblastbit.so"), filepath.Join(dir, "liblastbit_blas.so")
	command := filepath.Join(dir, "lastbit")
	build(t, "-buildmode=c-shared", "-o", library, ".")
	build(t, "-buildmode=c-shared", "-o", blas, "../liblastbit_blas")
	build(t, "-o", command, "../lastbit")
	tests := exec.CommandContext(t.Context(), python, "-m", "unittest", "test_docs", "test_exact",
		"test_math", "test_processes", "test_blas")
	tests.Dir = "../../python/tests"
	tests.Env = append(os.Environ(), "PYTHONPATH=..", "PYTHONDONTWRITEBYTECODE=1",
		"LASTBIT_LIBRARY="+library, "LASTBIT_BLAS="+blas, "LASTBIT="+command)
	if out, err := tests.CombinedOutput(); err != nil {
		t.Fatalf("the tests of the Python package: %v\n%s", err, out)
	}
}

// build builds a package with cgo.
func build(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"build"}, args...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}
