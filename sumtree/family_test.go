package sumtree

import (
	"testing"
)

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
