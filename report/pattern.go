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
// 992–999 (8 of every 32)". A sequence without such a rule is abbreviated: "3,
// 17, 21 … 290 (37 leaves)". The empty sequence gives "none". Cost: linear.
func Pattern(leaves []int32) string { return decimals.pattern(leaves) }

// namer writes leaf numbers and sizes: as decimals, or as the placeholders of a
// label.
type namer struct {
	leaf func(int32) string
	size func(int) string
}

// decimals writes numbers as people read them.
var decimals = namer{
	leaf: func(v int32) string { return strconv.Itoa(int(v)) },
	size: func(n int) string { return count(n, "leaf", "leaves") },
}

// pattern is Pattern with the numbers that w writes.
func (w namer) pattern(leaves []int32) string {
	s, complete := w.shortPattern(leaves)
	if !complete {
		s += " (" + w.size(len(leaves)) + ")"
	}
	return s
}

// shortPattern is pattern without the number of leaves, which is still missing
// unless the words name every leaf.
func (w namer) shortPattern(leaves []int32) (s string, complete bool) {
	n := len(leaves)
	switch {
	case n == 0:
		return "none", true
	case n <= 2:
		return w.list(leaves), true
	}
	if step, ok := commonDifference(leaves); ok {
		return w.progression(leaves, step), true
	}
	if n <= 4 {
		return w.list(leaves), true
	}
	if s, ok := w.blocks(leaves); ok {
		return s, true
	}
	return w.list(leaves[:3]) + " … " + w.leaf(leaves[n-1]), false
}

// LeafSet describes the set of leaves under a node, by Pattern of its sorted
// leaves. Cost: linear in the tree, and sorting for sets that are not a range.
func LeafSet(t *sumtree.Tree, id int) string {
	order, lo, hi := t.LeafOrder()
	return describeSet(order[lo[id]:hi[id]])
}

// describeSet is Pattern of the sorted set.
func describeSet(set []int32) string { return decimals.set(set) }

// set is pattern of the sorted set.
func (w namer) set(set []int32) string {
	s, complete := w.shortSet(set)
	if !complete {
		s += " (" + w.size(len(set)) + ")"
	}
	return s
}

// shortSet is shortPattern of the sorted set.
func (w namer) shortSet(set []int32) (s string, complete bool) {
	if len(set) > 2 {
		if a, b := slices.Min(set), slices.Max(set); int(b-a)+1 == len(set) {
			return w.leaf(a) + "–" + w.leaf(b), true
		}
	}
	sorted := slices.Clone(set)
	slices.Sort(sorted)
	return w.shortPattern(sorted)
}

// commonDifference reports whether the leaves are an arithmetic progression,
// and its difference.
func commonDifference(leaves []int32) (step int32, ok bool) {
	step = leaves[1] - leaves[0]
	for i := 2; i < len(leaves); i++ {
		if leaves[i]-leaves[i-1] != step {
			return 0, false
		}
	}
	return step, step != 0
}

// progression describes an arithmetic progression.
func (w namer) progression(leaves []int32, step int32) string {
	first, last := w.leaf(leaves[0]), w.leaf(leaves[len(leaves)-1])
	switch {
	case step == 1:
		return first + "–" + last
	case step == -1:
		return first + "–" + last + " (backwards)"
	case len(leaves) <= 4:
		return fmt.Sprintf("%s (stride %s)", w.list(leaves), signed(step))
	}
	return fmt.Sprintf("%s … %s (stride %s)", w.list(leaves[:3]), last, signed(step))
}

// blocks describes sequences made of ranges: of equal ranges at equal
// distances, or of a few of any kind.
func (w namer) blocks(leaves []int32) (string, bool) {
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
			return w.leaf(s.from)
		}
		return w.leaf(s.from) + "–" + w.leaf(s.to)
	}
	width, last := spans[0].to-spans[0].from+1, spans[len(spans)-1]
	if len(spans) >= 3 && width > 1 {
		period := spans[1].from - spans[0].from
		regular := period > width
		for i := 1; i < len(spans); i++ {
			regular = regular && spans[i].to-spans[i].from+1 == width &&
				spans[i].from-spans[i-1].from == period
		}
		if regular {
			return fmt.Sprintf("%s, %s … %s (%d of every %d)", write(spans[0]), write(spans[1]),
				write(last), width, period), true
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

// list writes leaf numbers with commas.
func (w namer) list(v []int32) string {
	s := make([]string, len(v))
	for i, x := range v {
		s[i] = w.leaf(x)
	}
	return strings.Join(s, ", ")
}

func signed(v int32) string {
	return strings.Replace(strconv.Itoa(int(v)), "-", "−", 1)
}
