package probetest

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

func call(t *testing.T, target probe.Target, x, y []float64) []float64 {
	t.Helper()
	b := probe.NewBatch(target)
	copy(b.X, x)
	copy(b.Y, y)
	if err := target.Call(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	return b.Out
}

func mustParse(t *testing.T, s string) *sumtree.Tree {
	t.Helper()
	tree, err := sumtree.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestTreeArithmetic(t *testing.T) {
	h := math.Ldexp(1, -24)
	minus0 := math.Copysign(0, -1)
	tests := []struct {
		name, tree string
		o          Options
		x, y       []float64
		want       float64
	}{
		{"order seen", "((0 1) 2)", Options{}, []float64{1, h, h}, nil, 1},
		{"other order", "(0 (1 2))", Options{}, []float64{1, h, h}, nil, 1 + 2*h},
		{"wider accumulator", "((0 1) 2)", Options{Acc: fp.Binary64}, []float64{1, h, h}, nil,
			1 + 2*h},
		{"up", "(0 1)", Options{Mode: fp.Up}, []float64{1, h / 1024}, nil, 1 + 2*h},
		{"half", "((0 1) 2)", Options{DType: fp.Binary16}, []float64{0.5, 512, 512.5}, nil, 1025},
		{"half, other order", "(0 (1 2))", Options{DType: fp.Binary16}, []float64{0.5, 512, 512.5},
			nil, 1024},
		{"product rounded", "(0 1)", Options{Products: true},
			[]float64{-(1 + math.Ldexp(1, -11)), 1 + math.Ldexp(1, -12)},
			[]float64{1, 1 + math.Ldexp(1, -12)}, 0},
		{"product fused", "(0 1)", Options{Products: true, FMA: true},
			[]float64{-(1 + math.Ldexp(1, -11)), 1 + math.Ldexp(1, -12)},
			[]float64{1, 1 + math.Ldexp(1, -12)}, h},
		{"first of two leaves is rounded", "(0 1)", Options{Products: true, FMA: true},
			[]float64{1 + math.Ldexp(1, -12), -(1 + math.Ldexp(1, -11))},
			[]float64{1 + math.Ldexp(1, -12), 1}, 0},
		{"flush results", "(0 1)", Options{FTZ: true},
			[]float64{math.Ldexp(1.5, -126), -math.Ldexp(1, -126)}, nil, 0},
		{"flush operands", "(0 1)", Options{DAZ: true},
			[]float64{math.Ldexp(1, -127), math.Ldexp(1, -127)}, nil, 0},
		{"subnormals kept", "(0 1)", Options{}, []float64{math.Ldexp(1, -127), math.Ldexp(1, -127)},
			nil, math.Ldexp(1, -126)},
		{"minus zero", "((0 1) 2)", Options{}, []float64{minus0, minus0, minus0}, nil, minus0},
		{"from zero", "((0 1) 2)", Options{FromZero: true}, []float64{minus0, minus0, minus0}, nil,
			0},
		{"fused exactly", "(0 1 2)", Options{}, []float64{1e30, 1, -1e30}, nil, 1},
		{"fused, aligned, kept", "(0 1 2)", Options{AlignBits: 24},
			[]float64{1 << 24, 1, -(1 << 24)}, nil, 1},
		{"fused, aligned, lost", "(0 1 2)", Options{AlignBits: 24},
			[]float64{1 << 25, 1, -(1 << 25)}, nil, 0},
		{"fused, aligned, truncated", "(0 1 2)", Options{AlignBits: 24},
			[]float64{1 << 25, -3, -(1 << 25)}, nil, -2},
		{"fused, inf", "(0 1 2)", Options{}, []float64{math.Inf(-1), 1, 1}, nil, math.Inf(-1)},
		{"fused, minus zero", "(0 1 2)", Options{}, []float64{minus0, minus0, minus0}, nil, minus0},
	}
	for _, tt := range tests {
		got := call(t, FromTree(mustParse(t, tt.tree), tt.o), tt.x, tt.y)[0]
		if math.Float64bits(got) != math.Float64bits(tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestFuseExactly compares the exact fused sum with big.Float at the precision
// of the format.
func TestFuseExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 20_000 {
		terms := make([]float64, 3+rng.IntN(6))
		exact := new(big.Float).SetPrec(4000)
		for i := range terms {
			terms[i] = math.Ldexp(float64(1+rng.IntN(7)),
				rng.IntN(120)-60) * float64(1-2*rng.IntN(2))
			exact.Add(exact, big.NewFloat(terms[i]))
		}
		for _, f := range []fp.Format{fp.Binary32, fp.Binary64} {
			want, _ := new(big.Float).SetPrec(uint(f.Precision())).Set(exact).Float64()
			if got := fuseExactly(terms, f, fp.NearestEven); got != want {
				t.Fatalf("%v of %v: %v, want %v", f, terms, got, want)
			}
		}
	}
}

func TestCellsFollowTheirTrees(t *testing.T) {
	up, down := Chain(3), ReverseChain(3)
	target := FromTree(up,
		Options{Op: probe.Gemm, Lanes: 2, Cols: 2, Cell: func(r, c int) *sumtree.Tree {
			if r == 1 && c == 1 {
				return down
			}
			return nil
		}}).(probe.CellTarget)
	b := probe.NewBatch(target)
	h := math.Ldexp(1, -24)
	copy(b.X, []float64{1, h, h, 1, h, h})
	all := make([]float64, 4)
	if err := target.CallCells(context.Background(), b, all); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprint([]float64{1, 1, 1, 1 + 2*h}); fmt.Sprint(all) != want {
		t.Errorf("cells %v, want %v", all, want)
	}
	if fmt.Sprint(b.Out) != fmt.Sprint([]float64{1, 1}) {
		t.Errorf("lanes %v, want column 0", b.Out)
	}
}

func TestRandomTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, shape := range Shapes() {
		for n := 1; n < 80; n++ {
			tree := RandomTree(rng, n, shape)
			if tree.Leaves() != n {
				t.Fatalf("%v: %d leaves, want %d", shape, tree.Leaves(), n)
			}
			if n > 1 && shape.Binary() != (tree.MaxArity() == 2) && (shape.Binary() || n > 20) {
				t.Errorf("%v, n=%d: arity %d", shape, n, tree.MaxArity())
			}
		}
	}
}

// TestRefusalsAreNoTree looks for the input that distinguishes each refusal
// from the chain that it resembles.
func TestRefusalsAreNoTree(t *testing.T) {
	const n = 32
	for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64, fp.Binary16} {
		chain := FromTree(Chain(n), Options{DType: dtype})
		for _, c := range Refusals(n, dtype) {
			rng := rand.New(rand.NewPCG(5, 5))
			differs := false
			for i := 0; i < 200 && !differs; i++ {
				x := make([]float64, n)
				for j := range x {
					x[j] = dtype.Round(rng.NormFloat64(), fp.NearestEven)
				}
				if i%2 == 1 {
					x[1], x[n-2] = 4*huge(dtype), -4*huge(dtype)
				}
				b := probe.NewBatch(c.Target)
				copy(b.X, x)
				err := c.Target.Call(context.Background(), b)
				differs = err != nil ||
					math.Float64bits(b.Out[0]) != math.Float64bits(call(t, chain, x, nil)[0])
			}
			if !differs {
				t.Errorf("%v %s: a plain chain on 200 inputs", dtype, c.Name)
			}
		}
	}
}
