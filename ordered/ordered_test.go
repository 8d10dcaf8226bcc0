package ordered

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/cpu"
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/internal/require"
)

var inf, nan, negZero = math.Inf(1), math.NaN(), math.Copysign(0, -1)

// same compares bits; any NaN is any other.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

func TestSpecialValues(t *testing.T) {
	const huge = math.MaxFloat64
	for _, tt := range []struct {
		x               []float64
		sum, asum, nrm2 float64
	}{
		{nil, 0, 0, 0},
		{[]float64{}, 0, 0, 0},
		{[]float64{0}, 0, 0, 0},
		{[]float64{negZero}, negZero, 0, 0},
		{[]float64{negZero, negZero, negZero}, negZero, 0, 0},
		{[]float64{negZero, 0}, 0, 0, 0},
		{[]float64{1, -1}, 0, 2, math.Sqrt2},
		{[]float64{-3}, -3, 3, 3},
		{[]float64{3, -4}, -1, 7, 5},
		{[]float64{nan, 1}, nan, nan, nan},
		{[]float64{inf, 1}, inf, inf, inf},
		{[]float64{-inf, 1}, -inf, inf, inf},
		{[]float64{inf, -inf}, nan, inf, inf},
		{[]float64{inf, nan}, nan, nan, nan},
		{[]float64{huge, huge}, inf, inf, inf},
		{[]float64{huge, -huge}, 0, inf, inf},
		{[]float64{3e300, 4e300}, 7e300, 7e300, 5e300},
		{[]float64{3e-320, -4e-320}, -1e-320, 7e-320, 5e-320},
		{[]float64{5e-324, 5e-324, 5e-324, 5e-324}, 2e-323, 2e-323, 1e-323},
		{[]float64{huge}, huge, huge, huge},
		{[]float64{0x1p1023, 1}, 0x1p1023, 0x1p1023, 0x1p1023},
	} {
		if got := Sum(tt.x); !same(got, tt.sum) {
			t.Errorf("Sum(%v) = %v, want %v", tt.x, got, tt.sum)
		}
		if got := Asum(tt.x); !same(got, tt.asum) {
			t.Errorf("Asum(%v) = %v, want %v", tt.x, got, tt.asum)
		}
		if got := Nrm2(tt.x); !same(got, tt.nrm2) {
			t.Errorf("Nrm2(%v) = %v, want %v", tt.x, got, tt.nrm2)
		}
	}
	for _, tt := range []struct {
		x, y []float64
		want float64
	}{
		{nil, nil, 0},
		{[]float64{negZero}, []float64{1}, negZero},
		{[]float64{negZero, 1}, []float64{1, 0}, 0},
		{[]float64{0, 1}, []float64{inf, 1}, nan},
		{[]float64{1e300, 1}, []float64{1e300, 1}, inf},
		{[]float64{1 + 0x1p-52, -1}, []float64{1 - 0x1p-52, 1}, 0}, // −2^-104 if it were fused
	} {
		if got := Dot(tt.x, tt.y); !same(got, tt.want) {
			t.Errorf("Dot(%v, %v) = %v, want %v", tt.x, tt.y, got, tt.want)
		}
	}
}

func TestDotOfDifferentLengths(t *testing.T) {
	defer func() {
		if p, ok := recover().(string); !ok ||
			!strings.HasPrefix(p, "ordered: Dot of 2 and 3 elements") {
			t.Errorf("panic %q", p)
		}
	}()
	Dot(make([]float64, 2), make([]float64, 3))
}

