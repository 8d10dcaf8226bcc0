package sumtree

import (
	"errors"
	"fmt"
	"slices"
	"sync"
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

	slots func() []int32 // makeSlots, called once
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
	from := int32(0)
	for k, to := range t.first[1:] {
		for _, c := range t.kids[from:to] {
			p[c] = t.n + int32(k)
		}
		from = to
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

// fold computes a value for every node from the values of its children.
func (t *Tree) fold(
	leaf func(int) int32, combine func(acc, child int32) int32, zero int32,
) []int32 {
	v := make([]int32, t.Nodes())
	for i := range int(t.n) {
		v[i] = leaf(i)
	}
	from := int32(0)
	for k, to := range t.first[1:] {
		acc := zero
		for _, c := range t.kids[from:to] {
			acc = combine(acc, v[c])
		}
		v[int(t.n)+k] = acc
		from = to
	}
	return v
}

// Depths returns for every node its distance from the root.
func (t *Tree) Depths() []int32 {
	d := make([]int32, t.Nodes())
	for k := t.Inner() - 1; k >= 0; k-- {
		below := d[int(t.n)+k] + 1
		for _, c := range t.kids[t.first[k]:t.first[k+1]] {
			d[c] = below
		}
	}
	return d
}

// LeafOrder returns the leaves in the order of a canonical walk, and for every
// node the interval [lo[id], hi[id]) of that order that lies under it.
func (t *Tree) LeafOrder() (order, lo, hi []int32) {
	n := int(t.n)
	order = make([]int32, n)
	lo, hi = make([]int32, t.Nodes()), make([]int32, t.Nodes())
	size := hi[n:] // at first
	from := int32(0)
	for k, to := range t.first[1:] {
		for _, c := range t.kids[from:to] {
			if c < t.n {
				size[k]++
			} else {
				size[k] += size[c-t.n]
			}
		}
		from = to
	}
	if n == 1 {
		hi[0] = 1
	}
	for k := t.Inner() - 1; k >= 0; k-- {
		at := lo[n+k]
		for _, c := range t.kids[t.first[k]:t.first[k+1]] {
			lo[c] = at
			if c < t.n {
				order[at] = c
				at++
			} else {
				at += hi[c]
			}
			hi[c] = at
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
	// The smallest leaf of every inner node, and the inner nodes under it, with
	// itself.
	low, inner := make([]int32, t.Inner()), make([]int32, t.Inner())
	lowOf := func(c int32) int32 {
		if c < t.n {
			return c
		}
		return low[c-t.n]
	}
	from := int32(0)
	for k, to := range t.first[1:] {
		kids := t.kids[from:to]
		if len(kids) == 2 {
			if lowOf(kids[0]) > lowOf(kids[1]) {
				kids[0], kids[1] = kids[1], kids[0]
			}
		} else {
			slices.SortFunc(kids, func(a, b int32) int { return int(lowOf(a) - lowOf(b)) })
		}
		low[k], inner[k] = lowOf(kids[0]), 1
		for _, c := range kids {
			if c >= t.n {
				inner[k] += inner[c-t.n]
			}
		}
		from = to
	}
	// In post-order a node's id is the number of inner nodes finished before
	// it. A node whose block of ids begins at s gives its children consecutive
	// blocks from s on and takes the last id of its own block.
	id := low // the beginnings of blocks, and then the ids
	out := &Tree{n: t.n, first: make([]int32, len(t.first)), kids: make([]int32, len(t.kids))}
	for k := t.Inner() - 1; k >= 0; k-- {
		kids := t.kids[t.first[k]:t.first[k+1]]
		at := id[k]
		id[k] += inner[k] - 1
		for _, c := range kids {
			if c >= t.n {
				id[c-t.n] = at
				at += inner[c-t.n]
			}
		}
		out.first[id[k]+1] = int32(len(kids))
		out.arity = max(out.arity, int32(len(kids)))
	}
	for k := range t.Inner() {
		out.first[k+1] += out.first[k]
	}
	from = 0
	for k, to := range t.first[1:] {
		at := out.first[id[k]]
		for j, c := range t.kids[from:to] {
			if c >= t.n {
				c = t.n + id[c-t.n]
			}
			out.kids[int(at)+j] = c
		}
		from = to
	}
	out.slots = sync.OnceValue(out.makeSlots)
	return out
}

// makeSlots returns kids, with the smallest leaf of every node in its place. A
// sum that takes the place of its first operand is where its smallest leaf was.
func (t *Tree) makeSlots() []int32 {
	low := make([]int32, t.Inner())
	slots := slices.Clone(t.kids)
	from := int32(0)
	for k, to := range t.first[1:] {
		kids := slots[from:to]
		for j, c := range kids {
			if c >= t.n {
				kids[j] = low[c-t.n]
			}
		}
		low[k] = kids[0]
		from = to
	}
	return slots
}
