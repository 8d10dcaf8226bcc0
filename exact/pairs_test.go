package exact

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	rounds(rng, 900, func(name string, x []float64) {
		y := distributions[rng.IntN(len(distributions))].draw(rng, len(x))
		switch rng.IntN(4) {
		case 0: // on a line, or nearly so
			for i := range y {
				y[i] = 3 - 2*x[i]
			}
		case 1:
			for i := range y {
				y[i] = x[i]
			}
		}
		for _, v := range y {
			if v-v != 0 {
				return
			}
		}
		var c Pairs
		if len(x)%2 == 0 {
			c.AddSlice(x, y)
		} else {
			for i, v := range x {
				c.Add(v, y[i])
			}
		}
		holdPairs(t, name, x, y, &c)
		x32, y32 := single(x), single(y)
		for i := range x32 {
			if x32[i]-x32[i] != 0 || y32[i]-y32[i] != 0 {
				return // beyond float32
			}
		}
		c.Reset()
		c.AddSlice32(x32, y32)
		holdPairs(t, name, x32, y32, &c)
	})
}

func holdPairs[T Float](t *testing.T, name string, x, y []T, c *Pairs) {
	t.Helper()
	xs, sx := integers(x)
	ys, sy := integers(y)
	count := int64(len(x))
	n, n1, n2 := big.NewInt(count), big.NewInt(count-1), big.NewInt(count-2)
	w := ones(len(x))
	// n²·Σ (x − µ)², …
	xx, xy, yy := deviations(w, xs, xs, 1, 1), deviations(w, xs, ys, 1, 1),
		deviations(w, ys, ys, 1, 1)
	list := func(z ...*big.Int) []*big.Int { return z }
	const e = 2 * smallest
	r2 := rational(0, list(xy, xy), list(xx, yy))
	slope := rational(0, list(xy), list(xx))
	var intercept, residual *big.Rat
	if slope != nil {
		intercept = rational(smallest, list(sx), list(n))
		intercept.Mul(intercept, slope).Sub(rational(smallest, list(sy), list(n)), intercept)
		sum := new(big.Rat)
		for i := range xs { // Σ (y − α − β·x)² by its definition
			d := rational(smallest, list(xs[i]), nil)
			d.Mul(d, slope).Add(d, intercept).Sub(rational(smallest, list(ys[i]), nil), d)
			sum.Add(sum, d.Mul(d, d))
		}
		if count > 2 {
			residual = sum.Quo(sum, new(big.Rat).SetInt(n2))
		}
	}
	for what, ok := range map[string]bool{
		"Count": c.Count() == count,
		"MeanX": isRounded(c.MeanX(), rational(smallest, list(sx), list(n))) ||
			sx.Sign() == 0,
		"MeanY": isRounded(c.MeanY(), rational(smallest, list(sy), list(n))) ||
			sy.Sign() == 0,
		"VarianceX":      isRounded(c.VarianceX(), rational(e, list(xx), list(n, n, n1))),
		"VarianceY":      isRounded(c.VarianceY(), rational(e, list(yy), list(n, n, n1))),
		"Covariance":     isRounded(c.Covariance(), rational(e, list(xy), list(n, n, n1))),
		"PopCovariance":  isRounded(c.PopCovariance(), rational(e, list(xy), list(n, n, n))),
		"Correlation":    isRoot(c.Correlation(), xy.Sign(), r2),
		"RSquared":       isRounded(c.RSquared(), r2),
		"Slope":          isRounded(c.Slope(), slope),
		"Intercept":      isRounded(c.Intercept(), intercept),
		"ResidualStdDev": isRoot(c.ResidualStdDev(), 1, residual),
	} {
		if !ok {
			t.Errorf(
				"%s: %s of %v and %v is wrong: %v",
				name,
				what,
				x,
				y,
				[...]float64{c.MeanX(), c.MeanY(), c.VarianceX(),
					c.VarianceY(), c.Covariance(), c.PopCovariance(), c.Correlation(), c.RSquared(),
					c.Slope(), c.Intercept(), c.ResidualStdDev()},
			)
		}
	}
}
