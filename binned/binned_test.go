package binned

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// algorithm is one of the algorithms in all its forms.
type algorithm[T Float] struct {
	name    string
	sum     func(x []T, k int) (T, error)
	bound   func(n int64, k int, maxAbs, sum T) float64
	oracle  func(o oracle, x []*big.Float, k int) *big.Float
	partial func(n int64, k int, maxAbs T) (*Partial[T], error)
	window  func(n int64, k int) (*Window[T], error)
}

func algorithms[T Float]() []algorithm[T] {
	return []algorithm[T]{
		{"Algorithm3", Algorithm3[T], BoundAlgorithm3[T], oracle.algorithm3, NewAlgorithm3[T], nil},
		{"Algorithm4", Algorithm4[T], BoundAlgorithm4[T],
			func(o oracle, x []*big.Float, k int) *big.Float { return o.algorithm4(x, k, 4) },
			NewAlgorithm4[T], nil},
		{"DoubleSweep", DoubleSweep[T], BoundDoubleSweep[T], oracle.doubleSweep, NewDoubleSweep[T],
			nil},
		{"SingleSweep", SingleSweep[T], BoundSingleSweep[T],
			func(o oracle, x []*big.Float, k int) *big.Float { return o.singleSweep(x, k, 1.5) },
			nil, NewSingleSweep[T]},
		{"OneReduction", OneReduction[T], BoundOneReduction[T], oracle.oneReduction, nil,
			func(n int64, k int) (*Window[T], error) { return NewOneReduction[T](k) }},
	}
}

// distribution makes values; they are finite.
type distribution[T Float] struct {
	name string
	make func(rng *rand.Rand, n int) []T
}

func each[T Float](value func(rng *rand.Rand) float64) func(*rand.Rand, int) []T {
	return func(rng *rand.Rand, n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(value(rng))
		}
		return x
	}
}

// signed returns a number in (−1, 1), of integers: the same everywhere.
func signed(rng *rand.Rand) float64 { return float64(int64(rng.Uint64())>>10) * 0x1p-53 }

func distributions[T Float]() []distribution[T] {
	f := formatOf[T]()
	highest := float64(ldexp(T(1), f.emax) * (2 - ldexp(T(1), 1-f.p)))
	wide := func(e int) func(*rand.Rand) float64 {
		return func(rng *rand.Rand) float64 { return math.Ldexp(signed(rng), rng.IntN(2*e+1)-e) }
	}
	return []distribution[T]{
		{"uniform", each[T](signed)},
		{"positive", each[T](func(rng *rand.Rand) float64 { return math.Abs(signed(rng)) })},
		{"exponents ±20", each[T](wide(20))},
		{"exponents ±120", each[T](wide(120))},
		{"all exponents", each[T](wide(f.emax))},
		{"subnormal", each[T](func(rng *rand.Rand) float64 {
			return math.Ldexp(signed(rng), f.emin+8+rng.IntN(20))
		})},
		{"smallest", each[T](func(rng *rand.Rand) float64 {
			return math.Ldexp(float64(rng.IntN(5)-2), f.emin)
		})},
		{"near overflow", each[T](func(rng *rand.Rand) float64 { return highest * signed(rng) })},
		{"largest", each[T](func(rng *rand.Rand) float64 {
			return highest * float64(1-2*rng.IntN(2))
		})},
		{"largest and smallest", each[T](func(rng *rand.Rand) float64 {
			if rng.IntN(2) == 0 {
				return highest * float64(rng.IntN(3)-1)
			}
			return math.Ldexp(signed(rng), f.emin+rng.IntN(f.p))
		})},
		{"zeros", each[T](func(rng *rand.Rand) float64 { return math.Copysign(0, signed(rng)) })},
		{"mostly zeros", each[T](func(rng *rand.Rand) float64 {
			return signed(rng) * float64(rng.IntN(8)/7)
		})},
		{"halfway", each[T](func(rng *rand.Rand) float64 {
			return math.Ldexp(float64(rng.IntN(9)-4), -rng.IntN(f.p+12))
		})},
		{"one large, below zero", func(rng *rand.Rand, n int) []T {
			x := make([]T, n)
			for i := range x {
				x[i] = -ldexp(T(1), -2*f.p)
			}
			if n > 0 {
				x[rng.IntN(n)] = T(1.0625)
			}
			return x
		}},
		{"cancellation", func(rng *rand.Rand, n int) []T {
			x := make([]T, n)
			for i := 0; i+1 < n; i += 2 {
				x[i] = T(wide(40)(rng))
				x[i+1] = -x[i]
				if rng.IntN(4) == 0 {
					x[i+1] += T(float64(x[i]) * signed(rng) * 0x1p-18)
				}
			}
			rng.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
			return x
		}},
	}
}

