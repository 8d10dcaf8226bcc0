package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/sumtree"
)

// Pattern describes a sequence of leaf numbers in words, in the order given:
// "0–127", "127–0 (backwards)", "0, 8, 16 … 120 (stride 8)", "0–7, 32–39 …
// 992–999 (8 of every 32)". What has no such rule is abbreviated: "3, 17, 21 …
// 290 (37 leaves)". The empty sequence gives "none". Cost: linear.
func Pattern(leaves []int32) string {
	s, exact := pattern(leaves)
	if !exact {
		s += fmt.Sprintf(" (%s)", count(len(leaves), "leaf", "leaves"))
	}
	return s
}

// pattern is Pattern, and reports whether the words name every leaf; where they
// do not the number of leaves is still to be said.
func pattern(leaves []int32) (s string, exact bool) {
	n := len(leaves)
	switch {
	case n == 0:
		return "none", true
	case n <= 2:
		return list(leaves), true
	}
	if step, ok := progression(leaves); ok {
		return describeProgression(leaves, step), true
	}
	if n <= 4 {
		return list(leaves), true
	}
	if s, ok := describeBlocks(leaves); ok {
		return s, true
	}
	return fmt.Sprintf("%s … %d", list(leaves[:3]), leaves[n-1]), false
}

// LeafSet describes the set of leaves under a node, by Pattern of its sorted
// leaves. Cost: linear in the tree, and sorting for sets that are no range.
func LeafSet(t *sumtree.Tree, id int) string {
	order, lo, hi := t.LeafOrder()
	return describeSet(order[lo[id]:hi[id]])
}

// describeSet is Pattern of the sorted set.
func describeSet(set []int32) string {
	s, exact := patternOfSet(set)
	if !exact {
		s += fmt.Sprintf(" (%s)", count(len(set), "leaf", "leaves"))
	}
	return s
}

func patternOfSet(set []int32) (s string, exact bool) {
	if len(set) > 2 {
		if a, b := slices.Min(set), slices.Max(set); int(b-a)+1 == len(set) {
			return fmt.Sprintf("%d–%d", a, b), true
		}
	}
	sorted := slices.Clone(set)
	slices.Sort(sorted)
	return pattern(sorted)
}

// progression reports whether the leaves are an arithmetic progression.
func progression(leaves []int32) (step int32, ok bool) {
	step = leaves[1] - leaves[0]
	for i := 2; i < len(leaves); i++ {
		if leaves[i]-leaves[i-1] != step {
			return 0, false
		}
	}
	return step, step != 0
}

func describeProgression(leaves []int32, step int32) string {
	n := len(leaves)
	switch {
	case step == 1:
		return fmt.Sprintf("%d–%d", leaves[0], leaves[n-1])
	case step == -1:
		return fmt.Sprintf("%d–%d (backwards)", leaves[0], leaves[n-1])
	case n <= 4:
		return fmt.Sprintf("%s (stride %s)", list(leaves), signed(step))
	}
	return fmt.Sprintf("%s … %d (stride %s)", list(leaves[:3]), leaves[n-1], signed(step))
}

// describeBlocks describes sequences made of ranges: of equal ranges at equal
// distances, or of a few of any kind.
func describeBlocks(leaves []int32) (string, bool) {
	type span struct{ from, to int32 }
	var spans []span
	for i, v := range leaves {
		if i > 0 && v == leaves[i-1]+1 {
			spans[len(spans)-1].to = v
			continue
		}
		spans = append(spans, span{v, v})
	}
	write := func(s span) string {
		if s.from == s.to {
			return strconv.Itoa(int(s.from))
		}
		return fmt.Sprintf("%d–%d", s.from, s.to)
	}
	width, last := spans[0].to-spans[0].from+1, spans[len(spans)-1]
	if len(spans) >= 3 && width > 1 {
		period := spans[1].from - spans[0].from
		regular := period > width
		for i := 1; i < len(spans); i++ {
			regular = regular && spans[i].to-spans[i].from+1 == width && spans[i].from-spans[i-1].from == period
		}
		if regular {
			return fmt.Sprintf("%s, %s … %s (%d of every %d)", write(spans[0]), write(spans[1]), write(last), width, period), true
		}
	}
	if len(spans) > 4 || len(spans) == len(leaves) {
		return "", false
	}
	parts := make([]string, len(spans))
	for i, s := range spans {
		parts[i] = write(s)
	}
	return strings.Join(parts, ", "), true
}

func list(v []int32) string {
	s := make([]string, len(v))
	for i, x := range v {
		s[i] = strconv.Itoa(int(x))
	}
	return strings.Join(s, ", ")
}

func signed(v int32) string {
	return strings.Replace(strconv.Itoa(int(v)), "-", "−", 1)
}
