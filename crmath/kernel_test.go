package crmath

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestKernels holds the kernels alone, without any fast path, at several precisions,
// against MPFR.
func TestKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for name, k := range map[string]struct {
		eval func(z, x *wide, n int)
		arg  func() float64
	}{
		"exp":          {(*wide).setExp, func() float64 { return (rng.Float64() - 0.5) * 1500 }},
		"expm1":        {(*wide).setExpm1, func() float64 { return math.Ldexp(rng.Float64()-0.5, rng.IntN(70)-60) }},
		"exp2":         {(*wide).setExp2, func() float64 { return (rng.Float64() - 0.5) * 2200 }},
		"log":          {(*wide).setLog, func() float64 { return math.Float64frombits(rng.Uint64N(0x7ff << 52)) }},
		"exp10":        {(*wide).setExp10, func() float64 { return (rng.Float64() - 0.5) * 600 }},
		"log2":         {(*wide).setLog2, func() float64 { return math.Float64frombits(rng.Uint64N(0x7ff << 52)) }},
		"log10":        {(*wide).setLog10, func() float64 { return math.Float64frombits(rng.Uint64N(0x7ff << 52)) }},
		"log1p series": {(*wide).setLog1pSeries, func() float64 { return math.Ldexp(rng.Float64()-0.5, -rng.IntN(100)) }},
		"log1p near":   {(*wide).setLog1pNear, func() float64 { return math.Ldexp(rng.Float64()*0.7-0.3, -rng.IntN(100)) }},
		"log1p": {(*wide).setLog1p, func() float64 {
			if x := math.Ldexp(rng.Float64(), rng.IntN(100)-80); x > 0.999 || rng.IntN(2) == 0 {
				return x
			} else {
				return -x
			}
		}},
	} {
		f := oracle(t, strings.Fields(name)[0])
		for range 1000 {
			x := k.arg()
			want := f(x)
			for _, n := range []int{2, 3, 5, wideLast} {
				var z, a wide
				a.setFloat64(x, n+1)
				k.eval(&z, &a, n)
				if got, ok := z.float64(n); !ok || math.Float64bits(got) != math.Float64bits(want) {
					t.Fatalf("%s(%x) to %d words: %x, %v, not %x", name, x, n, got, ok, want)
				}
			}
			// What precision n promises, by a longer one.
			var a, y, z wide
			a.setFloat64(x, wideWords)
			k.eval(&y, &a, wideFirst)
			k.eval(&z, &a, wideLast)
			if e := relative(y.big(wideFirst+1), z.big(wideWords)); e > -64*wideFirst-8 {
				t.Fatalf("%s(%x): relative error 2^%d", name, x, e)
			}
		}
	}
}

func BenchmarkKernels(b *testing.B) {
	for name, eval := range map[string]func(z, x *wide, n int){
		"exp": (*wide).setExp, "log": (*wide).setLog,
		"mul": func(z, x *wide, n int) { z.mul(x, x, n) }, "div": func(z, x *wide, n int) { z.div(x, x, n) },
		"add":  func(z, x *wide, n int) { z.add(x, x, n) },
		"sqrt": func(z, x *wide, n int) { z.sqrt(x, n) }, "divUint": func(z, x *wide, n int) { z.divUint(x, 7, n) },
	} {
		b.Run(name, func(b *testing.B) {
			var z, x wide
			x.setFloat64(1.2345678901234567, wideWords)
			for b.Loop() {
				eval(&z, &x, wideFirst)
			}
		})
	}
}