// must returns the sum or ends the test.
func must[T Float](t *testing.T, s T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newRand returns a source whose seed is printed by a failing test.
func newRand(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 3))
}

func TestOracle(t *testing.T) {
	t.Run("float64", testOracle[float64])
	t.Run("float32", testOracle[float32])
}

func testOracle[T Float](t *testing.T) {
	rng := newRand(t)
	o := oracleOf[T](t)
	for _, d := range distributions[T]() {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 17, 64, 300} {
			x := d.make(rng, n)
			for _, a := range algorithms[T]() {
				for _, k := range []int{1, 2, 3, 5, 40} {
					if k == 40 && n > 20 {
						continue
					}
					got, err := a.sum(x, k)
					must(t, got, err)
					want := rounded[T](a.oracle(o, bigs(x), k))
					if bitsOf(got) != bitsOf(want) {
						t.Fatalf("%s of %s, n = %d, k = %d: %g, not %g\n%v", a.name, d.name, n, k,
							got, want, x[:min(n, 8)])
					}
				}
			}
		}
	}
}

// TestSteps takes n and a maximum for which 1 − 2nu, 1 − 4nu and 1 lead to
// different extractors, in the first level and in the distance of the others.
func TestSteps(t *testing.T) {
	rng := newRand(t)
	o := oracleOf[float32](t)
	const n, u = 4093, 0x1p-24 // 2^12 − n lies between 2n²u and 4n²u
	for _, shrink := range []float64{0, n * u, 3 * n * u, 5 * n * u} {
		x := each[float32](signed)(rng, n)
		for i := range x {
			x[i] /= 2 * n
		}
		x[rng.IntN(n)] = float32((1 - shrink) / n)
		for _, a := range algorithms[float32]() {
			for k := 1; k <= 2; k++ {
				got, err := a.sum(x, k)
				must(t, got, err)
				if want := rounded[float32](a.oracle(o, bigs(x), k)); bitsOf(got) != bitsOf(want) {
					t.Errorf("%s, k = %d: %g, not %g", a.name, k, got, want)
				}
			}
		}
	}
}

func TestBounds(t *testing.T) {
	t.Run("float64", testBounds[float64])
	t.Run("float32", testBounds[float32])
}

// testBounds holds the bounds against exact sums. An overflow has no bound.
func testBounds[T Float](t *testing.T) {
	rng := newRand(t)
	for _, d := range distributions[T]() {
		for _, n := range []int{1, 2, 3, 10, 63, 64, 65, 1000, 5000} {
			x := d.make(rng, n)
			exact := exactSum(x)
			for _, a := range algorithms[T]() {
				for _, k := range []int{1, 2, 3, 4, 9} {
					s, err := a.sum(x, k)
					must(t, s, err)
					bound := a.bound(int64(n), k, MaxAbs(x), s)
					if math.IsInf(float64(s), 0) || math.IsInf(bound, 0) {
						continue
					}
					diff := new(big.Float).SetPrec(2300).Sub(exact, big.NewFloat(float64(s)))
					if diff.Abs(diff).Cmp(big.NewFloat(bound)) > 0 {
						t.Errorf("%s of %s, n = %d, k = %d: error %.6g > bound %.6g", a.name,
							d.name, n, k, diff, bound)
					}
				}
			}
		}
	}
}

