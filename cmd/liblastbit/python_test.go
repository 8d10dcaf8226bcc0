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

// TestPython runs the tests of the Python package that call the libraries, and
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
	env := append(os.Environ(), "PYTHONPATH=..", "PYTHONDONTWRITEBYTECODE=1",
		"LASTBIT_LIBRARY="+library, "LASTBIT_BLAS="+blas, "LASTBIT="+command)
	t.Run("package", func(t *testing.T) {
		runPython(t, python, env, "-m", "unittest", "test_docs", "test_exact", "test_math",
			"test_processes", "test_blas")
	})
	t.Run("torch", func(t *testing.T) {
		// PyTorch's threads would spin, and take the time of other tests.
		passive := append(env[:len(env):len(env)], "OMP_WAIT_POLICY=passive")
		runPython(t, python, passive, "-m", "unittest", "test_torch", "test_torch_docs",
			"test_torch_elements", "test_torch_mode", "test_torch_proof")
	})
	t.Run("plain", func(t *testing.T) { runEveryPython(t, env) })
	t.Run("old torch", func(t *testing.T) { refuseOldTorch(t, env) })
}

// runPython runs a Python in the folder of the package's tests.
func runPython(t *testing.T, python string, env []string, args ...string) (output string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python, args...)
	cmd.Dir, cmd.Env = "../../python/tests", env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the tests of the Python package: %v\n%s", err, out)
	}
	return string(out)
}

// runEveryPython runs the tests that need no NumPy by each Python of pyenv from
// 3.9 on, and by the system's. They see no modules but their own.
func runEveryPython(t *testing.T, env []string) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	pythons, err := filepath.Glob(home + "/.pyenv/versions/3.*/bin/python3")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, python := range append(pythons, "/usr/bin/python3") {
		const new = "import sys; sys.exit(sys.version_info < (3, 9))"
		if exec.CommandContext(t.Context(), python, "-c", new).Run() != nil {
			continue
		}
		tried++
		const run = "import sys, unittest; sys.path[0] = '.'; unittest.main('test_plain')"
		runPython(t, python, env, "-S", "-c", run)
	}
	if tried == 0 {
		require.Missing(t, "a Python from 3.9 on")
	}
}

// refuseOldTorch holds that a PyTorch before 2.0 is refused by name.
func refuseOldTorch(t *testing.T, env []string) {
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
	got := runPython(t, "/usr/bin/python3", env, "-c", enter)
	want := "this is PyTorch " + strings.TrimSpace(string(out)) + " [torch-version]"
	if !strings.HasPrefix(got, want) {
		t.Errorf("a context of an old PyTorch: %s\nwant %s", got, want)
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
