// Package portable runs, for tests, this module's tests in other builds of
// them: for other processors, under an emulator, and for other variants of this
// one.
//
//	bins := portable.Compile(t, portable.Sums, []string{"GOARCH=arm64"})
//	arm64 := portable.Runner{Emulated: "arm64"}
//	arm64.Run(t, bins, portable.Sums, "Golden", "")
//
// A golden test compares the bits of results with bits that are the same on
// every machine.
package portable

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/emulator"
	"github.com/lastbit/lastbit/internal/require"
)

// Libraries whose bits must not depend on the machine, by folder.
var (
	Sums = []string{"binned", "exact", "fp", "fp/complexes", "fp/signs", "fp/trunc", "ordered",
		"sumtree"}
	Functions = []string{"crmath/f32", "crmath/internal/f64"}
	// BLAS takes as long to compile as all the others.
	BLAS = []string{"blas", "blas/internal/chain", "cmd/liblastbit/internal/trees"}
	// Examples are those that need no shared library.
	Examples = []string{"examples/cg", "examples/csr", "examples/internal/grid", "examples/lu",
		"examples/poisson", "examples/spmv", "examples/window"}
)

// All returns every library and example.
func All() []string { return slices.Concat(Sums, Functions, BLAS, Examples) }

// Build is a build of tests, and the ways to run it: as short tests, unless
// LASTBIT_PORTABLE=all.
type Build struct {
	Env      []string // of the go command
	Packages []string // tested every day, if any; with LASTBIT_PORTABLE=all, all are
	Runs     []Runner
}

// Golden runs the golden tests of builds, as parallel subtests. It ends the
// test on machines other than linux/amd64.
func Golden(t *testing.T, builds []Build) {
	NeedHost(t)
	for _, b := range builds {
		if len(b.Packages) == 0 && !whole() {
			continue
		}
		t.Run(strings.Join(b.Env, ","), func(t *testing.T) {
			t.Parallel()
			for _, r := range b.Runs {
				r.Need(t)
			}
			packages := b.Packages
			if whole() {
				packages = All()
			}
			bins := Compile(t, packages, b.Env)
			for _, r := range b.Runs {
				t.Run(r.Name, func(t *testing.T) { r.Run(t, bins, packages, "Golden", "") })
			}
		})
	}
}

// whole reports whether everything is asked for, and not an everyday choice.
func whole() bool { return os.Getenv("LASTBIT_PORTABLE") == "all" }

// NeedHost ends the test on machines other than linux/amd64.
func NeedHost(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		require.Missing(t, "linux/amd64, the machine that builds and emulates for the others")
	}
}

// root is the folder of the module.
func root(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
}

// Compile compiles the tests of packages, and returns their folder. The tag
// leaves out tests that load shared libraries, which neither an emulator nor,
// for 386, this machine has, and tests whose imports take longer to compile
// than the imports of the golden tests. Leaving out vet and debug tables saves
// time, too. Without assembly, programs stop at an address outside its memory,
// as with -race.
func Compile(t *testing.T, packages, env []string) (bins string) {
	t.Helper()
	bins = t.TempDir()
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-tags=static", "-o", bins + "/"}
	if slices.Contains(env, "GOFLAGS=-tags=purego") {
		args = append(args, "-tags=static,purego",
			"-gcflags=github.com/lastbit/lastbit/...=-d=checkptr")
	}
	for _, p := range packages {
		args = append(args, "./"+p)
	}
	build := exec.Command("go", args...)
	build.Dir = root(t)
	build.Env = append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go test -c for %v: %v\n%s", env, err, out)
	}
	return bins
}

// Runner is a way to run compiled tests.
type Runner struct {
	Name     string
	GoDebug  string
	Flags    []string // of /proc/cpuinfo, which the tests need
	Emulated string   // the processor to emulate; "" for this one
}

// Need ends the test if this machine lacks the runner's emulator.
func (r Runner) Need(t *testing.T) {
	t.Helper()
	r.command(t)
}

// Run runs the tests of packages whose names match one pattern and, unless it
// is empty, not another. Each package must have one.
func (r Runner) Run(t *testing.T, bins string, packages []string, pattern, skip string) {
	t.Helper()
	info, err := os.ReadFile("/proc/cpuinfo")
	for _, flag := range r.Flags {
		if err != nil || !strings.Contains(string(info), " "+flag+" ") {
			t.Log("this CPU has no " + flag)
			return
		}
	}
	command := r.command(t)
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GODEBUG=" + r.GoDebug}
	for _, p := range packages {
		words := append(slices.Clone(command), filepath.Join(bins, filepath.Base(p)+".test"),
			"-test.run="+pattern, "-test.v", fmt.Sprint("-test.short=", !whole()))
		if skip != "" {
			words = append(words, "-test.skip="+skip)
		}
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, cmd.Env = filepath.Join(root(t), p), environ
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: ") {
			t.Errorf("%s: %v\n%s", p, err, out)
		}
	}
}

// command returns the words that come before the path of a program.
func (r Runner) command(t *testing.T) []string {
	t.Helper()
	if r.Emulated == "" {
		return nil
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	words, err := emulator.Command(r.Emulated, strings.TrimSpace(string(out)))
	if missing := (*emulator.MissingError)(nil); errors.As(err, &missing) {
		require.Missing(t, missing.Program)
	}
	if err != nil {
		t.Fatal(err)
	}
	return words
}
