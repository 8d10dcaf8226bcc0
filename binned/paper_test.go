package binned

import (
	"math"
	"math/big"
	"testing"
)

// The papers' algorithms as printed do not always keep the papers' promises.
// These tests show where, so that nobody takes the corrections back.

// TestAlgorithm4AsPrinted has M_i leave its binade with the j of the slides,
// 1 − 2nu: thirteen values whose sum rounded down is 2^22 and 2 units.
func TestAlgorithm4AsPrinted(t *testing.T) {
	x := make([]float32, 13)
	for i := range x {
		x[i] = -322638.25
	}
	y := append([]float32(nil), x...)
	x[0], y[12] = -322638, -322638
	o := oracleOf[float32](t)
	if a, b := o.algorithm4(bigs(x), 1, 2), o.algorithm4(bigs(y), 1, 2); a.Cmp(b) == 0 {
		t.Errorf("as printed, both orders give %v: the example is wrong", a)
	}
	a, _ := Algorithm4(x, 1)
	b, _ := Algorithm4(y, 1)
	if bitsOf(a) != bitsOf(b) {
		t.Errorf("two orders give %v and %v", a, b)
	}
}

// TestSingleSweepAsPrinted takes powers of two for extractors.
func TestSingleSweepAsPrinted(t *testing.T) {
	x, y := []float32{0x1.276f2ap+19, 0x1p+23}, []float32{0x1p+23, 0x1.276f2ap+19}
	o := oracleOf[float32](t)
	if a, b := o.singleSweep(bigs(x), 2, 1), o.singleSweep(bigs(y), 2, 1); a.Cmp(b) == 0 {
		t.Errorf("as printed, both orders give %v: the example is wrong", a)
	}
	a, _ := SingleSweep(x, 2)
	b, _ := SingleSweep(y, 2)
	if bitsOf(a) != bitsOf(b) {
		t.Errorf("two orders give %v and %v", a, b)
	}
}

// errorOf returns |s − Σ x_i|, rounded down.
func errorOf(x []float64, s float64) float64 {
	d := new(big.Float).SetPrec(2300).Sub(exactSum(x), big.NewFloat(s))
	f, _ := d.Abs(d).SetMode(big.ToZero).SetPrec(53).Float64()
	return f
}

// TestEveryTree goes through all triples of values at and beside halfway points
// of two levels, in every order and every tree.
func TestEveryTree(t *testing.T) {
	var values []float32
	for _, e := range []int{0, 1, 20, 21, 22, 42} { // a level is 21 bits for n = 3
		for _, m := range []float32{1, 1.5, 2 - 0x1p-23} {
			values = append(values, ldexp(m, e), -ldexp(m, e))
		}
	}
	window := func(k int, x ...float32) *Window[float32] {
		w, _ := NewSingleSweep[float32](3, k)
		w.AddSlice(x)
		w.flush()
		return w
	}
	for _, a := range values {
		for _, b := range values {
			for _, c := range values {
				for k := 1; k <= 2; k++ {
					s, _ := SingleSweep([]float32{a, b, c}, k)
					ab, bc := window(k, a), window(k, b)
					ab.MergeLevels(bc)
					bc.MergeLevels(window(k, c)) // (b c)
					left, right := ab, window(k, a)
					left.MergeLevels(window(k, c)) // ((a b) c)
					right.MergeLevels(bc)          // (a (b c))
					l, _ := left.Sum()
					r, _ := right.Sum()
					if bitsOf(l) != bitsOf(s) || bitsOf(r) != bitsOf(s) {
						t.Fatalf("%x, %x, %x, k = %d: %x, %x, %x", a, b, c, k, s, l, r)
					}
				}
			}
		}
	}
}

func TestBoundsAsPrinted(t *testing.T) {
	const u = 0x1p-53
	const n = 1024
	filled := func(first, rest float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rest
		}
		x[0] = first
		return x
	}

	// Theorem 4: every remainder is nearly ulp(M), and 2^j nearly 2n·max.
	x := filled(1.0625, -0x1p-200)
	s, _ := Algorithm4(x, 1)
	if e, b := errorOf(x, s), 4/(1-2*n*u)*n*n*u*1.0625; e <= b ||
		e > BoundAlgorithm4(n, 1, 1.0625, s) {
		t.Errorf("Algorithm 4: error %g, printed bound %g, bound %g", e, b,
			BoundAlgorithm4(n, 1, 1.0625, s))
	}

	// (2): every remainder is nearly u·M.
	const m = 2 * n
	x = filled(1, 0.99*u*m)
	s, _ = DoubleSweep(x, 1)
	printed := float64(2*u*s) + 8*n/(1-8*n*u)*u*u*m + 2./3*n*u*m
	if e := errorOf(x, s); e <= printed || e > BoundDoubleSweep(n, 1, 1, s) {
		t.Errorf("double sweep: error %g, printed bound %g, bound %g", e, printed,
			BoundDoubleSweep(n, 1, 1, s))
	}

	// k-fold forms: the sum of the folds is rounded.
	x = []float64{1, 0x1p-60}
	s, _ = Algorithm3(x, 2)
	if e, b := errorOf(x, s), 16*8*u*u; e <= b || e > BoundAlgorithm3(2, 2, 1, s) {
		t.Errorf("Algorithm 3, k = 2: error %g, printed bound %g, bound %g", e, b,
			BoundAlgorithm3(2, 2, 1, s))
	}
}

// TestTheorem2 holds that BoundAlgorithm3 is the published number.
func TestTheorem2(t *testing.T) {
	for _, n := range []int64{1, 2, 1000, 1 << 29} {
		want := new(big.Rat).SetFrac64(4*n*n, 1<<53)
		want.Quo(want, new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFrac64(2*n, 1<<53)))
		got := new(big.Rat).SetFloat64(BoundAlgorithm3(n, 1, 1.0, 0))
		if got.Cmp(want) < 0 || new(big.Rat).Quo(got,
			want).Cmp(new(big.Rat).SetFloat64(1+0x1p-49)) > 0 {
			t.Errorf("n = %d: %v, published is %v", n, got, want)
		}
	}
	if b := BoundAlgorithm3(5, 1, math.MaxFloat64, 0); b < 0x1p971 {
		t.Errorf("the bound of large values is %g", b)
	}
}

// TestExtractorExponent compares with rational arithmetic, near powers of two
// above all, where a rounded logarithm would fail.
func TestExtractorExponent(t *testing.T) {
	rng := newRand(t)
	o := oracleOf[float64](t)
	for range 3000 {
		n := 1 + rng.Int64N(MaxCount[float64]()>>rng.IntN(49))
		x := math.Ldexp(float64(int64(1)<<53-rng.Int64N(4)), rng.IntN(1990)-1040)
		if rng.IntN(2) == 0 {
			x = math.Ldexp(1/float64(n), rng.IntN(1900)-900)
		}
		for _, c := range []int64{2, 4} {
			if x == 0 || math.IsInf(x, 0) {
				continue
			}
			got, want := extractorExponent(n, x, c), o.ceilLog(n, big.NewFloat(x), c)
			if got != want {
				t.Fatalf("n = %d, x = %x, c = %d: %d, not %d", n, x, c, got, want)
			}
		}
	}
}
