package exact

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/lastbit/lastbit/internal/require"
)

// integers returns finite numbers as multiples of 2^smallest, and their sum.
func integers[T Float](x []T) (all []*big.Int, sum *big.Int) {
	sum = new(big.Int)
	for _, v := range x {
		f := new(big.Float).SetPrec(53).SetFloat64(float64(v))
		z, accuracy := f.SetMantExp(f, -smallest).Int(nil)
		if accuracy != big.Exact {
			panic("a number is not a multiple of the smallest")
		}
		all = append(all, z)
		sum.Add(sum, z)
	}
	return all, sum
}

// deviations returns Σ w·(k·x − Σ)^p·(k·y − Τ)^q, where Σ = Σ w·x, Τ = Σ w·y
// and k = Σ w. These are the formulas of central moments, in integers.
func deviations(w, x, y []*big.Int, p, q int64) *big.Int {
	k, sx, sy := new(big.Int), new(big.Int), new(big.Int)
	for i := range x {
		k.Add(k, w[i])
		sx.Add(sx, new(big.Int).Mul(w[i], x[i]))
		sy.Add(sy, new(big.Int).Mul(w[i], y[i]))
	}
	z := new(big.Int)
	for i := range x {
		dx, dy := new(big.Int).Mul(k, x[i]), new(big.Int).Mul(k, y[i])
		dx.Exp(dx.Sub(dx, sx), big.NewInt(p), nil)
		dy.Exp(dy.Sub(dy, sy), big.NewInt(q), nil)
		z.Add(z, dx.Mul(dx, dy).Mul(dx, w[i]))
	}
	return z
}

// ones is n weights of 1.
func ones(n int) []*big.Int {
	w := make([]*big.Int, n)
	for i := range w {
		w[i] = big.NewInt(1)
	}
	return w
}

// rational returns Π num / Π den · 2^e, or nil where den is zero.
func rational(e int, num, den []*big.Int) *big.Rat {
	a, b := big.NewInt(1), big.NewInt(1)
	for _, f := range num {
		a.Mul(a, f)
	}
	for _, f := range den {
		b.Mul(b, f)
	}
	if b.Sign() == 0 {
		return nil
	}
	if e > 0 {
		a.Lsh(a, uint(e))
	} else {
		b.Lsh(b, uint(-e))
	}
	return new(big.Rat).SetFrac(a, b)
}

// isRounded reports whether got is r rounded by package big; nil is NaN.
func isRounded[T Float](got T, r *big.Rat) bool {
	if r == nil {
		return got != got
	}
	switch v := any(got).(type) {
	case float32:
		want, _ := r.Float32()
		return same32(v, want)
	default:
		want, _ := r.Float64()
		return same(float64(got), want)
	}
}

// isRoot reports whether got is √r rounded to nearest, ties to even, with the
// sign of sign: whether r is between the squares of the midpoints around got.
func isRoot[T Float](got T, sign int, r *big.Rat) bool {
	switch {
	case r == nil || r.Sign() < 0:
		return got != got
	case r.Sign() == 0:
		return got == 0
	case float64(got) != math.Copysign(float64(got), float64(sign)):
		return false
	}
	g := T(math.Abs(float64(got)))
	var even bool
	var above, below T
	end := new(big.Rat) // takes the place of +Inf
	switch v := any(g).(type) {
	case float32:
		even = math.Float32bits(v)&1 == 0
		above, below = T(math.Nextafter32(v, float32(math.Inf(1)))), T(math.Nextafter32(v, -1))
		end.SetFloat64(0x1p128)
	default:
		even = math.Float64bits(float64(g))&1 == 0
		above, below = T(math.Nextafter(float64(g), math.Inf(1))), T(math.Nextafter(float64(g), -1))
		end.SetInt(new(big.Int).Lsh(big.NewInt(1), 1024))
	}
	value := func(v T) *big.Rat {
		if math.IsInf(float64(v), 1) {
			return end
		}
		return new(big.Rat).SetFloat64(float64(v))
	}
	compare := func(to T) int {
		mid := new(big.Rat).Add(value(g), value(to))
		mid.Quo(mid, big.NewRat(2, 1))
		return r.Cmp(mid.Mul(mid, mid))
	}
	up, down := compare(above), compare(below)
	return (g == above || up < 0 || up == 0 && even) && (g == 0 || down > 0 || down == 0 && even)
}

