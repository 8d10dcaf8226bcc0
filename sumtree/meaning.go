package sumtree

import (
	"fmt"
	"strings"
)

// Meaning explains the family on one line, which does not name it. The summands
// are called x0, x1 and so on.
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
		return fmt.Sprintf("halves of halves, down to blocks of %d or less; in a block every %s summand "+
			"is one chain, and the chains are added in pairs", f.Block, ordinal(f.Unroll))
	case Strided:
		return f.explainStrided()
	case Chunks:
		return fmt.Sprintf("chunks of %d summands, the sums of the chunks one after the other; in a chunk %s",
			f.Block, f.Of.Meaning())
	case Fused:
		return fmt.Sprintf("%d products and the sum so far at once, rounded once", f.Block)
	case Interleaved:
		return fmt.Sprintf("every %s summand is one lane; a lane is a chain within blocks of %d summands and "+
			"pairwise over the blocks; then the upper half of the lanes is added to the lower, and so on",
			ordinal(f.Lanes), f.Block)
	}
	return "no known order"
}

// explainStrided explains the sums of vector code.
func (f Family) explainStrided() string {
	s := fmt.Sprintf("%d lanes that take the summands in turn, each a chain; ", f.Lanes*f.Unroll)
	if f.Unroll > 1 {
		s = fmt.Sprintf("%d accumulators of %d lanes that take the summands in turn, each lane a chain; "+
			"the accumulators are added %s, then ", f.Unroll, f.Lanes, joinMeanings[f.Accs])
	}
	return strings.TrimSpace(s + "the lanes are added " + joinMeanings[f.Join] + "; " + tailMeanings[f.Tail])
}

// joinMeanings explains how lanes or accumulators are added together.
var joinMeanings = [...]string{
	InOrder:  "one after the other",
	Adjacent: "in pairs of neighbours",
	Halving:  "upper half to lower half",
}

// tailMeanings explains where the summands after the last full block go.
var tailMeanings = [...]string{
	TailOnto:  "what is left over is added at the end, one after the other",
	TailApart: "what is left over is a chain of its own, added at the end",
	TailLanes: "vectors left over go to the first accumulator, the rest is added at the end",
	TailFirst: "vectors left over are added to the joined accumulators, the rest to the first lane",
}

// ordinal returns n with its ending: 1st, 2nd, 8th, 12th.
func ordinal(n int) string {
	ending := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return fmt.Sprint(n) + ending
}
