package sumtree

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/fp"
)

// Join says how the partial sums of lanes or accumulators are added together.
type Join uint8

// The ways in use: ((0 1) 2) 3, (0 1) (2 3), and (0 2) (1 3).
const (
	InOrder  Join = iota // one after the other
	Adjacent             // neighbours, then neighbours of those
	Halving              // the upper half onto the lower half
)

var joinNames = [...]string{"chain", "pairwise", "halving"}

// String returns chain, pairwise or halving.
func (j Join) String() string { return joinNames[j] }

// Tail says where the summands after the last full block of a strided sum go.
type Tail uint8

// The ways in use.
const (
	TailOnto  Tail = iota // one after the other onto the result
	TailApart             // a chain of their own, added to the result
	TailLanes             // whole vectors into the first accumulator, the rest onto the result
	TailFirst             // whole vectors onto the joined accumulators, the rest onto the first lane
)

var tailNames = [...]string{"onto", "apart", "lanes", "first"}

// String returns onto, apart, lanes or first.
func (t Tail) String() string { return tailNames[t] }

// Family is a rule that gives a summation tree for every n.
type Family struct {
	Kind   Kind
	Block  int  // Pairwise: longest run without recursion; Chunks: summands a chunk; Fused: products a group; Interleaved: summands a block
	Unroll int  // Pairwise: ways; Strided: accumulators of Lanes lanes
	Lanes  int  // Strided: vector width; Interleaved: lanes
	Accs   Join // Strided: how accumulators join
	Join   Join // Strided: how lanes join
	Tail   Tail
	Of     *Family // Chunks: how each chunk is summed
}

// Kind is the kind of a Family.
type Kind uint8

// The kinds.
const (
	Chain        Kind = iota // ((0 1) 2) 3
	ReverseChain             // ((3 2) 1) 0
	Pairwise                 // NumPy's: Unroll ways up to Block, halves rounded down to a multiple of Unroll above
	Strided                  // SIMD: summand i goes to lane i mod Lanes of accumulator ⌊i/Lanes⌋ mod Unroll
	Chunks                   // a chain over chunks of Block summands
	Fused                    // a chain of fused sums of Block summands and the sum so far
	Interleaved              // package ordered's: Lanes lanes, each a chain within a block and pairwise over the blocks, then halved
)

// String returns the family's name as findings print it; ParseFamily reads it.
func (f Family) String() string {
	switch f.Kind {
	case Chain:
		return "chain"
	case ReverseChain:
		return "reverse chain"
	case Pairwise:
		if f.Block == 1 {
			return "pairwise"
		}
		return fmt.Sprintf("pairwise(block=%d, unroll=%d)", f.Block, f.Unroll)
	case Strided:
		s := fmt.Sprintf("strided(%d)", f.Lanes)
		if f.Unroll > 1 {
			s = fmt.Sprintf("strided(%d×%d)+%s", f.Unroll, f.Lanes, f.Accs)
		}
		s += "+" + f.Join.String()
		if f.Tail != TailOnto {
			s += ", tail " + f.Tail.String()
		}
		return s
	case Chunks:
		return fmt.Sprintf("chunks(%d) of %s", f.Block, f.Of)
	case Fused:
		return fmt.Sprintf("fused(%d+1)", f.Block)
	case Interleaved:
		return fmt.Sprintf("interleaved(%d, block=%d)", f.Lanes, f.Block)
	}
	return "unknown"
}

// ParseFamily reads what String gives.
func ParseFamily(s string) (Family, error) {
	bad := func() (Family, error) {
		return Family{}, fmt.Errorf("sumtree: no family is called %q", s)
	}
	if rest, ok := strings.CutPrefix(s, "chunks("); ok {
		num, of, ok := strings.Cut(rest, ") of ")
		block, err := strconv.Atoi(num)
		if !ok || err != nil || block < 1 {
			return bad()
		}
		sub, err := ParseFamily(of)
		return Family{Kind: Chunks, Block: block, Of: &sub}, err
	}
	for _, f := range Candidates(0) {
		if f.String() == s {
			return f, nil
		}
	}
	var f Family
	if _, err := fmt.Sscanf(s, "pairwise(block=%d, unroll=%d)", &f.Block, &f.Unroll); err == nil && f.Unroll >= 1 && f.Block >= 2*f.Unroll {
		f.Kind = Pairwise
		return f, nil
	}
	if _, err := fmt.Sscanf(s, "fused(%d+1)", &f.Block); err == nil && f.Block >= 1 {
		f.Kind = Fused
		return f, nil
	}
	if _, err := fmt.Sscanf(s, "interleaved(%d, block=%d)", &f.Lanes, &f.Block); err == nil && f.Lanes >= 1 && f.Block >= f.Lanes && f.Block%f.Lanes == 0 {
		f.Kind = Interleaved
		return f, nil
	}
	return bad()
}