// TestNrm2Scaled multiplies by powers of two: the norm is multiplied by it, bit
// for bit, where squares overflow and underflow too.
func TestNrm2Scaled(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 2, 5, 64, 1000, 20000} {
		x, y := make([]float64, n), make([]float64, n)
		a, b := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i] = rng.Float64() + 0.5
			a[i] = float32(x[i])
		}
		for _, level := range kernel.Levels() {
			norm64, norm32 := nrm2(level, x), nrm2(level, a)
			for _, e := range []int{-1000, -600, -460, -440, -1, 1, 500, 520, 1000} {
				for i := range x {
					y[i] = math.Ldexp(x[i], e)
				}
				if got, want := nrm2(level, y), math.Ldexp(norm64, e); got != want {
					t.Errorf("%v, n = %d, 2^%d: %v, want %v", level, n, e, got, want)
				}
			}
			for _, e := range []int{-110, -70, -41, -39, 60, 70, 110} {
				for i := range a {
					b[i] = float32(math.Ldexp(float64(a[i]), e))
				}
				got, want := nrm2(level, b), float32(math.Ldexp(float64(norm32), e))
				if got != want {
					t.Errorf("%v, float32, n = %d, 2^%d: %v, want %v", level, n, e, got, want)
				}
			}
		}
	}
}

// TestThreads holds any number of goroutines against one.
func TestThreads(t *testing.T) {
	threads[float64](t, 0)
	threads[float32](t, 1)
}

func threads[T float32 | float64](t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(9, seed))
	size := blockSize[T]()
	x, y := make([]T, 70*size+100), make([]T, 70*size+100)
	for i := range x {
		x[i], y[i] = T(rng.NormFloat64()), T(rng.NormFloat64())
	}
	level := kernel.Best()
	for range 60 {
		n := size + 1 + rng.IntN(len(x)-size)
		if rng.IntN(2) == 0 {
			n = (2+rng.IntN(68))*size + rng.IntN(3) - 1
		}
		for _, op := range []kernel.OrderedOp{kernel.OrderedSum, kernel.OrderedDot,
			kernel.OrderedAsum, kernel.OrderedSquares} {
			want := large(level, op, x[:n], y[:n], 1, false)
			for _, workers := range []int{2, 3, 7} {
				if got := large(level, op, x[:n], y[:n], workers, false); got != want {
					t.Fatalf("op %d of %d: %v with %d goroutines, %v with one", op, n, got, workers,
						want)
				}
			}
		}
	}
}

