package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func oracle(x []float64) float64 {
	s := new(big.Float).SetPrec(4400)
	var c counts
	for _, v := range x {
		c.all++
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			c.special(v)
		case v == 0:
			c.zero(math.Signbit(v))
		default:
			s.Add(s, new(big.Float).SetFloat64(v))
		}
	}
	if v, ok := c.value(); ok {
		return v
	}
	if s.Sign() == 0 {
		return c.zeroSum()
	}
	f, _ := s.Float64()
	return f
}

func TestQuick(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		n := rng.IntN(300)
		if i%100 == 0 {
			n = rng.IntN(60000)
		}
		spread := []int{0, 5, 20, 40, 80, 300, 1000}[rng.IntN(7)]
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Ldexp(rng.Float64()*2-1, rng.IntN(2*spread+1)-spread)
			if i%2 == 1 && rng.IntN(2) == 0 {
				x[i] = -x[rng.IntN(i)]
			}
			if rng.IntN(10) == 0 {
				x[i] = math.Copysign(0, rng.Float64()-.5)
			}
		}
		got, want := Sum(x), oracle(x)
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("n=%d spread=%d: %x want %x", n, spread, got, want)
		}
		var a Accumulator
		for _, v := range x {
			a.Add(v)
		}
		if got := a.Float64(); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("acc: n=%d spread=%d: %x want %x", n, spread, got, want)
		}
	}
}
