package sumtree

import (
	"errors"
	"fmt"
	"slices"
)

// MaxLeaves is the largest number of leaves that a Tree holds.
const MaxLeaves = 1 << 29

// Tree is a summation tree. Leaves have the ids 0 … n−1; inner nodes have the
// ids n, n+1, … in canonical post-order, so that every child comes before its
// parent and the root comes last. A Tree is immutable.
type Tree struct {
	n     int32
	first []int32 // children of inner node n+k: kids[first[k]:first[k+1]]
	kids  []int32
	arity int32 // the largest number of children
}

// Leaves returns n, the number of summands.
func (t *Tree) Leaves() int { return int(t.n) }

// Inner returns the number of inner nodes, n−1 for a binary tree.
func (t *Tree) Inner() int { return len(t.first) - 1 }

// Nodes returns the number of all nodes: ids run from 0 to Nodes()−1.
func (t *Tree) Nodes() int { return int(t.n) + t.Inner() }

// Root returns the id of the root, the last one.
func (t *Tree) Root() int { return t.Nodes() - 1 }

// IsLeaf reports whether id is a summand.
func (t *Tree) IsLeaf(id int) bool { return id < int(t.n) }

// Children returns the children of a node in canonical order, nil for a leaf.
// The slice belongs to the tree; do not write to it.
func (t *Tree) Children(id int) []int32 {
	if id < int(t.n) {
		return nil
	}
	k := id - int(t.n)
	return t.kids[t.first[k]:t.first[k+1]:t.first[k+1]]
}

// MaxArity returns the largest number of children of a node: 0 for a single
// leaf, 2 for a binary tree, more where sums are fused.
func (t *Tree) MaxArity() int { return int(t.arity) }

// Parents returns the parent of every node, −1 for the root.
func (t *Tree) Parents() []int32 {
	p := make([]int32, t.Nodes())
	p[t.Root()] = -1
	for id := int(t.n); id < t.Nodes(); id++ {
		for _, c := range t.Children(id) {
			p[c] = int32(id)
		}
	}
	return p
}

// Sizes returns for every node the number of leaves under it.
func (t *Tree) Sizes() []int32 {
	one := func(int) int32 { return 1 }
	return t.fold(one, func(acc, child int32) int32 { return acc + child }, 0)
}

// Heights returns for every node the length of the longest path down to a leaf.
func (t *Tree) Heights() []int32 {
	zero := func(int) int32 { return 0 }
	return t.fold(zero, func(acc, child int32) int32 { return max(acc, child+1) }, 0)
}

// MinLeaves returns for every node the smallest leaf under it.
func (t *Tree) MinLeaves() []int32 {
	self := func(leaf int) int32 { return int32(leaf) }
	return t.fold(self, func(acc, child int32) int32 { return min(acc, child) }, t.n)
}

// fold computes a value for every node, from those of its children.
func (t *Tree) fold(
	leaf func(int) int32, combine func(acc, child int32) int32, zero int32,
) []int32 {
	v := make([]int32, t.Nodes())
	for i := range int(t.n) {
		v[i] = leaf(i)
	}
	for id := int(t.n); id < t.Nodes(); id++ {
		acc := zero
		for _, c := range t.Children(id) {
			acc = combine(acc, v[c])
		}
		v[id] = acc
	}
	return v
}

// Depths returns for every node its distance from the root.
func (t *Tree) Depths() []int32 {
	d := make([]int32, t.Nodes())
	for id := t.Root(); id >= int(t.n); id-- {
		for _, c := range t.Children(id) {
			d[c] = d[id] + 1
		}
	}
	return d
}

// LeafOrder returns the leaves in the order of a canonical walk, and for every
// node the interval [lo[id], hi[id]) of that order that lies under it.
func (t *Tree) LeafOrder() (order, lo, hi []int32) {
	size := t.Sizes()
	lo, hi = make([]int32, t.Nodes()), make([]int32, t.Nodes())
	order = make([]int32, t.n)
	for id := t.Root(); id >= 0; id-- {
		hi[id] = lo[id] + size[id]
		at := lo[id]
		for _, c := range t.Children(id) {
			lo[c] = at
			at += size[c]
		}
		if id < int(t.n) {
			order[lo[id]] = int32(id)
		}
	}
	return order, lo, hi
}

// Equal reports whether t and u are the same order of accumulation.
func (t *Tree) Equal(u *Tree) bool {
	return t.n == u.n && slices.Equal(t.first, u.first) && slices.Equal(t.kids, u.kids)
}

