package order

import (
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// askSizes asks for L(i,j) of every pair: n less the count that comes out.
func askSizes(c *ask.Channel, pairs []ask.Pair) ([]int, error) {
	if !c.Scale.CountsAll() {
		return nil, lowPrecision(c)
	}
	sizes := make([]int, 0, len(pairs))
	err := eachPair(c, ask.Ones(c.N), pairs, func(fill ask.Fill, out float64) error {
		k, ok := c.Scale.Count(out)
		if !ok || int(k) > c.N { //lastbit:ignore floatconv a count of summands
			return ask.NotACount(c, fill, out)
		}
		sizes = append(sizes, c.N-int(k)) //lastbit:ignore floatconv a count of summands
		return nil
	})
	return sizes, err
}

// unknownSize marks a pair whose count the accumulator does not hold.
const unknownSize = -1

// askBoundedSizes is askSizes for weights whose total is given, and whose
// counts may exceed the accumulator. The weights of a pair's own leaves count
// as inside its subtree.
func askBoundedSizes(c *ask.Channel, w ask.Weights, total int, pairs []ask.Pair) ([]int, error) {
	sizes := make([]int, 0, len(pairs))
	err := eachPair(c, w, pairs, func(fill ask.Fill, out float64) error {
		k, ok := c.Scale.Count(out)
		switch {
		case c.Scale.Step != 0 && !c.Scale.CountsAll():
			return lowPrecision(c)
		case c.Scale.Step == 0 && out/c.Scale.Unit >= math.Ldexp(1, c.Scale.Bits):
			sizes = append(sizes, unknownSize)
		case !ok || int(k) > total: //lastbit:ignore floatconv a count of summands
			return ask.NotACount(c, fill, out)
		default:
			sizes = append(sizes, total-int(k)) //lastbit:ignore floatconv a count of summands
		}
		return nil
	})
	return sizes, err
}

// eachPair masks one pair after the other and hands over the outputs in order.
func eachPair(
	c *ask.Channel, w ask.Weights, pairs []ask.Pair, take func(ask.Fill, float64) error,
) error {
	lanes := len(c.Pool())
	for at := 0; at < len(pairs); at += lanes {
		var fills []ask.Fill
		for _, q := range pairs[at:min(at+lanes, len(pairs))] {
			fills = append(fills, c.Inputs.Masked(w, []ask.Pair{q}))
		}
		outs, err := c.Ask(nil, fills...)
		if err != nil {
			return err
		}
		for k, out := range outs {
			if err := take(fills[k], out); err != nil {
				return err
			}
		}
	}
	return nil
}

// bySize groups leaves by their sizes, which it returns in ascending order.
// Leaves of unknown size are left out.
func bySize(leaves, sizes []int) (ascending []int, groups map[int][]int) {
	groups = map[int][]int{}
	for k, j := range leaves {
		if sizes[k] == unknownSize {
			continue
		}
		if groups[sizes[k]] == nil {
			ascending = append(ascending, sizes[k])
		}
		groups[sizes[k]] = append(groups[sizes[k]], j)
	}
	slices.Sort(ascending)
	return ascending, groups
}

// lowPrecision returns the fault of a target whose sums of ones are not exact.
func lowPrecision(c *ask.Channel) error {
	return &probe.Fault{ID: "low-precision", Thing: c.Key.String(),
		Cause: fmt.Sprintf("sums of %d ones are not exact in %d bits", c.N, c.Scale.Bits),
		Cure:  "use --algorithm scaled, packed or auto"}
}

// contradiction returns the fact that probes give two sizes to the sum that i
// and j meet in.
func contradiction(i, j, size, other int) *verdict.Fact {
	what := fmt.Sprintf(
		"summands %d and %d meet in a sum of %d by one probe, and of %d by others",
		i, j, size, other)
	return &verdict.Fact{Reason: verdict.NoTree, What: what, Meet: [2]int{i, j}}
}

// build makes a Tree from lists of children, without recursion.
func build(n, root int, kids func(id int) []int) (*sumtree.Tree, error) {
	var order []int // inner nodes, parents before children
	stack := []int{root}
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if id < n {
			continue
		}
		order = append(order, id)
		stack = append(stack, kids(id)...)
	}
	b := sumtree.NewBuilder(n)
	made := make(map[int]int, len(order))
	for _, id := range slices.Backward(order) {
		var c []int
		for _, kid := range kids(id) {
			if kid >= n {
				kid = made[kid]
			}
			c = append(c, kid)
		}
		made[id] = b.Node(c...)
	}
	t, err := b.Tree()
	if err != nil {
		return nil, &verdict.Fact{Reason: verdict.NoTree, What: err.Error()}
	}
	return t, nil
}

// sequence returns 0, 1, …, n−1.
func sequence(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}
