package f64

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
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
	{"exp2", Exp2Slice, nearest(Exp2), exp2Lane,
		func(v *vectorSet) vector.Kernel[float64] { return v.exp2 },
		math.Exp2, args.Between(-20, 20), exp2Kinds},
	{"expm1", Expm1Slice, nearest(Expm1), expm1Lane,
		func(v *vectorSet) vector.Kernel[float64] { return v.expm1 }, math.Expm1,
		args.Between(-2, 2), expm1Kinds},
	{"log", LogSlice, nearest(Log), logLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.log },
		math.Log, args.Between(0, 100), logKinds},
	{"log2", Log2Slice, nearest(Log2), log2Lane,
		func(v *vectorSet) vector.Kernel[float64] { return v.log2 },
		math.Log2, args.Between(0, 100), logKinds},
	{"log10", Log10Slice, nearest(Log10), log10Lane,
		func(v *vectorSet) vector.Kernel[float64] { return v.log10 }, math.Log10,
		args.Between(0, 100), logKinds},
	{"log1p", Log1pSlice, nearest(Log1p), log1pLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.log1p }, math.Log1p,
		args.Between(-0.5, 10), log1pKinds},
	{"sin", SinSlice, nearest(Sin), sinLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.sin },
		math.Sin, args.Between(-10, 10), trigKinds},
	{"cos", CosSlice, nearest(Cos), cosLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.cos },
		math.Cos, args.Between(-10, 10), trigKinds},
	{"tan", TanSlice, nearest(Tan), tanLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.tan },
		math.Tan, args.Between(-10, 10), trigKinds},
	{"exp10", Exp10Slice, nearest(Exp10), exp10Lane,
		func(v *vectorSet) vector.Kernel[float64] { return v.exp10 },
		func(x float64) float64 { return math.Pow(10, x) }, args.Between(-10, 10), exp10Kinds},
	{"asin", AsinSlice, nearest(Asin), asinLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.asin },
		math.Asin, args.Between(-1, 1), asinKinds},
	{"acos", AcosSlice, nearest(Acos), acosLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.acos },
		math.Acos, args.Between(-1, 1), asinKinds},
	{"atan", AtanSlice, nearest(Atan), atanLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.atan },
		math.Atan, args.Between(-10, 10), atanKinds},
	{"sinh", SinhSlice, nearest(Sinh), sinhLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.sinh },
		math.Sinh, args.Between(-5, 5), sinhKinds},
	{"cosh", CoshSlice, nearest(Cosh), coshLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.cosh },
		math.Cosh, args.Between(-5, 5), sinhKinds},
	{"tanh", TanhSlice, nearest(Tanh), tanhLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.tanh },
		math.Tanh, args.Between(-5, 5), tanhKinds},
	{"asinh", AsinhSlice, nearest(Asinh), asinhLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.asinh },
		math.Asinh, args.Between(-10, 10), asinhKinds},
	{"acosh", AcoshSlice, nearest(Acosh), acoshLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.acosh },
		math.Acosh, args.Between(1, 100), acoshKinds},
	{"atanh", AtanhSlice, nearest(Atanh), atanhLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.atanh },
		math.Atanh, args.Between(-1, 1), atanhKinds},
	{"cbrt", CbrtSlice, nearest(Cbrt), cbrtLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.cbrt },
		math.Cbrt, args.Between(-100, 100), cbrtKinds},
}

// A slicePair is a slice function of two arguments and its counterparts.
type slicePair struct {
	name    string // of its hard arguments
	slice   func(dst, x, y []float64)
	one     func(x, y float64) float64
	lane    func(x, y float64) (float64, bool)
	kernel  func(*vectorSet) vector.Kernel2[float64]
	theirs  func(x, y float64) float64
	typical pairs
	kinds   []pairs
}

var slicePairs = []slicePair{
	{"pow", PowSlice, nearest2(Pow), powLane,
		func(v *vectorSet) vector.Kernel2[float64] { return v.pow }, math.Pow,
		both(args.Between(0, 100), args.Between(-10, 10)), powKinds},
	{"atan2", func(dst, x, y []float64) { Atan2Slice(dst, y, x) }, angle(nearest2(Atan2)),
		atan2Lane,
		func(v *vectorSet) vector.Kernel2[float64] { return v.atan2 }, angle(math.Atan2),
		both(args.Between(-10, 10), args.Between(-10, 10)), planeKinds},
	{"hypot", HypotSlice, nearest2(Hypot), hypotLane,
		func(v *vectorSet) vector.Kernel2[float64] { return v.hypot }, math.Hypot,
		both(args.Between(-10, 10), args.Between(-10, 10)), planeKinds},
}

// nearest2 returns f rounded to nearest.
func nearest2(f func(x, y float64, m fp.Mode) float64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return f(x, y, fp.NearestEven) }
}

