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

// A unaryRow is a function of one argument and what computes it.
type unaryRow struct {
	name    string // MPFR's, of its hard arguments
	slice   func(dst, x []float64)
	one     func(x float64) float64 // to nearest
	fast    func(x float64) float64 // the single call
	lane    func(x float64) (float64, bool)
	call    func(x float64) (float64, bool) // that fast is compiled from
	kernel  func(*vectorSet) vector.Kernel[float64]
	theirs  func(x float64) float64 // of package math, or nil
	typical args.Kind
	kinds   []args.Kind
}

// A pairRow is a unaryRow of two arguments, in the order of planes: x first.
type pairRow struct {
	name    string
	slice   func(dst, x, y []float64)
	one     func(x, y float64) float64
	fast    func(x, y float64) float64
	lane    func(x, y float64) (float64, bool)
	call    func(x, y float64) (float64, bool)
	kernel  func(*vectorSet) vector.Kernel2[float64]
	theirs  func(x, y float64) float64
	typical pairs
	kinds   []pairs
}

// An integerRow is a function of a number and an integer.
type integerRow struct {
	name  string
	slice func(dst, x []float64, n int)
	one   func(x float64, n int, m fp.Mode) float64
}

// exchanged returns f of exchanged arguments.
func exchanged(f func(y, x float64) float64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return f(y, x) }
}

// mathExp10 is the nearest function in package math.
func mathExp10(x float64) float64 { return math.Pow(10, x) }

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
	for _, f := range unaryRows {
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
func (f pairRow) hardPairs(t *testing.T) [][]float64 {
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
	for _, f := range pairRows {
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

// goldenSlices are hashes of the results of functions, by MPFR's names. They
// depend on the order. Other functions have hashes of their own (golden).
var goldenSlices = []struct {
	functions string
	want      uint64
}{
	{"exp exp2 expm1 log log2 log10 log1p sin cos tan exp10 asin acos atan sinh cosh tanh " +
		"asinh acosh atanh cbrt pow atan2 hypot", 0x69531b75098f7621},
	{"exp2m1 exp10m1 log2p1 log10p1 sinpi cospi tanpi asinpi acospi atanpi rec_sqrt erf erfc " +
		"gamma lgamma", 0x62af424880aa4e13},
}

// TestGoldenSlices compares hashes of the results of slice functions, by each
// kernel, with those that every machine gives.
func TestGoldenSlices(t *testing.T) {
	for _, c := range goldenSlices {
		for _, v := range levels() {
			h := newResultHash()
			rng := rand.New(rand.NewPCG(1, 2))
			for _, name := range strings.Fields(c.functions) {
				h.add(results(t, &v, name, rng))
			}
			if got := h.Sum64(); got != c.want {
				t.Errorf("%s: hash %#x, want %#x", v.name, got, c.want)
			}
		}
	}
}

// results returns results of a function by its kernel.
func results(t *testing.T, v *vectorSet, name string, rng *rand.Rand) []float64 {
	x, y, dst := make([]float64, 1001), make([]float64, 1001), make([]float64, 1001)
	for _, f := range unaryRows {
		if f.name != name {
			continue
		}
		for i := range x {
			x[i] = f.kinds[i%len(f.kinds)](rng)
		}
		vector.Map(f.name, dst, x, f.one, f.kernel(v))
		return dst
	}
	for _, f := range pairRows {
		if f.name != name {
			continue
		}
		for i := range x {
			if x[i], y[i] = f.typical(rng); i%4 == 0 {
				x[i], y[i] = args.AnyBits(rng), args.AnyBits(rng)
			}
		}
		vector.Map2(f.name, dst, x, y, f.one, f.kernel(v))
		return dst
	}
	t.Fatalf("there is no function %s", name)
	return nil
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
	for _, f := range unaryRows {
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
	for _, f := range pairRows {
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
		for _, f := range unaryRows {
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
		for _, f := range pairRows {
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
		for _, f := range unaryRows {
			rng := args.Generator(f.name)
			fails := vectortest.Undecided(f.kernel(&v), 100,
				func() float64 { return f.typical(rng) })
			if fails > vector.Most {
				t.Errorf("%s: %s leaves %d of %d to the function", v.name, f.name, fails,
					100*vector.Most)
			}
		}
		for _, f := range pairRows {
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
	if n := testing.AllocsPerRun(100, func() {
		SincosSlice(dst[:100], dst[100:200], x[:100])
		for _, f := range unaryRows {
			f.slice(dst, x)
		}
		for _, f := range pairRows {
			f.slice(dst, x, x)
		}
		var local [100]float64 // stays on the stack
		LogSlice(local[:], x[:100])
		PowSlice(local[:], local[:], local[:])
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
