package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// lengths are those that a distribution is tried with.
var lengths = []int{0, 1, 2, 3, 7, 8, 9, 31, 64, 100, 511, 1000, 4096, 4097, 10_000}

func TestSum(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for _, d := range distributions {
			for _, n := range lengths {
				x := d.draw(rng, n)
				check(t, d.name, x, d.draw(rng, n))
				check(t, d.name+", float32", single(x), single(d.draw(rng, n)))
			}
		}
	})
}

// check holds every sum of x, and its dot product with y, against the oracle.
func check[T Float](t *testing.T, name string, x, y []T) {
	t.Helper()
	n := len(x)
	want := exactly(x)
	if got := Sum(x); !equal(got, want) {
		t.Fatalf("%s, n = %d: Sum = %x, want %x", name, n, got, want.float64())
	}
	var one, all Accumulator
	for _, v := range x {
		one.Add(float64(v))
	}
	addSlice(&all, x)
	if one.carried() != all.carried() {
		t.Fatalf("%s, n = %d: Add and AddSlice give other states: %v and %v", name, n, one.counts(),
			all.counts())
	}
	if !same(one.Float64(), want.float64()) || !same32(one.Float32(), want.float32()) ||
		one.counts() != want.c {
		t.Fatalf("%s, n = %d: an accumulator has %x, want %x", name, n, one.Float64(),
			want.float64())
	}
	abs := newExactSum()
	for _, v := range x {
		abs.add(math.Abs(float64(v)))
	}
	if got := Asum(x); !equal(got, abs) {
		t.Fatalf("%s, n = %d: Asum = %x, want %x", name, n, got, abs.float64())
	}
	dot := dotOf(x, y)
	if got := Dot(x, y); !equal(got, dot) {
		t.Fatalf("%s, n = %d: Dot = %x, want %x", name, n, got, dot.float64())
	}
	var products Accumulator
	for i, v := range x {
		products.AddProduct(float64(v), float64(y[i]))
	}
	if products.counts() != dot.c || !same(products.Float64(), dot.float64()) {
		t.Fatalf("%s, n = %d: the sum of products is %x, want %x", name, n, products.Float64(),
			dot.float64())
	}
	if got, want := Nrm2(x), dotOf(x, x); !equalRoot(got, want) {
		t.Fatalf("%s, n = %d: Nrm2 = %x, want √%x", name, n, got, want.float64())
	}
}

func addSlice[T Float](a *Accumulator, x []T) {
	switch x := any(x).(type) {
	case []float32:
		a.AddSlice32(x)
	case []float64:
		a.AddSlice(x)
	}
}

// equal compares with the oracle, rounded to T.
func equal[T Float](got T, want *exactSum) bool {
	if got, ok := any(got).(float32); ok {
		return same32(got, want.float32())
	}
	return same(float64(got), want.float64())
}

func equalRoot[T Float](got T, want *exactSum) bool {
	if v, ok := want.c.value(); ok {
		return same(float64(got), v)
	}
	if got, ok := any(got).(float32); ok {
		w, _ := want.root().Float32()
		return same32(got, w)
	}
	w, _ := want.root().Float64()
	return same(float64(got), w)
}

// TestAlignment tries every length, starting at every element of a cache line,
// among numbers that must not be read.
func TestAlignment(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 4))
		room, other := make([]float64, 320), make([]float64, 320)
		for n := range 301 {
			for offset := range 8 {
				for i := range room {
					room[i], other[i] = math.NaN(), math.NaN()
				}
				x, y := room[offset:offset+n], other[7-offset:7-offset+n]
				d := distributions[rng.IntN(len(distributions))]
				copy(x, d.draw(rng, n))
				copy(y, d.draw(rng, n))
				if got, want := Sum(x), sumOf(x); !same(got, want) {
					t.Fatalf("%s, n = %d at %d: Sum = %x, want %x", d.name, n, offset, got, want)
				}
				if got, want := Dot(x, y), dotOf(x, y).float64(); !same(got, want) {
					t.Fatalf("%s, n = %d at %d: Dot = %x, want %x", d.name, n, offset, got, want)
				}
			}
		}
	})
}

// TestSpecialEverywhere puts NaN, infinities and −0 in every position.
func TestSpecialEverywhere(t *testing.T) {
	nan, inf, minus := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	everyLevel(t, func(t *testing.T) {
		for _, fill := range []float64{0, minus, 1, -math.MaxFloat64, 0x1p-1074} {
			for _, n := range []int{1, 2, 5, 17, 40, 600} {
				x := make([]float64, n)
				for i := range x {
					x[i] = fill
				}
				for _, special := range [][2]float64{{nan, nan}, {inf, inf}, {-inf, -inf},
					{inf, -inf}, {nan, inf}, {-inf, nan}, {minus, minus}, {0, minus}} {
					for i := 0; i < n; i += 1 + n/25 {
						j := (i*7 + 3) % n
						old := [2]float64{x[i], x[j]}
						x[i], x[j] = special[0], special[1]
						if got, want := Sum(x), sumOf(x); !same(got, want) {
							t.Fatalf("n = %d of %g, %v at %d and %d: Sum = %g, want %g", n, fill,
								special, i, j, got, want)
						}
						if got, want := Sum(single(x)), exactly(single(x)); !equal(got, want) {
							t.Fatalf("n = %d of %g, %v at %d and %d: Sum of float32 = %g, want %g",
								n, fill, special, i, j, got, want.float32())
						}
						if got, want := Nrm2(x), dotOf(x, x); !equalRoot(got, want) {
							t.Fatalf("n = %d of %g, %v at %d and %d: Nrm2 = %g", n, fill, special,
								i, j, got)
						}
						x[j] = old[1]
						x[i] = old[0]
					}
				}
			}
		}
	})
}