// rounds draws small arrays of every distribution, with the numbers that lead
// to special cases, and seldom large ones.
func rounds(rng *rand.Rand, n int, f func(name string, x []float64)) {
	for i := range n {
		d := distributions[i%len(distributions)]
		size := rng.IntN(12)
		if i%50 == 7 {
			size = 200 + rng.IntN(300)
		}
		x := d.draw(rng, size)
		if i%7 == 3 { // all equal
			for j := range x {
				x[j] = x[0]
			}
		}
		f(d.name, x)
	}
}

func TestMeanVariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rounds(rng, 1500, func(name string, x []float64) {
		holdMean(t, name, x)
		holdMean(t, name, single(x))
	})
	for _, d := range distributions[:12] { // through every path of a stream
		holdMean(t, d.name, d.draw(rng, 40_000))
	}
}

func holdMean[T Float](t *testing.T, name string, x []T) {
	t.Helper()
	for _, v := range x {
		if v-v != 0 {
			return // beyond float32
		}
	}
	all, sum := integers(x)
	n := big.NewInt(int64(len(x)))
	mean := Mean(x, nil)
	switch want := rational(smallest, []*big.Int{sum}, []*big.Int{n}); {
	case sum.Sign() == 0 && len(x) > 0:
		if !same(float64(mean), float64(Sum(x))) {
			t.Errorf("%s: the mean of %v is %v", name, x, mean)
		}
	case !isRounded(mean, want):
		t.Errorf("%s: the mean of %v is %x", name, x, mean)
	}
	variance := rational(2*smallest, []*big.Int{deviations(ones(len(x)), all, all, 1, 1)},
		[]*big.Int{n, n, new(big.Int).Sub(n, big.NewInt(1))})
	if got := Variance(x, nil); !isRounded(got, variance) {
		t.Errorf("%s: the variance of %v is %x", name, x, got)
	}
	if got := StdDev(x, nil); !isRoot(got, 1, variance) {
		t.Errorf("%s: the standard deviation of %v is %x", name, x, got)
	}
}

func TestWeighted(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	rounds(rng, 1500, func(name string, x []float64) {
		w := distributions[rng.IntN(len(distributions))].draw(rng, len(x))
		if rng.IntN(2) == 0 {
			for i := range w {
				w[i] = float64(rng.IntN(5))
			}
		}
		holdWeighted(t, name, x, w)
		holdWeighted(t, name, single(x), single(w))
	})
}

func holdWeighted[T Float](t *testing.T, name string, x, w []T) {
	t.Helper()
	for i := range x {
		if x[i]-x[i] != 0 || w[i]-w[i] != 0 {
			return // beyond float32
		}
	}
	xs, _ := integers(x)
	ws, total := integers(w)
	sum := new(big.Int)
	for i := range xs {
		sum.Add(sum, new(big.Int).Mul(xs[i], ws[i]))
	}
	mean := Mean(x, w)
	switch want := rational(smallest, []*big.Int{sum}, []*big.Int{total}); {
	case total.Sign() == 0 && sum.Sign() != 0:
		if !math.IsInf(float64(mean), 0) {
			t.Errorf("%s: the mean of %v weighted by %v is %v", name, x, w, mean)
		}
	case sum.Sign() == 0 && want != nil:
		if mean != 0 {
			t.Errorf("%s: the mean of %v weighted by %v is %v", name, x, w, mean)
		}
	case !isRounded(mean, want):
		t.Errorf("%s: the mean of %v weighted by %v is %x", name, x, w, mean)
	}
	// Σ w·(W·x − Σwx)² / W²·(W − 1), with W and w in units
	rest := new(big.Int).Sub(total, new(big.Int).Lsh(big.NewInt(1), -smallest))
	d := deviations(ws, xs, xs, 1, 1)
	if rest.Sign() == 0 && d.Sign() != 0 {
		if !math.IsInf(float64(Variance(x, w)), 0) {
			t.Errorf("%s: the variance of %v weighted by %v is finite", name, x, w)
		}
		return
	}
	variance := rational(2*smallest, []*big.Int{d}, []*big.Int{total, total, rest})
	if got := Variance(x, w); !isRounded(got, variance) {
		t.Errorf("%s: the variance of %v weighted by %v is %x", name, x, w, got)
	}
	if got := StdDev(x, w); !isRoot(got, 1, variance) {
		t.Errorf("%s: the standard deviation of %v weighted by %v is %x", name, x, w, got)
	}
}

