package exact

import (
	"bytes"
	"fmt"
	"math"
	"testing"
)

// addStates adds the states of a few slices to the corpus.
func addStates[S any, P mergeable[S]](f *testing.F, add func(s P, x []float64)) {
	for _, x := range [][]float64{nil, {1}, {-1, 1e300}, {math.NaN(), math.Inf(-1)},
		{0x1p-1074, 5}} {
		s := P(new(S))
		add(s, x)
		b, _ := s.MarshalBinary()
		f.Add(b)
	}
}

func FuzzUnmarshalMoments(f *testing.F) {
	addStates(f, func(m *Moments, x []float64) { m.AddSlice(x) })
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
	addStates(f, func(c *Pairs, x []float64) { c.AddSlice(x, x) })
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
	addStates(f, func(e *Extrema, x []float64) { e.AddSlice(x) })
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
