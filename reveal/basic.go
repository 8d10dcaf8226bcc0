package reveal

import (
	"slices"

	"github.com/lastbit/lastbit/sumtree"
)

// basic is BasicFPRev, Algorithm 2 of the paper: ask for all L(i,j), sort them,
// and merge subtrees bottom-up with a disjoint set. A node of more than two
// operands appears as several merges of the same L. Probes: n(n−1)/2.
func (p *prober) basic() (*sumtree.Tree, error) {
	var pairs []pair
	for i := range p.n {
		for j := i + 1; j < p.n; j++ {
			pairs = append(pairs, pair{i, j})
		}
	}
	p.expect("basic", (len(pairs)+len(p.pool)-1)/len(p.pool))
	sizes, err := p.sizes(pairs)
	if err != nil {
		return nil, err
	}
	order := sequence(len(pairs))
	slices.SortStableFunc(order, func(a, b int) int { return sizes[a] - sizes[b] })
	m := merger{n: p.n, set: sequence(p.n), root: sequence(p.n), size: make([]int, p.n)}
	for i := range m.size {
		m.size[i] = 1
	}
	for _, k := range order {
		if err := m.merge(pairs[k], sizes[k]); err != nil {
			return nil, err
		}
	}
	return build(p.n, m.root[m.find(0)], func(id int) []int { return m.kids[id-p.n] })
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

func (m *merger) find(i int) int {
	for m.set[i] != i {
		m.set[i] = m.set[m.set[i]]
		i = m.set[i]
	}
	return i
}

// merge joins the subtrees of a pair under a node of l leaves, unless they are
// joined already.
func (m *merger) merge(q pair, l int) error {
	a, b := m.find(q.a), m.find(q.b)
	if a == b {
		return nil
	}
	if m.size[a]+m.size[b] > l {
		return contradiction(q.a, q.b, l, m.size[a]+m.size[b])
	}
	operands := append(m.operands(a, l), m.operands(b, l)...)
	m.kids = append(m.kids, operands)
	m.label = append(m.label, l)
	m.set[b] = a
	m.size[a] += m.size[b]
	m.root[a] = m.n + len(m.kids) - 1
	return nil
}

// operands returns what the set contributes to a node of l leaves: its root, or
// that root's operands when it is an unfinished part of the very node.
func (m *merger) operands(set, l int) []int {
	r := m.root[set]
	if r >= m.n && m.label[r-m.n] == l {
		return m.kids[r-m.n]
	}
	return []int{r}
}
