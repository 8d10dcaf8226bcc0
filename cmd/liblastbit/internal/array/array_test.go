package array

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"testing"
	"unsafe"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/exact"
)

// random returns an array of random numbers with random strides, negative ones
// among them, in memory of its own.
func random(rng *rand.Rand, shape []int64) *Array {
	a := &Array{Format: Float64, Shape: shape, Strides: make([]int64, len(shape))}
	step := int64(8)
	for _, k := range rng.Perm(len(shape)) {
		step *= 1 + int64(rng.IntN(2))
		a.Strides[k] = step
		step *= max(shape[k], 1)
	}
	memory := make([]float64, step/8+1)
	for i := range memory {
		memory[i] = math.Ldexp(rng.Float64()-0.5, rng.IntN(60))
	}
	a.At = unsafe.Pointer(&memory[0])
	for k, s := range a.Strides {
		if shape[k] > 0 && rng.IntN(2) == 0 {
			a.At = unsafe.Add(a.At, (shape[k]-1)*s)
			a.Strides[k] = -s
		}
	}
	return a
}

// values returns the elements in the order of C.
func values(a *Array) []float64 {
	found := make([]float64, a.len())
	for i := range found {
		found[i] = *(*float64)(unsafe.Add(a.At, a.offset(int64(i))))
	}
	return found
}

func TestReductions(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 2))
	for range 300 {
		shape := make([]int64, 1+rng.IntN(4))
		for k := range shape {
			shape[k] = int64(rng.IntN(7))
		}
		if rng.IntN(20) == 0 {
			shape = []int64{40, 9000}
		}
		x, y := random(rng, shape), random(rng, shape)
		inner := 1 + rng.IntN(len(shape))
		check(t, x, y, inner)
	}
}

// check compares every reduction of the last dimensions with package exact.
func check(t *testing.T, x, y *Array, inner int) {
	t.Helper()
	outer, rest := x.split(inner)
	rows, n := outer.len(), rest.len()
	all, others := values(x), values(y)
	got := make([]float64, rows+1)
	for op, want := range map[Op]func(a, b []float64) float64{
		Sum:  func(a, _ []float64) float64 { return exact.Sum(a) },
		Dot:  func(a, b []float64) float64 { return exact.Dot(a, b) },
		Mean: func(a, _ []float64) float64 { return exact.Mean(a, nil) },
		Norm: func(a, _ []float64) float64 { return exact.Nrm2(a) },
		Var:  func(a, _ []float64) float64 { return exact.Variance(a, nil) },
		Std:  func(a, _ []float64) float64 { return exact.StdDev(a, nil) },
	} {
		r := Reduction{Op: op, X: x, Inner: inner, DDOF: 1, Result: Float64,
			Out: unsafe.Pointer(&got[0])}
		if op == Dot {
			r.Y = y
		}
		if err := r.Run(); err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			w := want(all[i*n:(i+1)*n], others[i*n:(i+1)*n])
			if math.Float64bits(got[i]) != math.Float64bits(w) && (got[i] == got[i] || w == w) {
				t.Fatalf("operation %d, shape %v, strides %v, inner %d, result %d: %g, want %g", op,
					x.Shape, x.Strides, inner, i, got[i], w)
			}
		}
	}
	if got[rows] != 0 {
		t.Fatal("a result is stored behind the last")
	}
}

// TestUnknown gives operations and formats that there are not.
func TestUnknown(t *testing.T) {
	var memory [4]float64
	one := &Array{At: unsafe.Pointer(&memory[0]), Format: Float64, Shape: []int64{2},
		Strides: []int64{8}}
	for _, r := range []Reduction{
		{Op: 0, X: one, Result: Float64},
		{Op: Norm + 1, X: one, Result: Float64},
		{Op: Dot, X: one, Result: Float64},
		{Op: Sum, X: one, Y: one, Result: Float64},
		{Op: Sum, X: one, Result: Int64},
		{Op: Sum, X: one, Result: 0},
		{Op: Sum, X: &Array{At: one.At, Format: Bool + 1, Shape: one.Shape, Strides: one.Strides},
			Result: Float64},
	} {
		r.Inner, r.Out = 1, unsafe.Pointer(&memory[3])
		if err := r.Run(); !errors.Is(err, errUnknown) {
			t.Errorf("operation %d gives the error %v", r.Op, err)
		}
	}
	if Map("nothing", one, nil, one) == nil {
		t.Error("a function that is unknown has results")
	}
	single := *one
	single.Format = Float32
	if Map("exp", one, nil, &single) == nil {
		t.Error("float64 is rounded to float32 before the function")
	}
}

