package exact

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// A mergeable is what every state is.
type mergeable[S any] interface {
	*S
	Merge(*S)
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
	Digest() [sha256.Size]byte
	Count() int64
	Reset()
}

// A group is a state that can be taken away, and travel as a vector.
type group[S any] interface {
	mergeable[S]
	Sub(*S)
	AppendLimbs([]int64) []int64
	AddLimbs([]int64) error
}

func TestMoments(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rounds(rng, 900, func(name string, x []float64) {
		var m Moments
		if len(x)%2 == 0 {
			m.AddSlice(x)
		} else {
			for _, v := range x {
				m.Add(v)
			}
		}
		holdMoments(t, name, x, &m)
		y := single(x)
		for _, v := range y {
			if v-v != 0 {
				return // beyond float32
			}
		}
		m.Reset()
		m.AddSlice32(y)
		holdMoments(t, name, y, &m)
	})
}

func holdMoments[T Float](t *testing.T, name string, x []T, m *Moments) {
	t.Helper()
	all, sum := integers(x)
	count := int64(len(x))
	n, n1, n2, n3 := big.NewInt(count), big.NewInt(count-1), big.NewInt(count-2), big.NewInt(count-3)
	w := ones(len(x))
	// d[k] = n^k Σ (x − µ)^k = n^(k+1)·m[k]
	d2, d3, d4 := deviations(w, all, all, 1, 1), deviations(w, all, all, 2, 1), deviations(w, all, all, 2, 2)
	list := func(z ...*big.Int) []*big.Int { return z }
	pop := rational(2*smallest, list(d2), list(n, n, n))
	sample := rational(2*smallest, list(d2), list(n, n, n1))
	// (m₃/m₂^(3/2))² = n·d₃²/d₂³ and m₄/m₂² = n·d₄/d₂²
	g1 := rational(0, list(n, d3, d3), list(d2, d2, d2))
	G1, g2, G2 := g1, rational(0, list(n, d4), list(d2, d2)), (*big.Rat)(nil)
	if g1 != nil {
		G1 = rational(0, list(g1.Num(), n, n1), list(g1.Denom(), n2, n2))
		g2.Sub(g2, big.NewRat(3, 1))
		if count > 3 {
			G2 = new(big.Rat).Mul(g2, big.NewRat(count+1, 1))
			G2.Add(G2, big.NewRat(6, 1)).Mul(G2, new(big.Rat).SetFrac(n1, new(big.Int).Mul(n2, n3)))
		}
	}
	for what, ok := range map[string]bool{
		"Count":         m.Count() == count,
		"Mean":          isRounded(m.Mean(), rational(smallest, list(sum), list(n))) || sum.Sign() == 0,
		"Variance":      isRounded(m.Variance(), sample),
		"StdDev":        isRoot(m.StdDev(), 1, sample),
		"PopVariance":   isRounded(m.PopVariance(), pop),
		"PopStdDev":     isRoot(m.PopStdDev(), 1, pop),
		"Skew":          isRoot(m.Skew(), d3.Sign(), G1),
		"PopSkew":       isRoot(m.PopSkew(), d3.Sign(), g1),
		"ExKurtosis":    isRounded(m.ExKurtosis(), G2),
		"PopExKurtosis": isRounded(m.PopExKurtosis(), g2),
	} {
		if !ok {
			t.Errorf("%s: %s of %v is wrong: %v", name, what, x, [...]float64{m.Mean(), m.Variance(), m.StdDev(),
				m.PopVariance(), m.PopStdDev(), m.Skew(), m.PopSkew(), m.ExKurtosis(), m.PopExKurtosis()})
		}
	}
	for _, v := range []float64{m.Variance(), m.PopVariance(), m.StdDev(), m.PopStdDev(), m.Skew(), m.PopSkew(), m.PopExKurtosis()} {
		if v == 0 && math.Signbit(v) {
			t.Errorf("%s: a moment of %v is −0", name, x)
		}
	}
}

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
	xx, xy, yy := deviations(w, xs, xs, 1, 1), deviations(w, xs, ys, 1, 1), deviations(w, ys, ys, 1, 1)
	list := func(z ...*big.Int) []*big.Int { return z }
	const e = 2 * smallest
	r2 := rational(0, list(xy, xy), list(xx, yy))
	slope := rational(0, list(xy), list(xx))
	var intercept, residual *big.Rat
	if slope != nil {
		intercept = rational(smallest, list(sx), list(n))
		intercept.Mul(intercept, slope).Sub(rational(smallest, list(sy), list(n)), intercept)
		sum := new(big.Rat)
		for i := range xs { // Σ (y − α − β·x)² as it is defined
			d := rational(smallest, list(xs[i]), nil)
			d.Mul(d, slope).Add(d, intercept).Sub(rational(smallest, list(ys[i]), nil), d)
			sum.Add(sum, d.Mul(d, d))
		}
		if count > 2 {
			residual = sum.Quo(sum, new(big.Rat).SetInt(n2))
		}
	}
	for what, ok := range map[string]bool{
		"Count":          c.Count() == count,
		"MeanX":          isRounded(c.MeanX(), rational(smallest, list(sx), list(n))) || sx.Sign() == 0,
		"MeanY":          isRounded(c.MeanY(), rational(smallest, list(sy), list(n))) || sy.Sign() == 0,
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
			t.Errorf("%s: %s of %v and %v is wrong: %v", name, what, x, y, [...]float64{c.MeanX(), c.MeanY(), c.VarianceX(),
				c.VarianceY(), c.Covariance(), c.PopCovariance(), c.Correlation(), c.RSquared(), c.Slope(), c.Intercept(), c.ResidualStdDev()})
		}
	}
}

