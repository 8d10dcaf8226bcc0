//go:build !static

package blas_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/internal/require"
)

// The libraries that decide about special values, where they agree.
var references = []string{
	"/usr/lib/x86_64-linux-gnu/blas/libblas.so.3", // the reference BLAS
	"libopenblas.so.0",
}

// TestReference calls every routine that CBLAS has with NaN, infinities and
// zeros in vectors and matrices, and with α and β of 0 and 1. Where the
// reference BLAS and OpenBLAS agree about an element, both of our BLAS do. An
// element that both leave alone, and the memory around slices, keeps its bits.
//
// Complex numbers that are not finite have no more than that in common: (∞ +
// i)·b is NaN or infinite by the order of products. And α or β without an
// imaginary part, which the others multiply with ∞, is a real number here.
func TestReference(t *testing.T) {
	var libraries []*dl.Library
	for _, path := range references {
		lib, err := dl.Open(path)
		if err != nil {
			require.Missing(t, path+": "+err.Error())
		}
		var setThreads func(n int32) // waiting threads would disturb other tests
		if lib.Has("openblas_set_num_threads") {
			if err := lib.Func("openblas_set_num_threads", &setThreads); err != nil {
				t.Fatal(err)
			}
			setThreads(1)
		}
		libraries = append(libraries, lib)
	}
	for name, ours := range implementations {
		for _, r := range routines(t) {
			f := reflect.ValueOf(ours).MethodByName(r.name)
			if !libraries[0].Has(cblasName(r, f.Type())) || strings.Contains(r.name, "rot") {
				continue // rotations return structures
			}
			t.Run(name+"/"+r.name, func(t *testing.T) { testReference(t, r, f, libraries) })
		}
	}
}

func testReference(t *testing.T, r routine, ours reflect.Value, libraries []*dl.Library) {
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 9))
		args := arguments(rng, r, ours.Type(), []int{4, 8, 20}[seed%3])
		insertSpecials(rng, args, seed%4)
		if strings.HasSuffix(r.name, "amax") && (args[0].Int() == 0 || args[2].Int() < 0) {
			continue // there is none: −1 for gonum, and 0 for CBLAS
		}
		guarded, intact := guard(args)
		got := callOn(ours, guarded)
		if got.message != nil {
			continue // a transpose that gonum refuses
		}
		if !intact() {
			t.Fatalf("seed %d: %s(%s) writes beside a slice", seed, r.name, show(r, args))
		}
		var want []outcome
		for _, lib := range libraries {
			want = append(want, callForeign(t, lib, r, ours.Type(), args))
		}
		e := expectation{want: want, tolerance: tolerance(r.name), realFactor: hasRealFactor(args)}
		if reason := e.contradicts(got, args, seed%4 == 0); reason != "" {
			t.Fatalf("seed %d: %s(%s): %s", seed, r.name, show(r, args), reason)
		}
	}
}

// insertSpecials replaces elements of slices: none of them, some by zeros, by
// infinities too, or by NaN too.
func insertSpecials(rng *rand.Rand, args []reflect.Value, kinds uint64) {
	specials := []float64{0, math.Inf(1), math.Inf(-1), math.NaN()}
	specials = specials[:[]int{0, 1, 3, 4}[kinds]]
	if len(specials) == 0 {
		return
	}
	for _, a := range args {
		for i := 0; a.Kind() == reflect.Slice && i < a.Len(); i++ {
			if rng.IntN(30) == 0 {
				v := complex(specials[rng.IntN(len(specials))], rng.Float64())
				if real(v) == 0 {
					v = 0
				}
				set(a.Index(i), v)
			}
		}
	}
}

// cblasName returns the name of a routine in CBLAS.
func cblasName(r routine, f reflect.Type) string {
	name := "cblas_" + strings.ToLower(r.name)
	if f.NumOut() == 1 && isComplex(f.Out(0)) {
		name += "_sub"
	}
	return name
}

func isComplex(t reflect.Type) bool {
	return t.Kind() == reflect.Complex64 || t.Kind() == reflect.Complex128
}

