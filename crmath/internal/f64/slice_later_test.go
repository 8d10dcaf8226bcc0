package f64

import (
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

// laterSlices are the slice functions of slice_later.go.
var laterSlices = []sliceFunction{
	{"exp2m1", Exp2m1Slice, nearest(Exp2m1), exp2m1Lane,
		func(v *vectorSet) vector.Kernel[float64] { return v.exp2m1 },
		nil, args.Between(-2, 2), exp2m1Kinds},
	{"exp10m1", Exp10m1Slice, nearest(Exp10m1), exp10m1Lane,
		func(v *vectorSet) vector.Kernel[float64] { return v.exp10m1 },
		nil, args.Between(-2, 2), exp10m1Kinds},
	{"log2p1", Log2p1Slice, nearest(Log2p1), log2p1Lane,
		func(v *vectorSet) vector.Kernel[float64] { return v.log2p1 },
		nil, args.Between(-0.5, 10), logPlusKinds},
	{"log10p1", Log10p1Slice, nearest(Log10p1), log10p1Lane,
		func(v *vectorSet) vector.Kernel[float64] { return v.log10p1 },
		nil, args.Between(-0.5, 10), logPlusKinds},
	{"sinpi", SinpiSlice, nearest(Sinpi), sinpiLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.sinpi },
		nil, args.Between(-5, 5), turnKinds},
	{"cospi", CospiSlice, nearest(Cospi), cospiLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.cospi },
		nil, args.Between(-5, 5), turnKinds},
	{"tanpi", TanpiSlice, nearest(Tanpi), tanpiLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.tanpi },
		nil, args.Between(-5, 5), turnKinds},
	{"asinpi", AsinpiSlice, nearest(Asinpi), asinpiLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.asinpi },
		nil, args.Between(-1, 1), halfTurnKinds},
	{"acospi", AcospiSlice, nearest(Acospi), acospiLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.acospi },
		nil, args.Between(-1, 1), halfTurnKinds},
	{"atanpi", AtanpiSlice, nearest(Atanpi), atanpiLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.atanpi },
		nil, args.Between(-10, 10), slopeKinds},
	{"rec_sqrt", RsqrtSlice, nearest(Rsqrt), rsqrtLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.rsqrt },
		nil, args.Between(0, 100), rsqrtKinds},
	{"erf", ErfSlice, nearest(Erf), erfLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.erf },
		nil, args.Between(-3, 3), erfKinds},
	{"erfc", ErfcSlice, nearest(Erfc), erfcLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.erfc },
		nil, args.Between(-2, 5), erfcKinds},
	{"gamma", GammaSlice, nearest(Gamma), gammaLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.gamma },
		nil, args.Between(1, 20), gammaKinds},
	{"lgamma", LgammaSlice, nearestLgamma, lgammaLane,
		func(v *vectorSet) vector.Kernel[float64] { return v.lgamma },
		nil, args.Between(0.01, 100), lgammaKinds},
}

// everySlice returns all slice functions of one argument.
func everySlice() []sliceFunction { return append(slices.Clone(sliceFunctions), laterSlices...) }

// TestGoldenLaterSlices is TestGoldenSlices for laterSlices.
func TestGoldenLaterSlices(t *testing.T) {
	const want = 0x62af424880aa4e13
	for _, v := range levels() {
		h := newResultHash()
		rng := rand.New(rand.NewPCG(1, 2))
		x, dst := make([]float64, 1001), make([]float64, 1001)
		for _, f := range laterSlices {
			for i := range x {
				x[i] = f.kinds[i%len(f.kinds)](rng)
			}
			vector.Map(f.name, dst, x, f.one, f.kernel(&v))
			h.add(dst)
		}
		if got := h.Sum64(); got != want {
			t.Errorf("%s: hash %#x, want %#x", v.name, got, uint64(want))
		}
	}
}

// TestSincosSlice computes both results, elsewhere and in the place of the
// arguments.
func TestSincosSlice(t *testing.T) {
	x := drawn(args.Generator("sincos"), 1000, trigKinds)
	for i := range 3 {
		both := [2][]float64{make([]float64, len(x)), make([]float64, len(x))}
		argument := slices.Clone(x)
		if i < 2 {
			both[i] = argument
		}
		SincosSlice(both[0], both[1], argument)
		vectortest.Same(t, "sine", both[0], x, nearest(Sin))
		vectortest.Same(t, "cosine", both[1], x, nearest(Cos))
	}
	SincosSlice(nil, nil, nil)
	for want, f := range map[string]func(){
		"crmath.SincosSlice: cos has 3 elements and x has 4": func() {
			SincosSlice(x[:4], x[10:13], x[20:24])
		},
		"crmath.SincosSlice: sin overlaps x": func() { SincosSlice(x[1:5], x[10:14], x[:4]) },
		"crmath.SincosSlice: sin overlaps cos: pass another array": func() {
			SincosSlice(x[:4], x[:4], x[20:24])
		},
		"crmath.SincosSlice: sin overlaps cos": func() { SincosSlice(x[:4], x[3:7], x[20:24]) },
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.HasPrefix(got, want) {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			f()
			t.Errorf("no panic, want %q", want)
		}()
	}
}

// TestIntSlices compares slices of functions of a number and an integer with
// single calls.
func TestIntSlices(t *testing.T) {
	x := drawn(args.Generator("integers"), 700, append(slices.Clone(powerBases), halfSteps))
	dst := make([]float64, len(x))
	for name, f := range map[string]struct {
		slice func(dst, x []float64, n int)
		one   func(x float64, n int, m fp.Mode) float64
	}{
		"Pown": {PownSlice, Pown}, "Compound": {CompoundSlice, Compound},
		"Rootn": {RootnSlice, Rootn},
	} {
		for _, n := range []int{0, 1, -1, 2, 3, 5, -7, 100, 1001, math.MaxInt, math.MinInt} {
			f.slice(dst, x, n)
			vectortest.Same(t, name, dst, x,
				func(x float64) float64 { return f.one(x, n, fp.NearestEven) })
		}
		if require.Race {
			continue // the race detector allocates
		}
		if n := testing.AllocsPerRun(10, func() { f.slice(dst, x, 3) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// powerBases are numbers with powers in the range of float64, and others.
var powerBases = []args.Kind{args.Between(-2, 2), args.Between(0, 10), args.Magnitudes(-20, 20),
	args.Near(1)}
