package portable

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// packages are the libraries whose bits must not depend on the machine, and the
// examples that need no shared library.
var packages = []string{"binned", "blas", "blas/internal/chain", "crmath/f32",
	"crmath/internal/f64", "exact", "fp", "ordered", "sumtree", "examples/cg", "examples/csr",
	"examples/internal/grid", "examples/lu", "examples/poisson", "examples/spmv"}

// TestGoldenHashes runs the golden tests on other architectures, in other amd64
// variants, with the fused multiply-add and vector instructions switched off,
// and without assembly. The golden tests of ordered run all kernels of the
// processor, and fail if the fastest is not chosen: on arm64, NEON's.
func TestGoldenHashes(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		require.Missing(t, "linux/amd64, the machine that emulates the other architectures")
	}
	for _, c := range []struct {
		env  []string
		runs []runner
	}{
		{[]string{"GOARCH=amd64", "GOAMD64=v1"}, []runner{
			{name: "amd64-v1"},
			{name: "amd64-avx512-off", godebug: "cpu.avx512f=off"},
			{name: "amd64-avx2-off", godebug: "cpu.avx2=off"},
			{name: "amd64-fma-off", godebug: "cpu.fma=off"},
		}},
		{[]string{"GOARCH=amd64", "GOAMD64=v3"}, []runner{
			{name: "amd64-v3", flags: []string{"fma", "avx2"}},
		}},
		{[]string{"GOARCH=amd64", "GOFLAGS=-tags=purego"}, []runner{{name: "amd64-purego"}}},
		{[]string{"GOARCH=386"}, []runner{{name: "386"}}},
		{[]string{"GOARCH=arm64"}, []runner{{name: "arm64", program: "qemu-aarch64-static"}}},
		{[]string{"GOARCH=s390x"}, []runner{{name: "s390x", program: "qemu-s390x-static"}}},
		{[]string{"GOARCH=ppc64le"}, []runner{{name: "ppc64le", program: "qemu-ppc64le-static"}}},
		{[]string{"GOARCH=riscv64"}, []runner{{name: "riscv64", program: "qemu-riscv64-static"}}},
		{[]string{"GOARCH=loong64"}, []runner{
			{name: "loong64", program: "qemu-loongarch64-static"},
		}},
		{[]string{"GOOS=js", "GOARCH=wasm"}, []runner{{name: "wasm", program: "node"}}},
	} {
		t.Run(strings.Join(c.env, ","), func(t *testing.T) {
			t.Parallel()
			bins := build(t, packages, c.env)
			for _, r := range c.runs {
				t.Run(r.name, func(t *testing.T) { r.run(t, bins, packages, "Golden") })
			}
		})
	}
}

// TestKernels holds NEON's kernels against the portable bodies, and those of
// elementary functions against the functions.
func TestKernels(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		require.Missing(t, "linux/amd64, the machine that emulates arm64")
	}
	sums, lanes := []string{"internal/kernel"}, []string{"crmath/f32", "crmath/internal/f64"}
	bins := build(t, append(lanes, sums...), []string{"GOARCH=arm64"})
	arm64 := runner{program: "qemu-aarch64-static"}
	arm64.run(t, bins, sums, "Test")
	arm64.run(t, bins, lanes, "Slices|Lanes")
}

// build compiles the tests of packages, and returns their folder. The tag
// leaves out tests that load shared libraries, which neither an emulator nor,
// for 386, this machine has, and tests whose imports take longer to compile
// than those of the golden tests. So does the lack of vet and debug tables.
// Without assembly, programs stop at an address outside its memory, as with
// -race.
func build(t *testing.T, packages, env []string) (bins string) {
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
	build.Dir = filepath.Join("..", "..")
	build.Env = append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go test -c for %v: %v\n%s", env, err, out)
	}
	return bins
}

// runner is a way to run compiled tests.
type runner struct {
	name    string
	godebug string
	flags   []string // of /proc/cpuinfo, which the tests need
	program string   // runs the tests; "" for this processor
}

// run runs the tests of packages whose names contain a word. Each package must
// have one.
func (r runner) run(t *testing.T, bins string, packages []string, word string) {
	info, err := os.ReadFile("/proc/cpuinfo")
	for _, flag := range r.flags {
		if err != nil || !strings.Contains(string(info), " "+flag+" ") {
			t.Log("this CPU has no " + flag)
			return
		}
	}
	command := r.command(t)
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GODEBUG=" + r.godebug}
	for _, p := range packages {
		bin := filepath.Join(bins, filepath.Base(p)+".test")
		words := append(slices.Clone(command), bin, "-test.run="+word, "-test.v")
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, cmd.Env = filepath.Join("..", "..", p), environ
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: ") {
			t.Errorf("%s: %v\n%s", p, err, out)
		}
	}
}

// command returns the words that come before the path of a program.
func (r runner) command(t *testing.T) []string {
	switch r.program {
	case "":
		return nil
	case "node":
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		return []string{require.Program(t, "node"), "--stack-size=8192",
			filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "wasm_exec_node.js")}
	}
	return []string{require.Program(t, r.program)}
}