func TestMeanVarianceTable(t *testing.T) {
	inf, nan, minus := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	const most = math.MaxFloat64
	for _, c := range []struct {
		x, w                   []float64
		mean, variance, stdDev float64
	}{
		{nil, nil, nan, nan, nan},
		{[]float64{}, []float64{}, nan, nan, nan},
		{[]float64{3}, nil, 3, nan, nan},
		{[]float64{3}, []float64{1}, 3, nan, nan},
		{[]float64{3}, []float64{2}, 3, 0, 0},
		{[]float64{1, 2}, nil, 1.5, .5, math.Sqrt(.5)},
		{[]float64{1, 2}, []float64{.5, .5}, 1.5, inf, inf},
		{[]float64{1, 2}, []float64{.25, .25}, 1.5, -.25, nan},
		{[]float64{1, 2}, []float64{1, -1}, -inf, nan, nan},
		{[]float64{1, 1}, []float64{1, -1}, nan, nan, nan},
		{[]float64{1, 1}, []float64{0, 0}, nan, nan, nan},
		{[]float64{minus, minus}, nil, minus, 0, 0},
		{[]float64{minus, 0}, nil, 0, 0, 0},
		{[]float64{1, -1}, nil, 0, 2, math.Sqrt2},
		{[]float64{0, 0}, []float64{-1, -1}, 0, 0, 0},
		{[]float64{1, -1}, []float64{-1, -1}, minus, 4. / 6, math.Sqrt(4. / 6)},
		{[]float64{most, most, -most}, nil, most / 3, inf, inf},
		{[]float64{most, most}, nil, most, 0, 0},
		{[]float64{most, most}, []float64{most, most}, most, 0, 0},
		{[]float64{0x1p600, -0x1p600}, nil, 0, inf, 0x1p600 * math.Sqrt2},
		{[]float64{0x1p-1074, 0}, nil, 0, 0, 0x1p-1074},
		{[]float64{0x1p-1074, 0x1p-1074, 0}, nil, 0x1p-1074, 0, 0x1p-1074},
		{[]float64{1e300, 1, -1e300}, nil, 1. / 3, inf, 1e300},
		{[]float64{1, inf}, nil, inf, nan, nan},
		{[]float64{1, -inf}, nil, -inf, nan, nan},
		{[]float64{inf, -inf}, nil, nan, nan, nan},
		{[]float64{1, nan}, nil, nan, nan, nan},
		{[]float64{1, inf}, []float64{1, 0}, nan, nan, nan},
		{[]float64{1, inf}, []float64{1, -1}, -inf, nan, nan},
		{[]float64{1, inf}, []float64{1, -3}, inf, nan, nan},
		{[]float64{1, 2}, []float64{1, inf}, nan, nan, nan},
		{[]float64{1, 2}, []float64{1, nan}, nan, nan, nan},
		{[]float64{minus, minus}, []float64{1, 1}, minus, 0, 0},
	} {
		if got := Mean(c.x, c.w); !same(got, c.mean) {
			t.Errorf("the mean of %v, weights %v, is %v, not %v", c.x, c.w, got, c.mean)
		}
		if got := Variance(c.x, c.w); !same(got, c.variance) {
			t.Errorf("the variance of %v, weights %v, is %v, not %v", c.x, c.w, got, c.variance)
		}
		if got := StdDev(c.x, c.w); !same(got, c.stdDev) {
			t.Errorf("the standard deviation of %v, weights %v, is %v, not %v", c.x, c.w, got,
				c.stdDev)
		}
	}
	for _, f := range []func(x, w []float64) float64{Mean[float64], Variance[float64],
		StdDev[float64]} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("slices of different lengths are taken")
				}
			}()
			f([]float64{1, 2}, []float64{1})
		}()
	}
}

