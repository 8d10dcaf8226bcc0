package wide_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/crmath/internal/wide/widetest"
)

// logUniform draws (a + b·u)·2^-i with u in [0, 1) and i in [0, 100).
func logUniform(a, b float64) args.Kind {
	return func(rng *rand.Rand) float64 {
		return math.Ldexp(a+float64(rng.Float64()*b), -rng.IntN(100))
	}
}

// above draws numbers above -1, down to 2^-80 in magnitude.
func above(rng *rand.Rand) float64 {
	x := math.Ldexp(rng.Float64(), rng.IntN(100)-80)
	if x > 0.999 || rng.IntN(2) == 0 {
		return x
	}
	return -x
}

// TestKernels compares kernels, at several precisions, with MPFR and with the
// longest precision.
func TestKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	finite := func(rng *rand.Rand) float64 { return math.Float64frombits(rng.Uint64N(0x7ff << 52)) }
	for name, k := range map[string]struct {
		set  func(z, x *wide.Float, n int)
		draw args.Kind
	}{
		"exp":          {(*wide.Float).SetExp, args.Between(-750, 750)},
		"expm1":        {(*wide.Float).SetExpm1, args.Magnitudes(-62, 8)},
		"exp2":         {(*wide.Float).SetExp2, args.Between(-1100, 1100)},
		"exp10":        {(*wide.Float).SetExp10, args.Between(-300, 300)},
		"log":          {(*wide.Float).SetLog, finite},
		"log2":         {(*wide.Float).SetLog2, finite},
		"log10":        {(*wide.Float).SetLog10, finite},
		"log1p series": {(*wide.Float).SetLog1pSeries, logUniform(-0.5, 1)},
		"log1p near":   {(*wide.Float).SetLog1pNear, logUniform(-0.3, 0.7)},
		"log1p":        {(*wide.Float).SetLog1p, above},
	} {
		correct := oracle.Unary(t, strings.Fields(name)[0])
		for range 1000 {
			x := k.draw(rng)
			want := correct(x)
			set := func(z *wide.Float, n int) {
				var a wide.Float
				a.SetFloat64(x, n+1)
				k.set(z, &a, n)
			}
			for _, n := range []int{2, 3, 5, wide.Last} {
				var z wide.Float
				set(&z, n)
				if got, ok := z.Float64(n); !ok || !args.Identical(got, want) {
					t.Fatalf("%s(%x) to %d words: %x, %v, not %x", name, x, n, got, ok, want)
				}
			}
			if e := widetest.KernelError(wide.First, wide.Last, set); e > -64*wide.First-8 {
				t.Fatalf("%s(%x): relative error 2^%d", name, x, e)
			}
		}
	}
}

func BenchmarkKernels(b *testing.B) {
	for name, eval := range map[string]func(z, x *wide.Float, n int){
		"exp": (*wide.Float).SetExp, "log": (*wide.Float).SetLog,
		"add":     func(z, x *wide.Float, n int) { z.Add(x, x, n) },
		"mul":     func(z, x *wide.Float, n int) { z.Mul(x, x, n) },
		"div":     func(z, x *wide.Float, n int) { z.Div(x, x, n) },
		"sqrt":    func(z, x *wide.Float, n int) { z.Sqrt(x, n) },
		"divUint": func(z, x *wide.Float, n int) { z.DivUint(x, 7, n) },
	} {
		b.Run(name, func(b *testing.B) {
			var z, x wide.Float
			x.SetFloat64(1.2345678901234567, wide.Words)
			for b.Loop() {
				eval(&z, &x, wide.First)
			}
		})
	}
}
