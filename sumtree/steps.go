package sumtree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Step is one step of a Stepwise family. The accumulators are numbered from 0;
// those that are left after a fold keep their numbers and their order. Where
// one is left, a Take opens the others again, empty.
type Step struct {
	Op StepOp
	// Width is the number of accumulators of a Take or a Lead, the distance of
	// the accumulators that a Fold adds, and the number of summands of a Head.
	Width int
	// Count is the number of blocks that a Take takes at a time, the multiple
	// of blocks that a Lead leaves, and the number of accumulators that a Fold
	// adds up: 2, or more one after the other.
	Count int
	// Each is the order that a Take adds the summands of an accumulator in, nil
	// for a chain.
	Each *Family
	// By is the number of neighbours that an accumulator of a Take or a Spread
	// takes at a time, the last of them first. 0 is one summand.
	By int
	// Late is the number of summands at the end of the last block of a Take
	// that are left to the next steps.
	Late int
}

// StepOp is the kind of a Step.
type StepOp uint8

// The kinds of steps.
const (
	// Take adds summand k of every full block of Width summands to the k-th of
	// the accumulators that are left. It takes multiples of Count blocks.
	Take   StepOp = iota
	Fold          // adds accumulators i+Width, i+2·Width … to accumulator i
	Mirror        // adds Count groups of Width accumulators, the last group to the first
	Spread        // adds the rest, one summand to each accumulator in turn
	Onto          // adds the rest to the first accumulator, one after the other
	Apart         // adds the rest as a chain of its own to the first accumulator
	Head          // adds Width summands to the first accumulator, one after the other
	// Lead takes blocks as a Take does, until a multiple of Count full blocks
	// is left.
	Lead
	// Pair adds summand i+Width to summand i, in groups of 2·Width summands,
	// where a full block of Count groups is left. The loops take the sums, and
	// the rest is what is left of them and of the summands.
	Pair
	// Aside puts the sum so far aside, and Unite adds the sum since then to it.
	Aside
	Unite
	// Last adds the rest to the last accumulator, one after the other.
	Last
	// Deal is a Take of all summands that are left: the last block may be
	// short. Each accumulator adds its own as Each.
	Deal
)

var wordNames = map[StepOp]string{
	Spread: "rest spread", Onto: "rest onto", Apart: "rest apart",
	Aside: "aside", Unite: "join", Last: "rest onto last",
}

var stepNames = map[string]StepOp{
	"take": Take, "fold": Fold, "mirror": Mirror,
	"head": Head, "lead": Lead, "pair": Pair, "deal": Deal,
}

// String returns the step as Family.String prints it.
func (s Step) String() string {
	switch s.Op {
	case Take, Deal:
		text := fmt.Sprintf("take %d", s.Width)
		if s.Op == Deal {
			text = fmt.Sprintf("deal %d", s.Width)
		}
		if s.Count > 1 {
			text += fmt.Sprintf("×%d", s.Count)
		}
		if s.By > 0 {
			text += fmt.Sprintf(" by %d", s.By)
		}
		if s.Late > 0 {
			text += fmt.Sprintf(" late %d", s.Late)
		}
		if s.Each != nil {
			text += fmt.Sprintf(" as %s", s.Each)
		}
		return text
	case Spread:
		if s.By > 0 {
			return fmt.Sprintf("%s by %d", wordNames[Spread], s.By)
		}
	case Fold:
		if s.Count > 2 {
			return fmt.Sprintf("fold %d×%d", s.Width, s.Count)
		}
		return fmt.Sprintf("fold %d", s.Width)
	case Mirror:
		return fmt.Sprintf("mirror %d×%d", s.Width, s.Count)
	case Head:
		return fmt.Sprintf("head %d", s.Width)
	case Lead:
		return fmt.Sprintf("lead %d×%d", s.Width, s.Count)
	case Pair:
		if s.Count > 1 {
			return fmt.Sprintf("pair %d×%d", s.Width, s.Count)
		}
		return fmt.Sprintf("pair %d", s.Width)
	}
	return wordNames[s.Op]
}

// parseStep reads what Step.String returns.
func parseStep(text string) (s Step, ok bool) {
	for op, name := range wordNames {
		if text == name {
			return Step{Op: op}, true
		}
	}
	if by, ok := strings.CutPrefix(text, wordNames[Spread]+" by "); ok {
		s.Op, s.By = Spread, parseExtra(by)
		return s, s.By > 1
	}
	word, rest, _ := strings.Cut(text, " ")
	numbers, each, isEach := strings.Cut(rest, " as ")
	numbers, late, isLate := strings.Cut(numbers, " late ")
	numbers, by, isBy := strings.Cut(numbers, " by ")
	s.Late, s.By = parseExtra(late), parseExtra(by)
	if isLate && (s.Late < 1 || isEach || isBy) || isBy && s.By < 2 {
		return s, false
	}
	op, known := stepNames[word]
	if !known || (isEach || isBy) && op != Take && op != Deal || isLate && op != Take {
		return s, false
	}
	s.Op, s.Count = op, 2
	if op == Take || op == Head || op == Pair || op == Deal {
		s.Count = 1
	}
	width, count, many := strings.Cut(numbers, "×")
	var err error
	if s.Width, err = strconv.Atoi(width); err != nil || s.Width < 1 || s.Late >= s.Width {
		return s, false
	}
	if (op == Head || op == Deal) && many || op == Lead && !many || op == Deal && !isEach {
		return s, false
	}
	if many {
		if s.Count, err = strconv.Atoi(count); err != nil || s.Count < 2 {
			return s, false
		}
	}
	if isEach {
		f, err := ParseFamily(each)
		s.Each = &f
		return s, err == nil
	}
	return s, true
}