func TestReproducible(t *testing.T) {
	t.Run("float64", testReproducible[float64])
	t.Run("float32", testReproducible[float32])
}

// testReproducible shuffles, splits and merges at random: the result never
// changes.
func testReproducible[T Float](t *testing.T) {
	rng := newRand(t)
	for _, d := range distributions[T]() {
		for _, a := range algorithms[T]() {
			for range 14 {
				n, k := rng.IntN(900), 1+rng.IntN(11)
				x := d.make(rng, n)
				want, err := a.sum(x, k)
				must(t, want, err)
				for range 5 {
					rng.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
					parts := splitRandomly(rng, x)
					if got := a.merged(t, rng, parts, int64(n), k); bitsOf(got) != bitsOf(want) {
						t.Fatalf("%s of %s, n = %d, k = %d, %d parts: %g, not %g", a.name, d.name,
							n, k, len(parts), got, want)
					}
				}
			}
		}
	}
}

// TestBlocks is the experiment of Demmel2013: blocks of b = 2^l summands, 32 ≤
// b ≤ n, each summed sequentially, and reduced by a flat and a binary tree.
func TestBlocks(t *testing.T) {
	t.Run("float64", testBlocks[float64])
	t.Run("float32", testBlocks[float32])
}

func testBlocks[T Float](t *testing.T) {
	rng := newRand(t)
	const n = 1 << 11
	for _, d := range distributions[T]() {
		x := d.make(rng, n)
		for _, a := range algorithms[T]() {
			for k := 1; k <= 3; k++ {
				want, err := a.sum(x, k)
				must(t, want, err)
				for b := 32; b <= n; b *= 2 {
					var parts [][]T
					for i := 0; i < n; i += b {
						parts = append(parts, x[i:i+b])
					}
					for _, tree := range []func(int) (int, int){
						func(int) (int, int) { return 0, 1 }, // flat
						func(m int) (int, int) {
							return 0, m - 1
						}, // flat, from the other end
						func(m int) (int, int) { return m - 2, m - 1 },   // flat, nested
						func(m int) (int, int) { return m/2 - 1, m - 1 }, // binary
					} {
						got := a.reduce(t, parts, n, k, tree, false)
						if bitsOf(got) != bitsOf(want) {
							t.Fatalf("%s of %s, k = %d, b = %d: %g, not %g", a.name, d.name, k, b,
								got, want)
						}
					}
				}
			}
		}
	}
}

// splitRandomly cuts x into parts, some of them empty.
func splitRandomly[T Float](rng *rand.Rand, x []T) [][]T {
	parts := [][]T{nil}
	for len(x) > 0 {
		m := rng.IntN(min(len(x), 1+rng.IntN(400)) + 1)
		parts = append(parts, x[:m])
		x = x[m:]
	}
	return parts
}

// merged sums the parts and merges them in a random tree, through vectors half
// of the time.
func (a algorithm[T]) merged(t *testing.T, rng *rand.Rand, parts [][]T, n int64, k int) T {
	t.Helper()
	return a.reduce(t, parts, n, k, func(m int) (int, int) {
		i, j := rng.IntN(m), rng.IntN(m-1)
		if j >= i {
			j++
		}
		return i, j
	}, rng.IntN(2) == 0)
}

// reduce sums the parts; of m states, next names the one that stays and the one
// that is merged into it.
func (a algorithm[T]) reduce(t *testing.T, parts [][]T, n int64, k int,
	next func(m int) (into, from int), vectors bool) T {
	t.Helper()
	if a.partial != nil {
		var top T
		for _, p := range parts {
			top = max(top, MaxAbs(p))
		}
		return reduce(t, parts, next, vectors, func() state[T] {
			p, err := a.partial(n, k, top)
			if err != nil {
				t.Fatal(err)
			}
			return partialState[T]{p}
		})
	}
	return reduce(t, parts, next, vectors, func() state[T] {
		w, err := a.window(n, k)
		if err != nil {
			t.Fatal(err)
		}
		return windowState[T]{w}
	})
}