// TestMap stores functions in arrays of all layouts, and of overlapping memory.
func TestMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 3))
	for range 300 {
		shape := []int64{int64(rng.IntN(9)), int64(rng.IntN(9)), int64(1 + rng.IntN(20))}
		x, y, out := random(rng, shape), random(rng, shape), random(rng, shape)
		switch rng.IntN(3) {
		case 0:
			out = x
		case 1: // mirrored
			if x.len() > 0 {
				mirrored := x.moved((shape[2] - 1) * x.Strides[2])
				mirrored.Strides = slices.Clone(x.Strides)
				mirrored.Strides[2] = -mirrored.Strides[2]
				out = &mirrored
			}
		}
		want := make([]float64, x.len())
		crmath.ExpSlice(want, values(x))
		name, second := "exp", (*Array)(nil)
		if rng.IntN(2) == 0 {
			name, second = "hypot", y
			crmath.HypotSlice(want, values(x), values(y))
		}
		if err := Map(name, x, second, out); err != nil {
			t.Fatal(err)
		}
		if got := values(out); !slices.Equal(got, want) {
			t.Fatalf("%s, shape %v, strides %v and %v: %g, want %g", name, shape, x.Strides,
				out.Strides, got, want)
		}
	}
}

// TestFunctions compares the names with the functions of package crmath.
func TestFunctions(t *testing.T) {
	rows, err := os.ReadFile("../../../../crmath/internal/f64/functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^(\w+) +(unary|pair|point) `).FindAllSubmatch(rows, -1)
	if len(found) < 30 {
		t.Fatalf("only %d functions were found", len(found))
	}
	for _, m := range found {
		_, one := unaryOf(string(m[1]))
		_, two := binaryOf(string(m[1]))
		if one != (string(m[2]) == "unary") || two == one {
			t.Errorf("%s: known with one argument %t, with two %t", m[1], one, two)
		}
	}
}

// TestIntegers compares sums that need more than 64 bits.
func TestIntegers(t *testing.T) {
	memory := []uint64{math.MaxUint64, 1, math.MaxUint64, math.MaxUint64 - 1}
	for _, c := range []struct {
		format, result Format
		n              int64
		want           uint64
		err            error
	}{
		{Uint64, Uint64, 1, math.MaxUint64, nil},
		{Uint64, Uint64, 2, 0, ErrOverflow},
		{Uint64, Int64, 1, 0, ErrOverflow},
		{Int64, Int64, 2, 0, nil},
		{Int64, Int64, 4, math.MaxUint64 - 2, nil}, // −3
		{Int64, Uint64, 4, 0, ErrOverflow},
	} {
		x := &Array{At: unsafe.Pointer(&memory[0]), Format: c.format, Shape: []int64{c.n},
			Strides: []int64{8}}
		var got uint64
		r := Reduction{Op: Sum, X: x, Inner: 1, Result: c.result, Out: unsafe.Pointer(&got)}
		if err := r.Run(); !errors.Is(err, c.err) || got != c.want {
			t.Errorf("%d of format %d: %d, %v; want %d, %v", c.n, c.format, got, err, c.want, c.err)
		}
		var a exact.Accumulator
		Accumulate(&a, x, nil)
		if v, err := Value(&a, c.result); !errors.Is(err, c.err) || v != c.want {
			t.Errorf("%d of format %d by an accumulator: %d, %v; want %d, %v", c.n, c.format, v,
				err, c.want, c.err)
		}
	}
}
