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
	library := filepath.Join(t.TempDir(), "liblastbit.so")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildmode=c-shared", "-o", library,
		".")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	tests := exec.CommandContext(t.Context(), python, "-m", "unittest", "test_docs", "test_exact",
		"test_math", "test_processes")
	tests.Dir = "../../python/tests"
	tests.Env = append(os.Environ(), "PYTHONPATH=..", "PYTHONDONTWRITEBYTECODE=1",
		"LASTBIT_LIBRARY="+library)
	if out, err := tests.CombinedOutput(); err != nil {
		t.Fatalf("the tests of the Python package: %v\n%s", err, out)
	}
}
