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
var packages = []string{"binned", "blas", "blas/internal/chain", "crmath", "crmath/f32", "exact",
	"fp", "ordered", "sumtree", "examples/cg", "examples/csr", "examples/internal/grid",
	"examples/lu", "examples/poisson", "examples/spmv"}

// TestGoldenHashes runs the golden tests on other architectures, in other amd64
// variants, with the fused multiply-add switched off, and without assembly. The
// golden tests of ordered run all kernels of the processor, and fail if the
// fastest is not chosen: on arm64, NEON's.
func TestGoldenHashes(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		require.Missing(t, "linux/amd64, the machine that emulates the other architectures")
	}
	for _, c := range []struct {
		name string
		env  []string
		run  string // program that runs the test binary; "" for none
	}{
		{"amd64-v1", []string{"GOARCH=amd64", "GOAMD64=v1"}, ""},
		{"amd64-v3", []string{"GOARCH=amd64", "GOAMD64=v3"}, "if-fma"},
		{"amd64-fma-off", []string{"GOARCH=amd64"}, "fma-off"},
		{"amd64-purego", []string{"GOARCH=amd64", "GOFLAGS=-tags=purego"}, ""},
		{"386", []string{"GOARCH=386"}, ""},
		{"arm64", []string{"GOARCH=arm64"}, "qemu-aarch64-static"},
		{"s390x", []string{"GOARCH=s390x"}, "qemu-s390x-static"},
		{"ppc64le", []string{"GOARCH=ppc64le"}, "qemu-ppc64le-static"},
		{"riscv64", []string{"GOARCH=riscv64"}, "qemu-riscv64-static"},
		{"loong64", []string{"GOARCH=loong64"}, "qemu-loongarch64-static"},
		{"wasm", []string{"GOOS=js", "GOARCH=wasm"}, "node"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			run(t, packages, "Golden", c.env, c.run)
		})
	}
}

// TestKernels holds NEON's kernels against the portable bodies.
func TestKernels(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		require.Missing(t, "linux/amd64, the machine that emulates arm64")
	}
	run(t, []string{"internal/kernel"}, "Test", []string{"GOARCH=arm64"}, "qemu-aarch64-static")
}

// run runs the tests of packages whose names contain a word. Each package must
// have one.
func run(t *testing.T, packages []string, word string, env []string, runner string) {
	bins := t.TempDir()
	args := []string{"test", "-c", "-o", bins + "/"}
	if env[0] != "GOARCH=amd64" {
		// Neither an emulator nor, for 386, this machine has shared libraries
		// of the architecture. This tag leaves out tests that load some.
		args = append(args, "-tags=static")
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
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	var command []string
	switch runner {
	case "":
	case "if-fma":
		if cpu, err := os.ReadFile("/proc/cpuinfo"); err != nil ||
			!strings.Contains(string(cpu), " fma ") || !strings.Contains(string(cpu), " avx2 ") {
			t.Log("this CPU does not run GOAMD64=v3")
			return
		}
	case "fma-off":
		environ = append(environ, "GODEBUG=cpu.fma=off")
	case "node":
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		command = []string{require.Program(t, "node"), "--stack-size=8192",
			filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "wasm_exec_node.js")}
	default:
		command = []string{require.Program(t, runner)}
	}
	for _, p := range packages {
		bin := filepath.Join(bins, filepath.Base(p)+".test")
		words := append(slices.Clone(command), bin, "-test.run="+word, "-test.v")
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, cmd.Env = filepath.Join("..", "..", p), environ
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: ") {
			t.Errorf("%s on %v: %v\n%s", p, env, err, out)
		}
	}
}
