package sumtree

import (
	"fmt"
	"math"
	"strconv"
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
	// (Interleaved).
	Block  int
	Unroll int     // Pairwise: ways; Strided: accumulators of Lanes lanes
	Lanes  int     // Strided: vector width; Interleaved: lanes
	Accs   Join    // Strided: how accumulators join
	Join   Join    // Strided: how lanes join
	Tail   Tail    // Strided: where the rest goes
	Of     *Family // Chunks: how each chunk is summed
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
	// Strided is that of SIMD code: summand i goes to lane i mod Lanes of
	// accumulator ⌊i/Lanes⌋ mod Unroll.
	Strided
	Chunks // a chain over chunks of Block summands
	Fused  // a chain of fused sums of Block summands and the sum so far
	// Interleaved is package ordered's: Lanes lanes, each a chain within a
	// block and pairwise over the blocks; then the lanes are halved.
	Interleaved
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

// ParseFamily reads the text that String returns.
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
	scan := func(format string, args ...any) bool {
		_, err := fmt.Sscanf(s, format, args...)
		return err == nil
	}
	switch {
	case scan("pairwise(block=%d, unroll=%d)", &f.Block, &f.Unroll) &&
		f.Unroll >= 1 && f.Block >= 2*f.Unroll:
		f.Kind = Pairwise
	case scan("fused(%d+1)", &f.Block) && f.Block >= 1:
		f.Kind = Fused
	case scan("interleaved(%d, block=%d)", &f.Lanes, &f.Block) &&
		f.Lanes >= 1 && f.Block >= f.Lanes && f.Block%f.Lanes == 0:
		f.Kind = Interleaved
	default:
		return bad()
	}
	return f, nil
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
// fused sums aligned to their largest operand. Where x holds huge masks that
// cancel and small integers, every narrower arithmetic gives the same sum.
func (f Family) Masked(x []float64) float64 {
	return fold(f, 0, len(x), func(i int) float64 { return x[i] }, algebra[float64]{
		add:  func(a, b float64) float64 { return a + b },
		fuse: fuseMasked,
	})
}

// fuseMasked adds as one fused operation: operands below 2^-53 of the largest
// one do not count.
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
