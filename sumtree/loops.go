package sumtree

import (
	"fmt"
	"strconv"
	"strings"
)

// maxLoop bounds the summands of a block of a Looped family.
const maxLoop = 16

// loopsText returns the name of a Looped family. In its trees s is the sum so
// far, and the summands of a block are numbered from 0.
func (f Family) loopsText() string {
	var b strings.Builder
	for _, t := range f.Loops {
		fmt.Fprintf(&b, "loop %d as %s, ", t.Leaves()-1, roundText(t))
	}
	if f.Leave > 0 {
		fmt.Fprintf(&b, "leave %d, ", f.Leave)
	}
	return b.String() + wordNames[Onto]
}

// roundText returns the tree of one round.
func roundText(t *Tree) string {
	return renumber(t.String(), func(leaf int) string {
		if leaf == 0 {
			return "s"
		}
		return fmt.Sprint(leaf - 1)
	})
}

// renumber replaces the numbers in the text of a tree.
func renumber(text string, name func(leaf int) string) string {
	var b strings.Builder
	number, inside := 0, false
	for _, c := range text {
		if '0' <= c && c <= '9' {
			number, inside = 10*number+int(c-'0'), true
			continue
		}
		if inside {
			b.WriteString(name(number))
		}
		number, inside = 0, false
		b.WriteRune(c)
	}
	return b.String()
}

// parseLoops reads what loopsText returns.
func parseLoops(text string) (f Family, ok bool) {
	f.Kind = Looped
	rounds, ok := strings.CutSuffix(text, ", "+wordNames[Onto])
	if !ok {
		return f, false
	}
	if before, leave, ok := strings.Cut(rounds, ", leave "); ok {
		rounds = before
		f.Leave, _ = strconv.Atoi(leave)
	}
	for round := range strings.SplitSeq(rounds, ", ") {
		_, tree, _ := strings.Cut(round, " as ")
		shifted := renumber(tree, func(k int) string { return fmt.Sprint(k + 1) })
		t, err := Parse(strings.Replace(shifted, "s", "0", 1))
		if err != nil || t.Leaves() < 3 || t.Leaves() > maxLoop+1 {
			return f, false
		}
		if k := len(f.Loops); k > 0 && f.Loops[k-1].Leaves() <= t.Leaves() {
			return f, false
		}
		f.Loops = append(f.Loops, t)
	}
	return f, f.Leave >= 0 && f.loopsText() == text
}

// explainLoops explains the loops of a Looped family.
func (f Family) explainLoops() string {
	t := f.Loops[0]
	text := renumber(t.String(), func(leaf int) string {
		if leaf == 0 {
			return "s"
		}
		return fmt.Sprintf("x%d", leaf-1)
	})
	text = strings.ReplaceAll(text, " ", "+")
	text = fmt.Sprintf("s, the sum so far, and a block of %d become %s", t.Leaves()-1, text)
	for k, t := range f.Loops[1:] {
		if k == 0 {
			text += "; then blocks of"
		}
		text += fmt.Sprintf(" %d", t.Leaves()-1)
	}
	if f.Leave > 0 {
		text += fmt.Sprintf("; the last %d or more one after the other", f.Leave)
	}
	return text
}

// foldLoops adds blocks to the sum so far.
func foldLoops[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	var sum operand[T]
	at := lo
	for _, t := range f.Loops {
		values := make([]operand[T], t.Nodes())
		for size := t.Leaves() - 1; hi-f.Leave-at >= size; at += size {
			if run, ok := alg.known(at, at+size); ok {
				if sum.is {
					run = alg.add(sum.value, run)
				}
				sum = operand[T]{run, true}
				continue
			}
			values[0] = sum
			for k := range size {
				values[k+1] = operand[T]{leaf(at + k), true}
			}
			for id := t.Leaves(); id < t.Nodes(); id++ {
				values[id] = addOperands(values, t.Children(id), alg)
			}
			sum = values[t.Root()]
		}
	}
	for ; at < hi; at++ {
		v := leaf(at)
		if sum.is {
			v = alg.add(sum.value, v)
		}
		sum = operand[T]{v, true}
	}
	return sum.value
}

// operand is a value that may be missing.
type operand[T any] struct {
	value T
	is    bool
}

// addOperands adds the operands that are not missing.
func addOperands[T any](values []operand[T], at []int32, alg algebra[T]) operand[T] {
	if len(at) == 2 {
		switch a, b := values[at[0]], values[at[1]]; {
		case !b.is:
			return a
		case !a.is:
			return b
		default:
			return operand[T]{alg.add(a.value, b.value), true}
		}
	}
	var there []T
	for _, k := range at {
		if values[k].is {
			there = append(there, values[k].value)
		}
	}
	switch len(there) {
	case 0:
		return operand[T]{}
	case 1:
		return operand[T]{there[0], true}
	case 2:
		return operand[T]{alg.add(there[0], there[1]), true}
	}
	return operand[T]{alg.fuse(there), true}
}
