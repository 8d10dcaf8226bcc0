package exact

import (
	"crypto/sha256"
	"math/rand/v2"
	"testing"
)

// TestGoldenStatistics hashes statistics and states over every distribution:
// every processor has to give these bits. The numbers are drawn as TestGolden's
// are.
func TestGoldenStatistics(t *testing.T) {
	const want = "6bf8fc2df1c6e883769a9e45b54c6daab648b05ac06e5b6486280b8cbd5ec40c"
	rng := rand.New(rand.NewPCG(21, 22))
	h := bitsHash{sha256.New()}
	for i := range 120 {
		n := rng.IntN(40)
		if i%20 == 0 {
			n = rng.IntN(5000)
		}
		x, y := scattered(rng, n), scattered(rng, n)
		x32, y32 := single(x), single(y)
		h.put(Mean(x, nil), Mean(x, y), Variance(x, nil), Variance(x, y), StdDev(x, nil),
			StdDev(x, y))
		h.put(float64(Mean(x32, nil)), float64(Mean(x32, y32)), float64(Variance(x32, nil)),
			float64(StdDev(x32, y32)))
		var m Moments
		m.AddSlice(x)
		m.AddSlice32(y32)
		h.put(m.Mean(), m.Variance(), m.StdDev(), m.PopVariance(), m.PopStdDev(), m.Skew(),
			m.PopSkew(), m.ExKurtosis(), m.PopExKurtosis())
		var c Pairs
		c.AddSlice(x, y)
		c.AddSlice32(x32, y32)
		h.put(c.MeanX(), c.MeanY(), c.VarianceX(), c.VarianceY(), c.Covariance(), c.PopCovariance())
		h.put(c.Correlation(), c.RSquared(), c.Slope(), c.Intercept(), c.ResidualStdDev())
		var e Extrema
		e.AddSlice(x)
		h.put(e.Min(), e.Max())
		h.putDigest(m.Digest())
		h.putDigest(c.Digest())
		h.putDigest(e.Digest())
		h.putLimbs(c.AppendLimbs(m.AppendLimbs(nil)))
	}
	h.hold(t, want)
}
