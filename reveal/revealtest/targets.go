package revealtest

import (
	"context"
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

// one is a target of one output.
type one struct {
	key probe.Key
	f   func(x, y []float64) float64
}

func (t one) Key() probe.Key { return t.key }

func (t one) Lanes() int { return 1 }

func (t one) Close() error { return nil }

func (t one) Call(_ context.Context, b *probe.Batch) error {
	b.Out[0] = t.f(b.X, b.Y)
	return nil
}

// SumOf returns a target with a key that computes by f.
func SumOf(key probe.Key, f func(x []float64) float64) probe.Target {
	return one{key, func(x, _ []float64) float64 { return f(x) }}
}

// DotOf returns a target of two operands with a key that computes by f.
func DotOf(key probe.Key, f func(x, y []float64) float64) probe.Target { return one{key, f} }

// Sum returns a sum of n numbers of a format by f.
func Sum(n int, d fp.Format, f func(x []float64) float64) probe.Target {
	plain := func(_ fp.Format, x []float64, _ int) float64 { return f(x) }
	return probetest.FromFunc("x", n, d, plain)
}

// Dot returns a dot product of n terms of a format by f.
func Dot(n int, d fp.Format, f func(x, y []float64) float64) probe.Target {
	return DotOf(probe.Key{Target: "dot", Op: probe.Dot, DType: d, Out: d, N: n, Threads: 1}, f)
}

// By adds x in the order of a tree, every sum rounded to f.
func By(t *sumtree.Tree, f fp.Format, x []float64) float64 {
	v, _ := t.Replay(sumtree.Plain(f), x, nil)
	return v
}

// Added returns the sum of x from the first to the last, rounded to f.
func Added(f fp.Format, x []float64) float64 {
	s := x[0]
	for _, v := range x[1:] {
		s = f.Add(s, v, fp.NearestEven)
	}
	return s
}

// Products returns the products of two vectors, rounded to f.
func Products(f fp.Format, x, y []float64) []float64 {
	p := make([]float64, len(x))
	for i := range x {
		p[i] = f.Mul(x[i], y[i], fp.NearestEven)
	}
	return p
}

// Flushed returns x, or a zero for a subnormal of float32 and of bfloat16.
func Flushed(x float64) float64 {
	if math.Abs(x) < 0x1p-126 {
		return math.Copysign(0, x)
	}
	return x
}