// Tree returns the family's tree of n leaves.
func (f Family) Tree(n int) *Tree {
	b := NewBuilder(n)
	leaf := func(i int) int { return i }
	fold(f, 0, n, leaf, algebra[int]{
		add:  func(x, y int) int { return b.Node(x, y) },
		fuse: func(v []int) int { return b.Node(v...) },
	})
	return b.MustTree()
}

// Masked returns the sum of x in the family's order in float64 arithmetic, with
// fused sums aligned to their largest operand. For inputs made of huge masks
// that cancel and of small integers it is the sum in any narrower arithmetic too.
func (f Family) Masked(x []float64) float64 {
	return fold(f, 0, len(x), func(i int) float64 { return x[i] }, algebra[float64]{
		add:  func(a, b float64) float64 { return a + b },
		fuse: fuseMasked,
	})
}

// fuseMasked adds as one fused operation: what is 2^-53 of the largest operand
// or less does not count.
func fuseMasked(v []float64) float64 {
	var top float64
	for _, t := range v {
		top = max(top, math.Abs(t))
	}
	var s float64
	for _, t := range v {
		if math.Abs(t) >= math.Ldexp(top, -53) {
			s += t
		}
	}
	return s
}

// algebra is what a family is folded in: floats, or nodes of a tree.
type algebra[T any] struct {
	add  func(a, b T) T
	fuse func(v []T) T
}

// fold adds the leaves lo … hi−1 in the family's order.
func fold[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	switch f.Kind {
	case ReverseChain:
		s := leaf(hi - 1)
		for i := hi - 2; i >= lo; i-- {
			s = alg.add(s, leaf(i))
		}
		return s
	case Pairwise:
		return foldPairwise(f, lo, hi, leaf, alg)
	case Strided:
		return foldStrided(f, lo, hi, leaf, alg)
	case Chunks:
		s := fold(*f.Of, lo, min(lo+f.Block, hi), leaf, alg)
		for at := lo + f.Block; at < hi; at += f.Block {
			s = alg.add(s, fold(*f.Of, at, min(at+f.Block, hi), leaf, alg))
		}
		return s
	case Fused:
		var group []T
		for at := lo; at < hi; at += f.Block {
			for i := at; i < min(at+f.Block, hi); i++ {
				group = append(group, leaf(i))
			}
			if len(group) > 1 {
				group = append(group[:0], alg.fuse(group))
			}
		}
		return group[0]
	case Interleaved:
		return foldInterleaved(f, lo, hi, leaf, alg)
	}
	s := leaf(lo)
	for i := lo + 1; i < hi; i++ {
		s = alg.add(s, leaf(i))
	}
	return s
}

// foldPairwise is NumPy's pairwise summation. With Block = 1 it is plain
// recursive halving.
func foldPairwise[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	n := hi - lo
	switch {
	case n < max(2, f.Unroll):
		return fold(Family{Kind: Chain}, lo, hi, leaf, alg)
	case n <= f.Block:
		return foldStrided(Family{Lanes: f.Unroll, Unroll: 1, Join: Adjacent}, lo, hi, leaf, alg)
	}
	half := n / 2
	half -= half % f.Unroll
	return alg.add(foldPairwise(f, lo, lo+half, leaf, alg), foldPairwise(f, lo+half, hi, leaf, alg))
}

