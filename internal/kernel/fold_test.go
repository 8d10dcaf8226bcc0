package kernel

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/internal/cpu"
)

// TestBest fails if the processor's vector instructions are not used.
func TestBest(t *testing.T) {
	want := Generic
	switch levels := Levels(); {
	case levels[0] != Generic:
		t.Errorf("Levels() = %v; every processor runs %v", levels, Generic)
	case cpu.AVX512:
		want = AVX512
	case cpu.AVX2:
		want = AVX2
	case len(levels) > 1:
		want = NEON
	}
	if Best() != want {
		t.Errorf("Best() = %v, want %v", Best(), want)
	}
}

// A fold kernel, over one slice or two.
type foldKernel[T float32 | float64] struct {
	name     string
	run      func(l Level, x, y []T, m *[3]float64, f *Folds)
	value    func(x, y T) []float64 // whose exact sum is the summand
	abs, dot bool
}

func itself[T float32 | float64](x, _ T) []float64 { return []float64{float64(x)} }

func magnitude[T float32 | float64](x, _ T) []float64 { return []float64{math.Abs(float64(x))} }

var folds64 = []foldKernel[float64]{
	{"Sum2", func(l Level, x, _ []float64, m *[3]float64, f *Folds) {
		l.FoldSum2(x, m, f)
	}, itself[float64], false, false},
	{"Sum3", func(l Level, x, _ []float64, m *[3]float64, f *Folds) {
		l.FoldSum3(x, m, f)
	}, itself[float64], false, false},
	{"Asum2", func(l Level, x, _ []float64, m *[3]float64, f *Folds) {
		l.FoldAsum2(x, m, f)
	}, magnitude[float64], true, false},
	{"Dot", Level.FoldDot, func(x, y float64) []float64 {
		p := float64(x * y)
		return []float64{p, math.FMA(x, y, -p)}
	}, false, true},
}

var folds32 = []foldKernel[float32]{
	{"Sum2F32", func(l Level, x, _ []float32, m *[3]float64, f *Folds) {
		l.FoldSum2F32(x, m, f)
	}, itself[float32], false, false},
	{"Asum2F32", func(l Level, x, _ []float32, m *[3]float64, f *Folds) {
		l.FoldAsum2F32(x, m, f)
	}, magnitude[float32], true, false},
	{"Dot2F32", Level.FoldDot2F32, func(x, y float32) []float64 {
		return []float64{float64(float64(x) * float64(y))}
	}, false, true},
}

// guard surrounds every slice that a kernel gets. No kernel may read it.
var guard = math.NaN()

// guarded copies x to offset elements after an aligned address, between guards.
func guarded[T float32 | float64](x []T, offset int) []T {
	room := make([]T, len(x)+offset+16)
	for i := range room {
		room[i] = T(guard)
	}
	return room[offset : offset+copy(room[offset:], x) : offset+len(x)]
}

// numbers draws n values below 2^top, with exponents down to top − spread.
func numbers[T float32 | float64](rng *rand.Rand, n, top, spread int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(math.Ldexp(rng.Float64()*2-1, top-rng.IntN(spread+1)))
		if rng.IntN(20) == 0 {
			x[i] = 0
		}
	}
	return x
}

func TestFolds(t *testing.T) {
	for _, k := range folds64 {
		t.Run(k.name, func(t *testing.T) { testFolds(t, k) })
	}
	for _, k := range folds32 {
		t.Run(k.name, func(t *testing.T) { testFolds(t, k) })
	}
}

func testFolds[T float32 | float64](t *testing.T, k foldKernel[T]) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 301 {
		for offset := range 8 {
			spread := []int{0, 10, 30, 45, 60, 100}[rng.IntN(6)]
			x, y := numbers[T](rng, n, 2, spread), numbers[T](rng, n, 1, spread)
			special := T(0)
			if n > 0 && rng.IntN(2) == 0 {
				special = []T{T(math.NaN()), T(math.Inf(1)), T(math.Inf(-1)), 1e30, -1e30,
					T(math.Copysign(0, -1)), 0x1p-140}[rng.IntN(7)]
				x[rng.IntN(n)] = special
			}
			checkFolds(t, k, guarded(x, offset), guarded(y, (offset+3)%8), 6)
		}
	}
	for _, n := range []int{511, 512, 513, 1000, 1024, 2049, 4095, MaxFold} {
		checkFolds(t, k, numbers[T](rng, n, 0, 20), numbers[T](rng, n, 0, 20), 3)
	}
	// The largest possible sums of contributions.
	full := make([]T, MaxFold)
	for i := range full {
		full[i] = -(1 - 0x1p-20)
	}
	ones := make([]T, MaxFold)
	for i := range ones {
		ones[i] = 1
	}
	checkFolds(t, k, full, ones, 1)
}

