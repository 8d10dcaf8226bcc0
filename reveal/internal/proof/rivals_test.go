package proof

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// smallTrees returns every shape of a binary tree of n leaves, once.
func smallTrees(n int) []*sumtree.Tree {
	var shapes func(lo, hi int) []func(b *sumtree.Builder) int
	shapes = func(lo, hi int) []func(b *sumtree.Builder) int {
		if hi-lo == 1 {
			return []func(*sumtree.Builder) int{func(*sumtree.Builder) int { return lo }}
		}
		var all []func(b *sumtree.Builder) int
		for at := lo + 1; at <= lo+(hi-lo)/2; at++ {
			for _, left := range shapes(lo, at) {
				for _, right := range shapes(at, hi) {
					all = append(all, func(b *sumtree.Builder) int {
						i := left(b)
						return b.Node(i, right(b))
					})
				}
			}
		}
		return all
	}
	var trees []*sumtree.Tree
	for _, s := range shapes(0, n) {
		b := sumtree.NewBuilder(n)
		s(b)
		trees = append(trees, b.MustTree())
	}
	return trees
}

// allSummands returns every number of the 8-bit format.
func allSummands() []sumtree.Choice {
	var all []sumtree.Choice
	for b := range uint64(256) {
		if v := fp.E5M2.FromBits(b); v-v == 0 {
			all = append(all, sumtree.Choice{X: v})
		}
	}
	return all
}

// TestRivalsAreSeparated goes through all pairs of arithmetics that the search
// can express, on trees of 2 to 6 summands of an 8-bit format, and divides them
// by the inputs that SettleRivals derives. Of those that no derived input tells
// apart, all values of every node are followed: they are equal on all inputs.
// Wide accumulators have too many values from 3 summands on: there the inputs
// are all that have summands of some sizes only.
func TestRivalsAreSeparated(t *testing.T) {
	mostWide, everyShape := 3, 4
	if os.Getenv("LASTBIT_RIVALS") == "all" {
		mostWide, everyShape = 6, 6
	}
	for n := 2; n <= 6; n++ {
		trees := smallTrees(n)
		if n > everyShape {
			trees = []*sumtree.Tree{trees[0], trees[len(trees)-1]} // a chain, and halves
		}
		for _, tree := range trees {
			for _, wide := range []bool{false, true} {
				if wide && n > mostWide {
					continue
				}
				t.Run(fmt.Sprintf("%v, wide %v", tree, wide), func(t *testing.T) {
					t.Parallel()
					x := newDivider(t, tree, wide, false)
					x.divide(x.all, 1)
					t.Logf("%d arithmetics, %d functions, told apart by %d inputs",
						len(x.all), x.kinds, x.asked)
				})
			}
		}
	}
}

// TestRivalsOfProducts does the same for dot products of two numbers that have
// some sizes.
func TestRivalsOfProducts(t *testing.T) {
	for _, wide := range []bool{false, true} {
		if wide && os.Getenv("LASTBIT_RIVALS") != "all" {
			continue
		}
		x := newDivider(t, smallTrees(2)[0], wide, true)
		x.divide(x.all, 1)
		t.Logf("wide %v: %d arithmetics, %d functions, told apart by %d inputs",
			wide, len(x.all), x.kinds, x.asked)
	}
}

// divider divides arithmetics by the results of derived inputs.
type divider struct {
	*testing.T
	c            *ask.Channel
	tree         *sumtree.Tree
	every        []sumtree.Choice
	all          []sumtree.Arithmetic
	kinds, asked int
}

// newDivider takes the arithmetics that hold sums in the 8-bit format, or the
// others.
func newDivider(t *testing.T, tree *sumtree.Tree, wide, products bool) *divider {
	target := probetest.FromTree(tree, probetest.Options{DType: fp.E5M2, Products: products})
	c := ask.NewChannel(t.Context(), target, ask.Options{})
	x := &divider{T: t, c: c, tree: tree, every: allSummands()}
	if products || wide && tree.Leaves() > 2 {
		x.every = slices.DeleteFunc(x.every, func(s sumtree.Choice) bool {
			size := math.Abs(s.X)
			return size > 0x1p-13 && size < 0.75 || size > 2 && size < 0x1p15
		})
	}
	if products {
		var all []sumtree.Choice
		for _, s := range x.every {
			for _, y := range []float64{0, 0x1p-15, 0.5, 0.75, 1, 1.25, 1.75, 2, -1, -0.875} {
				all = append(all, sumtree.Choice{X: s.X, Y: y})
			}
		}
		x.every = all
	}
	for _, plusZero := range []bool{false, true} {
		base := baseArithmetic(c)
		base.PlusZero = plusZero
		plain := base
		plain.Nodes.Acc = fp.E5M2
		x.all = append(x.all, plain)
		x.all = append(x.all, Rivals(c, tree, base, []sumtree.Arithmetic{plain})...)
	}
	x.all = slices.DeleteFunc(unique(x.all), func(a sumtree.Arithmetic) bool {
		return wide != (a.Nodes.Acc != fp.E5M2)
	})
	return x
}

// divide divides arithmetics until all in a part are equal. The first of them
// are known to be.
func (x *divider) divide(part []sumtree.Arithmetic, equal int) {
	for i := equal; i < len(part); i++ {
		a := part[i]
		pair := []sumtree.Arithmetic{part[0], a}
		s, ok := tellsApart(x.c, x.tree, pair)
		if ok {
			x.asked++
			x.split(part, s, i)
			return
		}
		each := func(int) []sumtree.Choice { return x.every }
		if u, v, ok := x.tree.Separate(part[0], a, each, 0); ok {
			x.Fatalf("%v: no question tells\n%+v from\n%+v, as %v %v would",
				x.tree, part[0], a, u, v)
		}
	}
	x.kinds++
}

// split divides each part of arithmetics that give an input the same result.
// The first equal ones have the same result on all inputs that were followed.
func (x *divider) split(all []sumtree.Arithmetic, s ask.Sample, equal int) {
	parts := map[uint64][]sumtree.Arithmetic{}
	var order []uint64
	for i, a := range all {
		out, err := x.tree.Replay(a, s.X, s.Y)
		if err != nil {
			x.Fatal(err)
		}
		bits := math.Float64bits(out)
		if out != out {
			bits = math.Float64bits(math.NaN())
		}
		if parts[bits] == nil {
			order = append(order, bits)
		}
		if i < equal && bits != order[0] {
			x.Fatalf("%v: %v %v tells apart\n%+v and\n%+v, which are equal",
				x.tree, s.X, s.Y, all[0], a)
		}
		parts[bits] = append(parts[bits], a)
	}
	if len(order) < 2 {
		x.Fatalf("%v: all results of %v %v are alike", x.tree, s.X, s.Y)
	}
	for i, bits := range order {
		if i > 0 {
			equal = 1
		}
		x.divide(parts[bits], equal)
	}
}
