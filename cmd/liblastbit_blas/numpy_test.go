//go:build linux && cgo

package main_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
)

// settings are environments that make NumPy's own libraries round differently:
// two of them, or all with LASTBIT_NUMPY=all.
func settings(t *testing.T) [][]string {
	t.Helper()
	all := [][]string{
		{"OPENBLAS_NUM_THREADS=1", "GOMAXPROCS=1"},
		{"OPENBLAS_CORETYPE=Nehalem", "OPENBLAS_NUM_THREADS=2"},
	}
	if os.Getenv("LASTBIT_NUMPY") != "all" {
		return all
	}
	all = append(all, nil)
	cpu, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(cpu, []byte(" avx2 ")) {
		all = append(all, []string{"OPENBLAS_CORETYPE=Haswell"}, []string{"OPENBLAS_CORETYPE=Zen"})
	}
	if bytes.Contains(cpu, []byte(" avx512f ")) {
		all = append(all, []string{"OPENBLAS_CORETYPE=SkylakeX"})
	}
	return all
}

// pythons returns two interpreters: Debian's, and the one with current
// libraries.
func pythons(t *testing.T) []string {
	t.Helper()
	list := []string{pyenv.Python(t)}
	if _, err := os.Stat("/usr/bin/python3"); err != nil {
		require.Missing(t, "/usr/bin/python3")
	}
	return append(list, "/usr/bin/python3")
}

// TestNumPy compares the bits of NumPy's linear algebra over the settings, in
// two releases of NumPy and in forked processes: the second release has one
// setting, or all with LASTBIT_NUMPY=all. Without the library they differ.
func TestNumPy(t *testing.T) {
	interpreters := pythons(t)
	p := build(t)
	var want string
	for k, python := range interpreters {
		disable, _ := run(t, nil, python, "-W", "ignore", "testdata/features.py")
		plain := map[string]bool{}
		envs := append(settings(t), []string{strings.TrimSpace(disable)})
		if k > 0 && os.Getenv("LASTBIT_NUMPY") != "all" {
			envs = envs[len(envs)-1:]
		}
		for _, env := range envs {
			got, talk := run(t, env, p.lastbit, "run", "--", python, "testdata/hashes.py", "fork")
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s %s: other bits:\n%s", python, env, differences(want, got))
			}
			if !strings.HasPrefix(talk, "lastbit: replaced BLAS and LAPACK in ") {
				t.Errorf("%s: the report begins otherwise:\n%s", python, talk)
			}
			if len(plain) < 2 && len(envs) > 1 {
				own, _ := run(t, env, python, "testdata/hashes.py")
				plain[own] = true
			}
		}
		// The kernels are for amd64.
		if len(plain) < 2 && len(envs) > 1 && runtime.GOARCH == "amd64" {
			t.Errorf("%s: NumPy's own libraries give one result over all settings", python)
		}
	}
}

// differences returns the lines of b that differ from a's.
func differences(a, b string) string {
	var list []string
	in := strings.Split(a, "\n")
	for i, line := range strings.Split(b, "\n") {
		if i >= len(in) || line != in[i] {
			list = append(list, line)
		}
	}
	return strings.Join(list, "\n")
}

// TestNumPysOwnTests runs NumPy's tests of linear algebra: as many pass as
// without the library. LASTBIT_NUMPY=all adds the tests of arrays, which take
// minutes.
func TestNumPysOwnTests(t *testing.T) {
	python := pyenv.Python(t)
	p := build(t)
	root, _ := run(t, nil, python, "-c", "import os, numpy; print(os.path.dirname(numpy.__file__))")
	root = strings.TrimSpace(root)
	files := []string{"linalg/tests/test_linalg.py"}
	if os.Getenv("LASTBIT_NUMPY") == "all" {
		files = append(files, "linalg/tests", "_core/tests/test_multiarray.py")
	}
	for _, file := range files {
		tests := []string{
			python, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider",
			filepath.Join(root, file),
		}
		with, _ := run(t, nil, append([]string{p.lastbit, "run", "--"}, tests...)...)
		if passed, _, _ := strings.Cut(outcome(with), " "); !strings.Contains(with, " failed") &&
			len(passed) > 2 {
			continue // all of them, hundreds
		}
		without, _ := run(t, nil, tests...)
		if a, b := outcome(with), outcome(without); a != b {
			t.Errorf("%s: %s with the library, %s without", file, a, b)
		}
	}
}

// outcome returns the counts of pytest, without the time.
func outcome(output string) string {
	return regexp.MustCompile(`\d+ passed[^\n]*? in`).FindString(output)
}
