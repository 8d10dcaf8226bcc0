package perturb

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// startMode sets the package up with a mode, for one site.
func startMode(t *testing.T, h Header) {
	t.Helper()
	start(t, 1)
	h.Sites, h.Perturb, h.Seed = 1, 1, 1
	setMode(&h)
	t.Cleanup(func() { setMode(&Header{}) })
}

// quotients are operations, and their results with more bits than a float64.
func quotients(rng *rand.Rand) (a, b float64, do func() float64, exact *big.Float) {
	a, b = 1+rng.Float64(), -1-rng.Float64()
	x, y := new(big.Float).SetPrec(200).SetFloat64(a), new(big.Float).SetFloat64(b)
	switch rng.IntN(4) {
	case 0:
		return a, b, func() float64 { return Add(a, b, 0) }, x.Add(x, y)
	case 1:
		return a, b, func() float64 { return Mul(a, b, 0) }, x.Mul(x, y)
	case 2:
		return a, 0, func() float64 { return Sqrt(a, 0) }, x.Sqrt(x)
	}
	return a, b, func() float64 { return Div(a, b, 0) }, x.Quo(x, y)
}

// TestStochastic rounds results up or down in proportion to nearness: the mean
// of their distances from the exact results is 0, and the farther neighbour is
// chosen as often as its distance asks for: 1/4 of random results.
func TestStochastic(t *testing.T) {
	startMode(t, Header{Mode: Stochastic})
	rng := rand.New(rand.NewPCG(1, 2))
	sum, inexact, far := 0.0, 0, 0
	for range 40_000 {
		_, _, do, exact := quotients(rng)
		r := do()
		if exact.Cmp(new(big.Float).SetFloat64(r)) == 0 {
			continue
		}
		if !between(exact, r) {
			t.Fatalf("%g is not a neighbour of %g", r, exact)
		}
		inexact++
		d, _ := new(big.Float).Sub(exact, new(big.Float).SetFloat64(r)).Float64()
		unit := math.Ldexp(1, exponentOf(r)-53)
		sum += d / unit
		if math.Abs(d) > unit/2 {
			far++
		}
	}
	n := float64(inexact)
	// A distance has a standard deviation of √(1/6) units; the bound is six of
	// the mean. The share of the farther neighbour has one of at most 1/2.
	if mean := sum / n; math.Abs(mean) > 6*math.Sqrt(1.0/6/n) {
		t.Errorf("the mean distance of %d results is %g units", inexact, mean)
	}
	if share := float64(far) / n; math.Abs(share-0.25) > 3/math.Sqrt(n) {
		t.Errorf("%g of the results are the farther neighbour", share)
	}
}

func exponentOf(x float64) int { _, e := math.Frexp(x); return e }

// TestShortFormat compares results in short formats with package big.
func TestShortFormat(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, bits := range []uint{2, 11, 24, 52, 53} {
		startMode(t, Header{Mode: ShortFormat, Precision: uint64(bits), Exponent: 11})
		for range 3000 {
			a, b, do, exact := quotients(rng)
			want, _ := new(big.Float).SetPrec(bits).SetMode(big.ToNearestEven).Set(exact).Float64()
			if r := do(); r != want {
				t.Fatalf("%d bits: of %g and %g, %g, not %g", bits, a, b, r, want)
			}
		}
	}
	startMode(t, Header{Mode: ShortFormat, Precision: 11, Exponent: 5})
	for _, c := range []struct{ a, b, want float64 }{
		{65504, 8, 65504}, // beyond the largest number of binary16, to nearest
		{65504, 16, math.Inf(1)},
		{0x1p-14, -0x1p-25, 0x1p-14}, // a tie, to even
		{0x1p-24, 0x1p-26, 0x1p-24},  // subnormal
		{0x1p-26, 0, 0},
		{-65504, -100, math.Inf(-1)},
		{1, 0x1.4p-11, 1 + 0x1p-10},
	} {
		if r := Add(c.a, c.b, 0); r != c.want {
			t.Errorf("%g + %g is %g, not %g", c.a, c.b, r, c.want)
		}
	}
}

// TestMonteCarlo has noise of the virtual precision on every operand and result
// that has more bits, and on no other.
func TestMonteCarlo(t *testing.T) {
	startMode(t, Header{Mode: MonteCarlo, Precision: 20})
	rng := rand.New(rand.NewPCG(5, 6))
	largest := 0.0
	for range 5000 {
		a, b := 1+rng.Float64(), 1+rng.Float64()
		// Half a unit of each operand, 2^-20 for numbers between 1 and 2, and
		// half a unit of the sum, at most 2^-19.
		d := math.Abs(Add(a, b, 0) - (a + b))
		if d > 2*0x1p-20+0x1p-19 {
			t.Fatalf("%g + %g is off by %g", a, b, d)
		}
		largest = max(largest, d)
		m, n := math.Trunc(a*512), math.Trunc(b*512)
		if r := Mul(m, n, 0); r != m*n {
			t.Fatalf("%g·%g is %g", m, n, r)
		}
	}
	if largest < 0x1p-20 {
		t.Errorf("the largest error is %g", largest)
	}
}

// TestShare perturbs a part of the operations, and each as without a share.
func TestShare(t *testing.T) {
	const n = 40_000
	moved := func(share float64) (count int) {
		rng := rand.New(rand.NewPCG(7, 8))
		startMode(t, Header{Share: uint64(share * 0x1p64)})
		for range n {
			a, b := rng.Float64(), rng.Float64()
			if Mul(a, b, 0) != a*b {
				count++
			}
		}
		return count
	}
	// Half of all operations move; the bounds are six standard deviations.
	for _, share := range []float64{0.01, 0.3} {
		p := share / 2
		if got := float64(moved(share)) / n; math.Abs(got-p) > 6*math.Sqrt(p*(1-p)/n) {
			t.Errorf("a share of %g: %g of the operations moved", share, got)
		}
	}
}

// TestJolt moves results by a part of their size, sums by one of their
// operands, and turns comparisons of near operands round.
func TestJolt(t *testing.T) {
	start(t, 1)
	header.Perturb, keys = 0, make([]uint64, 1)
	t.Cleanup(func() { jolts = nil })
	jolts = []uint8{11} // 2^-10
	if d := math.Abs(Mul(3.0, 5, 0)-15) / 15; d < 0x1p-11 || d > 0x1p-10 {
		t.Errorf("a product is off by %g", d)
	}
	if d := math.Abs(Sub(1.0, 0.75, 0) - 0.25); d < 0x1p-11 || d > 0x1p-10 {
		t.Errorf("a sum is off by %g", d)
	}
	turned := 0
	for range 100 {
		if Less(1.0, 1.0005, 0) {
			turned++
		}
		if !Less(1.0, 1.01, 0) {
			t.Fatal("a comparison of numbers far apart is turned round")
		}
	}
	if turned < 20 || turned > 80 {
		t.Errorf("%d of 100 comparisons are as they were", turned)
	}
}

// TestUnderflowEnds divides until nothing is left: the smallest number over 10
// is 0, whatever the seed is.
func TestUnderflowEnds(t *testing.T) {
	for seed := range uint64(20) {
		start(t, seed)
		x, n := 1e10, 0
		for ; x > 0 && n < 1000; n++ {
			x = Div(x, 10, 0)
		}
		if x > 0 {
			t.Errorf("seed %d: %g is left after %d divisions", seed, x, n)
		}
	}
}
