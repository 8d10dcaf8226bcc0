package sumtree

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// TestSummands holds the summands that are sums of neighbours, and differences
// from the mean, against loops.
func TestSummands(t *testing.T) {
	x := []float64{0x1p24, 1, -3, 0.5, 7}
	trapezoid, variance := Plain(fp.Binary32), Plain(fp.Binary32)
	trapezoid.Neighbours, trapezoid.Rescale = fp.Binary32, float64(float32(0.1))
	trapezoid.Weights = []Weight{{Leaves: Ranges{{0, 4}}, Factor: 0.5}}
	mean := Plain(fp.Binary32)
	mean.Mean = true
	variance.Products, variance.Squares, variance.Centre = true, true, &mean
	variance.Divisor = 4
	var area, sum, squares float32
	for i := range x[1:] {
		area += float32(float32(float32(float32(x[i])+float32(x[i+1]))/2) * float32(0.1))
	}
	for _, v := range x {
		sum += float32(v)
	}
	for _, v := range x {
		d := float32(v) - sum/5
		squares += float32(d * d)
	}
	for _, c := range []struct {
		a      Arithmetic
		leaves int
		want   float32
	}{{trapezoid, 4, area}, {variance, 5, squares / 4}} {
		tree := Family{Kind: Chain}.Tree(c.leaves)
		got, err := tree.Replay(c.a, x, nil)
		if err != nil || got != float64(c.want) || c.a.Inputs(tree) != len(x) {
			t.Errorf("%+v: %v (%v), want %v", c.a, got, err, c.want)
		}
		if _, err := tree.Replay(c.a, x[1:], nil); err == nil {
			t.Errorf("%+v: %d inputs are taken", c.a, len(x)-1)
		}
		var read Arithmetic
		text, err := json.Marshal(c.a)
		if err == nil {
			err = json.Unmarshal(text, &read)
		}
		if err != nil || !reflect.DeepEqual(read, c.a) {
			t.Errorf("%s is read as %+v (%v)", text, read, err)
		}
	}
}

// TestSummandsFlushed holds that sums of neighbours and differences are flushed
// where results are.
func TestSummandsFlushed(t *testing.T) {
	least := fp.Binary32.MinNormal()
	a := Plain(fp.Binary32)
	a.Neighbours, a.FTZ = fp.Binary32, true
	tree := Family{Kind: Chain}.Tree(2)
	got, err := tree.Replay(a, []float64{1.5 * least, -least, math.Copysign(0, -1)}, nil)
	if err != nil || got != -least {
		t.Errorf("%v (%v), want %v", got, err, -least)
	}
}

// TestSummandsRefused holds that arithmetics without a meaning are refused.
func TestSummandsRefused(t *testing.T) {
	plain := Plain(fp.Binary32)
	products, scaled, nested := plain, plain, plain
	products.Products, products.Neighbours = true, fp.Binary32
	scaled.Rescale, scaled.FMA = 2, FMAChain
	nested.Neighbours, nested.Centre = fp.Binary32, &plain
	tree := Family{Kind: Chain}.Tree(3)
	for _, a := range []Arithmetic{products, scaled, nested} {
		if _, err := NewReplayer(tree, a); err == nil {
			t.Errorf("%+v is taken", a)
		}
	}
}

// TestTruncatedProductsOfWideSums holds that products which are rounded toward
// zero before a wide sum are finite where they overflow.
func TestTruncatedProductsOfWideSums(t *testing.T) {
	a := Arithmetic{In: fp.Binary64, Out: fp.Binary64, Products: true, Product: fp.Binary64,
		Significand: 64, Nodes: NodeArith{Acc: fp.Binary64, Mode: fp.TowardZero}}
	most := fp.Binary64.Max()
	got, err := Family{Kind: Chain}.Tree(2).Replay(a, []float64{most, -1}, []float64{2, most})
	if err != nil || got != 0 {
		t.Errorf("%v, %v, not 0", got, err)
	}
}
