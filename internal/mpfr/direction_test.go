package mpfr

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
)

// TestEveryDirection holds the directions that follow from one evaluation
// against an evaluation for each, which MPFR itself rounds, to as many bits as
// a subnormal result has.
func TestEveryDirection(t *testing.T) {
	l, err := Open()
	if err != nil {
		require.Missing(t, err.Error())
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name   string
		lo, hi float64
	}{
		{"exp", -760, 715}, {"exp", -745.2, -708}, {"gamma", -186, 172}, {"sin", -1e6, 1e6},
		{"log", 0, 3}, {"cbrt", -9, 9}, {"erfc", -7, 28},
	} {
		u, err := l.Unary(c.name)
		if err != nil {
			t.Fatal(err)
		}
		for range 500 {
			x := c.lo + float64(rng.Float64()*(c.hi-c.lo))
			if rng.IntN(8) == 0 {
				x = math.Round(x) // some results are exact then
			}
			got := u.EveryDirection(x, fp.Binary64)
			d, ok := u.Digits(x)
			precision := min(53, int64(d.Exp)+1074)
			if !ok || precision < 1 {
				continue
			}
			for m, rnd := range map[fp.Mode]int32{fp.NearestEven: 0, fp.TowardZero: towardZero,
				fp.Up: 2, fp.Down: 3, fp.ToOdd: towardZero} {
				var limb uint64
				z := number{prec: precision, sign: 1, d: &limb}
				ternary := u.call(&z, &u.x, rnd)
				want := z.float(rnd)
				if m == fp.ToOdd && ternary != 0 {
					want = math.Float64frombits(math.Float64bits(want) | 1)
				}
				if math.Float64bits(got[m]) != math.Float64bits(want) {
					t.Fatalf("%s(%x) %v = %x, want %x", c.name, x, m, got[m], want)
				}
			}
		}
	}
}

// float returns n, which has at most 53 bits, and was rounded as rnd has it.
func (n *number) float(rnd int32) float64 {
	v := math.Ldexp(float64(*n.d>>11), int(n.exp)-53)
	if inward := rnd == towardZero || rnd == 2 && n.sign < 0 || rnd == 3 && n.sign > 0; inward {
		v = min(v, math.MaxFloat64)
	}
	return math.Copysign(v, float64(n.sign))
}
