package sumtree

import (
	"fmt"
	"strings"
)

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
		if f.Even > 0 {
			s := fmt.Sprintf("chunks of %d, less than %d halved", f.Block, 2*f.Block)
			if f.Even > 1 {
				s += fmt.Sprintf(" at multiples of %d", f.Even)
			}
			return s + "; in a chunk " + f.Of.Meaning()
		}
		if f.Then > 0 {
			const s = "chunks of %d, then chunks of %d, one after the other; in a chunk %s"
			return fmt.Sprintf(s, f.Block, f.Then, f.Of.Meaning())
		}
		const s = "chunks of %d, one after the other; in a chunk %s"
		return fmt.Sprintf(s, f.Block, f.Of.Meaning())
	case Fused:
		return fmt.Sprintf("%d summands and the sum so far at once, rounded once", f.Block)
	case Interleaved:
		const s = "%d chains that take turns in blocks of %d; blocks pairwise, chains by halves"
		return fmt.Sprintf(s, f.Lanes, f.Block)
	case Stepwise:
		return explainSteps(f.Steps)
	case Cascade:
		s := fmt.Sprintf("chains of %d; %d sums of a level are one of the next", f.Block, f.Base)
		if f.Levels > 0 {
			s += fmt.Sprintf(", of %d levels", f.Levels)
		}
		return s + "; the lowest are added first"
	case Halves:
		s := fmt.Sprintf("blocks of %d by halves of halves, each %s", f.Block, f.Of.Meaning())
		if f.Head {
			s += "; what is left over comes first"
		}
		return s
	case First:
		return "x0 and the sum of the others, which is " + f.Of.Meaning()
	case Windows:
		const s = "windows of %d, each one after the other, then windows of their sums; " +
			"the outer ones are shorter"
		return fmt.Sprintf(s, f.Block)
	case Backward:
		return fmt.Sprintf("one after the other in blocks of %d, each from its end", f.Block)
	case Looped:
		return f.explainLoops()
	}
	return "no known order"
}

// explainSteps explains the sums of code that has several loops.
func explainSteps(steps []Step) string {
	var words []string
	live := indices(opened(steps))
	first, apart := true, false // of a Take
	for k, s := range steps {
		before := len(live)
		if s.Op == Fold || s.Op == Mirror {
			live = s.remaining(live)
		}
		switch {
		case s.Op == Head && s.Width == 1:
			words = append(words, "x0 into the first")
		case s.Op == Head:
			words = append(words, fmt.Sprintf("the first %d into the first", s.Width))
		case s.Op == Pair:
			words = append(words, s.explainPairs())
		case s.Op == Aside:
			apart = true
		case s.Op == Unite:
			words = append(words, "both joined")
		case s.Op == Lead:
			words = append(words, fmt.Sprintf("%d at a time until a multiple of %d is left",
				s.Width, s.Width*s.Count))
		case first:
			words, first = append(words, s.explainLoop()), false
		case s.Op == Take && apart:
			live, apart = indices(s.Width), false
			words = append(words, fmt.Sprintf("apart from that %d chains", s.Width))
		case s.Op == Take && before < s.Width:
			live = indices(s.Width)
			words = append(words, fmt.Sprintf("that and %d new chains", s.Width-1))
		case s.Op == Take:
			words = append(words, fmt.Sprintf("%d go on", s.Width))
		case s.Op == Fold && s.Count == 2:
			if before := steps[k-1]; before.Op == Fold && before.Count == 2 {
				words[len(words)-1] += fmt.Sprintf(", %d", s.Width)
				continue
			}
			words = append(words, fmt.Sprintf("merge at distance %d", s.Width))
		case s.Op == Fold && s.Width == 1 && s.Count == before:
			words = append(words, "merge in order")
		case s.Op == Fold:
			words = append(words, fmt.Sprintf("merge in order at distance %d", s.Width))
		case s.Op == Mirror:
			words = append(words, fmt.Sprintf("merge the last %d with the first", s.Width))
		case s.Op == Spread:
			words = append(words, s.explainSpread())
		case s.Op == Apart:
			words = append(words, "the rest as one more chain")
		case s.Op == Last:
			words = append(words, "the rest into the last")
		case before > 1:
			words = append(words, "the rest into the first")
		default:
			words = append(words, "the rest one after the other")
		}
	}
	return strings.Join(words, "; ")
}

// explainPairs explains a Pair.
func (s Step) explainPairs() string {
	if s.Count > 1 {
		return fmt.Sprintf("%d pairs %d apart", s.Width*s.Count, s.Width)
	}
	return fmt.Sprintf("pairs %d apart", s.Width)
}

// explainSpread explains a Spread.
func (s Step) explainSpread() string {
	if s.By > 0 {
		return fmt.Sprintf("the rest %d to each, the last first", s.By)
	}
	return "the rest one to each"
}

// explainLoop explains the first loop.
func (s Step) explainLoop() string {
	sums := "chains"
	if s.Each != nil {
		switch s.Each.Kind {
		case Cascade:
			sums = fmt.Sprintf("cascades of %d", s.Each.Block)
		case Backward:
			sums = fmt.Sprintf("chains in backward runs of %d", s.Each.Block)
		case Chunks:
			sums = fmt.Sprintf("chains of sums of %d", s.Each.Block)
			for f := s.Each.Of; f.Kind == Chunks; f = f.Of {
				sums += fmt.Sprintf(", those of sums of %d", f.Block)
			}
		case ReverseChain:
			sums = "reverse chains"
		default:
			sums = "pairwise sums"
		}
	}
	text := fmt.Sprintf("%d %s that take turns", s.Width, sums)
	if s.Count > 1 {
		text += fmt.Sprintf(", %d rounds at a time", s.Count)
	}
	if s.Op == Deal {
		text += ", for all that is left"
	}
	if s.By > 0 {
		text += fmt.Sprintf(", each with %d neighbours, the last first", s.By)
	}
	if s.Late > 0 {
		text += fmt.Sprintf(", except the last %d", s.Late)
	}
	return text
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
