package f32

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

// sliceFunctions holds the slice functions and their kernels, by the names of
// the table of functions.
var sliceFunctions = map[string]struct {
	slice  func(dst, x []float32)
	kernel func(*vectorSet) vector.Kernel[float32]
}{
	"exp":      {ExpSlice, func(v *vectorSet) vector.Kernel[float32] { return v.exp }},
	"exp2":     {Exp2Slice, func(v *vectorSet) vector.Kernel[float32] { return v.exp2 }},
	"expm1":    {Expm1Slice, func(v *vectorSet) vector.Kernel[float32] { return v.expm1 }},
	"log":      {LogSlice, func(v *vectorSet) vector.Kernel[float32] { return v.log }},
	"log2":     {Log2Slice, func(v *vectorSet) vector.Kernel[float32] { return v.log2 }},
	"log10":    {Log10Slice, func(v *vectorSet) vector.Kernel[float32] { return v.log10 }},
	"log1p":    {Log1pSlice, func(v *vectorSet) vector.Kernel[float32] { return v.log1p }},
	"sin":      {SinSlice, func(v *vectorSet) vector.Kernel[float32] { return v.sin }},
	"cos":      {CosSlice, func(v *vectorSet) vector.Kernel[float32] { return v.cos }},
	"tan":      {TanSlice, func(v *vectorSet) vector.Kernel[float32] { return v.tan }},
	"exp10":    {Exp10Slice, func(v *vectorSet) vector.Kernel[float32] { return v.exp10 }},
	"asin":     {AsinSlice, func(v *vectorSet) vector.Kernel[float32] { return v.asin }},
	"acos":     {AcosSlice, func(v *vectorSet) vector.Kernel[float32] { return v.acos }},
	"atan":     {AtanSlice, func(v *vectorSet) vector.Kernel[float32] { return v.atan }},
	"sinh":     {SinhSlice, func(v *vectorSet) vector.Kernel[float32] { return v.sinh }},
	"cosh":     {CoshSlice, func(v *vectorSet) vector.Kernel[float32] { return v.cosh }},
	"asinh":    {AsinhSlice, func(v *vectorSet) vector.Kernel[float32] { return v.asinh }},
	"acosh":    {AcoshSlice, func(v *vectorSet) vector.Kernel[float32] { return v.acosh }},
	"atanh":    {AtanhSlice, func(v *vectorSet) vector.Kernel[float32] { return v.atanh }},
	"cbrt":     {CbrtSlice, func(v *vectorSet) vector.Kernel[float32] { return v.cbrt }},
	"tanh":     {TanhSlice, func(v *vectorSet) vector.Kernel[float32] { return v.tanh }},
	"exp2m1":   {Exp2m1Slice, func(v *vectorSet) vector.Kernel[float32] { return v.exp2m1 }},
	"exp10m1":  {Exp10m1Slice, func(v *vectorSet) vector.Kernel[float32] { return v.exp10m1 }},
	"log2p1":   {Log2p1Slice, func(v *vectorSet) vector.Kernel[float32] { return v.log2p1 }},
	"log10p1":  {Log10p1Slice, func(v *vectorSet) vector.Kernel[float32] { return v.log10p1 }},
	"sinpi":    {SinpiSlice, func(v *vectorSet) vector.Kernel[float32] { return v.sinpi }},
	"cospi":    {CospiSlice, func(v *vectorSet) vector.Kernel[float32] { return v.cospi }},
	"tanpi":    {TanpiSlice, func(v *vectorSet) vector.Kernel[float32] { return v.tanpi }},
	"asinpi":   {AsinpiSlice, func(v *vectorSet) vector.Kernel[float32] { return v.asinpi }},
	"acospi":   {AcospiSlice, func(v *vectorSet) vector.Kernel[float32] { return v.acospi }},
	"atanpi":   {AtanpiSlice, func(v *vectorSet) vector.Kernel[float32] { return v.atanpi }},
	"rec_sqrt": {RsqrtSlice, func(v *vectorSet) vector.Kernel[float32] { return v.rsqrt }},
	"erf":      {ErfSlice, func(v *vectorSet) vector.Kernel[float32] { return v.erf }},
	"erfc":     {ErfcSlice, func(v *vectorSet) vector.Kernel[float32] { return v.erfc }},
	"gamma":    {GammaSlice, func(v *vectorSet) vector.Kernel[float32] { return v.gamma }},
	"lgamma":   {LgammaSlice, func(v *vectorSet) vector.Kernel[float32] { return v.lgamma }},
}