func TestExtrema(t *testing.T) {
	nan, inf, minus := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	for _, c := range []struct {
		x        []float64
		min, max float64
	}{
		{nil, nan, nan},
		{[]float64{1}, 1, 1},
		{[]float64{0, minus}, minus, 0},
		{[]float64{minus, 0}, minus, 0},
		{[]float64{minus}, minus, minus},
		{[]float64{0}, 0, 0},
		{[]float64{-1, -2}, -2, -1},
		{[]float64{5, inf, -inf}, -inf, inf},
		{[]float64{inf}, inf, inf},
		{[]float64{0x1p-1074, minus, -0x1p-1074}, -0x1p-1074, 0x1p-1074},
		{[]float64{math.MaxFloat64, -math.MaxFloat64}, -math.MaxFloat64, math.MaxFloat64},
		{[]float64{nan}, nan, nan},
		{[]float64{1, math.Copysign(nan, -1), 2}, nan, nan},
		{[]float64{math.Float64frombits(0x7ff0000000000001), -inf}, nan, nan},
		{[]float64{math.Float64frombits(0xfff0000000000001), -inf}, nan, nan},
	} {
		for cut := range len(c.x) + 1 {
			var a, b, one Extrema
			a.AddSlice(c.x[:cut])
			for _, v := range c.x {
				one.Add(v)
			}
			if y := single(c.x[cut:]); c.max != math.MaxFloat64 && c.max != 0x1p-1074 {
				b.AddSlice32(y)
			} else { // none of float32
				b.AddSlice(c.x[cut:])
			}
			a.Merge(&b)
			if !same(a.Min(), c.min) || !same(a.Max(), c.max) || a.Count() != int64(len(c.x)) {
				t.Errorf("%v, cut at %d: %v to %v, %d numbers", c.x, cut, a.Min(), a.Max(), a.Count())
			}
			if a.Digest() != one.Digest() {
				t.Errorf("%v: two digests", c.x)
			}
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	rounds(rng, 200, func(name string, x []float64) {
		var e Extrema
		e.AddSlice(x)
		for i, v := range x {
			if v < e.Min() || v > e.Max() {
				t.Errorf("%s: x[%d] = %v is not between %v and %v", name, i, v, e.Min(), e.Max())
			}
		}
	})
}

// TestStatisticsOfSpecials adds what is not finite, and zeros.
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
			if c1.MeanY() != Mean(y, nil) || c1.VarianceY() != Variance(y, nil) || c2.MeanX() != Mean(y, nil) {
				t.Errorf("%v makes the statistics of the other side others", x)
			}
			for _, v := range []float64{
				m.Variance(), m.StdDev(), m.PopVariance(), m.PopStdDev(), m.Skew(), m.PopSkew(), m.ExKurtosis(), m.PopExKurtosis(),
				c1.VarianceX(), c1.Covariance(), c1.PopCovariance(), c1.Correlation(), c1.RSquared(), c1.Slope(), c1.Intercept(), c1.ResidualStdDev(),
				c2.VarianceY(), c2.Covariance(), c2.PopCovariance(), c2.Correlation(), c2.RSquared(), c2.Slope(), c2.Intercept(), c2.ResidualStdDev(),
			} {
				if v == v {
					t.Errorf("%v: %v is no NaN", x, v)
				}
			}
		}
	}
	var m Moments
	m.AddSlice([]float64{math.Copysign(0, -1), math.Copysign(0, -1)})
	if got := m.Mean(); !same(got, math.Copysign(0, -1)) {
		t.Errorf("the mean of −0 is %v", got)
	}
	// What was not there is taken away: Σx² − (Σx)²/n is −6 − 0²/3.
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