// angle returns an arc tangent that takes x first, as the kernel does.
func angle(atan2 func(y, x float64) float64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return atan2(y, x) }
}

// planeKinds are the kinds of points in a plane.
var planeKinds = []pairs{
	both(args.Between(-10, 10), args.Between(-10, 10)), pythagorean,
	both(args.Magnitudes(-8, 8), args.Magnitudes(-8, 8)),
	both(args.Magnitudes(-70, 70), args.Magnitudes(-70, 70)),
	both(args.Magnitudes(-460, -390), args.Magnitudes(-410, -390)),
	both(args.Magnitudes(390, 410), args.Magnitudes(490, 510)),
	both(args.Magnitudes(-1074, 1024), args.Magnitudes(-1074, 1024)),
	both(args.AnyBits, args.AnyBits),
	func(rng *rand.Rand) (x, y float64) { // a ratio near 1
		x = args.Between(-10, 10)(rng)
		return x, args.Near(x)(rng)
	},
}

// specials are arguments that formulas do not cover, and the ends of intervals.
var specials = []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(),
	math.Float64frombits(0x7ff0000000000001), math.Float64frombits(0xfff8000000001234),
	5e-324, -5e-324, 0x1p-1022, 0x1.fffffffffffffp-1023, math.MaxFloat64, -math.MaxFloat64, 708,
	-708, 709.9, -745.2, 1022, 1024, -1075, -37.5, 0x1p-5, -0x1p-5, 0x1p-54,
	1 - 0x1p-10, 1 + 0x1p-10, 0x1p-10, -0x1p-10, 0x1p12, -0x1p12, 0x1p-12, 0x1p-27, 0x1p53, 0.5, 2,
	10, 1e22, 1e23}

// thresholds are limits of results, and of the ranges of algorithms, about.
var thresholds = []float64{1, 2, 0.5, math.Pi / 2, math.Pi, math.E, math.Ln2, 709.782712893384,
	-708.3964185322641, -745.1332191019412, 710.4758600739439, 308.25471555991675,
	-323.60724533877976, 1023, 1024, -1022, -1075, -37.42994775023704, -53.66, 36.7368, 22.18,
	171.6243769563027, -184.5, 2.5563481638716906e305, 5.921587195794508, 26.543258430632299,
	27.226017111108363, 1.4616321449683623, 0x1p52, 0x1p53, 0x1p1023, 0x1p-1022, 0x1p-1021}

// edge draws numbers some units in the last place from a threshold, a special
// argument or a power of two, of either sign.
func edge(rng *rand.Rand) float64 {
	x := math.Ldexp(1, rng.IntN(2098)-1074)
	switch rng.IntN(4) {
	case 0:
		x = specials[rng.IntN(len(specials))]
	case 1:
		x = thresholds[rng.IntN(len(thresholds))]
	}
	x = math.Float64frombits(math.Float64bits(x) + rng.Uint64N(9) - 4)
	if rng.IntN(2) == 0 {
		return -x
	}
	return x
}

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
	for _, f := range everySlice() {
		for _, v := range levels() {
			what := v.name + " " + f.name
			rng := args.Generator(what)
			kinds := append(slices.Clone(f.kinds), hardOnes(t, f.name), halfSteps, edge,
				args.AnyBits)
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

// drawnPairs is drawn for two arguments, with hard ones strewn in.
func drawnPairs(rng *rand.Rand, n int, kinds []pairs, hard [][]float64) (x, y []float64) {
	for range n {
		a, b := specials[rng.IntN(len(specials))], specials[rng.IntN(len(specials))]
		switch k := rng.IntN(len(kinds) + 3); {
		case k < len(kinds):
			a, b = kinds[k](rng)
		case k == len(kinds):
			h := hard[rng.IntN(len(hard))]
			a, b = h[0], h[1]
		case k == len(kinds)+1:
			a, b = edge(rng), edge(rng)
		}
		x, y = append(x, a), append(y, b)
	}
	return x, y
}

// hardPairs returns the hard arguments of a function of two.
func (f slicePair) hardPairs(t *testing.T) [][]float64 {
	all := args.Hard(t, f.name)
	if f.name == "atan2" {
		for _, h := range all {
			slices.Reverse(h)
		}
	}
	return all
}

// TestPairSlices is TestSlices for two arguments, where dst may be y too.
func TestPairSlices(t *testing.T) {
	t.Parallel()
	for _, f := range slicePairs {
		hard := f.hardPairs(t)
		for _, v := range levels() {
			what := v.name + " " + f.name
			rng := args.Generator(what)
			vectortest.Lengths2(t, what, func(n int) (x, y []float64) {
				return drawnPairs(rng, n, f.kinds, hard)
			}, f.one, f.kernel(&v))
			x, y := drawnPairs(rng, args.SampleSize(t)/10, f.kinds, hard)
			dst := make([]float64, len(x))
			vector.Map2(f.name, dst, x, y, f.one, f.kernel(&v))
			vectortest.Same2(t, what, dst, x, y, f.one)
		}
		x, y := drawnPairs(args.Generator(f.name), 1000, f.kinds, hard)
		dst := make([]float64, len(x))
		f.slice(dst, x, y)
		vectortest.Same2(t, f.name+"Slice", dst, x, y, f.one)
	}
}

// TestGoldenSlices compares a hash of the results of all slice functions, by
// each kernel, with the hash that every machine gives.
func TestGoldenSlices(t *testing.T) {
	const want = 0x69531b75098f7621
	for _, v := range levels() {
		h := newResultHash()
		rng := rand.New(rand.NewPCG(1, 2))
		x, y, dst := make([]float64, 1001), make([]float64, 1001), make([]float64, 1001)
		for _, f := range sliceFunctions {
			for i := range x {
				x[i] = f.kinds[i%len(f.kinds)](rng)
			}
			vector.Map(f.name, dst, x, f.one, f.kernel(&v))
			h.add(dst)
		}
		for _, f := range slicePairs {
			for i := range x {
				if x[i], y[i] = f.typical(rng); i%4 == 0 {
					x[i], y[i] = args.AnyBits(rng), args.AnyBits(rng)
				}
			}
			vector.Map2(f.name, dst, x, y, f.one, f.kernel(&v))
			h.add(dst)
		}
		if got := h.Sum64(); got != want {
			t.Errorf("%s: hash %#x, want %#x", v.name, got, uint64(want))
		}
	}
}

// A resultHash is a hash of results, with all NaNs alike.
type resultHash struct{ hash.Hash64 }

func newResultHash() resultHash { return resultHash{fnv.New64a()} }

func (h resultHash) add(results []float64) {
	for _, y := range results {
		if y != y {
			y = math.NaN()
		}
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(y)))
	}
}

