package wide_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/tables"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/crmath/internal/wide/widetest"
)

// zeros are numbers next to zeros of ln |Γ(x)|: 1, 2, and the first ones below
// -2.
var zeros = []float64{1 - 0x1p-53, 1 + 0x1p-52, 2 - 0x1p-52, 2 + 0x1p-51, -2.4570247382208006,
	-2.7476826467274127, -3.143580888349980, -3.955294284858598, -4.039361839740537,
	-4.991544640560048, -5.008218168440332, -6.0013852945, -17.000000000000004}

// TestSpecialKernels compares the kernels of error and gamma functions with
// MPFR, to all bits that they promise.
func TestSpecialKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	nearZeros := func(rng *rand.Rand) float64 {
		return args.Near(zeros[rng.IntN(len(zeros))])(rng)
	}
	for _, k := range []struct {
		name  string
		f     wide.Function
		kinds []args.Kind
	}{
		{"erf", wide.Erf, []args.Kind{args.Between(-6, 6), args.Magnitudes(-1000, 2)}},
		{"erfc", wide.Erfc, []args.Kind{args.Between(-6, 6), args.Between(0.4, 28),
			args.Magnitudes(-60, 4), args.Near(12.566370614359172)}},
		{"gamma", wide.Gamma, []args.Kind{args.Between(-180, 172), args.Between(-5, 5),
			args.Magnitudes(-100, 2)}},
		{"lgamma", wide.Lgamma, []args.Kind{args.Between(-200, 200), args.Between(-5, 5),
			args.Magnitudes(-100, 45), args.Positive(args.Magnitudes(40, 1000)), nearZeros}},
	} {
		value := oracle.UnaryValue(t, k.name)
		worst := -1 << 20
		for i := range 400 {
			x := k.kinds[i%len(k.kinds)](rng)
			if k.name == "erfc" && x < -6 || x == 0 || x == 1 || x == 2 {
				continue
			}
			for _, n := range []int{2, 3, wide.GammaLast} {
				var z wide.Float
				k.f.Set(&z, x, 0, n)
				want := value(x, uint(64*n+64))
				if want.IsInf() || want.Sign() == 0 {
					continue // an integer, or a result beyond MPFR's exponents
				}
				e := widetest.RelativeError(widetest.Big(&z, n+1), want)
				if e > -64*n-8 {
					t.Fatalf("%s(%x) to %d words: relative error 2^%d", k.name, x, n, e)
				}
				worst = max(worst, e+64*(n+1))
			}
		}
		t.Logf("%s: errors up to 2^%d units of the guard word", k.name, worst)
	}
}

// TestStirlingTerms checks that Stirling's series ends before its terms begin
// to grow, and before the table ends, for the shortest argument of setStirling
// at each precision that is used, and that the table has the exact
// coefficients.
func TestStirlingTerms(t *testing.T) {
	exact := tables.Stirling(len(wide.Stirling))
	for w := wide.First + 1; w <= wide.GammaLast+3; w++ {
		x := new(big.Rat).SetInt64(int64(16 * w))
		square := new(big.Rat).Mul(x, x)
		limit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(64*w)))
		n := wide.StirlingTerms(bitsOf(16*w), w)
		if n >= len(exact) {
			t.Fatalf("%d words: the table ends after %d terms", w, n)
		}
		power := new(big.Rat).Inv(x)
		last := new(big.Rat)
		for k := range n + 1 {
			term := new(big.Rat).Mul(exact[k], power)
			term.Abs(term)
			if k > 0 && term.Cmp(last) >= 0 {
				t.Fatalf("%d words: term %d is larger than the one before", w, k)
			}
			last.Set(term)
			power.Quo(power, square)
		}
		if last.Cmp(limit) > 0 {
			t.Errorf("%d words: the first term left out is %v", w, last.FloatString(200))
		}
	}
	for k, c := range exact {
		want := new(big.Float).SetPrec(2000).SetRat(c)
		got := widetest.Big(&wide.Stirling[k], wide.Words)
		if e := widetest.RelativeError(got, want); e > 1-64*wide.Words {
			t.Errorf("coefficient %d is off by 2^%d", k, e)
		}
	}
}

// bitsOf returns the exponent of i as a Float.
func bitsOf(i int) int {
	var z wide.Float
	z.SetInt(int64(i), 1)
	return z.Exp
}
