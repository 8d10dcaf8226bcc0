//go:build !purego

package f32

import "github.com/lastbit/lastbit/internal/cpu"

// fused reports whether this processor has fused operations. The functions for
// single calls read it.
//
//lint:ignore U1000 assembly reads it
var fused = cpu.AVX2

// gathers reports whether the kernels of AVX-512 load words of tables by one
// instruction for eight.
//
//lint:ignore U1000 assembly reads it
var gathers = cpu.Gathers

// vectors returns the kernels of each instruction set that this processor has,
// the fastest last.
func vectors() []vectorSet {
	var all []vectorSet
	if cpu.AVX2 {
		all = append(all, kernelsAVX2())
	}
	if cpu.AVX512 {
		all = append(all, kernelsAVX512())
	}
	return all
}
