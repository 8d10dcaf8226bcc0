package arithmetic_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// twice is a chain of products that rounds sums, or products, to a wider format
// before it rounds them to its own.
type twice struct {
	op       probe.Op
	format   fp.Format
	sums     uint // bits that s + x·y is rounded to first
	products uint // bits that x·y is; 0 where it is not rounded
}

// chain adds the products. y is nil for squares.
func (w twice) chain(x, y []float64) float64 {
	if y == nil {
		y = x
	}
	s := 0.0
	for i := range x {
		if plain := s + float64(x[i]*y[i]); plain-plain != 0 {
			s = w.format.Round(plain, fp.NearestEven)
			continue
		}
		exact := new(big.Float).SetPrec(2 * 53)
		p := exact.Mul(big.NewFloat(x[i]), big.NewFloat(y[i]))
		if w.products != 0 {
			p = big.NewFloat(w.round(p.SetPrec(w.products)))
		}
		s = w.round(new(big.Float).SetPrec(w.sums).Add(p, big.NewFloat(s)))
	}
	return s
}

// round rounds to the format, to nearest even.
func (w twice) round(v *big.Float) float64 {
	if w.format == fp.Binary32 {
		f, _ := v.Float32()
		return float64(f)
	}
	f, _ := v.Float64()
	return f
}

// TestRoundedTwice reveals chains that differ from fused sums, or from rounded
// products, next to ties only. Additions of binary32 in binary64 have a model.
func TestRoundedTwice(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]twice{
		"f32 in f64":            {probe.Dot, fp.Binary32, 53, 0},
		"f32 in x87":            {probe.Dot, fp.Binary32, 64, 0},
		"f64 in binary128":      {probe.Dot, fp.Binary64, 113, 0},
		"products in x87":       {probe.Dot, fp.Binary64, 53, 64},
		"squares, f32 in f64":   {probe.SumSq, fp.Binary32, 53, 0},
		"squares, products x87": {probe.SumSq, fp.Binary64, 53, 64},
	} {
		sizes := []int{3, 20}
		if revealtest.IsWhole() {
			sizes = append(sizes, 8, 100, 400)
		}
		for _, n := range sizes {
			t.Run(fmt.Sprint(name, " ", n), func(t *testing.T) { w.reveal(t, n) })
		}
	}
}

// reveal reveals a chain of n products.
func (w twice) reveal(t *testing.T, n int) {
	key := probe.Key{Target: "twice", Op: w.op, DType: w.format, Out: w.format, N: n, Threads: 1}
	f := revealtest.Find(t, revealtest.DotOf(key, w.chain), uint64(n))
	isModelled := w.format == fp.Binary32 && w.sums == 53
	if f.Verified != isModelled || f.Verdict == reveal.ValueDependent {
		revealtest.Wrong(t, f)
		return
	}
	if !f.Verified {
		return
	}
	if got := f.Arithmetic.Nodes; got.Acc != fp.Binary64 || got.Store != fp.Binary32 {
		t.Errorf("the additions are %+v", got)
	}
}
