package sumtree_test

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/sumtree"
)

// TestEpilogue holds the function of a sum of squares, or of summands, against
// the operations written out in float32.
func TestEpilogue(t *testing.T) {
	x := []float64{0.75, -3.25, 0.1015625, 2}
	var squares, sum float32
	for _, v := range x {
		squares += float32(v) * float32(v)
		sum += float32(math.Abs(v))
	}
	n := float32(len(x))
	root := func(v float32) float32 { return float32(math.Sqrt(float64(v))) }
	mean := squares/n + 1e-5
	for _, tt := range []struct {
		e    sumtree.Epilogue
		want float32
		text string
	}{
		{sumtree.Epilogue{Kind: sumtree.Root}, root(squares), "√s in f32"},
		{sumtree.Epilogue{Kind: sumtree.RMS, Inverse: sumtree.Divides, Eps: 1e-5},
			-3.25 / root(mean), "x/√(s/n + 1e-05) in f32"},
		{sumtree.Epilogue{Kind: sumtree.RMS, Inverse: sumtree.Reciprocal, Eps: 1e-5, Times: true},
			-3.25 * (1 / root(squares*(1/n)+1e-5)), "x·(1/√(s·(1/n) + 1e-05)) in f32"},
		{sumtree.Epilogue{Kind: sumtree.RMS, Inverse: sumtree.Rsqrt, Eps: 1e-5},
			-3.25 * float32(1/math.Sqrt(float64(mean))), "x·rsqrt(s/n + 1e-05) in f32"},
		{sumtree.Epilogue{Kind: sumtree.Softmax, Inverse: sumtree.Divides},
			0.1015625 / sum, "x/s in f32"},
		{sumtree.Epilogue{Kind: sumtree.Softmax, Inverse: sumtree.Reciprocal},
			0.1015625 * (1 / sum), "x·(1/s) in f32"},
	} {
		tt.e.Format = fp.Binary32
		a := sumtree.Plain(fp.Binary32)
		a.Products, a.Squares = tt.e.Kind != sumtree.Softmax, tt.e.Kind != sumtree.Softmax
		a.After = &tt.e
		in := x
		if tt.e.Kind == sumtree.Softmax {
			in = []float64{0.75, 3.25, 0.1015625, 2}
		}
		got, err := sumtree.Family{Kind: sumtree.Chain}.Tree(4).Replay(a, in, nil)
		if err != nil || got != float64(tt.want) {
			t.Errorf("%s: %v, want %v (%v)", tt.e, got, tt.want, err)
		}
		if tt.e.String() != tt.text {
			t.Errorf("%q, want %q", tt.e, tt.text)
		}
	}
}
