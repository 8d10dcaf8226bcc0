package sumtree

import (
	"math/rand/v2"
	"testing"
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
	for _, in := range []string{"", "()", "(0)", "(0 1", "0 1)", "(0 0)", "(0 2)", "(0 1) 2",
		"(0 x)", "(0 -1)", "(0 99999999999999999999)"} {
		if tree, err := Parse(in); err == nil {
			t.Errorf("%q was read as %s", in, tree)
		}
	}
}
