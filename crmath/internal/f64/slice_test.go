package f64

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/internal/stopwatch"
)

// A sliceFunction is a slice function and its counterparts.
type sliceFunction struct {
	name    string // of its hard args.Kind
	slice   func(dst, x []float64)
	one     func(float64) float64
	lane    func(float64) (float64, bool)
	kernel  func(*vectorSet) vector.Kernel[float64]
	theirs  func(float64) float64
	typical args.Kind
	kinds   []args.Kind
}

var sliceFunctions = []sliceFunction{
	{"exp", ExpSlice, nearest(Exp), expLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.exp },
		math.Exp, args.Between(-20, 20), expKinds},
	{"exp2", Exp2Slice, Exp2, exp2Lane, func(v *vectorSet) vector.Kernel[float64] { return v.exp2 },
		math.Exp2, args.Between(-20, 20), exp2Kinds},
	{"expm1", Expm1Slice, Expm1, expm1Lane,
		func(v *vectorSet) vector.Kernel[float64] { return v.expm1 }, math.Expm1,
		args.Between(-2, 2), expm1Kinds},
	{"log", LogSlice, Log, logLane, func(v *vectorSet) vector.Kernel[float64] { return v.log },
		math.Log, args.Between(0, 100), logKinds},
	{"log2", Log2Slice, Log2, log2Lane, func(v *vectorSet) vector.Kernel[float64] { return v.log2 },
		math.Log2, args.Between(0, 100), logKinds},
	{"log10", Log10Slice, Log10, log10Lane,
		func(v *vectorSet) vector.Kernel[float64] { return v.log10 }, math.Log10,
		args.Between(0, 100), logKinds},
	{"log1p", Log1pSlice, Log1p, log1pLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.log1p }, math.Log1p,
		args.Between(-0.5, 10), log1pKinds},
	{"sin", SinSlice, Sin, sinLane, func(v *vectorSet) vector.Kernel[float64] { return v.sin },
		math.Sin, args.Between(-10, 10), trigKinds},
	{"cos", CosSlice, Cos, cosLane, func(v *vectorSet) vector.Kernel[float64] { return v.cos },
		math.Cos, args.Between(-10, 10), trigKinds},
	{"tan", TanSlice, Tan, tanLane, func(v *vectorSet) vector.Kernel[float64] { return v.tan },
		math.Tan, args.Between(-10, 10), trigKinds},
}

// specials are arguments that formulas do not cover, and the ends of intervals.
var specials = []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(),
	math.Float64frombits(0x7ff0000000000001), math.Float64frombits(0xfff8000000001234),
	5e-324, -5e-324, 0x1p-1022, 0x1.fffffffffffffp-1023, math.MaxFloat64, -math.MaxFloat64, 708,
	-708, 709.9, -745.2, 1022, 1024, -1075, -37.5, 0x1p-5, -0x1p-5, 0x1p-54,
	1 - 0x1p-10, 1 + 0x1p-10, 0x1p-10, -0x1p-10, 0x1p12, -0x1p12, 0x1p-12, 0x1p-27, 0x1p53, 0.5, 2,
	10, 1e22, 1e23}

// drawn returns n arguments: of all kinds, in runs of some length so that
// vectors have one kind or several, with special ones strewn in.
func drawn(rng *rand.Rand, n int, kinds []args.Kind) []float64 {
	x := make([]float64, 0, n)
	for len(x) < n {
		kind := kinds[rng.IntN(len(kinds))]
		for range 1 + rng.IntN(12) {
			if rng.IntN(16) == 0 {
				x = append(x, specials[rng.IntN(len(specials))])
			} else {
				x = append(x, kind(rng))
			}
		}
	}
	return x[:n]
}

// levels returns all kernels of this processor, and none.
func levels() []vectorSet { return append(vectors(), vectorSet{name: "Go"}) }

// TestSlices compares every kernel with its function, at all lengths up to
// some, in place and elsewhere. Elements beyond the slices have to stay.
func TestSlices(t *testing.T) {
	t.Parallel()
	for _, f := range sliceFunctions {
		for _, v := range levels() {
			what := v.name + " " + f.name
			rng := args.Generator(what)
			kinds := append(slices.Clone(f.kinds), hardOnes(t, f.name))
			kernel := f.kernel(&v)
			vectortest.Lengths(t, what, rng, func(n int) []float64 { return drawn(rng, n, kinds) },
				f.one, kernel)
			x := drawn(rng, args.SampleSize(t)/10, kinds)
			dst := make([]float64, len(x))
			vector.Map(f.name, dst, x, f.one, kernel)
			vectortest.Same(t, what, dst, x, f.one)
		}
		x := drawn(args.Generator(f.name), 1000, f.kinds)
		dst := make([]float64, len(x))
		f.slice(dst, x)
		vectortest.Same(t, f.name+"Slice", dst, x, f.one)
	}
}