// Builder makes a Tree from additions, given in any order that names operands
// before their sum.
type Builder struct {
	n     int
	first []int32
	kids  []int32
}

// NewBuilder returns a builder for trees of n leaves. It panics unless n is in
// 1 … MaxLeaves.
func NewBuilder(n int) *Builder {
	if n < 1 || n > MaxLeaves {
		panic(fmt.Sprintf("sumtree: a tree has 1 to %d leaves, not %d", MaxLeaves, n))
	}
	return &Builder{n: n, first: append(make([]int32, 0, n), 0), kids: make([]int32, 0, 2*n)}
}

// Node adds the sum of the given nodes and returns its id. With one child it
// returns that child: a sum of one operand is not an addition.
func (b *Builder) Node(children ...int) int {
	if len(children) == 1 {
		return children[0]
	}
	for _, c := range children {
		b.kids = append(b.kids, int32(c))
	}
	b.first = append(b.first, int32(len(b.kids)))
	return b.n + len(b.first) - 2
}

// Tree returns the tree whose root is the last node added (leaf 0 for a tree of
// one leaf), in canonical form. The error is not nil unless every leaf and
// every node except the root is used exactly once.
func (b *Builder) Tree() (*Tree, error) {
	total := b.n + len(b.first) - 1
	used := make([]bool, total)
	for k := range len(b.first) - 1 {
		kids := b.kids[b.first[k]:b.first[k+1]]
		if len(kids) == 0 {
			return nil, errors.New("sumtree: a node without operands")
		}
		for _, c := range kids {
			if c < 0 || int(c) >= b.n+k {
				return nil, fmt.Errorf("sumtree: node %d uses %d before it exists", b.n+k, c)
			}
			if used[c] {
				return nil, fmt.Errorf("sumtree: %s is used twice", b.name(int(c)))
			}
			used[c] = true
		}
	}
	for id, u := range used[:total-1] {
		if !u {
			return nil, fmt.Errorf("sumtree: %s is not part of the sum", b.name(id))
		}
	}
	raw := &Tree{n: int32(b.n), first: b.first, kids: b.kids}
	return raw.canonical(), nil
}

// MustTree is Tree for trees that are right by construction. It panics on an
// error.
func (b *Builder) MustTree() *Tree {
	t, err := b.Tree()
	if err != nil {
		panic(err)
	}
	return t
}

func (b *Builder) name(id int) string {
	if id < b.n {
		return fmt.Sprintf("leaf %d", id)
	}
	return fmt.Sprintf("node %d", id)
}

// canonical sorts the children of every node by their smallest leaf and
// renumbers the inner nodes in post-order.
func (t *Tree) canonical() *Tree {
	low := t.MinLeaves()
	for k := range t.Inner() {
		kids := t.kids[t.first[k]:t.first[k+1]]
		if len(kids) == 2 {
			if low[kids[0]] > low[kids[1]] {
				kids[0], kids[1] = kids[1], kids[0]
			}
			continue
		}
		slices.SortFunc(kids, func(a, b int32) int { return int(low[a] - low[b]) })
	}
	// In post-order a node's id is the number of inner nodes finished before
	// it. A node with base id s gives its children consecutive blocks from s on
	// and takes the last id of its own block.
	zero := func(int) int32 { return 0 }
	inner := t.fold(zero, func(acc, child int32) int32 { return acc + child }, 1)
	base, id := make([]int32, t.Nodes()), make([]int32, t.Nodes())
	out := &Tree{n: t.n, first: make([]int32, len(t.first)), kids: make([]int32, len(t.kids))}
	for v := t.Root(); v >= int(t.n); v-- {
		id[v] = t.n + base[v] + inner[v] - 1
		at := base[v]
		for _, c := range t.Children(v) {
			base[c] = at
			at += inner[c]
		}
		out.first[id[v]-t.n+1] = int32(len(t.Children(v)))
		out.arity = max(out.arity, int32(len(t.Children(v))))
	}
	for i := range t.n {
		id[i] = i
	}
	for k := range t.Inner() {
		out.first[k+1] += out.first[k]
	}
	for v := int(t.n); v < t.Nodes(); v++ {
		at := out.first[id[v]-t.n]
		for j, c := range t.Children(v) {
			out.kids[int(at)+j] = id[c]
		}
	}
	return out
}
