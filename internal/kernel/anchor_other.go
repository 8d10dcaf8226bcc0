//go:build purego || !amd64

package kernel

// HasPlainAVX512 reports whether PlainSumAVX512 and PlainDotAVX512 run here.
func HasPlainAVX512() bool { return false }

// HasPlainAVX2 reports whether PlainSumAVX2 and PlainDotAVX2 run here.
func HasPlainAVX2() bool { return false }

const noAnchor = "kernel: an anchor that HasPlainAVX512 or HasPlainAVX2 says is not here"

// PlainSumAVX512 is for amd64.
func PlainSumAVX512([]float64) float64 { panic(noAnchor) }

// PlainSumAVX2 is for amd64.
func PlainSumAVX2([]float64) float64 { panic(noAnchor) }

// PlainDotAVX512 is for amd64.
func PlainDotAVX512(_, _ []float64) float64 { panic(noAnchor) }

// PlainDotAVX2 is for amd64.
func PlainDotAVX2(_, _ []float64) float64 { panic(noAnchor) }
