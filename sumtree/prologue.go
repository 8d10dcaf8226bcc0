package sumtree

import "slices"

// prologue looks for a Stepwise family that begins with a Head or a Lead: it
// drops the first summands, and derives the other steps from the tree that is
// left.
func (g *guesser) prologue() {
	sib := g.spine.sib
	run := 0 // of the first summands, one after the other
	for run < len(sib) && sib[run].isLeaf() && sib[run].min == run+1 {
		run++
	}
	// The last of them may be the first summand of a loop, and the first one
	// of a loop may be in a sum of its own.
	for head := run + 1; head >= max(1, run-1) && len(g.found) == 0; head-- {
		g.after(Step{Op: Head, Width: head, Count: 1}, head)
	}
	if width := sib[0].min; sib[0].isLeaf() && width > 1 && width <= g.s.N%(2*width) {
		g.after(Step{Op: Lead, Width: width, Count: 2}, width)
	}
}

// after tries the Stepwise families that begin with a step which takes the
// summands before position at.
func (g *guesser) after(first Step, at int) {
	if g.s.N-at < 2 {
		return
	}
	for _, steps := range g.s.from(at).stepwise(false) {
		steps = slices.Concat([]Step{first}, steps)
		if canRun(steps) {
			g.try(Family{Kind: Stepwise, Steps: steps})
		}
	}
}

// stepwise returns the steps of the Stepwise and Strided families that induce
// the tree of s. An inner one opens no accumulators again.
func (s Sample) stepwise(inner bool) [][]Step {
	if len(s.At) < 2 || s.At[0] != 0 {
		return nil
	}
	g := newGuesser(s)
	g.inner, g.nesting = inner, 1
	g.steps()
	slices.SortStableFunc(g.found, func(a, b Family) int { return g.cost(a) - g.cost(b) })
	var all [][]Step
	for _, f := range g.found {
		if f.Kind == Strided {
			f.Steps = f.steps()
		}
		all = append(all, f.Steps)
	}
	return all
}

// aside explains a sibling that is a loop of its own, added to the sum so far
// after its accumulators are one.
func (w walk) aside() {
	b := w.g.spine.sib[w.k]
	part := w.g.spine.sub(b.node, w.at, 1, b.max+1-w.at)
	for _, steps := range part.stepwise(true) {
		last := len(steps) - 1
		if steps[last].Op != Onto {
			continue // a rest cannot come before others
		}
		steps = slices.Concat([]Step{{Op: Aside}}, steps[:last], []Step{{Op: Unite}})
		loop := &steps[1]
		for loop.Count < maxQuantum && loop.blocks(w.g.s.N-w.at)*loop.Width > part.N {
			loop.Count++
		}
		next := w
		next.steps = slices.Concat(w.steps, steps[:len(steps)-1])
		next.then(steps[len(steps)-1], w.k+1, b.max+1)
	}
}

// reopen explains what comes after the accumulators have become one: others are
// opened for the summands left.
func (w walk) reopen() {
	for _, steps := range w.g.s.from(w.at).stepwise(true) {
		next := w
		next.steps = slices.Concat(w.steps, steps)
		next.at = w.g.s.N
		next.done()
	}
}