// callForeign calls a routine of a CBLAS with copies of arguments.
func callForeign(
	t *testing.T, lib *dl.Library, r routine, f reflect.Type, args []reflect.Value,
) (o outcome) {
	t.Helper()
	var in []reflect.Value
	if slices.Contains(r.params, "a") || slices.Contains(r.params, "ap") {
		in = append(in, reflect.ValueOf(int32(101))) // row-major
	}
	for _, a := range args {
		v, own := foreign(a)
		in = append(in, v)
		if own.IsValid() {
			o.values = append(o.values, own)
		}
	}
	var result reflect.Value
	var out []reflect.Type
	switch {
	case f.NumOut() == 0:
	case isComplex(f.Out(0)):
		result = reflect.New(f.Out(0))
		in = append(in, result)
	case f.Out(0).Kind() == reflect.Int:
		out = append(out, reflect.TypeFor[uint64]())
	default:
		out = append(out, f.Out(0))
	}
	var types []reflect.Type
	for _, v := range in {
		types = append(types, v.Type())
	}
	fn := reflect.New(reflect.FuncOf(types, out, false))
	if err := lib.Func(cblasName(r, f), fn.Interface()); err != nil {
		t.Fatal(err)
	}
	returned := fn.Elem().Call(in)
	switch {
	case result.IsValid():
		returned = []reflect.Value{result.Elem()}
	case len(out) == 1 && out[0].Kind() == reflect.Uint64:
		returned[0] = reflect.ValueOf(int(returned[0].Uint()))
	}
	o.values = append(returned, o.values...)
	return o
}

// foreign returns an argument as CBLAS takes it, and the copy of a slice.
func foreign(a reflect.Value) (v, own reflect.Value) {
	switch x := a.Interface().(type) {
	case int:
		return reflect.ValueOf(int32(x)), own
	case gonum.Transpose:
		return reflect.ValueOf(map[gonum.Transpose]int32{
			gonum.NoTrans: 111, gonum.Trans: 112, gonum.ConjTrans: 113,
		}[x]), own
	case gonum.Uplo:
		return reflect.ValueOf(map[gonum.Uplo]int32{gonum.Upper: 121, gonum.Lower: 122}[x]), own
	case gonum.Diag:
		return reflect.ValueOf(map[gonum.Diag]int32{gonum.NonUnit: 131, gonum.Unit: 132}[x]), own
	case gonum.Side:
		return reflect.ValueOf(map[gonum.Side]int32{gonum.Left: 141, gonum.Right: 142}[x]), own
	}
	switch {
	case a.Kind() == reflect.Slice:
		own = reflect.AppendSlice(reflect.MakeSlice(a.Type(), 0, a.Len()), a)
		return own.Index(0).Addr(), own
	case isComplex(a.Type()):
		p := reflect.New(a.Type())
		p.Elem().Set(a)
		return p, own
	}
	return a, own
}

// hasRealFactor reports whether a complex factor has no imaginary part.
func hasRealFactor(args []reflect.Value) bool {
	return slices.ContainsFunc(args, func(a reflect.Value) bool {
		return isComplex(a.Type()) && imag(a.Complex()) == 0
	})
}

// guard returns copies of arguments whose slices lie in larger arrays, and a
// function that reports whether the elements around them are as they were.
func guard(args []reflect.Value) (guarded []reflect.Value, intact func() bool) {
	const words = 40
	var around []reflect.Value
	for _, a := range args {
		if a.Kind() != reflect.Slice {
			guarded = append(guarded, a)
			continue
		}
		memory := reflect.MakeSlice(a.Type(), a.Len()+2*words, a.Len()+2*words)
		for i := range memory.Len() {
			set(memory.Index(i), complex(12345, 54321))
		}
		end := words + a.Len()
		around = append(around, memory.Slice(0, words), memory.Slice(end, memory.Len()))
		own := memory.Slice3(words, end, end)
		reflect.Copy(own, a)
		guarded = append(guarded, own)
	}
	return guarded, func() bool {
		for _, g := range around {
			for _, v := range flat(g) {
				if real(v) != 12345 || imag(v) != 54321 && imag(v) != 0 {
					return false
				}
			}
		}
		return true
	}
}

