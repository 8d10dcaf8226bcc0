//go:build linux && cgo

package main_test

import (
	"debug/elf"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/pyenv"
)

// TestSciPy compares the bits of scipy.linalg over the settings. Without the
// library they differ. The report names what the reference LAPACK computed.
func TestSciPy(t *testing.T) {
	p := build(t)
	python := pyenv.Python(t)
	results, own := map[string]bool{}, map[string]bool{}
	var first string
	for _, env := range settings(t) {
		got, talk := run(t, env, p.lastbit, "run", "--", python, "testdata/linalg.py")
		if first == "" {
			first = got
		}
		if results[got] = true; got != first {
			t.Errorf("%s: other bits:\n%s", env, differences(first, got))
		}
		flat := strings.Join(strings.Fields(talk), " ")
		const want = "dsyevr (eigh, pinvh)"
		if !strings.Contains(flat, "called in the reference LAPACK") ||
			!strings.Contains(flat, want) || strings.Contains(flat, "its own library") {
			t.Errorf("%s: the report has no %q, or one of another library:\n%s", env, want, talk)
		}
		plain, _ := run(t, env, python, "testdata/linalg.py")
		own[plain] = true
	}
	if strings.Count(first, "\n") < 150 {
		t.Errorf("few results:\n%s", first)
	}
	if len(own) < 2 && runtime.GOARCH == "amd64" {
		t.Error("SciPy's own library gives one result over all settings")
	}
}

// TestSciPysImports holds that the library has every routine that the wheel of
// SciPy imports from its BLAS and LAPACK, except those for wrong arguments.
func TestSciPysImports(t *testing.T) {
	p := build(t)
	exported := map[string]bool{}
	for _, s := range dynamicSymbols(t, p.library) {
		if s.Section != elf.SHN_UNDEF {
			exported[s.Name] = true
		}
	}
	root, _ := run(t, nil, pyenv.Python(t), "-c",
		"import os, scipy; print(os.path.dirname(scipy.__file__))")
	fortran := regexp.MustCompile(`^scipy_[a-z0-9]+_$`)
	imports, missing := 0, map[string]string{}
	look := func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".so" {
			return err
		}
		for _, s := range dynamicSymbols(t, path) {
			if s.Section != elf.SHN_UNDEF || !fortran.MatchString(s.Name) ||
				strings.Contains(s.Name, "xerbla") {
				continue
			}
			if imports++; !exported[s.Name] {
				missing[s.Name] = filepath.Base(path)
			}
		}
		return nil
	}
	if err := filepath.WalkDir(strings.TrimSpace(root), look); err != nil {
		t.Fatal(err)
	}
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return // forward.S is for these
	}
	if imports < 1600 || len(missing) > 0 {
		t.Errorf("of %d imports, the library has not %v", imports, missing)
	}
}

func dynamicSymbols(t *testing.T, path string) []elf.Symbol {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	return symbols
}

// TestSciPysOwnTests runs SciPy's tests of linear algebra, without those that
// take gigabytes: as many pass as without the library. Every day these are the
// tests of decompositions.
func TestSciPysOwnTests(t *testing.T) {
	p := build(t)
	python := pyenv.Python(t)
	root, _ := run(t, nil, python, "-c",
		"import os, scipy.linalg; print(os.path.dirname(scipy.linalg.__file__))")
	folder := filepath.Join(strings.TrimSpace(root), "tests")
	tests := []string{
		python, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", "-m", "not slow",
	}
	if os.Getenv("LASTBIT_NUMPY") == "all" {
		tests = append(tests, folder)
	} else {
		tests = append(tests, filepath.Join(folder, "test_decomp.py"), "-k",
			"nan or Eigh or SVD or Schur")
	}
	with, _ := run(t, nil, append([]string{p.lastbit, "run", "--"}, tests...)...)
	if strings.Contains(with, " failed") || outcome(with) == "" {
		without, _ := run(t, nil, tests...)
		t.Errorf("%s with the library, %s without:\n%s", outcome(with), outcome(without), with)
	}
}

// TestWrongArgumentsOfSciPy calls a routine of the reference LAPACK with a
// wrong argument: it returns, as the routine of SciPy's wheel does.
func TestWrongArgumentsOfSciPy(t *testing.T) {
	p := build(t)
	out, talk := run(t, nil, p.lastbit, "run", "--", pyenv.Python(t), "testdata/wrong.py")
	if out != "-2\n" || !strings.Contains(talk, "On entry to DGETRS parameter number  2") {
		t.Errorf("output %q, and %s", out, talk)
	}
}
