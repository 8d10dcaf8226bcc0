package sumtree

import (
	"fmt"
	"slices"
	"strings"
)

// Join is an order that the partial sums of lanes or accumulators are added in.
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

// Tail is a place for the summands after the last full block of a strided sum.
type Tail uint8

// The ways in use.
const (
	TailOnto  Tail = iota // one after the other onto the result
	TailApart             // a chain of their own, added to the result
	TailLanes             // whole vectors into the first accumulator, the rest onto the result
	TailFirst             // whole vectors onto the joined accumulators, the rest onto lane 0
)

var tailNames = [...]string{"onto", "apart", "lanes", "first"}

// String returns onto, apart, lanes or first.
func (t Tail) String() string { return tailNames[t] }

// Family is a rule that defines a summation tree for every n.
type Family struct {
	Kind Kind
	// Block is the longest run without recursion (Pairwise), or the number of
	// summands of a chunk (Chunks), of a group (Fused) or of a block
	// (Interleaved, Cascade, Halves, Backward, Windows).
	Block  int
	Unroll int     // Pairwise: ways; Strided: accumulators of Lanes lanes
	Lanes  int     // Strided: vector width; Interleaved: lanes
	Accs   Join    // Strided: how accumulators join
	Join   Join    // Strided: how lanes join
	Tail   Tail    // Strided: where the rest goes
	Base   int     // Cascade: sums of a level that make one of the next
	Levels int     // Cascade: number of levels, 0 for no limit
	Head   bool    // Halves: the rest comes first, as a chain
	Steps  []Step  // Stepwise: what happens, in order
	Of     *Family // Chunks, Halves, First: how each part is summed
	// Even is 0 for chunks whose last one is short. Otherwise less than two
	// chunks are cut in halves: the first is the larger one with 1, and with
	// more it is half of them, rounded up to a multiple of Even.
	Even int
	// Then is the number of summands of the chunks that what is left after the
	// whole ones is cut into, 0 for one short chunk.
	Then int
	// short is true for chunks of an accumulator that has a summand of a last
	// block that is not full. Its last chunk is then not a whole one, even with
	// Block summands.
	short bool
	// Loops are the loops of a Looped family, over smaller and smaller blocks.
	// Each is the tree of one round: leaf 0 is the sum so far, leaf k+1 the
	// block's summand k.
	Loops []*Tree
	// Leave is the least number of summands that the loops of a Looped family
	// leave to the rest.
	Leave int
}

// Kind is the kind of a Family.
type Kind uint8

// The kinds.
const (
	Chain        Kind = iota // ((0 1) 2) 3
	ReverseChain             // ((3 2) 1) 0
	// Pairwise is NumPy's: Unroll ways up to Block summands, and above that two
	// halves, the first rounded down to a multiple of Unroll.
	Pairwise
	// Strided is the order of SIMD code: summand i goes to lane i mod Lanes of
	// accumulator ⌊i/Lanes⌋ mod Unroll.
	Strided
	Chunks // a chain over chunks of Block summands
	Fused  // a chain of fused sums of Block summands and the sum so far
	// Interleaved is package ordered's: Lanes lanes, each a chain within a
	// block and pairwise over the blocks; then the lanes are halved.
	Interleaved
	// Stepwise is the order of SIMD code with several loops: see Step.
	Stepwise
	// Cascade adds chains of Block summands at level 0. Base sums of a level
	// make a chain at the next; the highest level has no end. What is left on
	// the levels is added from the lowest to the highest.
	Cascade
	// Halves has blocks of Block summands, and halves of halves of them, the
	// first half rounded down. The rest is the last block, or a chain in front.
	Halves
	First    // the first summand, and the sum of the others
	Backward // a chain over blocks of Block summands, each from its last to its first
	// Windows is XLA's: windows of Block summands, each a chain, the first and
	// the last cut so that all lie in the middle; windows of their sums, and so
	// on.
	Windows
	// Looped adds each block of summands to the sum so far by one tree. The
	// first block has no sum so far. What is left comes one after the other.
	Looped
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
		switch {
		case f.Then > 0:
			return fmt.Sprintf("chunks(%d, rest by %d) of %s", f.Block, f.Then, f.Of)
		case f.Even == 0:
			return fmt.Sprintf("chunks(%d) of %s", f.Block, f.Of)
		case f.Even == 1:
			return fmt.Sprintf("chunks(%d, even) of %s", f.Block, f.Of)
		}
		return fmt.Sprintf("chunks(%d, even %d) of %s", f.Block, f.Even, f.Of)
	case Fused:
		return fmt.Sprintf("fused(%d+1)", f.Block)
	case Interleaved:
		return fmt.Sprintf("interleaved(%d, block=%d)", f.Lanes, f.Block)
	}
	return f.stringOfParts()
}

