package sumtree

import "slices"

// Sample is the tree that a family induces on some of its n summands: what is
// left of it when all other summands are zeros and drop out.
type Sample struct {
	N    int   // summands of the whole tree
	At   []int // the positions sampled, ascending
	Tree *Tree // leaf k is the summand at At[k]
}

// whole returns t as the sample of all its summands.
func whole(t *Tree) Sample { return Sample{N: t.Leaves(), At: indices(t.Leaves()), Tree: t} }

// from returns the sample of the summands from position p on, as if they were
// the whole sum.
func (s Sample) from(p int) Sample {
	skip, _ := slices.BinarySearch(s.At, p)
	rest := Sample{N: s.N - p}
	for _, at := range s.At[skip:] {
		rest.At = append(rest.At, at-p)
	}
	b := NewBuilder(len(rest.At))
	made := make([]int, s.Tree.Nodes()) // −1 where nothing is left
	for id := range made {
		var kids []int
		for _, c := range s.Tree.Children(id) {
			if made[c] >= 0 {
				kids = append(kids, made[c])
			}
		}
		switch {
		case s.Tree.IsLeaf(id):
			made[id] = max(id-skip, -1)
		case len(kids) == 0:
			made[id] = -1
		default:
			made[id] = b.Node(kids...)
		}
	}
	rest.Tree = b.MustTree()
	return rest
}

// matcher decides whether families induce the tree of a sample. Every summand
// sampled has a random word, and a node the sum of the words under it: a family
// makes that tree if it makes as many nodes, and only ones that the tree has.
type matcher struct {
	words []uint64 // by position, 0 where not sampled
	nodes map[uint64]bool
}

func newMatcher(s Sample) *matcher {
	m := &matcher{words: make([]uint64, s.N), nodes: make(map[uint64]bool, s.Tree.Inner())}
	sums := make([]uint64, s.Tree.Nodes())
	for id := range sums {
		if s.Tree.IsLeaf(id) {
			sums[id] = word(id)
			m.words[s.At[id]] = sums[id]
			continue
		}
		for _, c := range s.Tree.Children(id) {
			sums[id] += sums[c]
		}
		m.nodes[sums[id]] = true
	}
	return m
}

// word returns a random word for a leaf, its number hashed by splitmix64.
func word(leaf int) uint64 {
	z := (uint64(leaf) + 1) * 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// fits reports whether f induces the tree. It is wrong with a probability of
// about 2^-64 a node.
func (m *matcher) fits(f Family) bool {
	made, wrong := 0, false
	sum := func(x, y uint64) uint64 {
		if x == 0 || y == 0 {
			return x + y
		}
		made++
		wrong = wrong || !m.nodes[x+y]
		return x + y
	}
	fold(f, 0, len(m.words), func(i int) uint64 { return m.words[i] }, algebra[uint64]{
		add: sum,
		fuse: func(v []uint64) uint64 {
			var s uint64
			operands := 0
			for _, x := range v {
				if s += x; x != 0 {
					operands++
				}
			}
			if operands > 1 {
				made++
				wrong = wrong || !m.nodes[s]
			}
			return s
		},
	})
	return !wrong && made == len(m.nodes)
}

// spine is the way up from the first leaf of a sample to the root.
type spine struct {
	s   Sample
	sib []sibling // from the first leaf's to the root's child
}

// sibling is an operand that is added to the spine at one node.
type sibling struct {
	node     int // in the sample's tree
	parent   int
	min, max int  // positions
	rank     int  // leaf of min
	size     int  // leaves sampled
	gcd      int  // of the positions
	run      bool // no leaf sampled between min and max is missing
}

func (b sibling) isLeaf() bool { return b.size == 1 }

// newSpine returns the spine of a sample, whose tree is binary.
func newSpine(s Sample) spine {
	t := s.Tree
	p := spine{s: s}
	low, size := t.MinLeaves(), t.Sizes()
	position := func(leaf int) int32 { return int32(s.At[leaf]) }
	common := t.fold(position, func(acc, child int32) int32 {
		return int32(gcd(int(acc), int(child)))
	}, 0)
	self := func(leaf int) int32 { return int32(leaf) }
	high := t.fold(self, func(acc, child int32) int32 { return max(acc, child) }, 0)
	for id := t.Root(); !t.IsLeaf(id); id = int(t.Children(id)[0]) {
		k := int(t.Children(id)[1]) // the first child has the smallest leaf
		p.sib = append(p.sib, sibling{
			node: k, parent: id,
			min: s.At[low[k]], max: s.At[high[k]], rank: int(low[k]), size: int(size[k]),
			gcd: int(common[k]), run: high[k]-low[k]+1 == size[k],
		})
	}
	slices.Reverse(p.sib)
	return p
}

// doubles reports whether sibling k ends where a block as long as all that is
// below it would. There are few such siblings.
func (p spine) doubles(k int) bool {
	end := 2 * p.sib[k].min
	return p.sib[k].max < end && k+1 < len(p.sib) && p.sib[k+1].min >= end
}

// below returns the node that has the first k siblings and the first leaf.
func (p spine) below(k int) int {
	if k == 0 {
		return 0
	}
	return p.sib[k-1].parent
}

// sub returns the sample of the subtree at a node: its position from is the new
// one's 0, position from+stride its 1, and so on up to n.
func (p spine) sub(node, from, stride, n int) Sample {
	t := p.s.Tree
	var order []int // inner nodes, parents first
	leaves := []int{}
	for stack := []int{node}; len(stack) > 0; {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if t.IsLeaf(id) {
			leaves = append(leaves, id)
			continue
		}
		order = append(order, id)
		for _, c := range t.Children(id) {
			stack = append(stack, int(c))
		}
	}
	slices.Sort(leaves)
	made := make([]int, t.Nodes())
	s := Sample{N: n}
	for k, leaf := range leaves {
		made[leaf] = k
		s.At = append(s.At, (p.s.At[leaf]-from)/stride)
	}
	b := NewBuilder(len(leaves))
	for _, id := range slices.Backward(order) {
		kids := t.Children(id)
		made[id] = b.Node(made[kids[0]], made[kids[1]])
	}
	s.Tree = b.MustTree()
	return s
}
