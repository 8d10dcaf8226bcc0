package sumtree

import "slices"

// maxGuesses bounds the families that a guesser collects, and maxBlocks the
// sizes of blocks that it looks at.
const (
	maxGuesses = 6
	maxBlocks  = 6
	maxEven    = 32 // of Family.Even
	maxOnce    = 32 // of first loops that run once
	maxQuantum = 16 // of blocks that a loop takes at a time
)

// Guess derives families that induce the tree of s, the likeliest first: it
// reads their parameters off the spine, the way up from the first summand, and
// keeps those that induce the whole tree.
func (s Sample) Guess() []Family {
	if s.Tree.MaxArity() > 2 || len(s.At) < 3 || s.At[0] != 0 {
		return nil
	}
	return newGuesser(s).guess()
}

// cost ranks families: those whose first loop or block is most of the sum come
// last, since there are as many as there are ways to cut it.
func (g *guesser) cost(f Family) int {
	cost := len(f.Steps)
	largest := f.Block
	if len(f.Steps) > 0 {
		largest = opened(f.Steps)
	}
	if f.Of != nil {
		cost += len(f.Of.Steps)
	}
	if 2*largest > g.s.N {
		const last = 100
		cost += last
	}
	return cost
}

// maxNesting bounds the families inside families. A tree without structure has
// parts that look like the beginning of some, again and again.
const maxNesting = 3

// part is guess for a part of the sum, and tries simple families first.
func (outer *guesser) part(s Sample) []Family {
	if s.N < 3 || len(s.At) < 3 {
		return []Family{{Kind: Chain}}
	}
	g := newGuesser(s)
	g.nesting = outer.nesting + 1
	if g.spine.isChain() {
		return []Family{{Kind: Chain}}
	}
	for _, f := range []Family{
		{Kind: Pairwise, Block: 1, Unroll: 1}, {Kind: ReverseChain},
		{Kind: Pairwise, Block: 128, Unroll: 8}, {Kind: Backward, Block: g.spine.sib[0].max + 1},
	} {
		if g.try(f) {
			return g.found
		}
	}
	if g.nesting > maxNesting {
		return nil
	}
	return g.guess()
}

// isChain reports whether the leaves sampled are added one after the other.
func (p spine) isChain() bool {
	for k, b := range p.sib {
		if b.rank != k+1 || !b.isLeaf() {
			return false
		}
	}
	return true
}

// guesser collects families that induce the tree of a sample.
type guesser struct {
	s     Sample
	spine spine
	match *matcher
	found []Family
	inner bool // s is a part of a Stepwise sum

	nesting int // the guessers that this one works for
}

func newGuesser(s Sample) *guesser {
	return &guesser{s: s, spine: newSpine(s), match: newMatcher(s)}
}

// guess looks for every kind of family.
func (g *guesser) guess() []Family {
	g.head()
	g.blocks()
	g.steps()
	if len(g.found) == 0 {
		g.prologue()
		g.loops()
		g.uneven()
	}
	slices.SortStableFunc(g.found, func(a, b Family) int { return g.cost(a) - g.cost(b) })
	return g.found
}

// try keeps f if it induces the tree of the sample.
func (g *guesser) try(f Family) bool {
	fits := len(g.found) < maxGuesses && g.match.fits(f)
	if fits {
		g.found = append(g.found, f.named())
	}
	return fits
}

// begins reports whether position at begins a part of the sum: it is sampled,
// and so is the one before it.
func (g *guesser) begins(at int) bool {
	k, ok := slices.BinarySearch(g.s.At, at)
	return ok && k > 0 && g.s.At[k-1] == at-1
}

// head looks for a chain that all the rest is added to.
func (g *guesser) head() {
	last := g.spine.sib[len(g.spine.sib)-1]
	h := last.min
	if last.isLeaf() || last.rank+last.size != len(g.s.At) || !g.begins(h) {
		return
	}
	for k, b := range g.spine.sib[:len(g.spine.sib)-1] {
		if b.rank != k+1 || !b.isLeaf() {
			return
		}
	}
	for _, f := range g.part(g.spine.sub(last.node, h, 1, g.s.N-h)) {
		switch {
		case f.Kind == Halves && !f.Head:
			g.try(Family{Kind: Halves, Block: f.Block, Head: true, Of: f.Of})
		case h == 1:
			g.try(Family{Kind: First, Of: &f})
		default:
			g.try(Family{Kind: Halves, Block: g.s.N - h, Head: true, Of: &f})
		}
	}
}