// TestPowSlices is TestSlices for powers, where dst may be y too.
func TestPowSlices(t *testing.T) {
	t.Parallel()
	hard, kinds := args.Hard(t, "pow"), len(powKinds)
	draw := func(rng *rand.Rand, n int) (x, y []float64) {
		for range n {
			a, b := specials[rng.IntN(len(specials))], specials[rng.IntN(len(specials))]
			switch k := rng.IntN(kinds + 2); {
			case k < kinds:
				a, b = powKinds[k](rng)
			case k == kinds:
				h := hard[rng.IntN(len(hard))]
				a, b = h[0], h[1]
			}
			x, y = append(x, a), append(y, b)
		}
		return x, y
	}
	for _, v := range levels() {
		what := v.name + " Pow"
		rng := args.Generator(what)
		vectortest.Lengths2(t, what, func(n int) (x, y []float64) { return draw(rng, n) }, Pow,
			v.pow)
		x, y := draw(rng, args.SampleSize(t)/10)
		dst := make([]float64, len(x))
		vector.Map2("pow", dst, x, y, Pow, v.pow)
		vectortest.Same2(t, what, dst, x, y, Pow)
	}
	x, y := draw(args.Generator("PowSlice"), 1000)
	dst := make([]float64, len(x))
	PowSlice(dst, x, y)
	vectortest.Same2(t, "PowSlice", dst, x, y, Pow)
}

// TestGoldenSlices compares a hash of the results of all slice functions, by
// each kernel, with the hash that every machine gives.
func TestGoldenSlices(t *testing.T) {
	const want = 0x9bea0463f7463ed6
	for _, v := range levels() {
		h := fnv.New64a()
		add := func(dst []float64) {
			for _, y := range dst {
				if y != y {
					y = math.NaN()
				}
				h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(y)))
			}
		}
		rng := rand.New(rand.NewPCG(1, 2))
		x, y, dst := make([]float64, 1001), make([]float64, 1001), make([]float64, 1001)
		for _, f := range sliceFunctions {
			for i := range x {
				x[i] = f.kinds[i%len(f.kinds)](rng)
			}
			vector.Map(f.name, dst, x, f.one, f.kernel(&v))
			add(dst)
		}
		for i := range x {
			x[i], y[i] = math.Abs(args.AnyBits(rng)), args.Between(-2, 2)(rng)
		}
		vector.Map2("pow", dst, x, y, Pow, v.pow)
		add(dst)
		if got := h.Sum64(); got != want {
			t.Errorf("%s: hash %#x, want %#x", v.name, got, uint64(want))
		}
	}
}

// TestLanes compares the lane functions, which the kernels are compiled from,
// with the functions, on every processor.
func TestLanes(t *testing.T) {
	for _, f := range sliceFunctions {
		decided := 0
		x := drawn(args.Generator(f.name), 20_000, f.kinds)
		for _, v := range x {
			r, ok := f.lane(v)
			if !ok {
				continue
			}
			decided++
			if want := f.one(v); math.Float64bits(r) != math.Float64bits(want) {
				t.Errorf("%s(%x) = %x, want %x", f.name, v, r, want)
			}
		}
		if decided < len(x)/5 {
			t.Errorf("%s decides only %d of %d", f.name, decided, len(x))
		}
	}
}

// TestLanesRefuse tries the rounding tests of the kernels on arguments whose
// results are next to a midpoint. They have to leave undecided every argument
// that the Go function leaves undecided, and some such arguments have to exist.
func TestLanesRefuse(t *testing.T) {
	for _, v := range vectors() {
		for _, f := range sliceFunctions {
			refused := 0
			for _, x := range args.Hard(t, f.name) {
				if _, ok := f.lane(x[0]); ok {
					continue
				}
				refused++
				dst := [8]float64{}
				arg := [8]float64{x[0], x[0], x[0], x[0], x[0], x[0], x[0], x[0]}
				if fails := f.kernel(&v)(&dst[0], &arg[0], 8) & 255; fails != 255 {
					t.Errorf("%s: %s(%x) is decided in the lanes %08b", v.name, f.name, x[0],
						^fails&255)
				}
			}
			if refused < 40 {
				t.Errorf("%s: only %d hard arguments are undecided", f.name, refused)
			}
		}
	}
}

// TestLanesDecide checks that the kernels decide almost all typical arguments:
// a kernel that left all to the function would give the same bits.
func TestLanesDecide(t *testing.T) {
	for _, v := range vectors() {
		for _, f := range sliceFunctions {
			rng := args.Generator(f.name)
			fails := vectortest.Undecided(f.kernel(&v), 100,
				func() float64 { return f.typical(rng) })
			if fails > vector.Most {
				t.Errorf("%s: %s leaves %d of %d to the function", v.name, f.name, fails,
					100*vector.Most)
			}
		}
	}
}