// withSlices calls f for each function that has a slice function.
func withSlices(f func(f function, slice func(dst, x []float32),
	kernel func(*vectorSet) vector.Kernel[float32])) {
	for _, g := range functions {
		if s, ok := sliceFunctions[g.name]; ok {
			f(g, s.slice, s.kernel)
		}
	}
}

// drawn returns n arguments: typical ones, any bits, special ones,
// in runs of some length.
func (f function) drawn(rng *rand.Rand, n int) []float32 {
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.Inf(1)),
		float32(math.Inf(-1)), float32(math.NaN()), math.Float32frombits(0xffc01234),
		0x1p-149, -0x1p-149, 0x1p-126, math.MaxFloat32, -math.MaxFloat32, 128, -128, 88.7, -104,
		0.125, 0.25, 0x1p-7, 0x1p-12, 1024, 10}
	x := make([]float32, 0, n)
	for len(x) < n {
		kind := rng.IntN(2)
		for range 1 + rng.IntN(12) {
			v := f.typical[0] + rng.Float32()*(f.typical[1]-f.typical[0])
			switch {
			case rng.IntN(16) == 0:
				v = special[rng.IntN(len(special))]
			case kind == 1:
				v = math.Float32frombits(rng.Uint32())
			}
			x = append(x, v)
		}
	}
	return x[:n]
}

// levels returns all kernels of this processor, and none.
func levels() []vectorSet { return append(vectors(), vectorSet{name: "Go"}) }

// TestGoldenSlices compares every kernel with its function: at all lengths up
// to some, in place and elsewhere, where elements beyond the slices have to
// stay; and on 2^18 strata of all arguments. TestGolden has the hashes of the
// functions.
func TestGoldenSlices(t *testing.T) {
	found := 0
	withSlices(func(f function, slice func(dst, x []float32),
		of func(*vectorSet) vector.Kernel[float32]) {
		found++
		for _, v := range levels() {
			what, kernel, rng := v.name+" "+f.name, of(&v), rand.New(rand.NewPCG(1, 2))
			vectortest.Lengths(t, what, rng, func(n int) []float32 { return f.drawn(rng, n) }, f.f,
				kernel)
			var x []float32
			strata(18, func(v float32) { x = append(x, v) })
			rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
			dst := make([]float32, len(x))
			vector.Map(what, dst, x, f.f, kernel)
			vectortest.Same(t, what, dst, x, f.f)
		}
		x := f.drawn(rand.New(rand.NewPCG(3, 4)), 1000)
		dst := make([]float32, len(x))
		slice(dst, x)
		vectortest.Same(t, f.name+"Slice", dst, x, f.f)
	})
	if found != len(sliceFunctions) {
		t.Errorf("%d of %d slice functions were tried", found, len(sliceFunctions))
	}
}

// TestGoldenPairSlices is TestGoldenSlices for two arguments, where dst may be
// y too.
func TestGoldenPairSlices(t *testing.T) {
	draw := func(rng *rand.Rand, n int) (x, y []float32) {
		for range n {
			a, b := rng.Float32()*100, rng.Float32()*20-10
			switch rng.IntN(8) {
			case 0:
				a = math.Float32frombits(rng.Uint32())
			case 1:
				a, b = math.Float32frombits(rng.Uint32()), math.Float32frombits(rng.Uint32())
			case 2:
				a, b = float32(rng.IntN(40)), float32(rng.IntN(40)-20)/2
			case 3:
				a = 1 + (rng.Float32()-0.5)*0x1p-10
				b *= 1000
			case 4:
				a = math.Float32frombits(rng.Uint32() >> 1)
				b = float32((-100 - 60*rng.Float64()) / math.Log2(float64(a)))
			}
			x, y = append(x, a), append(y, b)
		}
		return x, y
	}
	for _, f := range slicePairs {
		for _, v := range levels() {
			what := v.name + " " + f.name
			rng := rand.New(rand.NewPCG(1, 2))
			vectortest.Lengths2(t, what, func(n int) (x, y []float32) { return draw(rng, n) },
				f.one, f.kernel(&v))
			x, y := draw(rng, 100_000)
			dst := make([]float32, len(x))
			vector.Map2(what, dst, x, y, f.one, f.kernel(&v))
			vectortest.Same2(t, what, dst, x, y, f.one)
		}
		x, y := draw(rand.New(rand.NewPCG(3, 4)), 1000)
		dst := make([]float32, len(x))
		f.slice(dst, x, y)
		vectortest.Same2(t, f.name+"Slice", dst, x, y, f.one)
	}
}

