package sumtree

import "slices"

// walk is a way up the spine of a Stepwise family: what is explained so far.
type walk struct {
	g     *guesser
	width int     // accumulators of the first loop
	first []int32 // per node: leaves of the first block under it
	k     int     // the next sibling of the spine
	at    int     // the first summand not yet placed
	live  []int   // accumulators left
	count int     // of the accumulators, those already in accumulator 0
	steps []Step
	// partial is true where there are more accumulators than summands.
	partial bool
}

// walkFrom walks up from sibling k of the spine: below it is accumulator 0 of a
// first loop over the summands before at.
func (g *guesser) walkFrom(first Step, at, k int) {
	width := first.Width
	sampled := min(width, g.s.N)
	if width < 2 || width > maxWidth || sampled > len(g.s.At) || g.s.At[sampled-1] != sampled-1 {
		return
	}
	inFirst := func(leaf int) int32 {
		if leaf < width {
			return 1
		}
		return 0
	}
	w := walk{g: g, width: width, k: k, at: at, live: indices(width), count: 1,
		first: g.s.Tree.fold(inFirst, func(acc, child int32) int32 { return acc + child }, 0),
		steps: []Step{first}}
	if width > g.s.N {
		w.partial = true
		w.steps = append(w.steps, Step{Op: Spread})
	}
	w.up()
}

// then walks on after a further step.
func (w walk) then(s Step, k, at int) {
	last := w.steps[len(w.steps)-1]
	if s != last || s.Op != Take { // a loop goes on by itself
		w.steps = append(slices.Clone(w.steps), s)
	}
	w.k, w.at = k, at
	w.up()
}

// up explains the next sibling of the spine.
func (w walk) up() {
	sib, n := w.g.spine.sib, w.g.s.N
	if len(w.g.found) == maxGuesses {
		return
	}
	if w.k == len(sib) {
		w.done()
		return
	}
	switch b := sib[w.k]; {
	case b.min < w.width:
		w.fold()
	case w.at == n || b.min != w.at:
		return
	case b.isLeaf():
		w.rest()
		if w.mayReopen() {
			w.reopen()
		}
	case b.run:
		if b.rank+b.size == len(w.g.s.At) {
			w.then(Step{Op: Apart}, w.k+1, n)
		}
		if w.mayReopen() {
			w.aside()
		}
	}
}

// mayReopen reports whether what comes next may be loops of their own.
func (w walk) mayReopen() bool {
	return len(w.live) == 1 && len(w.g.found) == 0 && !w.g.inner
}

// done tries the steps found. Where n leaves no rest, a rest would be added one
// after the other.
func (w walk) done() {
	if !canRun(w.steps) {
		w.steps = append(slices.Clone(w.steps), Step{Op: Onto})
	}
	if w.at == w.g.s.N && canRun(w.steps) {
		w.g.try(Family{Kind: Stepwise, Steps: w.steps})
	}
}

// fold explains siblings that are other accumulators: as many as are added to
// accumulator 0 one after the other.
func (w walk) fold() {
	sib := w.g.spine.sib
	offset, to := sib[w.k].min, w.k
	for to < len(sib) && sib[to].min == offset*(to-w.k+1) && sib[to].min < w.width &&
		(int(w.first[sib[to].node]) == w.count || w.partial) {
		to++
	}
	if to == w.k {
		return
	}
	s := Step{Op: Fold, Width: offset, Count: to - w.k + 1}
	live := s.remaining(w.live)
	if len(live)*s.Count != len(w.live) {
		end := w.live[len(w.live)-1] + 1
		if offset >= end {
			return
		}
		s = Step{Op: Mirror, Width: end - offset, Count: end / (end - offset)}
		live = s.remaining(w.live)
		if s.Count < 2 || end%s.Width != 0 || to != w.k+1 {
			return
		}
	}
	w.count *= to - w.k + 1
	w.live = live
	w.then(s, to, w.at)
}

// remaining returns the accumulators that are left after a fold.
func (s Step) remaining(live []int) []int {
	var left []int
	for _, i := range live {
		if s.target(i) == i {
			left = append(left, i)
		}
	}
	return left
}

// rest explains single summands after the first loop that go to accumulator 0:
// the distance of one to the next is the width of a loop. No distance shows the
// width of the last loop, and several widths are tried.
func (w walk) rest() {
	sib, n := w.g.spine.sib, w.g.s.N
	for {
		next := w.k + 1
		if next == len(sib) || !sib[next].isLeaf() || sib[next].min < w.at {
			break
		}
		width := sib[next].min - w.at
		if width > len(w.live) {
			return
		}
		if s := (Step{Op: Take, Width: width, Count: 1}); s != w.steps[len(w.steps)-1] {
			w.steps = append(slices.Clone(w.steps), s)
		}
		w.k, w.at = next, sib[next].min
	}
	left, live := n-w.at, len(w.live)
	if last := &w.steps[len(w.steps)-1]; left == 1 {
		if *last == (Step{Op: Take, Width: 1, Count: 1}) {
			w.steps = w.steps[:len(w.steps)-1]
		}
		w.then(Step{Op: Onto}, w.k+1, n)
		return
	}
	var widths []int
	if live <= left {
		widths = append(widths, live)
	}
	if w.k+1 < len(sib) && sib[w.k+1].min < live {
		widths = append(widths, sib[w.k+1].min)
	}
	for _, width := range widths {
		w.take(width)
	}
	if left <= live && live > 1 {
		w.then(Step{Op: Spread}, w.k+1, n)
	}
	for width := live / 2; width > 1; width /= 2 {
		w.take(width)
	}
}

// take explains the last single summand by a loop of that width which runs
// once.
func (w walk) take(width int) {
	if left := w.g.s.N - w.at; width <= left && left < 2*width {
		w.then(Step{Op: Take, Width: width, Count: 1}, w.k+1, w.at+width)
	}
}