// expectation holds the outcomes of the references.
type expectation struct {
	want       []outcome
	tolerance  float64
	realFactor bool // α or β is complex, and real
}

// contradicts returns an element that all references agree about and that
// differs, or "". With untouched, also one that both leave alone.
func (e *expectation) contradicts(got outcome, args []reflect.Value, untouched bool) string {
	var before [][]complex128
	for _, a := range args {
		if a.Kind() == reflect.Slice {
			before = append(before, flat(a))
		}
	}
	results := len(got.values) - len(before)
	for i := range got.values {
		a, b, c := flat(got.values[i]), flat(e.want[0].values[i]), flat(e.want[1].values[i])
		of := got.values[i].Type()
		if of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		for j := range a {
			same := i >= results && before[i-results][j] == b[j] && b[j] == c[j]
			if untouched && same && a[j] != b[j] {
				return fmt.Sprintf("value %d, element %d becomes %v, and stays %v elsewhere", i, j,
					a[j], b[j])
			}
			for part, f := range []func(complex128) float64{realPart, imagPart} {
				x, y, z := f(a[j]), f(b[j]), f(c[j])
				if isComplex(of) && !isFinite(y) && !isFinite(z) && (!isFinite(x) || e.realFactor) {
					continue
				}
				if alike(y, z, e.tolerance) && !alike(x, y, e.tolerance) {
					return fmt.Sprintf("value %d, element %d, part %d: %v, but %v and %v", i, j,
						part, x, y, z)
				}
			}
		}
	}
	return ""
}

func realPart(v complex128) float64 { return real(v) }
func imagPart(v complex128) float64 { return imag(v) }
func isFinite(v float64) bool       { return v-v == 0 }

// alike reports whether two numbers are about the same, the same infinity, or
// both NaN.
func alike(a, b, tolerance float64) bool {
	return a == b || a != a && b != b || math.Abs(a-b) <= tolerance*math.Max(1, math.Abs(b))
}

// TestSharedInputs calls routines with one slice for two inputs, as BLAS
// permits: x and y, or A and B. The results equal the results with two slices.
func TestSharedInputs(t *testing.T) {
	for name, ours := range implementations {
		for _, r := range routines(t) {
			f := reflect.ValueOf(ours).MethodByName(r.name)
			first, second := sharedInputs(r)
			if second < 0 {
				continue
			}
			t.Run(name+"/"+r.name, func(t *testing.T) {
				for seed := range uint64(4) {
					rng := rand.New(rand.NewPCG(seed, 10))
					args := arguments(rng, r, f.Type(), 20)
					args[second] = reflect.AppendSlice(reflect.MakeSlice(args[first].Type(), 0, 0),
						args[first])
					want := callOn(f, args)
					args[second] = args[first]
					if got := callOn(f, args); !reflect.DeepEqual(got.last(), want.last()) {
						t.Fatalf("seed %d: %s(%s) differs", seed, r.name, show(r, args))
					}
				}
			})
		}
	}
}

// sharedInputs returns the places of two arguments that are only read and that
// the results lie beside, or −1.
func sharedInputs(r routine) (first, second int) {
	at := func(name string) int { return slices.Index(r.params, name) }
	switch {
	case strings.Contains(r.name, "dot"), strings.Contains(r.name, "ger"):
		return at("x"), at("y")
	case strings.HasSuffix(r.name, "r2"):
		return at("x"), at("y")
	case at("c") >= 0 && at("b") >= 0 && !strings.Contains(r.name, "rotmg"):
		return at("a"), at("b")
	}
	return -1, -1
}

// last returns the value that a routine returned, or the last slice.
func (o outcome) last() any {
	if o.message != nil {
		return fmt.Sprint(o.message)
	}
	if first := o.values[0]; first.Kind() != reflect.Slice {
		return first.Interface()
	}
	return o.values[len(o.values)-1].Interface()
}
