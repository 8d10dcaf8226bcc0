package exact

import (
	"bytes"
	"fmt"
	"math"
	"testing"
)

func FuzzUnmarshalMoments(f *testing.F) {
	for _, x := range [][]float64{nil, {1}, {-1, 1e300}, {math.NaN(), math.Inf(-1)},
		{0x1p-1074, 5}} {
		var m Moments
		m.AddSlice(x)
		b, _ := m.MarshalBinary()
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var m Moments
		if holdTaken(t, &m, b) {
			holdGroupLaws(t, &m)
			_ = fmt.Sprint(m.Mean(), m.Variance(), m.StdDev(), m.Skew(), m.PopSkew(),
				m.ExKurtosis(), m.PopExKurtosis())
		}
	})
}

func FuzzUnmarshalPairs(f *testing.F) {
	for _, x := range [][]float64{nil, {1}, {-1, 1e300}, {math.NaN(), math.Inf(-1)},
		{0x1p-1074, 5}} {
		var c Pairs
		c.AddSlice(x, x)
		b, _ := c.MarshalBinary()
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var c Pairs
		if holdTaken(t, &c, b) {
			holdGroupLaws(t, &c)
			_ = fmt.Sprint(c.MeanX(), c.VarianceY(), c.Correlation(), c.RSquared(), c.Slope(),
				c.Intercept(), c.ResidualStdDev())
		}
	})
}

func FuzzUnmarshalExtrema(f *testing.F) {
	for _, x := range [][]float64{nil, {1}, {-1, 1e300}, {math.NaN(), math.Inf(-1)},
		{0x1p-1074, 5}} {
		var e Extrema
		e.AddSlice(x)
		b, _ := e.MarshalBinary()
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var e Extrema
		if holdTaken(t, &e, b) && e.Min() > e.Max() {
			t.Errorf("% x: from %v to %v", b, e.Min(), e.Max())
		}
	})
}

// holdTaken reports whether b is a state, which then has to be written as b.
func holdTaken[S any, P mergeable[S]](t *testing.T, s P, b []byte) bool {
	if s.UnmarshalBinary(b) != nil {
		return false
	}
	if again, _ := s.MarshalBinary(); !bytes.Equal(again, b) {
		t.Fatalf("% x is taken, but its state is written % x", b, again)
	}
	return true
}

// holdGroupLaws holds a + a − a = a.
func holdGroupLaws[S any, P group[S]](t *testing.T, s P) {
	c := P(new(S))
	*c = *s
	c.Merge(s)
	c.Sub(s)
	if c.Digest() != s.Digest() {
		t.Fatalf("a + a − a is not a: %v", s)
	}
}