// checkFolds holds every level against the portable one, and that against exact
// sums.
func checkFolds[T float32 | float64](t *testing.T, k foldKernel[T], x, y []T, e int) {
	t.Helper()
	m := Constants(e)
	var want Folds
	k.run(Generic, x, y, &m, &want)
	if want.Exact() {
		if got, sum := total(want.T, e), exactly(k, x, y); got.Cmp(sum) != 0 {
			t.Fatalf("generic, n = %d: the folds hold %v of %v", len(x), got, sum)
		}
	} else if inside(k, x, y, e) {
		t.Fatalf("generic, n = %d: not exact: %+v", len(x), want)
	}
	for _, l := range Levels()[1:] {
		var got Folds
		k.run(l, x, y, &m, &got)
		if got.Exact() != want.Exact() || got.InRange() != want.InRange() ||
			got.NegativeZero() != want.NegativeZero() {
			t.Fatalf("%v, n = %d: %+v; generic %+v\n%v", l, len(x), got, want, x)
		}
		if want.Exact() && got.T != want.T {
			t.Fatalf("%v, n = %d: T = %v; generic %v", l, len(x), got.T, want.T)
		}
	}
}

// total returns Σ T[k]·ulp(M[k]).
func total(sums [3]int64, e int) *big.Float {
	s := new(big.Float).SetPrec(1000)
	for k, v := range sums {
		f := new(big.Float).SetPrec(1000).SetInt64(v)
		s.Add(s, f.SetMantExp(f, e-FoldStep*k-52))
	}
	return s
}

func exactly[T float32 | float64](k foldKernel[T], x, y []T) *big.Float {
	s := new(big.Float).SetPrec(1000)
	for i := range x {
		for _, v := range k.value(x[i], y[i]) {
			s.Add(s, big.NewFloat(v))
		}
	}
	return s
}

// inside reports whether all summands are small enough for M₁ and multiples of
// the last fold's unit.
func inside[T float32 | float64](k foldKernel[T], x, y []T, e int) bool {
	unit := math.Ldexp(1, e-FoldStep-52)
	if k.dot {
		unit = math.Ldexp(1, e-52-FoldStep)
	}
	for i := range x {
		for _, v := range k.value(x[i], y[i]) {
			if !(math.Abs(v) < math.Ldexp(1, e-1)) || math.Mod(v, unit) != 0 {
				return false
			}
		}
	}
	return true
}

// TestUnderflow holds that products whose errors are lost do not count as
// exact.
func TestUnderflow(t *testing.T) {
	for _, l := range Levels() {
		for _, v := range []float64{1e-200, 1 + 0x1p-52, 0x1p-500 * (1 + 0x1p-52), 0x1p-1074} {
			for _, w := range []float64{1e-200, 0x1p-1074, 0x1p-1022, 0x1p-500 * (1 + 0x1p-52)} {
				for n := range 20 {
					x, y := make([]float64, n+1), make([]float64, n+1)
					x[n], y[n] = v, w
					m, f := Constants(-900), Folds{}
					l.FoldDot(x, y, &m, &f)
					p := new(big.Float).SetPrec(200).Mul(big.NewFloat(v), big.NewFloat(w))
					if f.Exact() && total(f.T, -900).Cmp(p) != 0 {
						t.Fatalf("%v: %g·%g at %d is taken for exact: %+v", l, v, w, n, f)
					}
				}
			}
		}
	}
}

func BenchmarkFolds(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = MaxFold
	for _, k := range folds64 {
		x, y := numbers[float64](rng, n, 0, 0), numbers[float64](rng, n, 0, 0)
		for _, l := range Levels() {
			b.Run(fmt.Sprintf("%s/impl=%v/n=%d", k.name, l, n), func(b *testing.B) {
				m, f := Constants(4), Folds{}
				b.SetBytes(8 * n)
				for b.Loop() {
					k.run(l, x, y, &m, &f)
				}
			})
		}
	}
	for _, k := range folds32 {
		x, y := numbers[float32](rng, n, 0, 0), numbers[float32](rng, n, 0, 0)
		for _, l := range Levels() {
			b.Run(fmt.Sprintf("%s/impl=%v/n=%d", k.name, l, n), func(b *testing.B) {
				m, f := Constants(4), Folds{}
				b.SetBytes(4 * n)
				for b.Loop() {
					k.run(l, x, y, &m, &f)
				}
			})
		}
	}
}