// TestSlicePanics tries slices that do not go together.
func TestSlicePanics(t *testing.T) {
	x := make([]float64, 100)
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { ExpSlice(x[:3], x[:4]) },
			"crmath.ExpSlice: dst has 3 elements and x has 4: pass x[:len(dst)]"},
		{func() { ExpSlice(x[:4], x[:3]) },
			"crmath.ExpSlice: dst has 4 elements and x has 3: pass dst[:len(x)]"},
		{func() { LogSlice(x[1:11], x[:10]) }, "crmath.LogSlice: dst overlaps x"},
		{func() { SinSlice(x[:10], x[9:19]) }, "crmath.SinSlice: dst overlaps x"},
		{func() { PowSlice(x[:10], x[20:30], x[30:41]) },
			"crmath.PowSlice: dst has 10 elements and y has 11"},
		{func() { PowSlice(x[:10], x[:10], x[5:15]) }, "crmath.PowSlice: dst overlaps y"},
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.HasPrefix(got, c.want) {
					t.Errorf("panic %q, want %q", got, c.want)
				}
			}()
			c.f()
			t.Errorf("no panic, want %q", c.want)
		}()
	}
	ExpSlice(nil, nil)
	ExpSlice(x[:10], x[10:20])
	PowSlice(x[:0], x[5:5], nil)
}

func TestSliceAllocatesNothing(t *testing.T) {
	if require.Race {
		t.Skip("the race detector allocates")
	}
	x, dst := drawn(args.Generator("allocation"), 300, trigKinds), make([]float64, 300)
	if n := testing.AllocsPerRun(100, func() {
		for _, f := range sliceFunctions {
			f.slice(dst, x)
		}
		PowSlice(dst, x, x)
		var local [100]float64 // stays on the stack
		LogSlice(local[:], x[:100])
		PowSlice(local[:], local[:], local[:])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkSlices reports the times of an element of a slice and of package
// math's function in a loop, and the second over the first.
func BenchmarkSlices(b *testing.B) {
	const n = 1 << 14
	for _, v := range vectors() {
		for _, f := range append(slices.Clone(sliceFunctions),
			sliceFunction{name: "pow",
				theirs:  func(x float64) float64 { return math.Pow(x, 10-float64(0.2*x)) },
				typical: args.Between(0, 100)}) {
			b.Run("f="+f.name+"/kernel="+v.name, func(b *testing.B) {
				x, y, dst, rng := make([]float64, n), make([]float64, n), make([]float64, n),
					rand.New(rand.NewPCG(1, 2))
				for i := range x {
					x[i] = f.typical(rng)
					y[i] = 10 - float64(0.2*x[i])
				}
				ours := func() { vector.Map2("pow", dst, x, y, Pow, v.pow) }
				if f.one != nil {
					ours = func() { vector.Map(f.name, dst, x, f.one, f.kernel(&v)) }
				}
				for b.Loop() {
					t := stopwatch.Minima(100*time.Millisecond, ours, func() {
						for i, v := range x {
							dst[i] = f.theirs(v)
						}
					})
					b.ReportMetric(t[0]/n, "ns/slice")
					b.ReportMetric(t[1]/n, "ns/math")
					b.ReportMetric(t[1]/t[0], "times")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkRareSlices reports the times of an element of a slice whose elements
// are all rare cases, of a loop of calls, and the first over the second. Run
// with -benchtime 1x.
func BenchmarkRareSlices(b *testing.B) {
	const n = 1 << 12
	fill := func(v float64) []float64 { return slices.Repeat([]float64{v}, n) }
	report := func(b *testing.B, slice, loop func()) {
		for b.Loop() {
			t := stopwatch.Minima(100*time.Millisecond, slice, loop)
			b.ReportMetric(t[0]/n, "ns/slice")
			b.ReportMetric(t[1]/n, "ns/loop")
			b.ReportMetric(t[0]/t[1], "slice/loop")
		}
		b.ReportMetric(0, "ns/op")
	}
	dst := make([]float64, n)
	for _, f := range sliceFunctions {
		for _, v := range []float64{0, -1, -50, 5e-324, 1e5, math.Inf(1), math.NaN()} {
			if _, ok := f.lane(v); ok {
				continue
			}
			b.Run(fmt.Sprintf("f=%s/x=%v", f.name, v), func(b *testing.B) {
				x := fill(v)
				report(b, func() { f.slice(dst, x) }, func() {
					for i, v := range x {
						dst[i] = f.one(v)
					}
				})
			})
		}
	}
	for _, c := range [][2]float64{{-2, 2}, {-2, 3}, {0, 2}, {math.NaN(), 2}, {2, 5000}} {
		b.Run(fmt.Sprintf("f=pow/x=%v/y=%v", c[0], c[1]), func(b *testing.B) {
			x, y := fill(c[0]), fill(c[1])
			report(b, func() { PowSlice(dst, x, y) }, func() {
				for i, v := range x {
					dst[i] = Pow(v, y[i])
				}
			})
		})
	}
}
