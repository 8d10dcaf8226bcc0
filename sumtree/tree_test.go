package sumtree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

func randomTree(rng *rand.Rand, n, arity int) *Tree {
	b := NewBuilder(n)
	roots := make([]int, n)
	for i := range roots {
		roots[i] = i
	}
	for len(roots) > 1 {
		k := min(2+rng.IntN(arity-1), len(roots))
		kids := make([]int, k)
		for i := range kids {
			j := rng.IntN(len(roots))
			kids[i] = roots[j]
			roots[j] = roots[len(roots)-1]
			roots = roots[:len(roots)-1]
		}
		roots = append(roots, b.Node(kids...))
	}
	return b.MustTree()
}

func TestTextRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		tree := randomTree(rng, 1+rng.IntN(60), 2+rng.IntN(6))
		again, err := Parse(tree.String())
		if err != nil {
			t.Fatal(err)
		}
		if !again.Equal(tree) || again.String() != tree.String() {
			t.Fatalf("%s came back as %s", tree, again)
		}
	}
}

func TestCanonicalForm(t *testing.T) {
	for in, want := range map[string]string{
		"0":                         "0",
		"(1 0)":                     "(0 1)",
		"(3 (2 (1 0)))":             "(((0 1) 2) 3)",
		"(8 5 6 (4 3 2 1 0) 7)":     "((0 1 2 3 4) 5 6 7 8)",
		"((7 3) ((5 1) (4 0)) 2 6)": "(((0 4) (1 5)) 2 (3 7) 6)",
	} {
		tree, err := Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if tree.String() != want {
			t.Errorf("%s is %s, want %s", in, tree, want)
		}
		for id := range tree.Nodes() {
			for _, c := range tree.Children(id) {
				if int(c) >= id {
					t.Errorf("%s: child %d of %d is not before it", in, c, id)
				}
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, in := range []string{"", "()", "(0)", "(0 1", "0 1)", "(0 0)", "(0 2)", "(0 1) 2", "(0 x)", "(0 -1)", "(0 99999999999999999999)"} {
		if tree, err := Parse(in); err == nil {
			t.Errorf("%q was read as %s", in, tree)
		}
	}
}

func TestFamilies(t *testing.T) {
	for _, c := range []struct {
		f    string
		n    int
		want string
	}{
		{"chain", 4, "(((0 1) 2) 3)"},
		{"reverse chain", 4, "(0 (1 (2 3)))"},
		{"pairwise", 5, "((0 1) (2 (3 4)))"},
		{"pairwise(block=128, unroll=8)", 9, "((((0 1) (2 3)) ((4 5) (6 7))) 8)"},
		{"pairwise(block=128, unroll=8)", 7, "((((((0 1) 2) 3) 4) 5) 6)"},
		{"strided(4)+halving", 9, "((((0 4) (2 6)) ((1 5) (3 7))) 8)"},
		{"strided(4)+chain, tail apart", 6, "((((0 1) 2) 3) (4 5))"},
		{"chunks(3) of chain", 7, "((((0 1) 2) ((3 4) 5)) 6)"},
		{"fused(4+1)", 9, "(((0 1 2 3) 4 5 6 7) 8)"},
		{"interleaved(64, block=8192)", 10, "((((0 8) 4) (2 6)) (((1 9) 5) (3 7)))"},
		{"interleaved(2, block=4)", 11, "((((0 2) (4 6)) (8 10)) (((1 3) (5 7)) 9))"},
	} {
		f, err := ParseFamily(c.f)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Tree(c.n).String(); got != c.want {
			t.Errorf("%s of %d is %s, want %s", c.f, c.n, got, c.want)
		}
	}
}

func TestFamilyTextRoundTripAndRecognition(t *testing.T) {
	for _, n := range []int{1, 2, 7, 24, 100, 300} {
		for _, f := range Candidates(n) {
			g, err := ParseFamily(f.String())
			if err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			tree := f.Tree(n)
			if !g.Tree(n).Equal(tree) {
				t.Fatalf("%s is read back as another family", f)
			}
			r, ok := Recognise(tree)
			if !ok || !r.Tree(n).Equal(tree) {
				t.Fatalf("%s of %d is not recognised", f, n)
			}
		}
	}
}

// TestReplayAgainstLoops holds the replay against loops written out.
func TestReplayAgainstLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + rng.IntN(50)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = float64(float32(rng.NormFloat64() * math.Exp2(float64(rng.IntN(20)))))
			y[i] = float64(float32(rng.NormFloat64()))
		}
		chain := Family{Kind: Chain}.Tree(n)
		var plain, products, fused float32
		var wide float64
		for i := range x {
			plain += float32(x[i])
			products += float32(float32(x[i]) * float32(y[i]))
			if i == 0 {
				fused = float32(float32(x[i]) * float32(y[i]))
			} else {
				fused = float32(fp.Binary32.FMA(x[i], y[i], float64(fused), fp.NearestEven))
			}
			wide += x[i]
		}
		f32 := NodeArith{Acc: fp.Binary32}
		for _, c := range []struct {
			name string
			a    Arithmetic
			want float64
		}{
			{"sum", Plain(fp.Binary32), float64(plain)},
			{"dot", Arithmetic{In: fp.Binary32, Out: fp.Binary32, Products: true, Nodes: f32}, float64(products)},
			{"fma", Arithmetic{In: fp.Binary32, Out: fp.Binary32, Products: true, FMA: FMALater, Nodes: f32}, float64(fused)},
			{"wide", Arithmetic{In: fp.Binary32, Out: fp.Binary32, Nodes: NodeArith{Acc: fp.Binary64}}, float64(float32(wide))},
		} {
			got, err := chain.Replay(c.a, x, y)
			if err != nil || math.Float64bits(got) != math.Float64bits(c.want) {
				t.Fatalf("%s of %d: %x, want %x (%v)", c.name, n, got, c.want, err)
			}
		}
	}
}

func TestFusedReplay(t *testing.T) {
	tree, _ := Parse("(0 1 2 3)")
	a := Arithmetic{In: fp.Binary16, Out: fp.Binary32, Nodes: NodeArith{Acc: fp.Binary32, Align: 23, Trunc: fp.TowardZero, Mode: fp.TowardZero}}
	for k := range 30 {
		got, err := tree.Replay(a, []float64{math.Ldexp(1, k), 1, -math.Ldexp(1, k), 0}, nil)
		want := 0.0
		if k <= 23 {
			want = 1
		}
		if err != nil || got != want {
			t.Errorf("2^%d + 1 - 2^%d fused with 23 bits is %v, want %v (%v)", k, k, got, want, err)
		}
	}
}

func BenchmarkMillionLeaves(b *testing.B) {
	n := 1 << 20
	f := Family{Kind: Chunks, Block: 8192, Of: &Family{Kind: Pairwise, Block: 128, Unroll: 8}}
	x := make([]float64, n)
	tree := f.Tree(n)
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			f.Tree(n)
		}
	})
	b.Run("equal", func(b *testing.B) {
		u := f.Tree(n)
		for b.Loop() {
			if !u.Equal(tree) {
				b.Fatal(fmt.Errorf("not equal"))
			}
		}
	})
	b.Run("replay", func(b *testing.B) {
		r, err := NewReplayer(tree, Plain(fp.Binary32))
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			r.Sum(x, nil)
		}
	})
	b.Run("masked", func(b *testing.B) {
		for b.Loop() {
			f.Masked(x)
		}
	})
}
