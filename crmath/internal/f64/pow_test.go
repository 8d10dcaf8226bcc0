package f64

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/crmath/internal/wide/widetest"
)

// pairs gives arguments of a function of two.
type pairs func(*rand.Rand) (x, y float64)

// both draws the arguments independently.
func both(a, b args.Kind) pairs {
	return func(rng *rand.Rand) (x, y float64) { return a(rng), b(rng) }
}

// powerNear draws x, and y so that y·ln x is near an exponent.
func powerNear(a, exponent args.Kind) pairs {
	return func(rng *rand.Rand) (x, y float64) {
		x = a(rng)
		return x, exponent(rng) / math.Log(math.Abs(x))
	}
}

// exactPower draws g^(2^f)·2^e and n·2^-f with small odd g, whose power is
// exact if it is short enough, or a neighbour of such a pair.
func exactPower(rng *rand.Rand) (x, y float64) {
	f := rng.IntN(6)
	g := 2*rng.IntN(1+1<<(1+rng.IntN(52>>f))) + 1
	x = math.Ldexp(math.Pow(float64(g), float64(int(1)<<f)), (rng.IntN(41)-20)<<f)
	y = math.Ldexp(float64(rng.IntN(40)-2), -f)
	switch rng.IntN(16) {
	case 0:
		x = math.Nextafter(x, 1)
	case 1:
		y = math.Nextafter(y, 1)
	case 2:
		x = -x
	}
	return x, y
}

// powKinds are the kinds of arguments of powers.
var powKinds = []pairs{
	both(args.Between(0, 100), args.Between(-10, 10)), both(args.AnyBits, args.Multiples(0.5, 8)),
	both(args.Positive(args.Magnitudes(-1074, 1024)), args.Magnitudes(-10, 10)),
	both(args.Between(0.5, 2), args.Between(-1000, 1000)),
	both(args.Near(1), args.Magnitudes(-5, 60)), powerNear(args.Near(1), args.Between(-750, 715)),
	powerNear(args.Positive(args.Magnitudes(-1074, 1024)), args.Between(-746, -707)),
	powerNear(args.Positive(args.AnyBits), args.Between(706, 711)),
	powerNear(args.Positive(args.Magnitudes(-3, 3)), args.Magnitudes(-56, -50)), exactPower,
	both(args.Multiples(1, 100), args.Multiples(0.5, 40)),
	both(args.Magnitudes(-100, 100), args.Multiples(1, 20)),
	both(args.Positive(args.Multiples(0x1p-1074, 1<<20)), args.Between(-1, 1)),
	both(args.Multiples(0.25, 40), args.Multiples(0.03125, 1100)),
	both(args.AnyBits, args.Magnitudes(-12, 12)), both(args.AnyBits, args.AnyBits),
	both(args.Near(1), args.Multiples(0.125, 16)),
	both(args.AnyBits, func(*rand.Rand) float64 { return 0.5 }),
}

func TestPow(t *testing.T) {
	t.Parallel()
	correct, rng, wrong := oracle.Binary(t, "pow"), args.Generator("pow"), 0
	for i := range args.SampleSize(t) {
		x, y := powKinds[i%len(powKinds)](rng)
		if got, want := Pow(x, y), correct(x, y); !args.Identical(got, want) {
			t.Errorf("Pow(%x, %x) = %x, want %x (kind %d)", x, y, got, want, i%len(powKinds))
			if wrong++; wrong == 10 {
				t.FailNow()
			}
		}
	}
}

func TestPowHard(t *testing.T) {
	t.Parallel()
	correct := oracle.Binary(t, "pow")
	for _, x := range args.Hard(t, "pow") {
		if got, want := Pow(x[0], x[1]), correct(x[0], x[1]); !args.Identical(got, want) {
			t.Errorf("Pow(%x, %x) = %x, want %x", x[0], x[1], got, want)
		}
	}
}

