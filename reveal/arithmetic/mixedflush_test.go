package arithmetic_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// mixedFlush adds numbers or products of float32 in the order of a tree. Each
// addition has flushes of its own, and so have all products.
type mixedFlush struct {
	tree    *sumtree.Tree
	nodes   []flushMode
	product flushMode
	fused   []bool // of nodes that add a product to a sum
}

// flushMode is a set of places where subnormals become zeros.
type flushMode int

const (
	operands flushMode = 1 << iota
	results
)

// in returns an operand as the mode takes it, and out a result.
func (m flushMode) in(v float64) float64 {
	if m&operands != 0 {
		return flushed(v)
	}
	return v
}

func (m flushMode) out(v float64) float64 {
	if m&results != 0 {
		return flushed(v)
	}
	return v
}

// newMixedFlush draws a tree, and modes: one that differs from the others, two
// by turns, one for each half, or any.
func newMixedFlush(rng *rand.Rand) *mixedFlush {
	n := []int{2, 3, 4, 5, 6, 7, 8, 12, 20, 33}[rng.IntN(10)]
	tree := probetest.Chain(n)
	if n > 4 && rng.IntN(4) > 0 {
		tree = probetest.RandomTree(rng, n, probetest.Shape(rng.IntN(3)))
	}
	m := &mixedFlush{tree: tree, nodes: make([]flushMode, tree.Inner()),
		fused: make([]bool, tree.Inner())}
	most, other := flushMode(rng.IntN(4)), flushMode(rng.IntN(4))
	kind, fma, odd := rng.IntN(4), rng.IntN(3), rng.IntN(tree.Inner())
	for k := range m.nodes {
		m.nodes[k] = most
		if kind == 0 && k == odd || kind == 1 && rng.IntN(2) == 0 || kind == 2 && k < odd {
			m.nodes[k] = other
		}
		if kind == 3 {
			m.nodes[k] = flushMode(rng.IntN(4))
		}
		m.fused[k] = fma == 1 || fma == 2 && rng.IntN(2) == 0
	}
	if m.product = most; rng.IntN(2) == 0 {
		m.product = flushMode(rng.IntN(4))
	}
	return m
}

// sum adds the products of x and y, or x where y is nil.
func (m *mixedFlush) sum(x, y []float64) float64 {
	f, n := fp.Binary32, m.tree.Leaves()
	factor := m.product.in
	v := append(make([]float64, 0, m.tree.Nodes()), x...)
	for i := range y {
		v[i] = m.product.out(f.Mul(factor(x[i]), factor(y[i]), fp.NearestEven))
	}
	for k, mode := range m.nodes {
		c := m.tree.Children(n + k)
		a, b := int(c[0]), int(c[1])
		s := mode.in(v[a])
		if y != nil && m.fused[k] && a >= n && b < n {
			s = f.FMA(factor(x[b]), factor(y[b]), s, fp.NearestEven)
		} else {
			s = f.Add(s, mode.in(v[b]), fp.NearestEven)
		}
		v = append(v, mode.out(s))
	}
	return v[m.tree.Root()]
}

// tinyInput fills in numbers near the least normal one. Some of them cancel.
// Their products with y have that size, too.
func tinyInput(rng *rand.Rand, x, y []float64) {
	scale := 60 * rng.IntN(2)
	for i := range x {
		x[i] = math.Ldexp(float64(rng.IntN(65)-32), -130)
		if rng.IntN(2) == 0 {
			x[i] *= 1 + math.Ldexp(float64(rng.IntN(1<<18)), -18)
		}
		if i > 0 && rng.IntN(3) == 0 {
			x[i] = -x[i-1]
		}
		if y != nil {
			y[i] = math.Ldexp(1+float64(rng.IntN(2)*rng.IntN(8))/8, -scale)
			x[i] = math.Ldexp(x[i], scale)
		}
	}
}

// TestMixedFlushes holds that a sum or a dot product whose additions flush
// their operands here and their sums there is replayed, or not verified.
func TestMixedFlushes(t *testing.T) {
	t.Parallel()
	for seed := range revealtest.Everyday(800) {
		rng := rand.New(rand.NewPCG(seed, 78))
		m := newMixedFlush(rng)
		n := m.tree.Leaves()
		x, y := make([]float64, n), make([]float64, n)
		target := revealtest.Dot(n, fp.Binary32, m.sum)
		if rng.IntN(4) == 0 {
			y = nil
			target = revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
				return m.sum(x, nil)
			})
		}
		f := revealtest.Find(t, target, seed)
		if !f.Verified || f.Tree == nil {
			continue
		}
		r, err := sumtree.NewReplayer(f.Tree, *f.Arithmetic)
		if err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			tinyInput(rng, x, y)
			v, err := r.Sum(x, y)
			if want := m.sum(x, y); err != nil || !revealtest.EqualBits(v, want) {
				t.Errorf("seed %d: %d summands, %v: replay %v, implementation %v (%v)", seed, n,
					m.nodes, v, want, err)
				break
			}
		}
	}
}