// TestStatesShuffledSplitMerged adds the same numbers in other orders, in parts and as
// trees.
func TestStatesShuffledSplitMerged(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for i, d := range distributions {
		x := d.draw(rng, 700)
		y := distributions[(i+3)%len(distributions)].draw(rng, 700)
		if i%3 == 0 {
			x[5], y[77] = math.Inf(1), math.NaN()
		}
		add := func(m *Moments, i, j int) { m.AddSlice(x[i:j]) }
		addPairs := func(c *Pairs, i, j int) { c.AddSlice(x[i:j], y[i:j]) }
		shuffle := func() {
			rng.Shuffle(len(x), func(i, j int) { x[i], x[j], y[i], y[j] = x[j], x[i], y[j], y[i] })
		}
		holdMerges(t, rng, d.name, len(x), shuffle, add)
		holdMerges(t, rng, d.name, len(x), shuffle, addPairs)
		holdMergeOnly(t, rng, d.name, len(x), shuffle, func(e *Extrema, i, j int) { e.AddSlice(x[i:j]) })
		holdGroup(t, d.name, len(x), add)
		holdGroup(t, d.name, len(x), addPairs)
	}
}

// holdMerges merges n summands in random trees.
func holdMerges[S any, P group[S]](t *testing.T, rng *rand.Rand, name string, n int, shuffle func(), add func(s P, i, j int)) {
	t.Helper()
	holdMergeOnly(t, rng, name, n, shuffle, add, func(to, from P) {
		sum := to.AppendLimbs(nil)
		for i, v := range from.AppendLimbs(nil) {
			sum[i] += v
		}
		to.Reset()
		if err := to.AddLimbs(sum); err != nil {
			panic(err)
		}
	})
}

func holdMergeOnly[S any, P mergeable[S]](t *testing.T, rng *rand.Rand, name string, n int, shuffle func(), add func(s P, i, j int), more ...func(to, from P)) {
	t.Helper()
	merges := append(more, func(to, from P) { to.Merge(from) }, func(to, from P) {
		b, _ := to.MarshalBinary()
		c := P(new(S))
		if err := c.UnmarshalBinary(b); err != nil {
			panic(err)
		}
		c.Merge(from)
		*to = *c
	})
	whole := P(new(S))
	add(whole, 0, n)
	for range 20 {
		shuffle()
		a := tree(rng, 0, n, add, merges)
		if a.Digest() != whole.Digest() || a.Count() != int64(n) {
			t.Fatalf("%s: the same multiset has two digests as %T", name, a)
		}
	}
}

