package explainfiles

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// TestShapesOf compares how libraries are asked for a problem.
func TestShapesOf(t *testing.T) {
	array := func(shape ...int) explain.Array {
		n := 1
		for _, d := range shape {
			n *= d
		}
		return explain.Array{Format: fp.Binary32, Shape: shape, Values: make([]float64, n)}
	}
	product := func(a, b explain.Array) (*explain.Problem, error) {
		return explain.NewProduct(explain.MatMul, a, b)
	}
	sum := func(axis int) func(a, b explain.Array) (*explain.Problem, error) {
		return func(a, b explain.Array) (*explain.Problem, error) {
			return explain.NewSum(explain.Sum, a, axis)
		}
	}
	for _, c := range []struct {
		a, b    explain.Array
		problem func(a, b explain.Array) (*explain.Problem, error)
		axis    int
		want    string
	}{
		{array(3, 5), array(5, 4), product, -1, "[gemm 3 4 [2 3], gemm 1 4 [0 3]]"},
		{array(1, 5), array(5, 4), product, -1, "[gemm 1 4 [0 3]]"},
		{array(3, 5), array(5), product, -1, "[gemv 3 0 [2]]"},
		{array(5), array(5, 4), product, -1, "[gemm 1 4 [0 3]]"},
		{array(5), array(5), product, -1, "[dot 0 0 []]"},
		{array(5), array(), sum(-1), -1, "[sum 0 0 []]"},
		{array(5), array(), sum(0), 0, "[sum 0 0 []]"},
		{array(3, 5), array(), sum(0), 0, "[sum 5 0 [2] axis 0, sum 5 0 [2] axis 1]"},
		{array(3, 5), array(), sum(1), 1, "[sum 3 0 [2] axis 1, sum 3 0 [2] axis 0]"},
		{array(3, 5, 7), array(), sum(0), 0, "[sum 35 0 [2] axis 0]"},
		{array(3, 5, 7), array(), sum(1), 1, "[sum 7 0 [3] axis 0]"},
		{array(3, 5, 2, 7), array(), sum(1), 1, "[sum 14 0 [3] axis 0]"},
		{array(3, 5, 2), array(), sum(1), 1, "[sum 2 0 [1] axis 0]"},
		{array(3, 5, 7), array(), sum(2), 2, "[sum 15 0 [2] axis 1]"},
	} {
		p, err := c.problem(c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range shapesOf(p, c.a.Shape, c.axis) {
			spec := s.spec(probe.Spec{N: p.N}, [2]int{2, 3})
			got += fmt.Sprintf(", %s %d %d %v", spec.Op, spec.M, spec.Cols, spec.OutIndex)
			if spec.Axis != "" {
				got += " axis " + spec.Axis
			}
		}
		if got = "[" + got[2:] + "]"; got != c.want {
			t.Errorf("%v and %v, axis %d: %s instead of %s", c.a.Shape, c.b.Shape, c.axis, got,
				c.want)
		}
	}
}

// TestShortFormats asks libraries for a sum and a mean in the format of a
// result that was widened, too.
func TestShortFormats(t *testing.T) {
	x := explain.Array{Format: fp.Binary32, Shape: []int{2, 2}, Values: []float64{1, 2, 3, 4}}
	short := explain.Array{Format: fp.Binary32, Shape: []int{2}, Values: []float64{3, 7}}
	wide := explain.Array{Format: fp.Binary32, Shape: []int{2}, Values: []float64{3, 1 + 0x1p-23}}
	for _, op := range []explain.Op{explain.Sum, explain.Mean} {
		var asked []fp.Format
		q := &Question{Axis: 1, Open: func(_ context.Context, _ string, s probe.Spec,
		) (probe.Target, error) {
			asked = append(asked, s.DType)
			return nil, errors.ErrUnsupported
		}}
		p, err := explain.NewSum(op, x, q.Axis)
		if err != nil {
			t.Fatal(err)
		}
		trees := q.trees(p, []explain.Array{x}, []explain.Array{short, wide})
		for range trees(t.Context(), [2]int{}) {
			t.Error("a tree of no target")
		}
		want := []fp.Format{fp.Binary32, fp.BFloat16}
		if asked = slices.Compact(asked); !slices.Equal(asked, want) {
			t.Errorf("%s: %v instead of %v", op, asked, want)
		}
	}
}