// stringOfParts is String for the kinds that are made of steps or levels.
func (f Family) stringOfParts() string {
	switch f.Kind {
	case Stepwise:
		steps := make([]string, len(f.Steps))
		for i, s := range f.Steps {
			steps[i] = s.String()
		}
		return strings.Join(steps, ", ")
	case Cascade:
		if f.Levels == 0 {
			return fmt.Sprintf("cascade(block=%d, base=%d)", f.Block, f.Base)
		}
		return fmt.Sprintf("cascade(block=%d, base=%d, levels=%d)", f.Block, f.Base, f.Levels)
	case Halves:
		if f.Head {
			return fmt.Sprintf("halves(%d, head apart) of %s", f.Block, f.Of)
		}
		return fmt.Sprintf("halves(%d) of %s", f.Block, f.Of)
	case First:
		return fmt.Sprintf("first + %s", f.Of)
	case Backward:
		return fmt.Sprintf("backward(%d)", f.Block)
	case Windows:
		return fmt.Sprintf("windows(%d)", f.Block)
	case Looped:
		return f.loopsText()
	}
	return "unknown"
}

// ParseFamily reads what String returns.
func ParseFamily(s string) (Family, error) {
	bad := fmt.Errorf("sumtree: no family is called %q", s)
	if f, of, ok := parseOuter(s); ok {
		sub, err := ParseFamily(of)
		f.Of = &sub
		return f, err
	}
	word, _, _ := strings.Cut(s, " ")
	switch word {
	case "take", "head", "lead", "pair", "deal":
		steps, ok := parseSteps(s)
		if !ok {
			return Family{}, bad
		}
		return Family{Kind: Stepwise, Steps: steps}, nil
	case "loop":
		if f, ok := parseLoops(s); ok {
			return f, nil
		}
		return Family{}, bad
	}
	for _, f := range []Family{
		{Kind: Chain}, {Kind: ReverseChain}, {Kind: Pairwise, Block: 1, Unroll: 1},
		parseStrided(s), parseNumbers(s),
	} {
		if f.String() == s && f.isSound() {
			return f, nil
		}
	}
	return Family{}, bad
}

// parseOuter reads the name of a family that has parts, up to the name of its
// part.
func parseOuter(s string) (f Family, of string, ok bool) {
	if of, ok := strings.CutPrefix(s, "first + "); ok {
		return Family{Kind: First}, of, true
	}
	kinds := []struct {
		f      Family
		format string
	}{
		{Family{Kind: Chunks}, "chunks(%d) of "},
		{Family{Kind: Chunks, Then: 1}, "chunks(%d, rest by %d) of "},
		{Family{Kind: Chunks, Even: 1}, "chunks(%d, even) of "},
		{Family{Kind: Chunks, Even: 2}, "chunks(%d, even %d) of "},
		{Family{Kind: Halves}, "halves(%d) of "},
		{Family{Kind: Halves, Head: true}, "halves(%d, head apart) of "},
	}
	for _, k := range kinds {
		if !strings.HasPrefix(s, k.format[:7]) {
			continue
		}
		f := k.f
		second := &f.Even
		if k.f.Then > 0 {
			second = &f.Then
		}
		numbers := []*int{&f.Block, second}[:strings.Count(k.format, "%d")]
		of, ok := cutNumbers(s, k.format, numbers)
		if ok && f.Even >= k.f.Even && f.Then <= f.Block {
			return f, of, true
		}
	}
	return Family{}, "", false
}