// TestMeanOfStates divides differences of states, and sums of products.
func TestMeanOfStates(t *testing.T) {
	var a, b Accumulator
	a.AddSlice([]float64{1, 5})
	b.AddSlice([]float64{1, 2, 4, -0x1p-1074})
	a.Sub(&b)
	if got := a.Mean(); got != .5 { // (6 − 7 + 2^-1074) / −2
		t.Errorf("−1/−2 is %v", got)
	}
	a.Reset()
	a.AddProduct(0x1p-1074, -0x1p-1074)
	a.Add(0)
	if got := a.Mean(); !same(got, math.Copysign(0, -1)) {
		t.Errorf("−2^-2148/2 is %v", got)
	}
	a.AddSlice([]float64{3, 3})
	if got := a.Mean32(); got != 1.5 {
		t.Errorf("the mean of two zeros and two threes is %v", got)
	}
	b.Reset()
	b.AddSlice([]float64{0, 0, 0, 0})
	a.Sub(&b)
	if got := a.Mean(); !math.IsInf(got, 1) {
		t.Errorf("6/0 is %v", got)
	}
	a.Reset()
	a.AddInt64(math.MaxInt64)
	a.AddInt64(math.MinInt64)
	a.AddInt64(0)
	if a.Float64() != -1 || a.Count() != 3 || a.Mean() != -1./3 {
		t.Errorf("the sum of integers is %v, of %d", a.Float64(), a.Count())
	}
}

func TestInt64(t *testing.T) {
	for _, c := range []struct {
		integers []int64
		x        []float64
		want     int64
		ok       bool
	}{
		{nil, nil, 0, true},
		{[]int64{math.MaxInt64, math.MaxInt64, -math.MaxInt64}, nil, math.MaxInt64, true},
		{[]int64{math.MaxInt64, 1}, nil, 0, false},
		{[]int64{math.MinInt64, -1, 1}, nil, math.MinInt64, true},
		{[]int64{math.MinInt64, -1}, nil, 0, false},
		{[]int64{1<<53 + 1}, []float64{.5, .5, -0x1p53}, 2, true},
		{[]int64{1<<53 + 1}, []float64{0x1p-1074}, 0, false},
		{nil, []float64{-2.5}, 0, false},
		{nil, []float64{math.Copysign(0, -1)}, 0, true},
		{nil, []float64{math.Inf(1)}, 0, false},
		{nil, []float64{math.NaN()}, 0, false},
	} {
		var a Accumulator
		for _, v := range c.integers {
			a.AddInt64(v)
		}
		a.AddSlice(c.x)
		if got, ok := a.Int64(); ok != c.ok || ok && got != c.want {
			t.Errorf("%v and %v: %v, %v", c.integers, c.x, got, ok)
		}
	}
}

func TestMeanAllocates(t *testing.T) {
	if require.Race {
		return // pools forget
	}
	rng := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{10, 1000, 100_000, minParallel} {
		for _, d := range []distribution{distributions[0], distributions[10]} {
			x := d.draw(rng, n)
			y := single(x)
			f := func() { Mean(x, nil); Mean(y, nil) }
			f() // so that pools have something
			if got := testing.AllocsPerRun(5, f); got != 0 {
				t.Errorf("%s, n = %d: %v allocations", d.name, n, got)
			}
		}
	}
}