// TestLanes compares the lane functions, which the kernels are compiled from,
// with the functions, on every processor.
func TestLanes(t *testing.T) {
	for _, f := range everySlice() {
		decided := 0
		x := drawn(args.Generator(f.name), 20_000, append(slices.Clone(f.kinds), halfSteps))
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
	for _, f := range slicePairs {
		decided := 0
		x, y := drawnPairs(args.Generator(f.name), 20_000, f.kinds, f.hardPairs(t))
		for i, v := range x {
			r, ok := f.lane(v, y[i])
			if !ok {
				continue
			}
			decided++
			if want := f.one(v, y[i]); math.Float64bits(r) != math.Float64bits(want) {
				t.Errorf("%s(%x, %x) = %x, want %x", f.name, v, y[i], r, want)
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
		for _, f := range everySlice() {
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
			// The error of rsqrtRest, 2^-100, is below the distance of any
			// result.
			if refused < 40 && f.name != "rec_sqrt" {
				t.Errorf("%s: only %d hard arguments are undecided", f.name, refused)
			}
		}
		for _, f := range slicePairs {
			refused := 0
			for _, x := range f.hardPairs(t) {
				if _, ok := f.lane(x[0], x[1]); ok {
					continue
				}
				refused++
				dst := [8]float64{}
				a, b := slices.Repeat(x[:1], 8), slices.Repeat(x[1:], 8)
				if fails := f.kernel(&v)(&dst[0], &a[0], &b[0], 8) & 255; fails != 255 {
					t.Errorf("%s: %s(%x, %x) is decided in the lanes %08b", v.name, f.name, x[0],
						x[1], ^fails&255)
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
		for _, f := range everySlice() {
			rng := args.Generator(f.name)
			fails := vectortest.Undecided(f.kernel(&v), 100,
				func() float64 { return f.typical(rng) })
			if fails > vector.Most {
				t.Errorf("%s: %s leaves %d of %d to the function", v.name, f.name, fails,
					100*vector.Most)
			}
		}
		for _, f := range slicePairs {
			rng := args.Generator(f.name)
			fails := vectortest.Undecided2(f.kernel(&v), 100,
				func() (x, y float64) { return f.typical(rng) })
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
		{func() { Atan2Slice(x[:3], x[:4], x[:3]) },
			"crmath.Atan2Slice: dst has 3 elements and y has 4"},
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
	every := everySlice()
	if n := testing.AllocsPerRun(100, func() {
		SincosSlice(dst[:100], dst[100:200], x[:100])
		for _, f := range every {
			f.slice(dst, x)
		}
		for _, f := range slicePairs {
			f.slice(dst, x, x)
		}
		var local [100]float64 // stays on the stack
		LogSlice(local[:], x[:100])
		PowSlice(local[:], local[:], local[:])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