// cutNumbers reads positive numbers at the beginning of s, which has that
// format, and returns the rest.
func cutNumbers(s, format string, numbers []*int) (rest string, ok bool) {
	var into, values []any
	for _, n := range numbers {
		into = append(into, n)
	}
	if _, err := fmt.Sscanf(s, format, into...); err != nil {
		return "", false
	}
	for _, n := range numbers {
		if *n < 1 {
			return "", false
		}
		values = append(values, *n)
	}
	return strings.CutPrefix(s, fmt.Sprintf(format, values...))
}

// parseStrided reads the name of a Strided family. The caller compares the name
// of the result.
func parseStrided(s string) Family {
	f := Family{Kind: Strided, Unroll: 1}
	numbers, rest, _ := strings.Cut(strings.TrimPrefix(s, "strided("), ")")
	if _, err := fmt.Sscanf(numbers, "%d×%d", &f.Unroll, &f.Lanes); err != nil {
		f.Unroll = 1
		fmt.Sscanf(numbers, "%d", &f.Lanes)
	}
	joins, tail, _ := strings.Cut(rest, ", tail ")
	f.Tail = Tail(max(0, slices.Index(tailNames[:], tail)))
	accs, lanes, both := strings.Cut(strings.TrimPrefix(joins, "+"), "+")
	if !both {
		accs, lanes = joinNames[InOrder], accs
	}
	f.Accs = Join(max(0, slices.Index(joinNames[:], accs)))
	f.Join = Join(max(0, slices.Index(joinNames[:], lanes)))
	return f
}

// parseNumbers reads the name of a family that only numbers define. The caller
// compares the name of the result.
func parseNumbers(s string) Family {
	kinds := []struct {
		kind   Kind
		format string
	}{
		{Pairwise, "pairwise(block=%d, unroll=%d)"},
		{Fused, "fused(%d+1)"},
		{Interleaved, "interleaved(%d, block=%d)"},
		{Cascade, "cascade(block=%d, base=%d, levels=%d)"},
		{Cascade, "cascade(block=%d, base=%d)"},
		{Backward, "backward(%d)"},
		{Windows, "windows(%d)"},
	}
	for _, k := range kinds {
		f := Family{Kind: k.kind}
		var args []any
		switch k.kind {
		case Pairwise:
			args = []any{&f.Block, &f.Unroll}
		case Interleaved:
			args = []any{&f.Lanes, &f.Block}
		case Cascade:
			args = []any{&f.Block, &f.Base, &f.Levels}[:strings.Count(k.format, "%d")]
		default:
			args = []any{&f.Block}
		}
		if _, err := fmt.Sscanf(s, k.format, args...); err == nil {
			return f
		}
	}
	return Family{Kind: Stepwise}
}

// isSound reports whether the numbers of a family define a tree for every n.
func (f Family) isSound() bool {
	switch f.Kind {
	case Chain, ReverseChain:
		return true
	case Strided:
		return f.Unroll >= 1 && f.Lanes >= 1 && f.Lanes <= maxWidth && f.Unroll <= maxWidth
	case Pairwise:
		return f.Block == 1 && f.Unroll == 1 || f.Unroll >= 1 && f.Block >= 2*f.Unroll
	case Interleaved:
		return f.Lanes >= 1 && f.Block >= f.Lanes && f.Block%f.Lanes == 0
	case Cascade:
		return f.Block >= 1 && f.Base >= 2 && f.Levels >= 0
	case Windows:
		return f.Block >= 2
	case Fused, Backward:
		return f.Block >= 1
	}
	return false
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
