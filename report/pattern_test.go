package report

import (
	"testing"
)

func TestPattern(t *testing.T) {
	blocks := func(width, period, n int) (v []int32) {
		for i := range n {
			for j := range width {
				v = append(v, int32(i*period+j))
			}
		}
		return v
	}
	for _, c := range []struct {
		leaves []int32
		want   string
	}{
		{nil, "none"},
		{[]int32{5}, "5"},
		{[]int32{0, 1}, "0, 1"},
		{[]int32{0, 1, 2}, "0–2"},
		{blocks(128, 0, 1), "0–127"},
		{[]int32{3, 2, 1, 0}, "3–0 (backwards)"},
		{[]int32{0, 8, 16, 24}, "0, 8, 16, 24 (stride 8)"},
		{[]int32{0, 8, 16, 24, 32}, "0, 8, 16 … 32 (stride 8)"},
		{[]int32{40, 30, 20, 10, 0}, "40, 30, 20 … 0 (stride −10)"},
		{blocks(8, 32, 4), "0–7, 32–39 … 96–103 (8 of every 32)"},
		{[]int32{0, 1, 2, 3, 9, 10, 11}, "0–3, 9–11"},
		{[]int32{1, 4, 7, 9}, "1, 4, 7, 9"},
		{[]int32{3, 17, 21, 29, 290}, "3, 17, 21 … 290 (5 leaves)"},
	} {
		if got := Pattern(c.leaves); got != c.want {
			t.Errorf("Pattern(%v) = %q, want %q", c.leaves, got, c.want)
		}
	}
}

func TestLeafSet(t *testing.T) {
	tree := reverseTree(20)
	if got := LeafSet(tree, tree.Root()); got != "0–19" {
		t.Errorf("all leaves: %q", got)
	}
	if got := LeafSet(tree, 7); got != "7" {
		t.Errorf("one leaf: %q", got)
	}
	tree = pairwiseTree(1024)
	way := int(tree.Parents()[120])
	if got := LeafSet(tree, way); got != "0, 8, 16 … 120 (stride 8)" {
		t.Errorf("a way of np.sum: %q", got)
	}
}