// state is what Partial and Window have in common.
type state[T Float] interface {
	AddSlice(x []T)
	Sum() (T, error)
	AppendVector(v []float64) []float64
	SetVector(v []float64) error
	merge(s state[T]) error
	mergeVectors(dst, src []float64) error
}

type partialState[T Float] struct{ *Partial[T] }

func (p partialState[T]) merge(s state[T]) error { return p.Merge(s.(partialState[T]).Partial) }

// mergeVectors is what MPI_SUM does.
func (p partialState[T]) mergeVectors(dst, src []float64) error {
	for i, x := range src {
		dst[i] += x
	}
	return nil
}

type windowState[T Float] struct{ *Window[T] }

func (w windowState[T]) merge(s state[T]) error { return w.MergeLevels(s.(windowState[T]).Window) }

func (w windowState[T]) mergeVectors(dst, src []float64) error { return MergeVectors(dst, src) }

func reduce[T Float](t *testing.T, parts [][]T, next func(int) (int, int), vectors bool,
	create func() state[T]) T {
	t.Helper()
	states, vecs := make([]state[T], len(parts)), make([][]float64, len(parts))
	for i, p := range parts {
		states[i] = create()
		if w, ok := states[i].(windowState[T]); ok && i%2 == 1 {
			for _, v := range p {
				w.Add(v)
			}
		} else {
			states[i].AddSlice(p)
		}
		if vectors {
			vecs[i] = states[i].AppendVector(nil)
		}
	}
	for m := len(parts); m > 1; m-- {
		i, j := next(m)
		var err error
		if vectors {
			err = states[0].mergeVectors(vecs[i], vecs[j])
		} else {
			err = states[i].merge(states[j])
		}
		if err != nil {
			t.Fatal(err)
		}
		states[j], vecs[j] = states[m-1], vecs[m-1]
	}
	if vectors {
		if err := states[0].SetVector(vecs[0]); err != nil {
			t.Fatal(err)
		}
	}
	s, err := states[0].Sum()
	return must(t, s, err)
}

// TestSplits splits one set of values in 1000 ways.
func TestSplits(t *testing.T) {
	rng := newRand(t)
	const n = 400
	for _, d := range distributions[float64]() {
		if d.name != "all exponents" && d.name != "near overflow" {
			continue
		}
		x := d.make(rng, n)
		for _, a := range algorithms[float64]() {
			want, err := a.sum(x, 2)
			must(t, want, err)
			for range 1000 {
				rng.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
				got := a.merged(t, rng, splitRandomly(rng, x), n, 2)
				if bitsOf(got) != bitsOf(want) {
					t.Fatalf("%s of %s: %g, not %g", a.name, d.name, got, want)
				}
			}
		}
	}
}

func TestSpecialValues(t *testing.T) {
	t.Run("float64", testSpecialValues[float64])
	t.Run("float32", testSpecialValues[float32])
}

// testSpecialValues puts them in every position of some values, and merges.
func testSpecialValues[T Float](t *testing.T) {
	rng := newRand(t)
	nan, inf := notANumber[T](), T(math.Inf(1))
	const n = 70
	for _, a := range algorithms[T]() {
		for _, c := range []struct{ a, b, want T }{
			{nan, 1, nan}, {nan, inf, nan}, {nan, -inf, nan}, {nan, nan, nan}, {inf, -inf, nan},
			{-inf, inf, nan},
			{inf, 1, inf}, {inf, inf, inf}, {-inf, 1, -inf}, {-inf, -inf, -inf},
			{inf, T(math.Copysign(0, -1)), inf},
		} {
			for i := range n {
				x := each[T](signed)(rng, n)
				j := (i + 1 + rng.IntN(n-1)) % n
				x[i], x[j] = c.a, c.b
				whole, err := a.sum(x, 2)
				must(t, whole, err)
				merged := a.merged(t, rng, splitRandomly(rng, x), n, 2)
				if bitsOf(whole) != bitsOf(c.want) || bitsOf(merged) != bitsOf(c.want) {
					t.Fatalf("%s with %g at %d and %g at %d: %g whole, %g merged, not %g", a.name,
						c.a, i, c.b, j, whole, merged, c.want)
				}
			}
		}
		// Special values do not hide the others when these are too many, and
		// values beside them do not change.
		for _, x := range [][]T{nil, {0}, {T(math.Copysign(0, -1))},
			{T(math.Copysign(0, -1)), T(math.Copysign(0, -1))}, {1, -1}} {
			if s, err := a.sum(x, 3); err != nil || bitsOf(s) != 0 {
				t.Errorf("%s of %v: %g, %v, not +0", a.name, x, s, err)
			}
		}
	}
}

