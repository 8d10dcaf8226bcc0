package emulated

import (
	"slices"
	"testing"

	"github.com/lastbit/lastbit/internal/portable"
)

// TestGoldenHashes runs the golden tests on other architectures: on arm64, the
// tests of ordered fail if NEON's kernels are not chosen.
func TestGoldenHashes(t *testing.T) {
	on := func(arch string, packages ...[]string) portable.Build {
		return portable.Build{
			Env:      []string{"GOARCH=" + arch},
			Packages: slices.Concat(packages...),
			Runs:     []portable.Runner{{Name: arch, Emulated: arch}},
		}
	}
	portable.Golden(t, []portable.Build{
		on("arm64", portable.Sums, portable.Functions, chain),
		on("s390x", portable.Sums, portable.Functions),
		on("riscv64"),
		on("ppc64le"),
		on("loong64"),
	})
}

// chain holds the matrix products that NEON has kernels for.
var chain = []string{"blas/internal/chain"}

// TestKernels compares NEON's kernels with the portable bodies, and NEON's
// elementary functions with the functions in Go. For float32, golden tests do
// that.
func TestKernels(t *testing.T) {
	portable.NeedHost(t)
	arm64 := portable.Runner{Emulated: "arm64"}
	arm64.Need(t)
	kernels, functions := []string{"internal/kernel"}, []string{"crmath/internal/f64"}
	bins := portable.Compile(t, slices.Concat(kernels, functions), []string{"GOARCH=arm64"})
	arm64.Run(t, bins, kernels, "Test", "")
	arm64.Run(t, bins, functions, "Slices|Lanes", "Golden")
}