// parseExtra reads a number of a step, 0 where it is none.
func parseExtra(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n > maxWidth {
		return 0
	}
	return n
}

// parseSteps reads the steps of a Stepwise family.
func parseSteps(text string) (steps []Step, ok bool) {
	depth, from := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] == '(' {
			depth++
		}
		if i < len(text) && text[i] == ')' {
			depth--
		}
		if i < len(text) && (depth > 0 || text[i] != ',') {
			continue
		}
		s, ok := parseStep(strings.TrimPrefix(text[from:i], " "))
		if !ok {
			return nil, false
		}
		steps = append(steps, s)
		from = i + 1
	}
	return steps, canRun(steps)
}

// canRun reports whether the steps turn any number of summands into one sum:
// they begin with a Take, after one Head, Lead or Pair at most, take no more
// accumulators than are left, add up all accumulators, and place the rest.
func canRun(steps []Step) bool {
	width := opened(steps)
	if width < 1 || width > maxWidth {
		return false
	}
	live := indices(width)
	rest, aside := false, false
	for k, s := range steps {
		switch s.Op {
		case Head, Lead, Pair:
			if k > 0 || s.Op == Lead && s.Width > width {
				return false
			}
		case Take, Deal:
			rest = rest || s.Width*s.Count == 1 && s.Each == nil || s.Op == Deal
			if s.Width > len(live) && len(live) == 1 && s.Width <= maxWidth {
				live = indices(s.Width)
			}
			if s.Width > len(live) || s.Each != nil && !s.Each.isPlain() {
				return false
			}
		case Fold, Mirror:
			before := len(live)
			if live = s.remaining(live); len(live) == before {
				return false
			}
		case Aside, Unite:
			if aside != (s.Op == Unite) || len(live) != 1 || rest {
				return false
			}
			aside = !aside
		default:
			rest = true
		}
	}
	return rest && !aside && len(live) == 1
}

// opened returns the number of accumulators that the steps begin with: the
// width of a Take or Deal among the first two steps, or 0.
func opened(steps []Step) int {
	for k, s := range steps[:min(2, len(steps))] {
		if s.Op == Take || s.Op == Deal {
			return steps[k].Width
		}
	}
	return 0
}

// maxWidth bounds the accumulators of a Stepwise family.
const maxWidth = 1 << 16

// isPlain reports whether a family may be the Each of a step: its name has no
// comma outside parentheses, and steps inside steps have no use.
func (f Family) isPlain() bool {
	switch f.Kind {
	case ReverseChain, Pairwise, Cascade, Backward:
		return true
	case Chunks:
		return f.Of.Kind == Chain || f.Of.isPlain()
	}
	return false
}

func indices(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

// target returns the accumulator that a Fold or a Mirror adds accumulator i to,
// i itself where that is left.
func (s Step) target(i int) int {
	digit := i / s.Width % s.Count
	switch {
	case s.Op == Fold:
		return i - digit*s.Width
	case digit > s.Count-1-digit:
		return i - (2*digit-s.Count+1)*s.Width
	}
	return i
}

// accumulator is a partial sum of a Stepwise family, by its first number.
type accumulator[T any] struct {
	index int
	full  bool
	sum   T
}

// steps returns the steps of a Strided family.
func (f Family) steps() []Step {
	s := []Step{{Op: Take, Width: f.Unroll * f.Lanes, Count: 1}}
	if f.Tail == TailLanes {
		s = append(s, Step{Op: Take, Width: f.Lanes, Count: 1})
	}
	s = append(s, f.Accs.folds(f.Lanes, f.Unroll)...)
	if f.Tail == TailFirst {
		s = append(s, Step{Op: Take, Width: f.Lanes, Count: 1}, Step{Op: Onto})
	}
	s = append(s, f.Join.folds(1, f.Lanes)...)
	switch f.Tail {
	case TailApart:
		s = append(s, Step{Op: Apart})
	case TailOnto, TailLanes:
		s = append(s, Step{Op: Onto})
	}
	return s
}

// folds returns the folds of count accumulators, or groups of them, that many
// numbers apart. It returns nil where they are not folds.
func (j Join) folds(apart, count int) []Step {
	if j == InOrder && count > 1 {
		return []Step{{Op: Fold, Width: apart, Count: count}}
	}
	var s []Step
	for size := 1; size < count; size *= 2 {
		s = append(s, Step{Op: Fold, Width: apart * size, Count: 2})
	}
	if j == Halving {
		slices.Reverse(s)
	}
	return s
}

// named returns the Strided family of the same steps, or f.
func (f Family) named() Family {
	if f.Kind != Stepwise {
		return f
	}
	for _, c := range stridedCandidates() {
		if c.Lanes*c.Unroll == f.Steps[0].Width && slices.Equal(c.steps(), f.Steps) {
			return c
		}
	}
	return f
}
