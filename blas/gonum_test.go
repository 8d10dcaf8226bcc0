//go:build !static

package blas_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	gonum "gonum.org/v1/gonum/blas"
	gonumblas "gonum.org/v1/gonum/blas/gonum"
)

// routine is a method of gonum's interfaces.
type routine struct {
	name   string
	params []string
}

// routines reads the names of all parameters from gonum's source.
func routines(t *testing.T) []routine {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "gonum.org/v1/gonum/blas").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(strings.TrimSpace(string(dir)), "blas.go")
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []routine
	ast.Inspect(file, func(n ast.Node) bool {
		face, ok := n.(*ast.InterfaceType)
		if !ok {
			return true
		}
		for _, m := range face.Methods.List {
			f, ok := m.Type.(*ast.FuncType)
			if !ok {
				continue
			}
			r := routine{name: m.Names[0].Name}
			for _, p := range f.Params.List {
				for _, name := range p.Names {
					r.params = append(r.params, name.Name)
				}
			}
			found = append(found, r)
		}
		return true
	})
	return found
}

// TestAgainstGonum calls every routine with random arguments, most of them
// valid, on our implementations and on gonum's. Both must panic with the same
// message, or return about the same.
func TestAgainstGonum(t *testing.T) {
	all := routines(t)
	if len(all) != 33+2+33+2+36+36 {
		t.Errorf("gonum has %d routines", len(all))
	}
	for name, ours := range implementations {
		t.Run(name, func(t *testing.T) {
			testAgainstGonum(t, all, reflect.ValueOf(ours))
		})
	}
}

func testAgainstGonum(t *testing.T, all []routine, ours reflect.Value) {
	theirs := reflect.ValueOf(gonumblas.Implementation{})
	for _, r := range all {
		t.Run(r.name, func(t *testing.T) {
			for seed := range uint64(150) {
				rng := rand.New(rand.NewPCG(seed, 7))
				f, g := ours.MethodByName(r.name), theirs.MethodByName(r.name)
				args := arguments(rng, r, f.Type(), 7)
				if rng.IntN(4) == 0 {
					spoil(rng, args[rng.IntN(len(args))])
				}
				if gonumIsWrong(r, args) {
					continue
				}
				got, want := call(f, args), call(g, args)
				if reason := got.differs(want, tolerance(r.name)); reason != "" {
					t.Fatalf("seed %d: %s(%s): %s", seed, r.name, show(r, args), reason)
				}
			}
		})
	}
}

// gonumIsWrong reports whether gonum v0.17 is known to be wrong for arguments:
// its Dger and Sger with a negative increment, its transposed Sgemv with one,
// and its Sdsdot of no products, which is 0 in place of α.
func gonumIsWrong(r routine, args []reflect.Value) bool {
	negative, transposed := false, false
	for i, a := range args {
		if strings.HasPrefix(r.params[i], "inc") && a.Int() < 0 {
			negative = true
		}
		if t, ok := a.Interface().(gonum.Transpose); ok && t != gonum.NoTrans {
			transposed = true
		}
	}
	switch r.name {
	case "Dger", "Sger":
		return negative
	case "Sgemv":
		return transposed
	case "Sdsdot":
		return args[0].Int() == 0
	}
	return false
}

func tolerance(name string) float64 {
	if strings.HasPrefix(name, "D") || strings.HasPrefix(name, "Z") {
		return 1e-8
	}
	return 1e-2
}

