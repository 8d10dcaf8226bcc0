package sumtree

import "slices"

// border is the end of a block at the beginning of a sum: what is added to it
// next is a block, too.
type border struct {
	sib  int // that next block, a sibling of the spine
	size int
}

// borders returns the ends of what may be blocks at the beginning: every end
// where the next block is as long as the beginning (there are few), the last,
// and some others.
func (g *guesser) borders() []border {
	var all []border
	leaves, most, others := 1, 0, 0
	for k, b := range g.spine.sib {
		isBlock := !b.isLeaf() && b.run && b.rank == leaves && most < b.min && g.begins(b.min)
		switch {
		case !isBlock:
		case g.spine.doubles(k), k+1 == len(g.spine.sib):
			all = append(all, border{k, b.min})
		case others < maxBlocks:
			others++
			all = append(all, border{k, b.min})
		}
		leaves += b.size
		most = max(most, b.max)
	}
	return all
}

// block returns the sample of the block before a border.
func (b border) block(g *guesser) Sample {
	return g.spine.sub(g.spine.below(b.sib), 0, 1, b.size)
}

// blocks looks for a block at the beginning that whole blocks are added to.
func (g *guesser) blocks() {
	for _, b := range g.borders() {
		if b.sib > 0 {
			g.block(b.size, b.block(g))
		}
	}
}

// block tries the ways to add blocks of the given size; first is the first one.
func (g *guesser) block(size int, first Sample) {
	for _, f := range g.part(first) {
		if 2*size > g.s.N+1 && f.Kind != Chain {
			continue // one block and a rest have many descriptions
		}
		ways := []Family{{Kind: Chunks, Block: size, Of: &f}, {Kind: Halves, Block: size, Of: &f}}
		if g.s.N > 2*size {
			ways = append(ways, evenChunks(size, f)...)
		}
		if f.Kind == Chain {
			ways = append(ways, Family{Kind: Cascade, Block: size, Base: size, Levels: 4},
				Family{Kind: Cascade, Block: size, Base: 2})
		}
		if then := g.then(size); then > 0 {
			ways = append(ways, Family{Kind: Chunks, Block: size, Then: then, Of: &f})
		}
		if slices.ContainsFunc(ways, g.try) {
			return
		}
	}
}

// then returns the size of the first block after the whole ones of that size, 0
// where it is the last one or not seen.
func (g *guesser) then(size int) int {
	at := g.s.N - g.s.N%size
	for _, b := range g.spine.sib {
		if b.min == at && b.run && b.max+1 < g.s.N && g.begins(b.max+1) {
			return b.max + 1 - at
		}
	}
	return 0
}

// evenChunks returns the chunks of f whose last ones are halves.
func evenChunks(size int, f Family) []Family {
	var all []Family
	for even := 1; even <= maxEven; even *= 2 {
		all = append(all, Family{Kind: Chunks, Block: size, Even: even, Of: &f})
	}
	return all
}

// likelyBlocks are the chunks of libraries, the likeliest first.
var likelyBlocks = []int{256, 384, 448, 512, 192, 224, 320, 352, 128, 240, 640, 768, 1024, 2048}

// halved returns the ways that all summands are less than two chunks, the first
// half of them of the given size.
func (g *guesser) halved(size int, f Family) []Family {
	var all []Family
	for _, block := range likelyBlocks {
		if block < size || g.s.N <= block || g.s.N >= 2*block {
			continue
		}
		for _, way := range evenChunks(block, f) {
			if way.chunk(g.s.N) == size {
				all = append(all, way)
				break
			}
		}
	}
	return all
}

// uneven looks for chunks of several sizes that have a rest each, and which the
// first one alone does not show.
func (g *guesser) uneven() {
	last := g.spine.sib[len(g.spine.sib)-1]
	if last.isLeaf() || !last.run || last.rank+last.size != len(g.s.At) || !g.begins(last.min) {
		return
	}
	parts := g.part(g.spine.sub(last.node, last.min, 1, g.s.N-last.min))
	for _, b := range g.borders() {
		g.unevenOf(b.size, slices.Concat(g.part(b.block(g)), parts))
	}
}

// unevenOf tries chunks of the given size, of families whose loops may take
// more blocks at a time than a part shows.
func (g *guesser) unevenOf(size int, parts []Family) {
	for _, f := range parts {
		if f.Kind == Strided {
			f = Family{Kind: Stepwise, Steps: f.steps()}
		}
		var same []Family
		loops := f.Kind == Stepwise && f.Steps[0].Op == Take
		for count := 1; loops && count <= maxQuantum; count++ {
			steps := slices.Clone(f.Steps)
			steps[0].Count = count
			same = append(same, Family{Kind: Stepwise, Steps: steps}.named())
			if steps[0].Late > 0 {
				steps = slices.Clone(steps)
				steps[0].Late = 0
				same = append(same, Family{Kind: Stepwise, Steps: steps}.named())
			}
		}
		if same == nil {
			same = []Family{f}
		}
		if f.Kind == Chunks && f.Then == 0 && f.Of.Kind == Chunks {
			cut := f
			cut.Then = f.Of.Block
			same = append(same, cut)
		}
		for _, f := range same {
			ways := append([]Family{{Kind: Chunks, Block: size, Of: &f}}, evenChunks(size, f)...)
			ways = append(ways, g.halved(size, f)...)
			if slices.ContainsFunc(ways, g.try) {
				return
			}
		}
	}
}
