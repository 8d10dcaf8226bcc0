//go:build !static

package ordered_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/ordered"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// published builds the tree of the package comment, formula by formula.
func published(n, lanes int) *sumtree.Tree {
	const absent = -1
	b := sumtree.NewBuilder(n)
	add := func(u, v int) int {
		switch {
		case u == absent:
			return v
		case v == absent:
			return u
		}
		return b.Node(u, v)
	}
	chain := func(block, i int) int {
		s := absent
		for k := 128*lanes*block + i; k < min(n, 128*lanes*(block+1)); k += lanes {
			s = add(s, k)
		}
		return s
	}
	var lane func(b, c, i int) int
	lane = func(b, c, i int) int {
		if c == b+1 {
			return chain(b, i)
		}
		m := b + 1
		for 2*(m-b) < c-b {
			m = b + 2*(m-b)
		}
		return add(lane(b, m, i), lane(m, c, i))
	}
	var half func(w, i int) int
	half = func(w, i int) int {
		if w == lanes {
			return lane(0, (n-1)/(128*lanes)+1, i)
		}
		return add(half(2*w, i), half(2*w, i+w))
	}
	half(1, 0)
	return b.MustTree()
}

// TestDrawing holds the drawing of the package comment against its formula.
func TestDrawing(t *testing.T) {
	const drawn = "((((0 8) 4) (2 6)) (((1 9) 5) (3 7)))"
	for _, lanes := range []int{64, 128} {
		if got := published(10, lanes).String(); got != drawn {
			t.Errorf("%d lanes: %s, want %s", lanes, got, drawn)
		}
	}
}

// TestHeight holds the package comment's bound on the height, and sumtree's
// name for the family.
func TestHeight(t *testing.T) {
	for _, lanes := range []int{64, 128} {
		family, err := sumtree.ParseFamily(fmt.Sprintf("interleaved(%d, block=%d)", lanes,
			128*lanes))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 2, 63, 64, 65, 100, 127, 128, 129, 8191, 8192, 8193, 16384,
			16385, 5*8192 + 1, 100_000, 1_000_001} {
			tree := published(n, lanes)
			height := int(tree.Heights()[tree.Root()])
			blocks := (n-1)/(128*lanes) + 1
			if most := 127 + int(math.Log2(float64(lanes))) +
				int(math.Ceil(math.Log2(float64(blocks)))); height > most || n == 1_000_001 &&
				height < most-1 {
				t.Errorf("%d lanes, n = %d: height %d, not ≤ %d", lanes, n, height, most)
			}
			if !family.Tree(n).Equal(tree) {
				t.Errorf("n = %d: %s is another tree", n, family)
			}
		}
	}
}

// TestRevealed reveals the order of every kernel and compares it with the
// published one. Of more than a block two functions are asked, of more than a
// chunk, with three goroutines, one.
func TestRevealed(t *testing.T) {
	for _, level := range kernel.Levels() {
		at := func(op string, n int) string { return fmt.Sprintf("%v/%s/n=%d", level, op, n) }
		sum64 := func(n int) {
			same(t, at("Sum/f64", n), 64, n, gofunc.New("Sum", func(x []float64) float64 {
				return ordered.SumOn(level, 1, x)
			}, n))
		}
		dot32 := func(n int) {
			same(t, at("Dot/f32", n), 128, n, gofunc.NewDot("Dot", func(x, y []float32) float32 {
				return ordered.DotOn(level, 1, x, y)
			}, n))
		}
		for _, n := range []int{1, 2, 63, 64, 65, 129, 1000} {
			sum64(n)
			dot32(n)
			same(t, at("Sum/f32", n), 128, n, gofunc.New("Sum", func(x []float32) float32 {
				return ordered.SumOn(level, 1, x)
			}, n))
			same(t, at("Dot/f64", n), 64, n, gofunc.NewDot("Dot", func(x, y []float64) float64 {
				return ordered.DotOn(level, 1, x, y)
			}, n))
		}
		sum64(8192 + 4096 + 65)
		dot32(16384 + 77)
	}
	const n = 5*8192 + 77
	same(t, "three goroutines", 64, n, gofunc.New("Sum", func(x []float64) float64 {
		return ordered.SumOn(kernel.Best(), 3, x)
	}, n))
}

func same(t *testing.T, name string, lanes, n int, target probe.Target) {
	t.Helper()
	defer target.Close()
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{Replays: 8})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if f.Verdict != reveal.TreeVerdict || !f.Verified || !f.Tree.Equal(published(n, lanes)) {
		t.Errorf("%s: %s %s, verified %v, is not the published tree", name, f.Verdict, f.Family,
			f.Verified)
	}
	if n > 1 && (f.Traits.FMA != reveal.NotFused && target.Key().Op == probe.Dot ||
		f.Traits.Initial != "-0" || f.Traits.Rounding != "rne") {
		t.Errorf("%s: %s", name, f.Traits)
	}
}

// TestReplayed replays the published tree on inputs with subnormals, huge
// numbers, zeros of both signs, NaN and infinities.
func TestReplayed(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{1, 2, 63, 64, 65, 300, 1000, 8192, 8193, 3*16384 + 5} {
		replayed[float64](t, rng, n, 64, fp.Binary64, 1000)
		replayed[float32](t, rng, n, 128, fp.Binary32, 120)
	}
}

func replayed[T float32 | float64](t *testing.T, rng *rand.Rand, n, lanes int, format fp.Format,
	exponents int) {
	t.Helper()
	products := sumtree.Plain(format)
	products.Products = true
	tree := published(n, lanes)
	sums, err := sumtree.NewReplayer(tree, sumtree.Plain(format))
	dots, err2 := sumtree.NewReplayer(tree, products)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for kind := range 8 {
		x, y := make([]T, n), make([]T, n)
		wx, wy := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = number[T](rng, kind, exponents), number[T](rng, 0, exponents)
			wx[i], wy[i] = float64(x[i]), float64(y[i])
		}
		sum, _ := sums.Sum(wx, nil)
		dot, _ := dots.Sum(wx, wy)
		for _, level := range kernel.Levels() {
			for workers := 1; workers <= 4; workers += 3 {
				if got := float64(ordered.SumOn(level, workers, x)); !equal(got, sum) {
					t.Errorf("%v, n = %d, inputs %d: Sum is %v, the tree's %v", level, n, kind, got,
						sum)
				}
				if got := float64(ordered.DotOn(level, workers, x, y)); !equal(got, dot) {
					t.Errorf("%v, n = %d, inputs %d: Dot is %v, the tree's %v", level, n, kind, got,
						dot)
				}
			}
		}
	}
}

// number returns a random number of a kind.
func number[T float32 | float64](rng *rand.Rand, kind, exponents int) T {
	v := rng.NormFloat64()
	switch rare := rng.IntN(100) == 0; {
	case kind == 1:
		v = math.Ldexp(v, rng.IntN(2*exponents)-exponents)
	case kind == 2: // subnormals
		return T(math.Ldexp(v, -exponents)) * T(math.Ldexp(1, -exponents/15))
	case kind == 3: // overflow inside
		v = math.Ldexp(v, exponents+exponents/50)
	case kind == 4:
		v = math.Copysign(0, v)
	case kind == 5:
		v = math.Copysign(0, -1)
	case kind == 6 && rare:
		v = math.Inf(1)
	case kind == 7 && rare:
		v = []float64{math.NaN(), math.Inf(-1), math.Inf(1), math.Copysign(0, -1)}[rng.IntN(4)]
	}
	return T(v)
}

// equal compares bits; any NaN is any other.
func equal(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
