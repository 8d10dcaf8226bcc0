package explain_test

import (
	"context"
	"math"
	"testing"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
)

// TestWideFunctions names the correctly rounded function where a function that
// rounds a wider one fits as well, and the library's own where that fits.
func TestWideFunctions(t *testing.T) {
	x := explain.Array{Format: fp.Binary64, Shape: []int{1000}}
	for i := range 1000 {
		x.Values = append(x.Values, 1+float64(i)/1000)
	}
	with := func(name string, up int) explain.Function {
		return explain.Function{Name: name, Evaluate: func(
			_ context.Context, out, x, _ []float64,
		) error {
			for i, v := range x {
				if out[i] = math.Sqrt(v); up > 0 && i%up == 0 {
					out[i] = math.Nextafter(out[i], 2)
				}
			}
			return nil
		}}
	}
	right, wide, own, other := with("right", 0), with("wide", 0), with("own", 0), with("other", 7)
	right.Exact, wide.Wide = true, true
	slow := with("slow", 0)
	slow.Slow = true
	results := func(f explain.Function) explain.Array {
		a := explain.Array{Format: fp.Binary64, Shape: []int{1000}, Values: make([]float64, 1000)}
		_ = f.Evaluate(t.Context(), a.Values, x.Values, nil)
		return a
	}
	for _, c := range []struct {
		list  []explain.Function
		cause string
		model string
	}{
		{[]explain.Function{right, wide, other}, "[exact]", "exact"},
		{[]explain.Function{right, own, other}, "[libm]", "own"},
		{[]explain.Function{right, own, other, slow}, "[libm]", "own"},
		{[]explain.Function{right, other, slow}, "unexplained", "exact"},
	} {
		got, err := explain.ExplainFunction(t.Context(), x, explain.Array{}, results(right),
			results(other), c.list)
		if err != nil || answer(got) != c.cause || got.A.Model != c.model {
			t.Errorf("%s, %v, instead of %s by %s", answer(got), err, c.cause, c.model)
		}
	}
}

// TestCloser compares results on both sides of the true one, which are as many
// ULPs from the correctly rounded one.
func TestCloser(t *testing.T) {
	// The sums are near 1, and the results 1 ULP above and 2 ULPs below it, at
	// the same distance from 1.
	const ulp = 0x1p-23
	for _, c := range []struct {
		op    explain.Op
		tail  float64 // of the sum, in ULPs
		want  string
		first float64 // result, in ULPs
	}{
		{explain.Sum, 0.25, "a", 1}, {explain.Sum, 0.25, "b", -1}, {explain.Sum, -0.25, "b", 1},
		{explain.Sum, 0, "", 1}, {explain.Mean, 0.25, "a", 1}, {explain.Mean, -0.25, "a", -1},
	} {
		values := []float64{1, c.tail * ulp, 0, 0}
		scale := 1.0
		if c.op == explain.Mean {
			scale = 0.25
		}
		p, err := explain.NewSum(c.op, explain.Array{Format: fp.Binary32, Shape: []int{4},
			Values: values}, 0)
		if err != nil {
			t.Fatal(err)
		}
		result := func(ulps float64) explain.Array {
			return explain.Array{Format: fp.Binary32, Shape: []int{},
				Values: []float64{scale * (1 + ulps*ulp)}}
		}
		x, err := explain.Explain(t.Context(), p, result(c.first), result(-c.first),
			explain.Options{})
		if err != nil || x.Closer != c.want {
			t.Errorf("%s with %g ULPs: %q instead of %q, %v", c.op, c.tail, x.Closer, c.want, err)
		}
	}
}