// TestPowSpecial compares the special cases with package math's, which are the
// same, on all pairs of special arguments.
func TestPowSpecial(t *testing.T) {
	inf := math.Inf(1)
	values := []float64{0, 5e-324, 0x1p-1022, 0.5, math.Nextafter(1, 0), 1, math.Nextafter(1, 2), 2,
		3, 1<<53 - 1, 1 << 53, 0x1p60, 0x1p1023, math.MaxFloat64, inf, math.NaN()}
	for _, x := range values {
		for _, y := range values {
			for sign := range 4 {
				x, y := math.Copysign(x, float64(sign&1)-0.5), math.Copysign(y, float64(sign&2)-0.5)
				special := x == 0 || x-x != 0 || y == 0 || y-y != 0 || x == 1 || y == 1 || x < 0 &&
					y != math.Trunc(y)
				if got, want := Pow(x, y),
					math.Pow(x, y); special && !args.Identical(got, want) ||
					math.Signbit(got) != math.Signbit(want) && got == got {
					t.Errorf("Pow(%v, %v) = %v, want %v", x, y, got, want)
				}
			}
		}
	}
	for _, c := range []struct{ x, y, want float64 }{
		{2, 1024, inf}, {2, -1074, 5e-324}, {2, -1075, 0}, {-2, -1075, math.Copysign(0, -1)},
		{-2, 1025, -inf}, {-2, 1024, inf}, {4, -537.5, 0}, {4, -536.5, 0x1p-1073},
		{0x1p-1074, 1. / 2, 0x1p-537}, {0x1p-1074, -1. / 2, 0x1p537}, {0x3p-1074, 1, 0x3p-1074},
		{0x9p-1074, 0.5, 0x3p-537}, {0x1.8p-537, 2, 0x1p-1073},
		{math.Copysign(0, -1), 0.5, 0}, {-inf, 0.5, inf}, {inf, 0.5, inf}, {-4, 0.5, math.NaN()},
		{0x1p-1074, 0.5, 0x1p-537}, {10, 22, 1e22}, {10, 23, 1e23}, {10, -5, 1e-5},
		{3, 33, 5559060566555523}, {3, 34, 16677181699666568}, {0x1.0000001p0, 2, 0x1.0000002p0},
	} {
		if got := Pow(c.x, c.y); !args.Identical(got, c.want) {
			t.Errorf("Pow(%v, %v) = %x, want %x", c.x, c.y, got, c.want)
		}
	}
}

// TestPowExact compares powers of integers, and of their roots, with the
// integers of package big, rounded: those that are representable or midpoints
// powExact has to give, and no others.
func TestPowExact(t *testing.T) {
	t.Parallel()
	rng, exact, midpoints := args.Generator("powExact"), 0, 0
	for range 20_000 {
		x, y := exactPower(rng)
		x = math.Abs(x)
		if x == 1 || y == 0 {
			continue
		}
		got, ok := wide.ExactPow(x, y)
		root, odd := new(big.Float).SetPrec(4000).SetFloat64(x), y // x^y = root^odd
		for odd != math.Trunc(odd) {
			if root.Sqrt(root); !root.IsInt() && root.MinPrec() > 53 {
				break
			}
			odd *= 2
		}
		if odd != math.Trunc(odd) || math.Abs(odd) > 64 || odd < 0 && root.MinPrec() > 1 {
			if ok {
				t.Fatalf("%x^%x is exact: %x", x, y, got)
			}
			continue
		}
		power := new(big.Float).SetPrec(4000).SetInt64(1)
		for range int(math.Abs(odd)) {
			power.Mul(power, root)
		}
		if odd < 0 {
			power.Quo(big.NewFloat(1), power)
		}
		want, _ := power.Float64()
		if ok != (power.MinPrec() <= 54) || ok && !args.Identical(got, want) {
			t.Fatalf("%x^%x: %x, %v, but it is %v, of %d bits", x, y, got, ok, power,
				power.MinPrec())
		}
		if ok {
			exact++
			if power.MinPrec() == 54 {
				midpoints++
			}
		}
	}
	if exact < 1000 || midpoints < 50 {
		t.Errorf("only %d exact powers, %d midpoints", exact, midpoints)
	}
}

