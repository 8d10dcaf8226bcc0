package sumtree

import "fmt"

// Meaning explains the family on one line, which does not name it. The summands
// are called x0, x1 and so on. Chains that take turns each add every k-th
// summand.
func (f Family) Meaning() string {
	switch f.Kind {
	case Chain:
		return "one after the other: ((x0 + x1) + x2) + x3"
	case ReverseChain:
		return "one after the other, the last first: ((x3 + x2) + x1) + x0"
	case Pairwise:
		if f.Block == 1 {
			return "halves of halves: (x0 + x1) + (x2 + x3)"
		}
		const s = "halves of halves down to blocks of %d, each of %d chains that take turns"
		return fmt.Sprintf(s, f.Block, f.Unroll)
	case Strided:
		return f.explainStrided()
	case Chunks:
		const s = "chunks of %d, one after the other; in a chunk %s"
		return fmt.Sprintf(s, f.Block, f.Of.Meaning())
	case Fused:
		return fmt.Sprintf("%d summands and the sum so far at once, rounded once", f.Block)
	case Interleaved:
		const s = "%d chains that take turns in blocks of %d; blocks pairwise, chains by halves"
		return fmt.Sprintf(s, f.Lanes, f.Block)
	}
	return "no known order"
}

// explainStrided explains the sums of vector code.
func (f Family) explainStrided() string {
	rest := [...]string{
		TailOnto:  "the rest one after the other",
		TailApart: "the rest as one more chain",
		TailLanes: "the rest by vectors into the first",
		TailFirst: "the rest by vectors into the last",
	}[f.Tail]
	join := [...]string{InOrder: "in order", Adjacent: "in pairs", Halving: "by halves"}
	if f.Unroll > 1 {
		return fmt.Sprintf("%d × %d chains that take turns, joined %s, then %s; %s",
			f.Unroll, f.Lanes, join[f.Accs], join[f.Join], rest)
	}
	return fmt.Sprintf("%d chains that take turns, joined %s; %s", f.Lanes, join[f.Join], rest)
}
