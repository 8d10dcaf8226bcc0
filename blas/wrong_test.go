//go:build !static

package blas_test

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"testing"

	gonum "gonum.org/v1/gonum/blas"
	gonumblas "gonum.org/v1/gonum/blas/gonum"
)

// TestWhereGonumIsWrong holds the results of the reference BLAS where the
// package comment names results of gonum v0.17 as wrong. On amd64 it holds that
// gonum's results are wrong, too, from its assembly and from its Go code.
func TestWhereGonumIsWrong(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name string
		run  func(b implementation) any
		want any
	}{
		{"Dger, negative increments", func(b implementation) any {
			a := make([]float64, 9)
			b.Dger(3, 3, 1, []float64{1, 2, 3}, -1, []float64{1, 10, 100}, -1, a, 3)
			return a
		}, []float64{300, 30, 3, 200, 20, 2, 100, 10, 1}},
		{"Sger, negative increments", func(b implementation) any {
			a := make([]float32, 9)
			b.Sger(3, 3, 1, []float32{1, 2, 3}, -1, []float32{1, 10, 100}, -1, a, 3)
			return a
		}, []float32{300, 30, 3, 200, 20, 2, 100, 10, 1}},
		{"Sgemv, transposed", func(b implementation) any {
			y := []float32{7, 8, 9, 10, 11} // longer than n
			b.Sgemv(gonum.Trans, 1, 3, 1, []float32{1, 2, 3}, 3, []float32{1}, 1, 0, y, 1)
			return y
		}, []float32{1, 2, 3, 10, 11}},
		{"Dsyrk, lower, transposed", func(b implementation) any {
			c := []float64{nan, nan}
			b.Dsyrk(gonum.Lower, gonum.Trans, 1, 1, 1, []float64{2}, 1, 0, c, 1)
			return fmt.Sprint(c)
		}, "[4 NaN]"},
		{"Sdsdot, empty", func(b implementation) any {
			return b.Sdsdot(0, 5, nil, 1, nil, 1)
		}, float32(5)},
	} {
		for name, b := range implementations {
			if got := c.run(b); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: %s returns %v, want %v", c.name, name, got, c.want)
			}
		}
		if got := c.run(gonumblas.Implementation{}); runtime.GOARCH == "amd64" &&
			reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: gonum is right; the package comment names it", c.name)
		}
	}
}