// slicePairs holds the slice functions of two arguments, x first.
var slicePairs = []struct {
	name   string
	slice  func(dst, x, y []float32)
	one    func(x, y float32) float32
	kernel func(*vectorSet) vector.Kernel2[float32]
}{
	{"pow", PowSlice, Pow, func(v *vectorSet) vector.Kernel2[float32] { return v.pow }},
	{"atan2", func(dst, x, y []float32) { Atan2Slice(dst, y, x) },
		func(x, y float32) float32 { return Atan2(y, x) },
		func(v *vectorSet) vector.Kernel2[float32] { return v.atan2 }},
	{"hypot", HypotSlice, Hypot, func(v *vectorSet) vector.Kernel2[float32] { return v.hypot }},
}

// TestKernelsDecide checks that the kernels decide almost all typical
// arguments: a kernel that left all to the function would give the same bits.
func TestKernelsDecide(t *testing.T) {
	withSlices(func(f function, _ func(dst, x []float32),
		of func(*vectorSet) vector.Kernel[float32]) {
		for _, v := range vectors() {
			rng := rand.New(rand.NewPCG(1, 2))
			fails := vectortest.Undecided(of(&v), 1000,
				func() float32 { return f.typical[0] + rng.Float32()*(f.typical[1]-f.typical[0]) })
			if fails > 2*vector.Most {
				t.Errorf("%s: %s leaves %d of %d to the function", v.name, f.name, fails,
					1000*vector.Most)
			}
		}
	})
}

func TestSliceAllocatesNothing(t *testing.T) {
	if require.Race {
		t.Skip("the race detector allocates")
	}
	x, dst := functions[0].drawn(rand.New(rand.NewPCG(1, 2)), 300), make([]float32, 300)
	if n := testing.AllocsPerRun(100, func() {
		for _, f := range sliceFunctions {
			f.slice(dst, x)
		}
		for _, f := range slicePairs {
			f.slice(dst, x, x)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkSlices reports the times of one element of a slice, of package
// math's function called through float32 in a loop, and their ratio: how many
// times faster the slice is.
func BenchmarkSlices(b *testing.B) {
	const n = 1 << 14
	for _, v := range vectors() {
		run := func(name string, typical [2]float32, ours func(dst, x []float32),
			theirs func(float64) float64) {
			b.Run("f="+name+"/kernel="+v.name, func(b *testing.B) {
				x, dst, rng := make([]float32, n), make([]float32, n), rand.New(rand.NewPCG(1, 2))
				for i := range x {
					x[i] = typical[0] + rng.Float32()*(typical[1]-typical[0])
				}
				for b.Loop() {
					t := stopwatch.Minima(100*time.Millisecond, func() { ours(dst, x) }, func() {
						for i, v := range x {
							dst[i] = float32(theirs(float64(v)))
						}
					})
					b.ReportMetric(t[0]/n, "ns/slice")
					b.ReportMetric(t[1]/n, "ns/math")
					b.ReportMetric(t[1]/t[0], "times")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
		withSlices(func(f function, _ func(dst, x []float32),
			of func(*vectorSet) vector.Kernel[float32]) {
			if f.math == nil {
				return
			}
			run(f.name, f.typical,
				func(dst, x []float32) { vector.Map(f.name, dst, x, f.f, of(&v)) }, f.math)
		})
		run("pow", [2]float32{0, 10},
			func(dst, x []float32) { vector.Map2("pow", dst, x, x, Pow, v.pow) },
			func(x float64) float64 { return math.Pow(x, x) })
	}
}