func TestSumTable(t *testing.T) {
	const most = math.MaxFloat64
	minus, tiny := math.Copysign(0, -1), 0x1p-1074
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{nil, 0},
		{[]float64{minus}, minus},
		{[]float64{minus, minus}, minus},
		{[]float64{minus, 0}, 0},
		{[]float64{1, -1}, 0},
		{[]float64{minus, 1, -1}, 0},
		{[]float64{most, most, -most}, most},
		{[]float64{most, most}, math.Inf(1)},
		{[]float64{-most, -most}, math.Inf(-1)},
		{[]float64{most, 0x1p969}, most},        // below half of an ulp above
		{[]float64{most, 0x1p970}, math.Inf(1)}, // half of one: to even
		{[]float64{most, 0x1p970, -tiny}, most}, // just below half of one
		{[]float64{1e300, 1, -1e300}, 1},
		{[]float64{1, 0x1p-53}, 1},                 // a tie, to even
		{[]float64{1, 0x1p-53, tiny}, 1 + 0x1p-52}, // just above it
		{[]float64{1 + 0x1p-52, 0x1p-53}, 1 + 0x1p-51},
		{[]float64{1 + 0x1p-52, 0x1p-53, -tiny}, 1 + 0x1p-52},
		{[]float64{tiny, tiny}, 2 * tiny},
		{[]float64{0x1p-1022, -tiny}, 0x1p-1022 - tiny},
		{[]float64{math.Inf(1), -most}, math.Inf(1)},
		{[]float64{math.Inf(1), math.Inf(-1)}, math.NaN()},
		{[]float64{math.NaN(), math.Inf(1)}, math.NaN()},
	} {
		if got := Sum(c.x); !same(got, c.want) {
			t.Errorf("Sum(%g) = %x, want %x", c.x, got, c.want)
		}
	}
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{nil, nil, 0},
		{[]float64{minus}, []float64{1}, minus},
		{[]float64{minus}, []float64{minus}, 0},
		{[]float64{most, most}, []float64{most, -most}, 0},
		{[]float64{most, 1, most}, []float64{most, 3, -most}, 3},
		{[]float64{tiny, 1}, []float64{tiny, 0}, 0},
		{[]float64{1, 1, tiny}, []float64{1, 0x1p-53, tiny}, 1 + 0x1p-52},
		{[]float64{1, 1, -tiny}, []float64{1, 0x1p-53, tiny}, 1},
		{[]float64{0}, []float64{math.Inf(1)}, math.NaN()},
		{[]float64{1e-200, -1e-200}, []float64{1e-200, 1e-200}, 0},
	} {
		if got := Dot(c.x, c.y); !same(got, c.want) {
			t.Errorf("Dot(%g, %g) = %x, want %x", c.x, c.y, got, c.want)
		}
	}
	if got := Sum([]float32{math.MaxFloat32, math.MaxFloat32,
		-math.MaxFloat32}); got != math.MaxFloat32 {
		t.Errorf("max + max − max = %g", got)
	}
	// Rounding to float64 first would make a tie of it.
	if got, want := Sum([]float32{1, 0x1p-24, 0x1p-80}), float32(1+0x1p-23); got != want {
		t.Errorf("the sum is rounded twice: %x, want %x", got, want)
	}
	if got := Nrm2([]float64{3e300, 4e300}); got != 5e300 {
		t.Errorf("Nrm2 = %g, want 5e300", got)
	}
	if got := Nrm2([]float64{3 * tiny, 4 * tiny}); got != 5*tiny {
		t.Errorf("Nrm2 = %g, want 5 of the smallest", got)
	}
}

// TestShuffledSplitMerged cuts the same numbers into parts in a thousand ways,
// sums the parts, and merges the sums along a random tree.
func TestShuffledSplitMerged(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, d := range distributions {
		x := d.draw(rng, 3000)
		var whole Accumulator
		whole.AddSlice(x)
		want, digest := sumOf(x), whole.Digest()
		for range 1000 / len(distributions) {
			rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
			if got := Sum(x); !same(got, want) {
				t.Fatalf("%s, shuffled: %x, want %x", d.name, got, want)
			}
			a := mergeTree(rng, x)
			if got := a.Float64(); !same(got, want) {
				t.Fatalf("%s, split and merged: %x, want %x", d.name, got, want)
			}
			if a.Digest() != digest {
				t.Fatalf("%s: the same multiset has two digests", d.name)
			}
		}
	}
}