// steps looks for a Stepwise family: it tries the number of accumulators of the
// first loop, and walks up the spine from there.
func (g *guesser) steps() {
	p := g.spine
	tried := 0
	for k, common := 0, 0; k < len(p.sib); k++ {
		if tried == common && common > 0 && p.sib[k].gcd%common == 0 {
			continue
		}
		common = gcd(common, p.sib[k].gcd)
		if common == tried {
			continue
		}
		if tried = common; common < 2 {
			break
		}
		g.loop(common)
	}
	if len(g.found) > 0 {
		return
	}
	// The first loop may have run once.
	once := 0
	for _, b := range p.sib {
		if once < maxOnce && b.min > g.s.N/2 && (b.isLeaf() || b.rank+b.size == len(g.s.At)) {
			once++
			g.walkFrom(Step{Op: Take, Width: b.min, Count: 1}, b.min, 0)
		}
	}
	g.walkFrom(Step{Op: Take, Width: g.s.N, Count: 1}, g.s.N, 0)
	width := 1
	for width < g.s.N {
		width *= 2
	}
	g.walkFrom(Step{Op: Take, Width: width, Count: 1}, g.s.N, 0)
}

// loop tries a first loop with that many accumulators, in blocks of 1 to
// maxQuantum summands each.
func (g *guesser) loop(width int) {
	p := g.spine
	var parts []Family
	for q, last := 1, 0; q <= maxQuantum && width*q <= g.s.N; q++ {
		end := g.s.N / (width * q) * (width * q)
		k := g.lane(width, end)
		if k == 0 {
			continue
		}
		if end != last {
			parts = g.part(p.sub(p.below(k), 0, width, end/width))
			last = end
		}
		for _, f := range parts {
			take := Step{Op: Take, Width: width, Count: q, Each: &f}
			inBlocks := f.Kind == Backward || f.Kind == Chunks
			switch {
			case inBlocks && 1 < q && q < f.Block && f.Block <= maxQuantum:
				continue // whole blocks are likelier
			case f.Kind == Chain:
				take.Each = nil
			case f.Kind == Chunks && q == 1 && f.Of.Kind == Chain:
				// The two differ only where a level is full.
				take.Each = &Family{Kind: Cascade, Block: f.Block, Base: f.Block, Levels: 4}
			case f.Kind == ReverseChain && end == width*q:
				take.Each = &Family{Kind: Backward, Block: q}
			case f.Kind == Pairwise && end == width*q:
				take.Each = &Family{Kind: Chunks, Block: q, Of: &f}
			}
			if take.Each == nil || take.Each.isPlain() {
				g.walkFrom(take, end, k)
			}
			if take.Each == nil && len(g.found) == 0 {
				take.Late = 1
				g.walkFrom(take, end-take.Late, k)
			}
		}
		if len(g.found) > 0 {
			return
		}
	}
	g.deal(width)
}

// deal tries a first loop over all summands, whose accumulators are not chains.
func (g *guesser) deal(width int) {
	if g.nesting > 0 || g.s.N%width == 0 {
		return
	}
	k := g.lane(width, g.s.N)
	if k == 0 {
		return
	}
	own := (g.s.N + width - 1) / width
	for _, f := range g.part(g.spine.sub(g.spine.below(k), 0, width, own)) {
		if f.isPlain() {
			g.walkFrom(Step{Op: Deal, Width: width, Count: 1, Each: &f}, g.s.N, k)
		}
	}
}

// lane returns the number of siblings at the bottom of the spine that are,
// together, every width-th summand before end, or 0.
func (g *guesser) lane(width, end int) int {
	k, leaves := 0, 1
	for _, b := range g.spine.sib {
		if b.max >= end || b.gcd%width != 0 {
			break
		}
		leaves += b.size
		k++
	}
	for _, at := range g.s.At {
		if at < end && at%width == 0 {
			leaves--
		}
	}
	if leaves != 0 {
		return 0
	}
	return k
}

// gcd returns the greatest common divisor, the other one where one is 0.
func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
