package f32

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

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
	for _, f := range functions {
		for _, v := range levels() {
			what, kernel, rng := v.name+" "+f.name, f.kernel(&v), rand.New(rand.NewPCG(1, 2))
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
		f.slice(dst, x)
		vectortest.Same(t, f.name+"Slice", dst, x, f.f)
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
	for _, f := range binaries {
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

// TestKernelsDecide checks that the kernels decide almost all typical
// arguments: a kernel that left all to the function would give the same bits.
func TestKernelsDecide(t *testing.T) {
	for _, f := range functions {
		for _, v := range vectors() {
			rng := rand.New(rand.NewPCG(1, 2))
			fails := vectortest.Undecided(f.kernel(&v), 1000,
				func() float32 { return f.typical[0] + rng.Float32()*(f.typical[1]-f.typical[0]) })
			if fails > 2*vector.Most {
				t.Errorf("%s: %s leaves %d of %d to the function", v.name, f.name, fails,
					1000*vector.Most)
			}
		}
	}
}

func TestSliceAllocatesNothing(t *testing.T) {
	if require.Race {
		t.Skip("the race detector allocates")
	}
	x, dst := functions[0].drawn(rand.New(rand.NewPCG(1, 2)), 300), make([]float32, 300)
	if n := testing.AllocsPerRun(100, func() {
		for _, f := range functions {
			f.slice(dst, x)
		}
		for _, f := range binaries {
			f.slice(dst, x, x)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestSincosSlice computes both results, elsewhere and in the place of the
// arguments.
func TestSincosSlice(t *testing.T) {
	var x []float32
	strata(12, func(v float32) { x = append(x, v) })
	sine := func(x float32) float32 { s, _ := Sincos(x); return s }
	cosine := func(x float32) float32 { _, c := Sincos(x); return c }
	for i := range 3 {
		both := [2][]float32{make([]float32, len(x)), make([]float32, len(x))}
		argument := slices.Clone(x)
		if i < 2 {
			both[i] = argument
		}
		SincosSlice(both[0], both[1], argument)
		vectortest.Same(t, "sine", both[0], x, sine)
		vectortest.Same(t, "cosine", both[1], x, cosine)
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
		for _, f := range functions {
			if f.math == nil {
				continue
			}
			run(f.name, f.typical,
				func(dst, x []float32) { vector.Map(f.name, dst, x, f.f, f.kernel(&v)) }, f.math)
		}
		run("pow", [2]float32{0, 10},
			func(dst, x []float32) { vector.Map2("pow", dst, x, x, Pow, v.pow) },
			func(x float64) float64 { return math.Pow(x, x) })
	}
}
