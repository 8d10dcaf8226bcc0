package order

import (
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// basic is BasicFPRev, Algorithm 2 of the paper (§4): ask for all L(i,j), sort
// them (§4.3), and merge subtrees bottom-up with a disjoint set. A node of more
// than two operands appears as several merges of the same L.
//
// Questions: n(n−1)/2.
func basic(c *ask.Channel) (*sumtree.Tree, error) {
	var pairs []ask.Pair
	for i := range c.N {
		for j := i + 1; j < c.N; j++ {
			pairs = append(pairs, ask.Pair{A: i, B: j})
		}
	}
	c.ExpectQuestions("basic", len(pairs))
	sizes, err := askSizes(c, pairs)
	if err != nil {
		return nil, err
	}
	ascending := sequence(len(pairs))
	slices.SortStableFunc(ascending, func(a, b int) int { return sizes[a] - sizes[b] })
	m := merger{n: c.N, set: sequence(c.N), root: sequence(c.N), size: make([]int, c.N)}
	for i := range m.size {
		m.size[i] = 1
	}
	for _, k := range ascending {
		if err := m.merge(pairs[k], sizes[k]); err != nil {
			return nil, err
		}
	}
	return build(c.N, m.root[m.find(0)], func(id int) []int { return m.kids[id-c.N] })
}

// merger is GenerateTree of Algorithm 2.
type merger struct {
	n     int
	set   []int // disjoint-set forest over leaves
	root  []int // of the subtree over a set, by its representative
	size  []int // leaves in a set
	kids  [][]int
	label []int // L of an inner node
}

// find is FindRoot of Algorithm 2, with path halving.
func (m *merger) find(i int) int {
	for m.set[i] != i {
		m.set[i] = m.set[m.set[i]]
		i = m.set[i]
	}
	return i
}

// merge joins the subtrees of a pair under a node of l leaves, unless they are
// joined already.
func (m *merger) merge(q ask.Pair, l int) error {
	a, b := m.find(q.A), m.find(q.B)
	if a == b {
		return nil
	}
	if m.size[a]+m.size[b] > l {
		return contradiction(q.A, q.B, l, m.size[a]+m.size[b])
	}
	operands := append(m.operands(a, l), m.operands(b, l)...)
	m.kids = append(m.kids, operands)
	m.label = append(m.label, l)
	m.set[b] = a
	m.size[a] += m.size[b]
	m.root[a] = m.n + len(m.kids) - 1
	return nil
}

// operands returns the operands that the set adds to a node of l leaves: its
// root, or the root's operands when the root is an unfinished part of that
// node.
func (m *merger) operands(set, l int) []int {
	r := m.root[set]
	if r >= m.n && m.label[r-m.n] == l {
		return m.kids[r-m.n]
	}
	return []int{r}
}
