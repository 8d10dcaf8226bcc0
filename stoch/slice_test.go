package stoch_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/stoch"
)

// sliceOps are the operations on slices: dst = f(x, y, z).
func sliceOps[T stoch.Float]() map[string]func(a *stoch.Arithmetic[T],
	dst, x, y, z stoch.Slice[T]) {
	type (
		arithmetic = *stoch.Arithmetic[T]
		slice      = stoch.Slice[T]
	)
	return map[string]func(a arithmetic, dst, x, y, z slice){
		"AddSlices": func(a arithmetic, dst, x, y, z slice) { a.AddSlices(dst, x, y) },
		"SubSlices": func(a arithmetic, dst, x, y, z slice) { a.SubSlices(dst, x, y) },
		"MulSlices": func(a arithmetic, dst, x, y, z slice) { a.MulSlices(dst, x, y) },
		"DivSlices": func(a arithmetic, dst, x, y, z slice) { a.DivSlices(dst, x, y) },
		"SqrtSlice": func(a arithmetic, dst, x, y, z slice) { a.SqrtSlice(dst, x) },
		"FMASlices": func(a arithmetic, dst, x, y, z slice) { a.FMASlices(dst, x, y, z) },
		"Axpy": func(a arithmetic, dst, x, y, z slice) {
			for i := range y.Len() {
				dst.Set(i, y.At(i))
			}
			a.Axpy(stoch.FromSamples([3]T{1.1, 1.2, -1.3}), x, dst)
		},
		"Dot": func(a arithmetic, dst, x, y, z slice) {
			if dst.Len() > 0 {
				dst.Set(0, a.Dot(x, y))
			}
		},
	}
}

// vector draws numbers. Tame ones are never suspicious; wild ones have any
// exponent, and special values.
func vector[T stoch.Float](rng *rand.Rand, n int, wild bool) stoch.Slice[T] {
	specials := []T{
		0, T(math.Copysign(0, -1)), T(math.Inf(1)), T(math.Inf(-1)), T(math.NaN()), 1, -1,
	}
	s := stoch.MakeSlice[T](n)
	for i := range n {
		v := T(1 + rng.Float64())
		r := [3]T{v, v * (1 + T(0x1p-20)), v}
		if wild {
			for j := range r {
				if r[j] = operand(rng, v); rng.IntN(8) == 0 {
					r[j] = specials[rng.IntN(len(specials))]
				}
			}
		}
		s.Set(i, stoch.FromSamples(r))
	}
	return s
}

// sameNumber reports whether samples have the same bits, or are both NaN.
func sameNumber[T stoch.Float](x, y stoch.Number[T]) bool {
	p, q := x.Samples(), y.Samples()
	for i := range p {
		a, b := float64(p[i]), float64(q[i])
		if math.Float64bits(a) != math.Float64bits(b) && (a == a || b == b) {
			return false
		}
	}
	return true
}

// TestSlices compares the kernels of every level with single operations, whose
// samples TestNeighbours compares with exact results: results and counts of
// instabilities.
func TestSlices(t *testing.T) {
	t.Run("float64", testSlices[float64])
	t.Run("float32", testSlices[float32])
}

func testSlices[T stoch.Float](t *testing.T) {
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, 2))
	for name, op := range sliceOps[T]() {
		for _, wild := range []bool{false, true} {
			for _, o := range []stoch.Options{
				{Seed: seed}, {Seed: seed, Independent: true},
				// With nothing detected, every row goes through the kernels.
				{Seed: seed, Ignore: []stoch.Kind{stoch.SelfValidation, stoch.Mathematical,
					stoch.Cancellation}},
			} {
				for _, n := range []int{0, 1, 7, 8, 40, 511, 700, 1029} {
					x, y := vector[T](rng, n, wild), vector[T](rng, n, wild)
					compareLevels(t, name, op, o, x, y, vector[T](rng, n, wild))
				}
			}
		}
	}
}

// compareLevels runs an operation on every level.
func compareLevels[T stoch.Float](t *testing.T, name string,
	op func(a *stoch.Arithmetic[T], dst, x, y, z stoch.Slice[T]), o stoch.Options,
	x, y, z stoch.Slice[T]) {
	t.Helper()
	run := func(l kernel.Level) (stoch.Slice[T], string) {
		a := stoch.New[T](o)
		a.SetLevel(l)
		dst := stoch.MakeSlice[T](x.Len())
		op(a, dst, x, y, z)
		r, counts := a.Report(), ""
		for k := stoch.SelfValidation; k <= stoch.Cancellation; k++ {
			counts += fmt.Sprint(" ", r.Count(k))
		}
		return dst, counts
	}
	want, wantCounts := run(kernel.Generic)
	for _, l := range kernel.Levels() {
		got, counts := run(l)
		for i := range x.Len() {
			if !sameNumber(got.At(i), want.At(i)) {
				t.Fatalf("%v: %s of %d, element %d: %v, want %v; operands %v %v %v", l, name,
					x.Len(), i, got.At(i).Samples(), want.At(i).Samples(), x.At(i).Samples(),
					y.At(i).Samples(), z.At(i).Samples())
			}
		}
		if counts != wantCounts {
			t.Fatalf("%v: %s counts %s, want %s", l, name, counts, wantCounts)
		}
	}
}

// TestZeroSums checks that sums of opposite numbers are +0, and sums of -0 are
// -0, also where they are rounded down.
func TestZeroSums(t *testing.T) {
	t.Run("float64", testZeroSums[float64])
	t.Run("float32", testZeroSums[float32])
}

