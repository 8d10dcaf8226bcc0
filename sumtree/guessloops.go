package sumtree

// loops looks for a Looped family: two blocks or more that are added to the sum
// so far alike, and then smaller ones.
func (g *guesser) loops() {
	for k, p := range g.prefixes() {
		if size := p.end; k > 0 && size > 1 && size <= maxLoop && 2*size <= g.s.N {
			for leave := range 2 {
				g.loopsOf(size, leave)
			}
		}
		if p.end > maxLoop || len(g.found) > 0 {
			return
		}
	}
}

// prefix is a node of the spine whose leaves are the summands before end.
type prefix struct {
	sib int // siblings below
	end int
}

// prefixes returns the nodes of the spine that hold a prefix of the summands
// and whose border is sampled, from the first summand on.
func (g *guesser) prefixes() []prefix {
	at := g.s.At
	all := []prefix{{0, 1}}
	leaves, last := 1, 0
	for k, b := range g.spine.sib {
		leaves += b.size
		last = max(last, b.max)
		if at[leaves-1] == last && (leaves == len(at) || at[leaves] == last+1) {
			all = append(all, prefix{k + 1, last + 1})
		}
	}
	return all
}

// loopsOf tries the loops that begin with one over blocks of that size, and
// leave that many summands or more to the rest.
func (g *guesser) loopsOf(size, leave int) {
	at := map[int]int{} // siblings below a prefix, by its end
	var ends []int
	for _, p := range g.prefixes() {
		at[p.end] = p.sib
		ends = append(ends, p.end)
	}
	f := Family{Kind: Looped, Leave: leave}
	n := g.s.N - leave // summands that the loops may take
	from := size       // the first block shows less: it has no sum so far
	for done := 0; ; {
		low, ok := at[from]
		high, also := at[from+size]
		if !ok || !also || size > maxLoop {
			return
		}
		if size == 1 {
			break
		}
		t := g.round(low, high, from, size)
		if t == nil {
			return
		}
		f.Loops = append(f.Loops, t)
		done += (n - done) / size * size
		if done == n {
			break
		}
		next := g.s.N + 1
		for _, end := range ends {
			if end > done {
				next = min(next, end)
			}
		}
		if next-done >= size {
			return
		}
		from, size = done, next-done
	}
	g.try(f)
}

// round returns the tree that the siblings low … high−1 of the spine are added
// to the sum so far in: leaf 0 is that sum, leaf k+1 the summand at from+k. It
// returns nil where not all of the block is sampled.
func (g *guesser) round(low, high, from, size int) *Tree {
	b := NewBuilder(size + 1)
	s, leaves := 0, 0
	for _, sib := range g.spine.sib[low:high] {
		if leaves += sib.size; sib.min < from || sib.max >= from+size {
			return nil
		}
		s = b.Node(s, g.copy(b, sib.node, 1-from))
	}
	if leaves != size {
		return nil
	}
	return b.MustTree()
}

// copy adds the nodes below one of the sample's tree to b, each leaf moved by
// that many positions, and returns the node.
func (g *guesser) copy(b *Builder, node, moved int) int {
	t := g.s.Tree
	if t.IsLeaf(node) {
		return g.s.At[node] + moved
	}
	var kids []int
	for _, c := range t.Children(node) {
		kids = append(kids, g.copy(b, int(c), moved))
	}
	return b.Node(kids...)
}
