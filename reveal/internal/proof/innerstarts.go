package proof

import (
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// Sums of sums may begin with +0, too, as windows of windows do, and a sum that
// is stored before a rest is added to the zero there.

// innerStarts returns the inner nodes that are the first of a chain of sums:
// each is added to a sum of as many levels of chains as it has. A chain is one
// level above its summands. chained is true where a chain has more than two
// sums: no result shows the sign of a zero that the second one is.
func innerStarts(t *sumtree.Tree) (first sumtree.Ranges, chained bool) {
	starts, _, chained := startLevels(t)
	return sumtree.RangesOf(starts), chained
}

// startsByLevel returns the nodes of innerStarts, and, where these have several
// levels, the nodes of each level alone: only one loop may add to a register
// that begins with +0.
func startsByLevel(t *sumtree.Tree) (first []sumtree.Ranges, chained bool) {
	starts, level, chained := startLevels(t)
	byLevel := make([][]bool, slices.Max(level)+1)
	for k, is := range starts {
		if !is {
			continue
		}
		l := level[t.Leaves()+k]
		if byLevel[l] == nil {
			byLevel[l] = make([]bool, t.Inner())
		}
		byLevel[l][k] = true
	}
	for _, nodes := range append([][]bool{starts}, byLevel...) {
		r := sumtree.RangesOf(nodes)
		if len(r) > 0 && !(len(first) == 1 && slices.Equal(r, first[0])) {
			first = append(first, r)
		}
	}
	return first, chained
}

// startLevels returns which inner nodes are the first of a chain of sums, and
// the levels of all nodes: see innerStarts.
func startLevels(t *sumtree.Tree) (starts []bool, level []int, chained bool) {
	starts, level = make([]bool, t.Inner()), make([]int, t.Nodes())
	for k := range starts {
		id := t.Leaves() + k
		kids := t.Children(id)
		left, right := level[kids[0]], level[kids[1]]
		level[id] = max(left, right)
		switch {
		case left == right:
			level[id]++
			if left > 0 {
				starts[int(kids[0])-t.Leaves()] = true
			}
		case left > 0 && right > 0:
			chained = true
		}
	}
	return starts, level, chained
}

// flushedSums returns inputs with sums of two leaves each that are flushed at
// the end of all that is added to another sum: they are −0 whatever these begin
// with. It also returns inputs with a flushed sum of two sums in a chain of
// more than two, and some flushed pairs beside it: what is added to −0 there
// shows the sign of its own zero.
func flushedSums(
	c *ask.Channel, t *sumtree.Tree, rng *rand.Rand, pairs [][2]int,
) []ask.Sample {
	first, chained := innerStarts(t)
	if len(first) == 0 {
		return nil
	}
	order, lo, hi := t.LeafOrder()
	samples := []ask.Sample{flushedPairs(c, lastPairs(t, order, hi))}
	parent := t.Parents()
	for k := 0; k < zeroSamples && chained; k++ {
		r := first[rng.IntN(len(first))]
		one := t.Leaves() + r[0] + rng.IntN(r[1]-r[0])
		up := parent[one]
		other := t.Children(int(up))[1]
		under := func(id int) int { return int(order[int(lo[id])+rng.IntN(int(hi[id]-lo[id]))]) }
		some := [][2]int{{under(one), under(int(other))}}
		within := order[lo[up]:hi[up]]
		for _, p := range pairs {
			if rng.IntN(2) == 0 && !slices.Contains(within, int32(p[0])) {
				some = append(some, p)
			}
		}
		samples = append(samples, flushedPairs(c, some))
	}
	return samples
}

// storedSum returns the inner node of the sum that a rest of a few leaves is
// added to.
func storedSum(t *sumtree.Tree) (k int, ok bool) {
	sums, _ := beforeRests(t)
	if len(sums) == 0 {
		return 0, false
	}
	return sums[len(sums)-1] - t.Leaves(), true
}

// flushedRests returns inputs with a flushed sum before a rest, and with one of
// each leaf of the rest: what is added to −0 there shows the sign of its zero.
func flushedRests(c *ask.Channel, t *sumtree.Tree, rng *rand.Rand) []ask.Sample {
	k, ok := storedSum(t)
	if !ok {
		return nil
	}
	order, lo, hi := t.LeafOrder()
	under := func(id int32) int { return int(order[int(lo[id])+rng.IntN(int(hi[id]-lo[id]))]) }
	kids := t.Children(t.Leaves() + k)
	all := [][2]int{{under(kids[0]), under(kids[1])}}
	_, rest := beforeRests(t)
	for _, leaf := range rest {
		all = append(all, [2]int{under(int32(t.Leaves() + k)), leaf})
	}
	var samples []ask.Sample
	for _, p := range all {
		samples = append(samples, flushedPairs(c, [][2]int{p}))
	}
	return samples
}

// lastPairs returns the last two leaves of each sum of leaves that is added to
// another sum. order and hi come from Tree.LeafOrder.
func lastPairs(t *sumtree.Tree, order, hi []int32) (pairs [][2]int) {
	isSum := func(id int32) bool { return !t.IsLeaf(int(id)) }
	for k := range t.Inner() {
		kids := t.Children(t.Leaves() + k)
		if !isSum(kids[0]) || !isSum(kids[1]) {
			continue
		}
		for _, v := range kids {
			if !slices.ContainsFunc(t.Children(int(v)), func(id int32) bool { return !isSum(id) }) {
				continue
			}
			pairs = append(pairs, [2]int{int(order[hi[v]-2]), int(order[hi[v]-1])})
		}
	}
	return pairs
}