// TestManyAtOnce has sums of many goroutines share the pools.
func TestManyAtOnce(t *testing.T) {
	x := make([]float64, 40*blockSize[float64]()+3)
	for i := range x {
		x[i] = float64(i%1000) * 0.1
	}
	want := large(kernel.Best(), kernel.OrderedSum, x, nil, 1, false)
	results := make(chan float64)
	for range 8 {
		go func() {
			for range 20 {
				results <- large(kernel.Best(), kernel.OrderedSum, x, nil, 4, false)
			}
		}()
	}
	for range 8 * 20 {
		if got := <-results; got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, c := range []struct {
		n, workers int
		isShort    bool
	}{
		{1, 1, true}, {bytesPerReadyWorker/4 - 1, 1, true}, {bytesPerReadyWorker / 4, 2, true},
		{parallelBytes/8 - 1, 8, true}, {parallelBytes / 8, 8, false}, {1 << 24, 8, false},
	} {
		if got, isShort := workers[float64](c.n); got != c.workers || isShort != c.isShort {
			t.Errorf("%d summands are worth %d goroutines, short: %v; want %+v", c.n, got,
				isShort, c)
		}
	}
}

func TestAllocations(t *testing.T) {
	if require.Race {
		return // pools forget
	}
	x, y := make([]float64, 40*blockSize[float64]()), make([]float64, 40*blockSize[float64]())
	for i := range x {
		x[i], y[i] = 0x1p600, 1
	}
	for name, f := range map[string]func(){
		"Sum of 100": func() {
			if !kernel.FindsStacks {
				return
			}
			a := [100]float64{7: 1}
			sink = Sum(a[:]) + Dot(a[:], a[:]) + Asum(a[:]) + Nrm2(a[:])
		},
		"Sum of a block": func() { sink = Sum(x[:8192]) },
		"Sum":            func() { sink = Sum(x) },
		"Dot":            func() { sink = Dot(x, y) },
		"Asum":           func() { sink = Asum(x) },
		"Nrm2, scaled":   func() { sink = Nrm2(x) },
		"parallel": func() {
			sink = large(kernel.Best(), kernel.OrderedDot, x, y, 4, false)
			runtime.Gosched()
		},
		"in Go": func() {
			sink = large(kernel.Generic, kernel.OrderedSum, x, nil, 4, false)
			runtime.Gosched()
		},
	} { // on one processor, where the goroutines run when the test lets them
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestError holds the bound of the package comment against rational numbers.
func TestError(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for _, n := range []int{10, 1000, 20000} {
		x := make([]float64, n)
		exact, abs := new(big.Rat), new(big.Rat)
		for i := range x {
			x[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(40))
			v := new(big.Rat).SetFloat64(x[i])
			exact.Add(exact, v)
			abs.Add(abs, v.Abs(v))
		}
		h := int64(127 + 6 + 2)
		gamma := big.NewRat(h, 1<<53-h)
		diff := new(big.Rat).SetFloat64(Sum(x))
		if diff.Sub(diff, exact); diff.Abs(diff).Cmp(gamma.Mul(gamma, abs)) > 0 {
			t.Errorf("n = %d: the error %v is larger than the bound", n, diff.FloatString(30))
		}
	}
}

// TestGoldenDispatch fails when another kernel is chosen than this processor
// has.
func TestGoldenDispatch(t *testing.T) {
	want := kernel.Generic
	switch {
	case purego:
	case runtime.GOARCH == "arm64":
		want = kernel.NEON
	case runtime.GOARCH == "amd64" && cpu.AVX512:
		want = kernel.AVX512
	case runtime.GOARCH == "amd64" && cpu.AVX2:
		want = kernel.AVX2
	}
	if best != want {
		t.Errorf("Sum runs on the kernel %v, want %v", best, want)
	}
}

// golden is the hash of the results below, the same on every architecture and
// kernel.
const golden = 0xcd2b0f64d765d293

// TestGolden hashes results on inputs made by integer arithmetic, for every
// kernel.
func TestGolden(t *testing.T) {
	for _, level := range kernel.Levels() {
		h := fnv.New64a()
		write := func(v float64) {
			if v != v {
				v = nan
			}
			binary.Write(h, binary.LittleEndian, math.Float64bits(v))
		}
		rng := rand.New(rand.NewPCG(31, 41))
		for _, n := range []int{0, 1, 2, 7, 63, 64, 65, 127, 128, 129, 300, 1000, 8191, 8192, 8193,
			20000, 3*16384 + 1} {
			for _, spread := range []int{1, 30, 600} {
				goldenResults[float64](level, rng, n, spread, write)
				goldenResults[float32](level, rng, n, spread/8+1, write)
			}
		}
		if h.Sum64() != golden {
			t.Errorf("%v: the results hash to %#x, not to %#x", level, h.Sum64(), uint64(golden))
		}
	}
}

func goldenResults[T float32 | float64](level kernel.Level, rng *rand.Rand, n, spread int,
	write func(float64)) {
	x, y := make([]T, n), make([]T, n)
	for i := range x {
		for _, v := range [][]T{x, y} {
			v[i] = T(math.Ldexp(float64(int64(rng.Uint64())>>11)*0x1p-52,
				rng.IntN(spread)-spread/2))
		}
	}
	for _, op := range []kernel.OrderedOp{kernel.OrderedSum, kernel.OrderedDot,
		kernel.OrderedAsum} {
		write(float64(total(level, op, x, y)))
	}
	write(float64(nrm2(level, x)))
	if n > blockSize[T]() {
		write(float64(large(level, kernel.OrderedSum, x, nil, 3, false)))
	}
}