// TestOverflow sums to what there would be without a largest exponent.
func TestOverflow(t *testing.T) {
	t.Run("float64", testOverflow[float64])
	t.Run("float32", testOverflow[float32])
}

func testOverflow[T Float](t *testing.T) {
	f := formatOf[T]()
	m := ldexp(T(1), f.emax) * (2 - ldexp(T(1), 1-f.p))
	tiny := ldexp(T(1), f.emin)
	inf := T(math.Inf(1))
	const k = 120 // reaches from the largest number to the smallest
	for _, a := range algorithms[T]() {
		for _, c := range []struct {
			x    []T
			want T
		}{
			{[]T{m}, m}, {[]T{-m}, -m}, {[]T{m, m, -m}, m}, {[]T{m, m}, inf},
			{[]T{-m, -m, m, -m}, -inf},
			{[]T{m, -m, tiny}, tiny}, {[]T{m, tiny, -m, -tiny}, 0}, {[]T{m / 2, m / 2}, m},
			{[]T{m, m, tiny, -m, -m, tiny}, 2 * tiny},
		} {
			if a.name == "Algorithm4" && slices.Contains(c.x, tiny) {
				continue // its remainders are positive, and cancel when the folds are added, rounding
			}
			if s, err := a.sum(c.x, k); err != nil || bitsOf(s) != bitsOf(c.want) {
				t.Errorf("%s of %g: %g, %v, not %g", a.name, c.x, s, err, c.want)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for _, a := range algorithms[float32]() {
		for _, k := range []int{-1, 0, MaxLevels + 1} {
			if _, err := a.sum(make([]float32, 4), k); err == nil {
				t.Errorf("%s with k = %d: no error", a.name, k)
			}
		}
		if _, err := a.sum([]float32{3}, MaxLevels); err != nil {
			t.Errorf("%s with k = %d: %v", a.name, MaxLevels, err)
		}
		_, err := a.sum(make([]float32, MaxCount[float32]()+1), 2)
		if (err == nil) != (a.name == "OneReduction") {
			t.Errorf("%s of more than MaxCount values: %v", a.name, err)
		}
		if a.partial != nil {
			for _, m := range []float32{-1, float32(math.NaN()), float32(math.Inf(1))} {
				if _, err := a.partial(3, 2, m); err == nil {
					t.Errorf("%s with the maximum %v: no error", a.name, m)
				}
			}
			p, _ := a.partial(3, 2, 1)
			q, _ := a.partial(3, 2, 1)
			q.AddSlice([]float32{0.5, -2})
			if err := p.Merge(q); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Sum(); err == nil {
				t.Errorf("%s with a value above the maximum: no error", a.name)
			}
			for _, other := range []struct {
				n int64
				k int
				m float32
			}{{4, 2, 1}, {3, 1, 1}, {3, 2, 0.5}} {
				if q, _ := a.partial(other.n, other.k, other.m); p.Merge(q) == nil {
					t.Errorf("%s merges partial sums with other parameters %v", a.name, other)
				}
			}
		}
	}
	p, _ := NewDoubleSweep[float64](2, 1, 1)
	w, _ := NewSingleSweep[float64](2, 1)
	p.AddSlice([]float64{1, 1, 1})
	w.AddSlice([]float64{1, 1, 1})
	if _, err := p.Sum(); err == nil {
		t.Error("a Partial takes more than n values")
	}
	if _, err := w.Sum(); err == nil {
		t.Error("a Window takes more than n values")
	}
	one, _ := NewOneReduction[float64](2)
	if w.MergeLevels(one) == nil {
		t.Error("windows of two algorithms are merged")
	}
	if _, err := NewSingleSweep[float32](MaxCount[float32]()+1, 1); err == nil {
		t.Error("n above MaxCount is accepted")
	}
	if _, err := NewSingleSweep[float64](-1, 1); err == nil {
		t.Error("a negative n is accepted")
	}
}

// TestLargestCount sums as many values as the format allows.
func TestLargestCount(t *testing.T) {
	n := int(MaxCount[float32]())
	x := make([]float32, n)
	rng := newRand(t)
	for i := range x {
		x[i] = float32(1 - float64(1e-7*rng.Float64()))
	}
	exact := exactSum(x)
	for _, a := range algorithms[float32]() {
		for _, k := range []int{1, 3, 28} {
			s, err := a.sum(x, k)
			must(t, s, err)
			diff := new(big.Float).Sub(exact, big.NewFloat(float64(s)))
			if bound := a.bound(int64(n), k, 1, s); diff.Abs(diff).Cmp(big.NewFloat(bound)) > 0 {
				t.Errorf("%s, k = %d: error %g > bound %g", a.name, k, diff, bound)
			}
			if k == 28 && math.Abs(float64(s)-rounded64(exact)) > 0.0625 {
				t.Errorf("%s with many levels: %g of %g", a.name, s, exact)
			}
			rng.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
			if again, _ := a.sum(x, k); bitsOf(again) != bitsOf(s) {
				t.Errorf("%s, k = %d: %g and %g", a.name, k, s, again)
			}
		}
	}
}

func rounded64(x *big.Float) float64 { f, _ := x.Float64(); return f }

// TestCarry adds so many values of one sign that the one-reduction form
// carries.
func TestCarry(t *testing.T) {
	t.Run("float64", testCarry[float64])
	t.Run("float32", testCarry[float32])
}

func testCarry[T Float](t *testing.T) {
	rng := newRand(t)
	const n = 30000
	for _, sign := range []T{1, -1} {
		x := make([]T, n)
		for i := range x {
			x[i] = sign * T(1-float64(signed(rng)*0x1p-9))
		}
		carried := false
		for e := range 40 { // one of these scales lies at the upper end of a level
			y := make([]T, n)
			for i := range x {
				y[i] = T(x[i] * ldexp(T(1), e))
			}
			w, _ := NewOneReduction[T](2)
			w.AddSlice(y)
			want, err := w.Sum()
			must(t, want, err)
			carried = carried || w.levels()[0].hi != 0
			if e%8 == 0 {
				o := rounded[T](oracleOf[T](t).oneReduction(bigs(y), 2))
				if bitsOf(o) != bitsOf(want) {
					t.Errorf("scale 2^%d: %g, not %g", e, want, o)
				}
			}
			a := algorithms[T]()[4]
			if got := a.merged(t, rng, splitRandomly(rng, y), n, 2); bitsOf(got) != bitsOf(want) {
				t.Errorf("scale 2^%d: %g merged, %g whole", e, got, want)
			}
		}
		if !carried {
			t.Error("nothing was carried")
		}
	}
}

// TestInput makes sure that nobody writes to the values.
func TestInput(t *testing.T) {
	for _, a := range algorithms[float64]() {
		x := []float64{1, 0x1p-60, -3, math.Inf(1), math.NaN()}
		a.sum(x, 2)
		if fmt.Sprint(x) != "[1 8.673617379884035e-19 -3 +Inf NaN]" {
			t.Errorf("%s leaves %v", a.name, x)
		}
	}
}

func TestAllocations(t *testing.T) {
	x := each[float64](signed)(newRand(t), 3000)
	y := each[float32](signed)(newRand(t), 3000)
	for i, a := range algorithms[float64]() {
		b := algorithms[float32]()[i]
		if n := testing.AllocsPerRun(5, func() { a.sum(x, 8); b.sum(y, 8) }); n != 0 {
			t.Errorf("%s allocates %g times", a.name, n)
		}
	}
}
