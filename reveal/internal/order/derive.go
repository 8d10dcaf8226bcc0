package order

import (
	"errors"
	"slices"

	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
	"github.com/lastbit/lastbit/sumtree"
)

// minSampled is the least n that families are derived from a sample for: below,
// the whole tree takes hardly more calls.
const minSampled = 2048

// derive returns the families that induce the target's tree on a few summands.
// regular is false when the tree is of no family at all.
//
// It asks twice. The first sample is summands so far apart that all families
// place them alike: in one accumulator, or in different blocks, they come in
// their order. Most other trees show there.
func derive(s *Search) (families []sumtree.Family, regular bool, err error) {
	first, err := sampleTree(s.Channel, farApart(s.N))
	if err != nil || first.Tree == nil || !isInOrder(first.Tree) {
		return nil, false, err
	}
	whole, err := sampleTree(s.Channel, telltale(s.N))
	if err != nil || whole.Tree == nil {
		return nil, true, err
	}
	return whole.Guess(), true, nil
}

// sampleTree finds the tree of a few summands. It is nil where no tree gives
// their outputs.
func sampleTree(c *ask.Channel, at []int) (sumtree.Sample, error) {
	s := sumtree.Sample{N: c.N, At: at}
	err := c.Within(at, func(part *ask.Channel) (err error) {
		if part.Scale.CountsAll() && prefersFPRev(part, MeasuredCosts(part)) {
			s.Tree, err = fprev(part)
		} else {
			s.Tree, err = packed(part, false)
		}
		return err
	})
	var fact *verdict.Fact
	if errors.As(err, &fact) {
		return s, nil
	}
	return s, err
}

// farApart returns summands of a distance that the numbers of accumulators in
// use divide, up to 128, and with a factor 3 or, where there is room, 5.
func farApart(n int) []int {
	const step3, step15, most = 3 * 128, 15 * 128, 12
	step := step15
	if n < 6*step15 {
		step = step3
	}
	var at []int
	for i := 0; i < n && len(at) < most; i += step {
		at = append(at, i)
	}
	return at
}

// isInOrder reports whether every node of t has consecutive leaves.
func isInOrder(t *sumtree.Tree) bool {
	low, size := t.MinLeaves(), t.Sizes()
	high := make([]int32, t.Nodes())
	for id := range high {
		high[id] = int32(id)
		for k, child := range t.Children(id) {
			if k == 0 || high[child] > high[id] {
				high[id] = high[child]
			}
		}
		if high[id]-low[id]+1 != size[id] {
			return false
		}
	}
	return true
}

// telltale returns the summands whose tree shows the parameters of a family:
// the first and the last ones, multiples of the numbers of accumulators in use,
// and the borders of blocks.
func telltale(n int) []int {
	const head, tail, runs = 288, 264, 40
	var at []int
	add := func(positions ...int) {
		for _, i := range positions {
			if i >= 0 && i < n {
				at = append(at, i)
			}
		}
	}
	for i := range head {
		add(i)
	}
	for i := range tail {
		add(n - 1 - i)
	}
	for k := range runs {
		add(16*k, 32*k, 64*k, 24*k)
	}
	for p := head; p < n; p *= 2 {
		add(p)
	}
	for p := 512; p < n; p *= 2 {
		add(p-1, p, p+1, p+p/2)
	}
	for _, threads := range []int{2, 3, 4, 6, 8, 12, 16} {
		part := (n + threads - 1) / threads
		add(part-1, part, part+1)
	}
	slices.Sort(at)
	return slices.Compact(at)
}