// tree adds the summands i to j in two parts, each of them so too.
func tree[S any, P mergeable[S]](rng *rand.Rand, i, j int, add func(s P, i, j int), merges []func(to, from P)) P {
	if a := P(new(S)); j-i < 2 || rng.IntN(6) == 0 {
		add(a, i, j)
		return a
	}
	cut := i + rng.IntN(j-i+1)
	a, b := tree(rng, i, cut, add, merges), tree(rng, cut, j, add, merges)
	if rng.IntN(2) == 0 {
		a, b = b, a
	}
	merges[rng.IntN(len(merges))](a, b)
	return a
}

// holdGroup takes away a part of n summands, and all.
func holdGroup[S any, P group[S]](t *testing.T, name string, n int, add func(s P, i, j int)) {
	t.Helper()
	a, left, right := P(new(S)), P(new(S)), P(new(S))
	add(a, 0, n)
	add(left, 0, n/3)
	add(right, n/3, n)
	if a.Sub(left); a.Digest() != right.Digest() {
		t.Errorf("%s: %T without a part is not the rest", name, a)
	}
	less := P(new(S)) // fewer than none, there and back
	less.Sub(right)
	b, _ := less.MarshalBinary()
	back := P(new(S))
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := a.AddLimbs(back.AppendLimbs(nil)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if a.Count() != 0 || a.Digest() != P(new(S)).Digest() {
		t.Errorf("%s: %T less all of it is not empty", name, a)
	}
}

// TestManyPowers adds more than digits hold without carries, on one core and on more.
func TestManyPowers(t *testing.T) {
	var p powers
	p.added = mostAdded - 5
	for i := range p.cube[:len(p.cube)-1] {
		p.cube[i] = 1<<61 - 1<<33
	}
	for i := range p.fourth[:len(p.fourth)-1] {
		p.fourth[i] = 1<<61 - 1<<33
	}
	q := p.carried()
	for range 10 {
		p.add(math.MaxFloat64)
		q.add(math.MaxFloat64)
	}
	if p.carried() != q.carried() || p.added > 10 {
		t.Errorf("after %d additions the sum is another", p.added)
	}
	rng := rand.New(rand.NewPCG(9, 10))
	for i, d := range distributions {
		x := d.draw(rng, 4*powersShare+5)
		if i == 0 {
			// Significands whose squares' halves end in almost 64 ones, so that a fourth power
			// has a carry that one in 2^22 has.
			for i, m := range []float64{0x1d5ef813149018, 0x1dce6ad4906c2a, 0x1cdb4efbfd8e78} {
				x[i] = m
			}
			p := new(powers)
			p.add(x[0])
			want := new(big.Int).Exp(big.NewInt(int64(x[0])), big.NewInt(4), nil)
			if got := integer(p.fourth[:]); got.Rsh(got, -4*smallest).Cmp(want) != 0 {
				t.Errorf("%x⁴ is %v, want %v", x[0], got, want)
			}
		}
		var whole, parts powers
		addPowers(&whole, x)
		for _, v := range x {
			parts.add(v)
		}
		if whole.carried() != parts.carried() {
			t.Errorf("%s: the powers of a slice are not those of its elements", d.name)
		}
	}
}

func TestHostileStates(t *testing.T) {
	var m Moments
	m.AddSlice([]float64{1, 0x1p100, math.NaN()})
	var c Pairs
	c.AddSlice([]float64{1, 0x1p-1074, math.NaN()}, []float64{-1, 3, math.Inf(1)})
	var e Extrema
	e.AddSlice([]float64{1, 2, math.NaN()})
	holdHostile(t, &m, map[string]string{
		"lbxa\x01": "kind",
		"lbxm\x02": "version",
		// Σx = 2^-2148
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x01\x00\x01\x01\x00\x00\x00" + "\x00\x00\x00": "out of range",
		// Σx³ with a digit too many
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00" + "\x01\xc8\x01\x01\x01\x00\x00\x00" + "\x00":                 "out of range",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00" + "\x01\xc7\x01\x02\x01\x00\x00\x00\x01\x00\x00\x00" + "\x00": "out of range",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00" + "\x01\xc7\x01\x01\x00\x00\x00\x40" + "\x00":                 "out of range",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00\x00" + "\x03\x00\x01\x01\x00\x00\x00":                          "out of range",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00\x00" + "\x01\x00\x01\x00\x00\x00\x00":                          "shortest",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00\x00" + "\x01\x00\x02\x00\x00\x00\x00\x01\x00\x00\x00":          "shortest",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00\x00" + "\x01\x00\x00":                                          "out of range",
		"lbxm\x01" + "\x02\x00\x00\x00\x00" + "\x00\x00\x00" + "\x01\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01":      "out of range",
		"lbxm\x01" + "\x82\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00":                                                   "shortest",
	})
	holdHostile(t, &c, map[string]string{
		"lbxm\x01": "kind",
		// Σy = 2^-2148
		"lbxc\x01" + "\x02\x00\x00\x00\x00\x00\x00\x00\x00" + "\x00" + "\x01\x00\x01\x01\x00\x00\x00" + "\x00\x00\x00": "out of range",
	})
	ends := func(a, b uint64) string {
		return string(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, a), b))
	}
	const one, two, inf = 0x3ff << 52, 0x400 << 52, 0x7ff << 52
	holdHostile(t, &e, map[string]string{
		"lbxc\x01":                                             "kind",
		"lbxe\x01\x04\x00" + ends(two, one):                    "ends",
		"lbxe\x01\x04\x00" + ends(0, 1<<63):                    "ends",
		"lbxe\x01\x04\x00" + ends(one, inf+1):                  "ends",
		"lbxe\x01\x04\x00" + ends(1<<63|inf|1, one):            "ends",
		"lbxe\x01\x02\x00" + ends(one, two):                    "ends",
		"lbxe\x01\x00\x00" + ends(one, two):                    "follows",
		"lbxe\x01\x04\x01" + ends(one, two):                    "count",
		"lbxe\x01\x03\x00":                                     "count",
		"lbxe\x01\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02": "count",
	})
	for _, v := range [][]int64{nil, make([]int64, Limbs), make([]int64, PairsLimbs)} {
		if m.AddLimbs(v) == nil {
			t.Errorf("a vector of %d is taken", len(v))
		}
	}
	holdDigits[Moments](t, MomentsLimbs, 5)
	holdDigits[Pairs](t, PairsLimbs, pairsCounts)
}

