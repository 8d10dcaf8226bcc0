package report

import (
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/sumtree"
)

// chainOf adds the summands to the first one after the other.
func chainOf(b *sumtree.Builder, ids ...int) int {
	acc := ids[0]
	for _, id := range ids[1:] {
		acc = b.Node(acc, id)
	}
	return acc
}

func leafRange(from, to, step int) []int {
	var v []int
	for i := from; i < to; i += step {
		v = append(v, i)
	}
	return v
}

func chainTree(n int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	chainOf(b, leafRange(0, n, 1)...)
	return b.MustTree()
}

func reverseTree(n int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	ids := leafRange(0, n, 1)
	slices.Reverse(ids)
	chainOf(b, ids...)
	return b.MustTree()
}

// pairwiseTree is numpy's: below 8 a chain, up to 128 eight strided ways with
// the remainder chained, above that halves at multiples of 8.
func pairwiseTree(n int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	pairwise(b, 0, n)
	return b.MustTree()
}

func pairwise(b *sumtree.Builder, from, n int) int {
	switch {
	case n < 8:
		return chainOf(b, leafRange(from, from+n, 1)...)
	case n <= 128:
		whole := n - n%8
		var way [8]int
		for i := range way {
			way[i] = chainOf(b, leafRange(from+i, from+whole, 8)...)
		}
		sum := b.Node(b.Node(b.Node(way[0], way[1]), b.Node(way[2], way[3])),
			b.Node(b.Node(way[4], way[5]), b.Node(way[6], way[7])))
		return chainOf(b, append([]int{sum}, leafRange(from+whole, from+n, 1)...)...)
	}
	half := n / 2
	half -= half % 8
	return b.Node(pairwise(b, from, half), pairwise(b, from+half, n-half))
}

// chunkedTree is numpy's beyond its buffer: chunks of 8192 one after the other.
func chunkedTree(n int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	var chunks []int
	for at := 0; at < n; at += 8192 {
		chunks = append(chunks, pairwise(b, at, min(8192, n-at)))
	}
	chainOf(b, chunks...)
	return b.MustTree()
}

// fusedTree adds width summands and the sum so far at once.
func fusedTree(n, width int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	acc := b.Node(leafRange(0, min(width, n), 1)...)
	for at := width; at < n; at += width {
		acc = b.Node(append([]int{acc}, leafRange(at, min(at+width, n), 1)...)...)
	}
	return b.MustTree()
}

// dotTree is OpenBLAS's sdot: 4 accumulators of 8 lanes, then the tail, and for
// each inner node its class: 0 for the vector part, 1 for the tail.
func dotTree(n int) (*sumtree.Tree, []int) {
	b := sumtree.NewBuilder(n)
	whole := n - n%32
	var lane [8]int
	for l := range lane {
		var acc [4]int
		for a := range acc {
			acc[a] = chainOf(b, leafRange(8*a+l, whole, 32)...)
		}
		lane[l] = b.Node(b.Node(acc[0], acc[1]), b.Node(acc[2], acc[3]))
	}
	var four [4]int
	for i := range four {
		four[i] = b.Node(lane[i], lane[i+4])
	}
	vec := b.Node(b.Node(four[0], four[1]), b.Node(four[2], four[3]))
	if whole < n {
		tail := chainOf(b, leafRange(whole, n, 1)...)
		b.Node(vec, tail)
	}
	t := b.MustTree()
	class := make([]int, t.Inner())
	low := t.MinLeaves()
	for k := range class {
		if int(low[n+k]) >= whole || n+k == t.Root() && whole < n {
			class[k] = 1
		}
	}
	return t, class
}

func randomTree(n int, seed uint64, maxArity int) *sumtree.Tree {
	rng := rand.New(rand.NewPCG(seed, 1))
	b := sumtree.NewBuilder(n)
	pool := leafRange(0, n, 1)
	for len(pool) > 1 {
		k := 2
		if maxArity > 2 {
			k = min(2+rng.IntN(maxArity-1), len(pool))
		}
		var kids []int
		for range k {
			i := rng.IntN(len(pool))
			kids = append(kids, pool[i])
			pool[i] = pool[len(pool)-1]
			pool = pool[:len(pool)-1]
		}
		pool = append(pool, b.Node(kids...))
	}
	return b.MustTree()
}

// flatTree is one fused sum of n operands, each a chain of another length.
func flatTree(operands int) *sumtree.Tree {
	n := operands * (operands + 1) / 2
	b := sumtree.NewBuilder(n)
	var tops []int
	for at, k := 0, 1; k <= operands; k++ {
		tops = append(tops, chainOf(b, leafRange(at, at+k, 1)...))
		at += k
	}
	b.Node(tops...)
	return b.MustTree()
}

// gallery is one drawing of every kind of tree.
func gallery() map[string]Drawing {
	dot, class := dotTree(1000)
	g := map[string]Drawing{
		"leaf":         {Tree: chainTree(1)},
		"two":          {Tree: chainTree(2)},
		"chain8":       {Tree: chainTree(8)},
		"chain1000":    {Tree: chainTree(1000)},
		"reverse8":     {Tree: reverseTree(8)},
		"reverse100":   {Tree: reverseTree(100)},
		"numpy32":      {Tree: pairwiseTree(32)},
		"numpy100":     {Tree: pairwiseTree(100)},
		"numpy125":     {Tree: pairwiseTree(125)},
		"numpy1000":    {Tree: pairwiseTree(1000)},
		"numpy1024":    {Tree: pairwiseTree(1024)},
		"numpy16384":   {Tree: pairwiseTree(16384)},
		"chunks100003": {Tree: chunkedTree(100003)},
		"fused64":      {Tree: fusedTree(64, 16)},
		"fused1024":    {Tree: fusedTree(1024, 16)},
		"fused9":       {Tree: fusedTree(9, 4)},
		"dot1000":      {Tree: dot, Class: class, Classes: []string{"float32", "float64"}},
		"random20":     {Tree: randomTree(20, 1, 2)},
		"random300":    {Tree: randomTree(300, 2, 2)},
		"random16384":  {Tree: randomTree(16384, 3, 2)},
		"ragged500":    {Tree: randomTree(500, 4, 6)},
		"flat100":      {Tree: flatTree(100)},
	}
	for name, d := range g {
		d.Title = name
		g[name] = d
	}
	d := g["numpy1024"]
	d.Title, d.Verdict, d.Verified = "np.sum, float32", "tree", true
	d.Family, d.Calls = "pairwise(block=128, unroll=8)", 254
	d.Key = probe.Key{
		Target:  "py:numpy.sum",
		Library: "NumPy",
		Version: "1.24.2",
		Op:      probe.Sum,
		DType:   2,
		Out:     2,
		N:       1024,
		Threads: 1,
	}
	d.Traits = []Trait{
		{"accumulator", "float32"},
		{"fma", "no"},
		{"rounding", "to nearest, ties to even"},
		{"subnormals", "kept"},
	}
	d.Warnings = []string{"the order depends on the length"}
	g["numpy1024"] = d
	return g
}
