//go:build linux && cgo

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
)

// library builds the library and returns its path.
func library(t *testing.T) string {
	t.Helper()
	require.Program(t, "gcc")
	path := filepath.Join(t.TempDir(), "liblastbit.so")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildmode=c-shared", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// runPython runs a Python in the folder of the package's tests.
func runPython(t *testing.T, python string, env []string, args ...string) (output string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python, args...)
	cmd.Dir = "../../python/tests"
	cmd.Env = append(os.Environ(), "PYTHONPATH=..", "PYTHONDONTWRITEBYTECODE=1")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the tests of the Python package: %v\n%s", err, out)
	}
	return string(out)
}

// TestPython runs the tests of the Python package that call the library, and
// the examples of its docstrings.
func TestPython(t *testing.T) {
	python := pyenv.Python(t)
	runPython(t, python, []string{"LASTBIT_LIBRARY=" + library(t)}, "-m", "unittest", "test_docs",
		"test_exact", "test_math", "test_processes")
}

// TestTorch runs the tests of lastbit.torch, and the examples of its page.
func TestTorch(t *testing.T) {
	python := pyenv.Python(t)
	command := filepath.Join(t.TempDir(), "lastbit")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", command, "../lastbit")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	env := []string{"LASTBIT_LIBRARY=" + library(t), "LASTBIT=" + command,
		"OMP_WAIT_POLICY=passive"}
	runPython(t, python, env, "-m", "unittest", "test_torch", "test_torch_docs", "test_torch_mode",
		"test_torch_proof")
}

// TestOldTorch holds that a PyTorch before 2.0 is refused by name.
func TestOldTorch(t *testing.T) {
	const version = "import torch; print(torch.__version__)"
	out, err := exec.CommandContext(t.Context(), "/usr/bin/python3", "-c", version).Output()
	if err != nil {
		require.Missing(t, "the system's PyTorch")
	}
	if !strings.HasPrefix(string(out), "1.") {
		t.Skip("the system's PyTorch is not an old one: " + string(out))
	}
	const enter = `
import lastbit.torch
try:
    lastbit.torch.ordered().__enter__()
except lastbit.Error as error:
    print(error)
`
	got := runPython(t, "/usr/bin/python3", []string{"LASTBIT_LIBRARY=" + library(t)}, "-c", enter)
	want := "this is PyTorch " + strings.TrimSpace(string(out)) + " [torch-version]"
	if !strings.HasPrefix(got, want) {
		t.Errorf("a context of an old PyTorch: %s\nwant %s", got, want)
	}
}
