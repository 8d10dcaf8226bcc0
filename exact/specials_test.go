package exact

import (
	"math"
	"testing"
)

// checkNaN checks that x has the bits of math.NaN(), whatever those that this
// processor computes are.
func checkNaN[T Result](t *testing.T, x T) {
	t.Helper()
	got, want := math.Float64bits(float64(x)), math.Float64bits(float64(T(math.NaN())))
	if got != want {
		t.Errorf("%v has the bits %#x and not %#x", x, got, want)
	}
}

// TestNaNWithoutValue computes statistics without a value.
func TestNaNWithoutValue(t *testing.T) {
	inf, zero := math.Inf(1), []float64{0, 0}
	var none, one, ones, pole Accumulator
	one.Add(1)
	ones.AddProduct(1, 1)
	pole.Add(inf)
	checkNaN(t, Mean[float64](nil, nil))
	checkNaN(t, Mean[float32](nil, nil))
	checkNaN(t, Mean(make([]float32, 2), make([]float32, 2)))
	checkNaN(t, Mean(zero, zero))
	checkNaN(t, Mean([]float64{inf, 1}, []float64{inf, 1}))
	checkNaN(t, none.Mean())
	checkNaN(t, MeanOf[float32](&none))
	checkNaN(t, MeanOf[Odd](&none))
	checkNaN(t, Variance([]float64{1}, nil))
	checkNaN(t, Variance([]float32{1, float32(inf)}, nil))
	checkNaN(t, StdDev([]float64{1}, nil))
	checkNaN(t, StdDev([]float32{1}, nil))
	checkNaN(t, VarianceOf[float64](&one, &ones, 1))
	checkNaN(t, VarianceOf[Odd](&pole, &pole, 0))
	checkNaN(t, StdDevOf[float32](&one, &ones, 1))
	checkNaN(t, StdDevOf[Odd](&pole, &pole, 0))
	var negative, low Accumulator
	negative.Add(-1)
	low.Add(-inf)
	checkNaN(t, SqrtOf[float64](&negative))
	checkNaN(t, SqrtOf[float32](&low))
}

// TestStatisticsOfSpecials adds NaN, infinities and zeros.
func TestStatisticsOfSpecials(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		x    []float64
		mean float64
	}{
		{[]float64{1, inf}, inf},
		{[]float64{1, -inf, 5, 6, 8}, -inf},
		{[]float64{1, inf, -inf, 3, 7}, nan},
		{[]float64{1, nan, 5, 5, 9}, nan},
	} {
		for rotate := range c.x {
			x := append(append([]float64(nil), c.x[rotate:]...), c.x[:rotate]...)
			y := []float64{1, 4, 9, 16, 25}[:len(x)]
			var m, n Moments
			m.AddSlice(x)
			for _, v := range x {
				n.Add(v)
			}
			if m.Digest() != n.Digest() {
				t.Errorf("%v: two digests", x)
			}
			var c1, c2 Pairs
			c1.AddSlice(x, y)
			for i, v := range x {
				c2.Add(y[i], v)
			}
			if !same(m.Mean(), c.mean) || !same(c1.MeanX(), c.mean) || !same(c2.MeanY(), c.mean) {
				t.Errorf("%v: the means are %v, %v and %v", x, m.Mean(), c1.MeanX(), c2.MeanY())
			}
			if c1.MeanY() != Mean(y, nil) || c1.VarianceY() != Variance(y, nil) ||
				c2.MeanX() != Mean(y, nil) {
				t.Errorf("%v makes the statistics of the other side others", x)
			}
			for _, v := range []float64{
				m.Variance(), m.StdDev(), m.PopVariance(), m.PopStdDev(), m.Skew(), m.PopSkew(),
				m.ExKurtosis(), m.PopExKurtosis(),
				c1.VarianceX(), c1.Covariance(), c1.PopCovariance(), c1.Correlation(),
				c1.RSquared(), c1.Slope(), c1.Intercept(), c1.ResidualStdDev(),
				c2.VarianceY(), c2.Covariance(), c2.PopCovariance(), c2.Correlation(),
				c2.RSquared(), c2.Slope(), c2.Intercept(), c2.ResidualStdDev(),
			} {
				checkNaN(t, v)
			}
		}
	}
	var m Moments
	m.AddSlice([]float64{math.Copysign(0, -1), math.Copysign(0, -1)})
	if got := m.Mean(); !same(got, math.Copysign(0, -1)) {
		t.Errorf("the mean of −0 is %v", got)
	}
	// Numbers that were not added are taken away: Σx² − (Σx)²/n is −6 − 0²/3.
	var b Moments
	b.AddSlice([]float64{3, 0})
	m.AddSlice([]float64{1, 1, 1})
	if m.Sub(&b); m.Count() != 3 || m.Variance() != -3 || m.StdDev() == m.StdDev() {
		t.Errorf("the variance of a difference is %v, its root %v", m.Variance(), m.StdDev())
	}
	defer func() {
		if recover() == nil {
			t.Error("slices of different lengths are taken")
		}
	}()
	new(Pairs).AddSlice([]float64{1}, nil)
}