// holdHostile refuses the beginnings of a state, its bytes with one more, and others.
func holdHostile[S any, P mergeable[S]](t *testing.T, s P, bad map[string]string) {
	t.Helper()
	good, _ := s.MarshalBinary()
	digest := s.Digest()
	bad[string(good)+"\x00"] = "follows"
	for n := range good {
		bad[string(good[:n])] = ""
	}
	for b, want := range bad {
		err := s.UnmarshalBinary([]byte(b))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "exact: ") {
			t.Errorf("%T, % x: %v, want something with %q", s, b, err, want)
		}
	}
	if s.Digest() != digest {
		t.Errorf("an error changed the %T", s)
	}
}

// holdDigits refuses vectors with one element that no sum has.
func holdDigits[S any, P group[S]](t *testing.T, n, counts int) {
	t.Helper()
	s := P(new(S))
	for i := counts; i < n; i++ {
		for _, d := range []int64{math.MinInt64, math.MaxInt64} {
			v := make([]int64, n)
			v[i] = d
			if s.AddLimbs(v) == nil {
				t.Errorf("%T: element %d may be %d", s, i, d)
			}
		}
	}
	v := make([]int64, n)
	v[counts] = 1 // Σx is no multiple of 2^-1074
	if s.AddLimbs(v) == nil {
		t.Errorf("%T: Σx may be 2^-2148", s)
	}
	if s.Digest() != P(new(S)).Digest() {
		t.Errorf("an error changed the %T", s)
	}
}

