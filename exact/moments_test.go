package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

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
	n, n1, n2, n3 := big.NewInt(count), big.NewInt(count-1), big.NewInt(count-2),
		big.NewInt(count-3)
	w := ones(len(x))
	// d[k] = n^k Σ (x − µ)^k = n^(k+1)·m[k]
	d2, d3, d4 := deviations(w, all, all, 1, 1), deviations(w, all, all, 2, 1),
		deviations(w, all, all, 2, 2)
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
		"Count": m.Count() == count,
		"Mean": isRounded(m.Mean(), rational(smallest, list(sum), list(n))) ||
			sum.Sign() == 0,
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
			t.Errorf(
				"%s: %s of %v is wrong: %v",
				name,
				what,
				x,
				[...]float64{m.Mean(), m.Variance(), m.StdDev(),
					m.PopVariance(), m.PopStdDev(), m.Skew(), m.PopSkew(), m.ExKurtosis(),
					m.PopExKurtosis()},
			)
		}
	}
	for _, v := range []float64{m.Variance(), m.PopVariance(), m.StdDev(), m.PopStdDev(), m.Skew(),
		m.PopSkew(), m.PopExKurtosis()} {
		if v == 0 && math.Signbit(v) {
			t.Errorf("%s: a moment of %v is −0", name, x)
		}
	}
}

// TestManyPowers adds more than digits hold without carries, on one core and on
// more.
func TestManyPowers(t *testing.T) {
	var p powers
	p.added = maxAdds - 5
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
		x := d.draw(rng, 4*minPowersShare+5)
		if i == 0 {
			// Significands whose squares' halves end in almost 64 ones, so that
			// a fourth power has a carry that one in 2^22 has.
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