func show(r routine, args []reflect.Value) string {
	var parts []string
	for i, a := range args {
		if a.Kind() == reflect.Slice {
			parts = append(parts, fmt.Sprintf("%s: %d elements", r.params[i], a.Len()))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s=%v", r.params[i], a))
	}
	return strings.Join(parts, ", ")
}

// arguments returns random arguments for matrices smaller than a size.
func arguments(rng *rand.Rand, r routine, f reflect.Type, size int) []reflect.Value {
	dim := map[string]int{}
	for _, name := range []string{"m", "n", "k", "kL", "kU"} {
		dim[name] = rng.IntN(size)
	}
	wide := max(dim["m"], dim["n"], dim["k"], dim["kL"]+dim["kU"]) + 1
	var args []reflect.Value
	for i := range f.NumIn() {
		v := reflect.New(f.In(i)).Elem()
		name := r.params[i]
		switch p := v.Addr().Interface().(type) {
		case *int:
			*p = integer(rng, name, dim, wide)
		case *gonum.Transpose:
			*p = []gonum.Transpose{gonum.NoTrans, gonum.Trans, gonum.ConjTrans}[rng.IntN(3)]
		case *gonum.Uplo:
			*p = []gonum.Uplo{gonum.Upper, gonum.Lower}[rng.IntN(2)]
		case *gonum.Diag:
			*p = []gonum.Diag{gonum.Unit, gonum.NonUnit}[rng.IntN(2)]
		case *gonum.Side:
			*p = []gonum.Side{gonum.Left, gonum.Right}[rng.IntN(2)]
		case *gonum.DrotmParams:
			p.Flag, p.H = gonum.Flag(rng.IntN(4)-2), [4]float64{1, 2, 3, 4}
		case *gonum.SrotmParams:
			p.Flag, p.H = gonum.Flag(rng.IntN(4)-2), [4]float32{1, 2, 3, 4}
		default:
			numbers(rng, v, wide, name == "a" || name == "ap")
		}
		args = append(args, v)
	}
	return args
}

// integer returns a dimension, a leading dimension or an increment.
func integer(rng *rand.Rand, name string, dim map[string]int, wide int) int {
	switch {
	case strings.HasPrefix(name, "ld"):
		return wide + rng.IntN(3)
	case strings.HasPrefix(name, "inc"):
		return []int{1, 2, 3, -1, -2}[rng.IntN(5)]
	}
	return dim[name]
}

// numbers fills a scalar or a slice that is long enough. Matrices are near the
// identity, so that solutions are near their right-hand sides.
func numbers(rng *rand.Rand, v reflect.Value, wide int, matrix bool) {
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), (wide+2)*wide+6, (wide+2)*wide+6))
		for i := range v.Len() {
			number(rng, v.Index(i), matrix)
		}
		return
	}
	number(rng, v, false)
	if rng.IntN(3) == 0 {
		set(v, complex(float64(rng.IntN(2)), 0))
	}
}

func number(rng *rand.Rand, v reflect.Value, positive bool) {
	c := complex(rng.Float64()*2-1, rng.Float64()*2-1)
	if positive {
		c = complex(1+rng.Float64(), (rng.Float64()-0.5)/4)
	}
	set(v, c)
}

func set(v reflect.Value, c complex128) {
	if v.CanComplex() {
		v.SetComplex(c)
	} else {
		v.SetFloat(real(c))
	}
}

// spoil makes an argument wrong or rare.
func spoil(rng *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Int:
		v.SetInt(int64(rng.IntN(4) - 2))
	case reflect.Uint8:
		v.SetUint(uint64(rng.IntN(3)))
	case reflect.Slice:
		v.Set(v.Slice(0, rng.IntN(min(v.Len(), 30))))
	}
}

// outcome holds the results of a call, the slices it wrote, and its panic.
type outcome struct {
	message any
	values  []reflect.Value
}

// call calls a function on copies of the slices.
func call(f reflect.Value, args []reflect.Value) outcome {
	own := make([]reflect.Value, len(args))
	for i, a := range args {
		own[i] = a
		if a.Kind() == reflect.Slice {
			own[i] = reflect.AppendSlice(reflect.MakeSlice(a.Type(), 0, a.Len()), a)
		}
	}
	return callOn(f, own)
}

func callOn(f reflect.Value, args []reflect.Value) (o outcome) {
	for _, a := range args {
		if a.Kind() == reflect.Slice {
			o.values = append(o.values, a)
		}
	}
	defer func() { o.message = recover() }()
	o.values = append(f.Call(args), o.values...)
	return o
}

// differs returns a difference of two outcomes, or "".
func (o outcome) differs(want outcome, tolerance float64) string {
	if fmt.Sprint(o.message) != fmt.Sprint(want.message) {
		return fmt.Sprintf("panic %v, gonum: %v", o.message, want.message)
	}
	if o.message != nil {
		return ""
	}
	for i := range o.values {
		a, b := flat(o.values[i]), flat(want.values[i])
		for j := range a {
			if !near(a[j], b[j], tolerance) {
				return fmt.Sprintf("value %d, element %d: %v, gonum: %v", i, j, a[j], b[j])
			}
		}
	}
	return ""
}

// flat returns the numbers in a value.
func flat(v reflect.Value) []complex128 {
	switch {
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		var all []complex128
		for i := range v.Len() {
			all = append(all, flat(v.Index(i))...)
		}
		return all
	case v.Kind() == reflect.Struct:
		var all []complex128
		for i := range v.NumField() {
			all = append(all, flat(v.Field(i))...)
		}
		return all
	case v.CanComplex():
		return []complex128{v.Complex()}
	case v.CanFloat():
		return []complex128{complex(v.Float(), 0)}
	}
	return []complex128{complex(float64(v.Int()), 0)}
}

func near(a, b complex128, tolerance float64) bool {
	if a == b || cmplx.IsNaN(a) && cmplx.IsNaN(b) {
		return true
	}
	return cmplx.Abs(a-b) <= tolerance*math.Max(1, cmplx.Abs(b))
}