func FuzzUnmarshalMoments(f *testing.F) {
	for _, x := range [][]float64{nil, {1}, {-1, 1e300}, {math.NaN(), math.Inf(-1)}, {0x1p-1074, 5}} {
		var m Moments
		m.AddSlice(x)
		b, _ := m.MarshalBinary()
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var m Moments
		if holdTaken(t, &m, b) {
			holdGroupLaws(t, &m)
			_ = fmt.Sprint(m.Mean(), m.Variance(), m.StdDev(), m.Skew(), m.PopSkew(), m.ExKurtosis(), m.PopExKurtosis())
		}
	})
}

func FuzzUnmarshalPairs(f *testing.F) {
	for _, x := range [][]float64{nil, {1}, {-1, 1e300}, {math.NaN(), math.Inf(-1)}, {0x1p-1074, 5}} {
		var c Pairs
		c.AddSlice(x, x)
		b, _ := c.MarshalBinary()
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var c Pairs
		if holdTaken(t, &c, b) {
			holdGroupLaws(t, &c)
			_ = fmt.Sprint(c.MeanX(), c.VarianceY(), c.Correlation(), c.RSquared(), c.Slope(), c.Intercept(), c.ResidualStdDev())
		}
	})
}

func FuzzUnmarshalExtrema(f *testing.F) {
	for _, x := range [][]float64{nil, {1}, {-1, 1e300}, {math.NaN(), math.Inf(-1)}, {0x1p-1074, 5}} {
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

// TestGoldenStatistics hashes statistics and states over every distribution: every
// processor has to give these bits. The numbers are drawn as TestGolden's are.
func TestGoldenStatistics(t *testing.T) {
	const want = "6bf8fc2df1c6e883769a9e45b54c6daab648b05ac06e5b6486280b8cbd5ec40c"
	rng := rand.New(rand.NewPCG(21, 22))
	h := sha256.New()
	put := func(values ...float64) {
		for _, v := range values {
			if v != v {
				v = math.NaN()
			}
			h.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	for i := range 120 {
		n := rng.IntN(40)
		if i%20 == 0 {
			n = rng.IntN(5000)
		}
		x, y := scattered(rng, n), scattered(rng, n)
		x32, y32 := single(x), single(y)
		put(Mean(x, nil), Mean(x, y), Variance(x, nil), Variance(x, y), StdDev(x, nil), StdDev(x, y))
		put(float64(Mean(x32, nil)), float64(Mean(x32, y32)), float64(Variance(x32, nil)), float64(StdDev(x32, y32)))
		var m Moments
		m.AddSlice(x)
		m.AddSlice32(y32)
		put(m.Mean(), m.Variance(), m.StdDev(), m.PopVariance(), m.PopStdDev(), m.Skew(), m.PopSkew(), m.ExKurtosis(), m.PopExKurtosis())
		var c Pairs
		c.AddSlice(x, y)
		c.AddSlice32(x32, y32)
		put(c.MeanX(), c.MeanY(), c.VarianceX(), c.VarianceY(), c.Covariance(), c.PopCovariance())
		put(c.Correlation(), c.RSquared(), c.Slope(), c.Intercept(), c.ResidualStdDev())
		var e Extrema
		e.AddSlice(x)
		put(e.Min(), e.Max())
		for _, d := range [][sha256.Size]byte{m.Digest(), c.Digest(), e.Digest()} {
			h.Write(d[:])
		}
		for _, v := range c.AppendLimbs(m.AppendLimbs(nil)) {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(v)))
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}
