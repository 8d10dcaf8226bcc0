package portable_test

import (
	"slices"
	"testing"

	"github.com/lastbit/lastbit/internal/portable"
	"github.com/lastbit/lastbit/internal/require"
)

// library lists the packages whose golden tests run without assembly.
func library() []string { return slices.Concat(portable.Sums, portable.Functions) }

// TestGoldenHashes runs the golden tests in other variants for amd64, with the
// fused multiply-add and vector instructions switched off, for 32 bits and in
// JavaScript's virtual machine. The golden tests of ordered run all kernels of
// the processor, and fail if the fastest is not chosen.
func TestGoldenHashes(t *testing.T) {
	node := []portable.Runner{{Name: "wasm", Emulated: "wasm"}}
	portable.Golden(t, []portable.Build{
		{[]string{"GOARCH=amd64", "GOAMD64=v1"}, portable.All(), []portable.Runner{
			{Name: "amd64-avx512-off", GoDebug: "cpu.avx512f=off"},
			{Name: "amd64-avx2-off", GoDebug: "cpu.avx2=off"},
		}},
		{[]string{"GOARCH=amd64"}, nil, []portable.Runner{
			{Name: "amd64-fma-off", GoDebug: "cpu.fma=off"},
		}},
		{[]string{"GOARCH=amd64", "GOAMD64=v3"}, nil, []portable.Runner{
			{Name: "amd64-v3", Flags: []string{"fma", "avx2"}},
		}},
		{[]string{"GOARCH=386"}, portable.Sums, []portable.Runner{{Name: "386"}}},
		{[]string{"GOOS=js", "GOARCH=wasm"}, library(), node},
	})
}

// TestGoldenHashesWithoutAssembly runs the golden tests in a build without
// assembly. Without vector instructions, TestGoldenHashes runs the same code.
func TestGoldenHashesWithoutAssembly(t *testing.T) {
	require.Long(t, "the standard library compiled again")
	portable.Golden(t, []portable.Build{
		{[]string{"GOARCH=amd64", "GOFLAGS=-tags=purego"}, library(), []portable.Runner{
			{Name: "amd64-purego"},
		}},
	})
}
