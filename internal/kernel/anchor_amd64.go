//go:build !purego

package kernel

import (
	"unsafe"

	"github.com/lastbit/lastbit/internal/cpu"
)

//go:generate sh -c "cd ../_asm && go run ./anchor -out ../kernel/anchor_avx_amd64.s -stubs ../kernel/anchor_avx_amd64.go -pkg kernel"

// HasPlainAVX512 reports whether PlainSumAVX512 and PlainDotAVX512 run here.
func HasPlainAVX512() bool { return cpu.AVX512 }

// HasPlainAVX2 reports whether PlainSumAVX2 and PlainDotAVX2 run here.
func HasPlainAVX2() bool { return cpu.AVX2 }

// PlainSumAVX512 returns the sum of x in some order, as fast as AVX-512 can:
// what other sums are measured against.
func PlainSumAVX512(x []float64) float64 { return plainSumAVX512(unsafe.SliceData(x), len(x)) }

// PlainSumAVX2 is PlainSumAVX512 with AVX2.
func PlainSumAVX2(x []float64) float64 { return plainSumAVX2(unsafe.SliceData(x), len(x)) }

// PlainDotAVX512 returns the dot product of x and y, which is as long, in some order and by fused
// multiply-adds.
func PlainDotAVX512(x, y []float64) float64 {
	return plainDotAVX512(unsafe.SliceData(x), unsafe.SliceData(y[:len(x)]), len(x))
}

// PlainDotAVX2 is PlainDotAVX512 with AVX2.
func PlainDotAVX2(x, y []float64) float64 {
	return plainDotAVX2(unsafe.SliceData(x), unsafe.SliceData(y[:len(x)]), len(x))
}