// foldStrided sums Unroll accumulators of Lanes lanes each over full blocks.
func foldStrided[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	width := f.Lanes * f.Unroll
	end := lo + (hi-lo)/width*width
	rest := func(s T, have bool, at int) T {
		if at == hi {
			return s
		}
		if have && f.Tail != TailApart {
			for ; at < hi; at++ {
				s = alg.add(s, leaf(at))
			}
			return s
		}
		tail := fold(Family{Kind: Chain}, at, hi, leaf, alg)
		if !have {
			return tail
		}
		return alg.add(s, tail)
	}
	vectors := f.Tail == TailLanes || f.Tail == TailFirst
	if end == lo && (!vectors || hi-lo < f.Lanes) {
		var none T
		return rest(none, false, lo)
	}
	accs := make([]T, 0, width)
	for i := lo; i < min(lo+width, end); i++ {
		accs = append(accs, leaf(i))
	}
	for i := lo + width; i < end; i++ {
		accs[(i-lo)%width] = alg.add(accs[(i-lo)%width], leaf(i))
	}
	for ; vectors && len(accs) < f.Lanes; end++ { // not one full block
		accs = append(accs, leaf(end))
	}
	if f.Tail == TailLanes {
		for ; hi-end >= f.Lanes; end += f.Lanes {
			for l := range f.Lanes {
				accs[l] = alg.add(accs[l], leaf(end+l))
			}
		}
	}
	lanes := make([]T, f.Lanes)
	column := make([]T, 0, f.Unroll)
	for l := range lanes {
		column = column[:0]
		for u := l; u < len(accs); u += f.Lanes {
			column = append(column, accs[u])
		}
		lanes[l] = join(f.Accs, column, alg)
	}
	if f.Tail == TailFirst {
		for ; hi-end >= f.Lanes; end += f.Lanes {
			for l := range f.Lanes {
				lanes[l] = alg.add(lanes[l], leaf(end+l))
			}
		}
		for ; end < hi; end++ {
			lanes[0] = alg.add(lanes[0], leaf(end))
		}
	}
	return rest(join(f.Join, lanes, alg), true, end)
}

// foldInterleaved sums every lane, then adds the upper half of the lanes to the
// lower until one is left. There are fewer lanes than Lanes when there are fewer
// summands.
func foldInterleaved[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	width := 1
	for width < f.Lanes {
		width *= 2
	}
	lanes := make([]T, min(f.Lanes, hi-lo))
	for l := range lanes {
		lanes[l] = foldLane(f, lo+l, hi, leaf, alg)
	}
	for width /= 2; width > 0; width /= 2 {
		for l := width; l < len(lanes); l++ {
			lanes[l-width] = alg.add(lanes[l-width], lanes[l])
		}
		lanes = lanes[:min(width, len(lanes))]
	}
	return lanes[0]
}

// foldLane adds every Lanes-th leaf from lo on: a chain within a block, pairwise
// over the blocks, of which the left operand has a power of two.
func foldLane[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	if hi-lo <= f.Block {
		s := leaf(lo)
		for i := lo + f.Lanes; i < hi; i += f.Lanes {
			s = alg.add(s, leaf(i))
		}
		return s
	}
	left := f.Block
	for hi-lo > 2*left {
		left *= 2
	}
	return alg.add(foldLane(f, lo, lo+left, leaf, alg), foldLane(f, lo+left, hi, leaf, alg))
}

// join adds partial sums; v is overwritten.
func join[T any](j Join, v []T, alg algebra[T]) T {
	if j == InOrder {
		s := v[0]
		for _, t := range v[1:] {
			s = alg.add(s, t)
		}
		return s
	}
	for len(v) > 1 {
		half := (len(v) + 1) / 2
		for i := range len(v) / 2 {
			if j == Adjacent {
				v[i] = alg.add(v[2*i], v[2*i+1])
			} else {
				v[i] = alg.add(v[i], v[i+half])
			}
		}
		if j == Adjacent && len(v)%2 == 1 {
			v[half-1] = v[len(v)-1]
		}
		v = v[:half]
	}
	return v[0]
}

