package kernel

import "testing"

// TestPlain adds small integers, whose sum is exact in any order.
func TestPlain(t *testing.T) {
	x, y := make([]float64, 1000), make([]float64, 1000)
	var sum, dot float64
	for n := range x {
		for _, l := range Levels() {
			if !l.HasPlain() {
				continue
			}
			if got := l.PlainSum(x[:n]); got != sum {
				t.Errorf("%v: PlainSum of %d: %v, want %v", l, n, got, sum)
			}
			if got := l.PlainDot(x[:n], y); got != dot {
				t.Errorf("%v: PlainDot of %d: %v, want %v", l, n, got, dot)
			}
		}
		x[n], y[n] = float64(n%17-5), float64(n%13)
		sum += x[n]
		dot += float64(x[n] * y[n])
	}
}