// TestAsGonum holds the formulas against gonum's, for numbers that cancel
// little. The tolerance covers gonum's own rounding and is too small for any
// other formula.
func TestAsGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for n := range 30 {
		x, y, w := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i], w[i] = rng.ExpFloat64()+1, rng.NormFloat64(), float64(1+rng.IntN(4))
			y[i] += x[i]
		}
		var m Moments
		m.AddSlice(x)
		var c Pairs
		c.AddSlice(x, y)
		alpha, beta := math.NaN(), math.NaN()
		if n > 1 {
			alpha, beta = stat.LinearRegression(x, y, nil, false)
		}
		for name, v := range map[string][2]float64{
			"Mean":                {Mean(x, nil), stat.Mean(x, nil)},
			"weighted Mean":       {Mean(x, w), stat.Mean(x, w)},
			"Variance":            {Variance(x, nil), stat.Variance(x, nil)},
			"weighted Variance":   {Variance(x, w), stat.Variance(x, w)},
			"StdDev":              {StdDev(x, w), stat.StdDev(x, w)},
			"Moments.Mean":        {m.Mean(), stat.Mean(x, nil)},
			"Moments.Variance":    {m.Variance(), stat.Variance(x, nil)},
			"Moments.PopVariance": {m.PopVariance(), stat.PopVariance(x, nil)},
			"Moments.StdDev":      {m.StdDev(), stat.StdDev(x, nil)},
			"Moments.PopStdDev":   {m.PopStdDev(), stat.PopStdDev(x, nil)},
			"Moments.Skew":        {m.Skew(), stat.Skew(x, nil)},
			"Moments.ExKurtosis":  {m.ExKurtosis(), stat.ExKurtosis(x, nil)},
			"MeanX":               {c.MeanX(), stat.Mean(x, nil)},
			"MeanY":               {c.MeanY(), stat.Mean(y, nil)},
			"VarianceX":           {c.VarianceX(), stat.Variance(x, nil)},
			"VarianceY":           {c.VarianceY(), stat.Variance(y, nil)},
			"Covariance":          {c.Covariance(), stat.Covariance(x, y, nil)},
			"Correlation":         {c.Correlation(), stat.Correlation(x, y, nil)},
			"Slope":               {c.Slope(), beta},
			"Intercept":           {c.Intercept(), alpha},
			"RSquared":            {c.RSquared(), stat.RSquared(x, y, nil, alpha, beta)},
		} {
			got, want := v[0], v[1]
			if n < 3 && name == "Moments.Skew" || n < 4 && name == "Moments.ExKurtosis" {
				want = math.NaN() // gonum divides by zero, or goes on
			}
			if math.Abs(got-want) > 1e-11*(1+math.Abs(want)) || (got != got) != (want != want) {
				t.Errorf("n = %d: %s is %v, and gonum's %v", n, name, got, want)
			}
		}
	}
}

func FuzzStatistics(f *testing.F) {
	f.Add([]byte("12345678abcdefghABCDEFGH"))
	f.Add(binary.LittleEndian.AppendUint64([]byte("\x00\x00\x00\x00\x00\x00\xf0\x3f"),
		math.Float64bits(-0x1p-1074)))
	f.Fuzz(func(t *testing.T, b []byte) {
		var x []float64
		for ; len(b) >= 8 && len(x) < 100; b = b[8:] {
			if v := math.Float64frombits(binary.LittleEndian.Uint64(b)); v-v == 0 {
				x = append(x, v)
			}
		}
		y := append([]float64(nil), x...)
		slices.Reverse(y)
		holdMean(t, "fuzz", x)
		holdWeighted(t, "fuzz", x, y)
		var m Moments
		m.AddSlice(x)
		holdMoments(t, "fuzz", x, &m)
		var c Pairs
		c.AddSlice(x, y)
		holdPairs(t, "fuzz", x, y, &c)
	})
}