// Candidates returns the families worth trying on n summands, the likeliest
// first. With n = 0 it returns those that do not depend on n.
func Candidates(n int) []Family {
	numpy := Family{Kind: Pairwise, Block: 128, Unroll: 8}
	c := []Family{
		{Kind: Chain}, numpy,
		{Kind: Chunks, Block: 8192, Of: &numpy},
		{Kind: ReverseChain},
		{Kind: Pairwise, Block: 1, Unroll: 1},
		{Kind: Interleaved, Lanes: 64, Block: 64 * 128},
		{Kind: Interleaved, Lanes: 128, Block: 128 * 128},
	}
	for _, block := range []int{4, 8, 16, 2, 32} {
		c = append(c, Family{Kind: Fused, Block: block})
	}
	chain := Family{Kind: Chain}
	for _, block := range []int{256, 384, 320, 192, 128, 512} { // loops over K of matrix products
		if block < n {
			c = append(c, Family{Kind: Chunks, Block: block, Of: &chain})
		}
	}
	simd := stridedCandidates()
	c = append(c, simd...)
	for _, block := range []int{16, 32, 64, 256, 512, 1024} {
		for _, unroll := range []int{1, 2, 4, 8, 16} {
			if block >= 2*unroll { // else halving need not make progress
				c = append(c, Family{Kind: Pairwise, Block: block, Unroll: unroll})
			}
		}
	}
	c = append(c, chunked(n)...)
	if n < threadedFrom {
		return c
	}
	for _, threads := range []int{2, 4, 8, 16} { // each thread sums one part
		block := (n + threads - 1) / threads
		for i := range simd {
			c = append(c, Family{Kind: Chunks, Block: block, Of: &simd[i]})
		}
	}
	return c
}

// threadedFrom is the least n that libraries split among threads.
const threadedFrom = 8192

// stridedCandidates returns the sums of SIMD code: some lanes, some accumulators, and what
// is done with the rest.
func stridedCandidates() []Family {
	var c []Family
	for _, lanes := range []int{8, 4, 16, 2, 32} {
		for _, unroll := range []int{1, 4, 2, 8, 3, 5} {
			for _, accs := range []Join{InOrder, Adjacent, Halving} {
				for _, lane := range []Join{Halving, Adjacent, InOrder} {
					for _, tail := range []Tail{TailOnto, TailApart, TailLanes, TailFirst} {
						if unroll < 3 && accs != InOrder || lanes == 2 && lane != InOrder || unroll == 1 && tail == TailLanes {
							continue // the same tree as another candidate
						}
						c = append(c, Family{Kind: Strided, Lanes: lanes, Unroll: unroll, Accs: accs, Join: lane, Tail: tail})
					}
				}
			}
		}
	}
	return c
}

// chunked returns chains over chunks: the loops over K of matrix products.
func chunked(n int) []Family {
	var c []Family
	chain := Family{Kind: Chain}
	add := func(block int) {
		if block > 1 && block < n {
			c = append(c, Family{Kind: Chunks, Block: block, Of: &chain})
		}
	}
	for _, block := range []int{256, 384, 320, 192, 128, 512, 352, 768, 640, 448, 240, 64, 32, 16, 8, 4} {
		add(block)
	}
	for block := 2; block < min(n, 2048); block++ {
		if n <= 2048 || block%4 == 0 {
			add(block)
		}
	}
	return c
}

// Recognise returns the family whose tree t is, if it is one of Candidates.
func Recognise(t *Tree) (Family, bool) {
	n := t.Leaves()
	// Masks whose cancellation tells most orders apart, in float64: see reveal.
	sample := recognitionSample(n)
	a := Plain(fp.Binary64)
	if t.MaxArity() > 2 {
		a.Nodes.Align = 52
	}
	r, err := NewReplayer(t, a)
	if err != nil {
		return Family{}, false
	}
	want, _ := r.Sum(sample, nil)
	for _, f := range Candidates(n) {
		if f.Masked(sample) == want && f.Tree(n).Equal(t) {
			return f, true
		}
	}
	return Family{}, false
}

// recognitionSample has masks ±2^200 at scattered places and distinct weights
// elsewhere; it is fixed, so that recognition costs one pass a candidate.
func recognitionSample(n int) []float64 {
	x := make([]float64, n)
	state := uint64(0x9E3779B97F4A7C15)
	next := func() uint64 { // xorshift64
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		return state
	}
	for i := range x {
		x[i] = float64(1 + next()%1000)
	}
	for range max(1, min(n/8, 16)) {
		i, j := int(next()%uint64(n)), int(next()%uint64(n))
		if i != j && math.Abs(x[i]) < 1e4 && math.Abs(x[j]) < 1e4 {
			x[i], x[j] = math.Ldexp(1, 200), -math.Ldexp(1, 200)
		}
	}
	return x
}
