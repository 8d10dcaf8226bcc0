package kernel

import "testing"

// TestPlain adds small integers, whose sum is exact in any order.
func TestPlain(t *testing.T) {
	x, y := make([]float64, 1000), make([]float64, 1000)
	var sum, dot float64
	check := func(name string, n int, got, want float64) {
		if got != want {
			t.Errorf("%s of %d: %v, want %v", name, n, got, want)
		}
	}
	for n := range x {
		if HasPlainAVX512() {
			check("PlainSumAVX512", n, PlainSumAVX512(x[:n]), sum)
			check("PlainDotAVX512", n, PlainDotAVX512(x[:n], y), dot)
		}
		if HasPlainAVX2() {
			check("PlainSumAVX2", n, PlainSumAVX2(x[:n]), sum)
			check("PlainDotAVX2", n, PlainDotAVX2(x[:n], y), dot)
		}
		x[n], y[n] = float64(n%17-5), float64(n%13)
		sum += x[n]
		dot += float64(x[n] * y[n])
	}
}