// TestPowKernel compares the kernel, at several precisions, with MPFR.
func TestPowKernel(t *testing.T) {
	t.Parallel()
	correct, rng := oracle.Binary(t, "pow"), args.Generator("powKernel")
	for i := range 1000 {
		x, y := powKinds[i%9](rng)
		if p := y * math.Log(x); !(x > 0 && 0x1p-50 < math.Abs(p) && math.Abs(p) < 1000) {
			continue
		}
		if _, ok := wide.ExactPow(x, y); ok {
			continue
		}
		want := correct(x, y)
		for _, n := range []int{2, 3, 7, wide.PowLast} {
			var z wide.Float
			z.SetPow(x, y, n)
			if got, ok := z.Float64(n); !ok || !args.Identical(got, want) {
				t.Fatalf("%x^%x to %d words: %x, %v, not %x", x, y, n, got, ok, want)
			}
		}
		var short, long wide.Float
		short.SetPow(x, y, wide.First)
		long.SetPow(x, y, wide.PowLast)
		if e := widetest.RelativeError(widetest.Big(&short, wide.First+1),
			widetest.Big(&long, wide.Words)); e > -64*wide.First-8 {
			t.Fatalf("%x^%x: relative error 2^%d", x, y, e)
		}
	}
}

// TestPowBounds compares the error of the fast path's logarithm with its
// bounds.
func TestPowBounds(t *testing.T) {
	t.Parallel()
	const w = wide.First + 1
	rng := args.Generator("powBounds")
	var absolute, rel float64
	for i := range 60_000 {
		m, k := 0.6875+float64(rng.Float64()*0.6875), 0
		switch i % 4 {
		case 0:
			k = rng.IntN(2098) - 1074
		case 1:
			m = 1 + math.Ldexp(rng.Float64()-0.5, -rng.IntN(40))
			m = min(max(m, 0.6875), math.Nextafter(1.375, 0))
		case 2:
			m = 1 + float64((rng.Float64()-0.5)*0x1p-8)
		}
		if m == 1 && k == 0 {
			continue
		}
		var a, z wide.Float
		a.SetFloat64(m, w)
		a.Exp += k
		z.SetLog(&a, wide.First)
		hi, lo := powLog(math.Float64bits(m), float64(k))
		absolute = max(absolute, within(t, "powLog", m, hi, lo, 0x1p-80*math.Sqrt2/2, &z))
		rel = max(rel,
			within(t, "powLog", m, hi, lo, math.Abs(z.Approx())*(0x1p-70*math.Sqrt2/2), &z))
		if math.Abs(lo) > 0x1p-30 || math.Abs(lo) > 0x1p-20*math.Abs(hi) {
			t.Fatalf("powLog of %x·2^%d: %x + %x", m, k, hi, lo)
		}
	}
	t.Logf("largest errors over their bounds: %.2f %.2f", absolute, rel)
	atLeast(t, "powLog", absolute, 0.05)
	atLeast(t, "powLog, relative", rel, 0.05)
}

func TestGoldenPow(t *testing.T) {
	rng, h := rand.New(rand.NewPCG(1, 2)), fnv.New64a()
	write := func(x, y float64) {
		z := Pow(x, y)
		if z != z {
			z = math.NaN()
		}
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(z)))
	}
	// Kinds that call package math's Pow or Log are left out: their arguments
	// are not the same everywhere.
	for i := range 16_384 {
		write(powKinds[[]int{0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 15}[i%11]](rng))
	}
	for _, x := range args.Hard(t, "pow") {
		write(x[0], x[1])
	}
	if got, want := h.Sum64(), uint64(0x7c4679fc924419e5); got != want {
		t.Errorf("Pow: hash %#x, want %#x", got, want)
	}
}

func TestPowAllocatesNothing(t *testing.T) {
	for _, f := range []func(x, y float64) float64{Pow, powAccurate} {
		for _, x := range []struct{ x, y float64 }{{1.5, 3.25}, {0x1.01p-1060, 1.01}, {3, 34},
			{1.0000001, -1e9}} {
			if n := testing.AllocsPerRun(100, func() { f(x.x, x.y) }); n != 0 {
				t.Errorf("%v allocations for %v", n, x)
			}
		}
	}
}
