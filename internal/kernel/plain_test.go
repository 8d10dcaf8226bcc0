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

// TestPlainPairs compares the operations on two slices with loops.
func TestPlainPairs(t *testing.T) {
	for _, l := range Levels() {
		if l.HasPlain() {
			t.Run(l.String(), func(t *testing.T) {
				testPlainPairs[float64](t, l)
				testPlainPairs[float32](t, l)
			})
		}
	}
}

func testPlainPairs[T float32 | float64](t *testing.T, l Level) {
	for _, n := range []int{0, 16, 48} {
		x, y, sum, product := make([]T, n), make([]T, n), make([]T, n), make([]T, n)
		for i := range x {
			x[i], y[i] = T(i)/7, T(i%5)-2
		}
		PlainAdd(l, sum, x, y)
		PlainMul(l, product, x, y)
		for i := range x {
			if sum[i] != x[i]+y[i] || product[i] != T(x[i]*y[i]) {
				t.Errorf("element %d of %d: %v and %v", i, n, sum[i], product[i])
			}
		}
	}
}