func testZeroSums[T stoch.Float](t *testing.T) {
	const n = 512
	x, y, want := make([]T, n), make([]T, n), make([]T, n)
	for i := range n {
		if x[i], y[i] = T(i)/3, -T(i)/3; i%5 == 0 {
			x[i] = T(math.Copysign(0, -1))
			y[i], want[i] = x[i], x[i]
		}
	}
	one, a := make([]T, n), stoch.New[T](stoch.Options{Seed: 6})
	for i := range one {
		one[i] = 1
	}
	u, v, dst := stoch.SliceOf(x), stoch.SliceOf(y), stoch.MakeSlice[T](n)
	for _, l := range kernel.Levels() {
		a.SetLevel(l)
		for name, f := range map[string]func(){
			"AddSlices": func() { a.AddSlices(dst, u, v) },
			"SubSlices": func() { a.SubSlices(dst, u, negated(v)) },
			"FMASlices": func() { a.FMASlices(dst, u, stoch.SliceOf(one), v) },
		} {
			f()
			for i := range n {
				if !sameNumber(dst.At(i), stoch.Of(want[i])) {
					t.Fatalf("%v: %s of %v and %v is %v", l, name, x[i], y[i], dst.At(i).Samples())
				}
			}
		}
	}
}

// negated returns -s.
func negated[T stoch.Float](s stoch.Slice[T]) stoch.Slice[T] {
	r := stoch.MakeSlice[T](s.Len())
	for i := range s.Len() {
		r.Set(i, s.At(i).Neg())
	}
	return r
}

// TestSlicesAreRandom holds that kernels round up as often as down, and the
// third sample in the direction opposite to the second.
func TestSlicesAreRandom(t *testing.T) {
	const n = 1 << 14
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := vector[float64](rng, n, false), vector[float64](rng, n, false)
	for i := range n {
		x.Set(i, stoch.Of(x.At(i).Mean()))
		y.Set(i, stoch.Of(y.At(i).Mean()/1000))
	}
	for name, op := range sliceOps[float64]() {
		if name == "Dot" {
			continue
		}
		dst := stoch.MakeSlice[float64](n)
		op(stoch.New[float64](stoch.Options{Seed: 9}), dst, x, y, y)
		up, same, inexact := 0, 0, 0
		for i := range n {
			s := dst.At(i).Samples()
			if s[1] == s[2] && name != "Axpy" { // its factor has three values
				continue // exact
			}
			inexact++
			if s[0] > min(s[1], s[2]) {
				up++
			}
			if s[0] == s[1] {
				same++
			}
		}
		if inexact < n/3 {
			t.Errorf("%s: only %d of %d results are inexact", name, inexact, n)
		}
		if d := 2*up - inexact; name != "Axpy" && d*d > 36*inexact {
			t.Errorf("%s rounds %d of %d up", name, up, inexact)
		}
		if d := 2*same - inexact; name != "Axpy" && d*d > 36*inexact {
			t.Errorf("%s rounds two samples alike in %d of %d", name, same, inexact)
		}
	}
}

// TestSlicesInPlace holds that the destination may be an operand.
func TestSlicesInPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, wild := range []bool{false, true} {
		x, y := vector[float64](rng, 1000, wild), vector[float64](rng, 1000, wild)
		dst := stoch.MakeSlice[float64](1000)
		a := stoch.New[float64](stoch.Options{})
		a.AddSlices(dst, x, y)
		a.AddSlices(y, x, y)
		for i := range 1000 {
			if !sameNumber(dst.At(i), y.At(i)) {
				t.Fatalf("element %d: %v in place, %v elsewhere", i, y.At(i), dst.At(i))
			}
		}
	}
}

// TestGoroutines holds that roundings do not depend on the schedule.
func TestGoroutines(t *testing.T) {
	const parts, size = 8, 3000
	rng := rand.New(rand.NewPCG(6, 6))
	x, y := vector[float64](rng, parts*size, true), vector[float64](rng, parts*size, true)
	compute := func(concurrent bool) (stoch.Slice[float64], []stoch.Instability) {
		a := stoch.New[float64](stoch.Options{Seed: 11})
		dst := stoch.MakeSlice[float64](parts * size)
		var wait sync.WaitGroup
		for p := range parts {
			work := func() {
				part := func(s stoch.Slice[float64]) stoch.Slice[float64] {
					return s.Part(p*size, (p+1)*size)
				}
				a.MulSlices(part(dst), part(x), part(y))
				for i := range 100 {
					dst.Set(p*size+i, a.Div(dst.At(p*size+i), y.At(p*size+i)))
				}
			}
			if !concurrent {
				work()
				continue
			}
			wait.Go(work)
		}
		wait.Wait()
		return dst, a.Report().Instabilities
	}
	want, wantCounts := compute(false)
	for range 3 {
		got, counts := compute(true)
		for i := range got.Len() {
			if !sameNumber(got.At(i), want.At(i)) {
				t.Fatalf("element %d depends on the schedule", i)
			}
		}
		if !reflect.DeepEqual(counts, wantCounts) || len(counts) == 0 {
			t.Fatalf("counts %v, want %v", counts, wantCounts)
		}
	}
}

// TestSliceLengths holds that slices of different lengths panic.
func TestSliceLengths(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	a := stoch.New[float64](stoch.Options{})
	two := stoch.MakeSlice[float64](2)
	a.AddSlices(two, two, stoch.MakeSlice[float64](3))
}