// mergeTree sums x in two parts, each of them so too.
func mergeTree(rng *rand.Rand, x []float64) *Accumulator {
	a := new(Accumulator)
	if len(x) < 2 || rng.IntN(8) == 0 {
		a.AddSlice(x)
		return a
	}
	cut := rng.IntN(len(x) + 1)
	left, right := mergeTree(rng, x[:cut]), mergeTree(rng, x[cut:])
	if rng.IntN(2) == 0 {
		left, right = right, left
	}
	switch rng.IntN(3) {
	case 0:
		a = left
		a.Merge(right)
	case 1:
		sum := left.AppendLimbs(nil)
		for i, v := range right.AppendLimbs(nil) {
			sum[i] += v
		}
		if err := a.AddLimbs(sum); err != nil {
			panic(err)
		}
	default:
		b, _ := right.MarshalBinary()
		if err := a.UnmarshalBinary(b); err != nil {
			panic(err)
		}
		a.Merge(left)
	}
	return a
}

// TestLarge sums ten million numbers, on all cores and on one.
func TestLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	n := 10_000_000
	if testing.Short() {
		n = minParallel
	}
	x := make([]float64, n)
	for _, d := range []distribution{distributions[0], distributions[9]} {
		for i, v := range d.draw(rng, 1<<16) {
			for j := i; j < n; j += 1 << 16 {
				x[j] = v * float64(1+j>>16)
			}
		}
		want := new(big.Float).SetPrec(900) // of ±300 and 2^24 summands at the most
		v := new(big.Float)
		for _, f := range x {
			want.Add(want, v.SetFloat64(f))
		}
		w, _ := want.Float64()
		if got := Sum(x); !same(got, w) {
			t.Errorf("%s, n = %d: %x, want %x", d.name, n, got, w)
		}
		var s stream
		o := over(values, x, nil)
		s.add(&o)
		if got := sum[float64](&s); !same(got, w) {
			t.Errorf("%s, n = %d, on one core: %x, want %x", d.name, n, got, w)
		}
	}
}

func TestInc(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		n, incX, incY := rng.IntN(1500), 1+rng.IntN(4), 1+rng.IntN(4)
		d := distributions[rng.IntN(len(distributions))]
		x, y := d.draw(rng, 1+n*incX), d.draw(rng, 1+n*incY)
		var px, py []float64
		for i := range n {
			px, py = append(px, x[i*incX]), append(py, y[(n-1-i)*incY])
		}
		if got, want := SumInc(n, x, incX), Sum(px); !same(got, want) {
			t.Fatalf("SumInc(%d, x, %d) = %x, want %x", n, incX, got, want)
		}
		if got, want := SumInc(n, x, -incX), Sum(px); !same(got, want) {
			t.Fatalf("SumInc(%d, x, %d) = %x, want %x", n, -incX, got, want)
		}
		if got, want := AsumInc(n, x, incX), Asum(px); !same(got, want) {
			t.Fatalf("AsumInc(%d, x, %d) = %x, want %x", n, incX, got, want)
		}
		if got, want := Nrm2Inc(n, x, incX), Nrm2(px); !same(got, want) {
			t.Fatalf("Nrm2Inc(%d, x, %d) = %x, want %x", n, incX, got, want)
		}
		if got, want := DotInc(n, x, incX, y, -incY), Dot(px, py); !same(got, want) {
			t.Fatalf("DotInc(%d, x, %d, y, %d) = %x, want %x", n, incX, -incY, got, want)
		}
	}
	for name, f := range map[string]func(){
		"n < 0":     func() { SumInc(-1, []float64{1}, 1) },
		"inc = 0":   func() { SumInc(1, []float64{1}, 0) },
		"too short": func() { SumInc(3, make([]float64, 4), 2) },
		"lengths":   func() { Dot([]float64{1}, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestAllocations(t *testing.T) {
	if require.Race {
		return // pools forget
	}
	rng := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{10, 1000, 100_000, minParallel} {
		for _, d := range []distribution{distributions[0], distributions[10]} {
			x := d.draw(rng, n)
			y := single(x)
			var a Accumulator
			for name, f := range map[string]func(){
				"Sum": func() { Sum(x) }, "Sum of float32": func() { Sum(y) },
				"Asum": func() { Asum(x) },
				"Dot":  func() { Dot(x, x) }, "Nrm2": func() { Nrm2(x) },
				"AddSlice": func() { a.AddSlice(x) },
				"SumInc":   func() { SumInc(n/2, x, 2) },
				"Add":      func() { a.Add(1); a.AddProduct(2, 3); a.Merge(&a); a.Float64() },
			} {
				f() // so that pools have something
				most := 0.0
				if a.spill != nil && strings.HasPrefix(name, "Add") {
					most = 2 // a sum that does not change: copies may have it
				}
				if got := testing.AllocsPerRun(5, f); got > most {
					t.Errorf("%s, %s, n = %d: %v allocations", name, d.name, n, got)
				}
			}
		}
	}
}
