package main

import (
	"maps"
	"math"
	"slices"
)

// A program is the operations of a function in their order.
type program struct {
	always   []*node
	often    []*node // of the last region only
	skips    bool    // over often, where no lane needs it
	branches []branch
	last     region
}

// minSkipped bounds the operations that a jump over the last region pays for.
const minSkipped = 16

// A branch is a region and the operations that only it needs.
type branch struct {
	region
	body []*node
}

// order puts operations into the order of the source. Where several branches'
// conditions hold, the first one counts: it comes last.
func (l lane) order() (p program) {
	conditional := l.regions[:len(l.regions)-1]
	p.last = l.regions[len(conditional)].apart(conditional)
	done := map[*node]bool{}
	outputs := p.last.outputs()
	for _, r := range conditional {
		outputs = append(outputs, r.cond)
	}
	p.always = schedule(done, outputs...)
	for _, r := range slices.Backward(conditional) {
		p.branches = append(p.branches, branch{r, schedule(maps.Clone(done), r.value, r.ok)})
	}
	return p
}

// splitLast, where it pays, leaves in always the operations that conditions or
// branches need, and moves the others, which only the last region needs, to
// often.
func (p *program) splitLast() {
	if len(p.branches) == 0 {
		return
	}
	shared := p.conditions()
	for _, b := range p.branches {
		shared = append(shared, b.outputs()...)
	}
	needed := map[*node]bool{}
	schedule(needed, shared...)
	var first, rest []*node
	for _, n := range p.always {
		if needed[n] {
			first = append(first, n)
		} else {
			rest = append(rest, n)
		}
	}
	if p.skips = len(rest) >= minSkipped; p.skips {
		p.always, p.often = first, rest
	}
}

// conditions returns the conditions of the branches.
func (p *program) conditions() (list []*node) {
	for _, b := range p.branches {
		list = append(list, b.cond)
	}
	return list
}

// apart returns a region with a copy of its value where another region needs
// the value: branches change it in place.
func (r region) apart(others []region) region {
	done := map[*node]bool{r.value: true}
	for _, o := range others {
		for _, n := range schedule(done, o.value, o.ok) {
			if slices.Contains(n.args, r.value) {
				copied := node{op: same, args: []*node{r.value}, id: r.value.id}
				return region{r.cond, &copied, r.ok}
			}
		}
	}
	return r
}

// uses returns the places of the program where each node is needed, counted as
// machine.now counts them.
func (p program) uses() map[*node][]int {
	uses, place := map[*node][]int{}, 0
	need := func(list ...*node) {
		for _, n := range list {
			uses[n] = append(uses[n], place)
		}
	}
	body := func(list []*node) {
		for _, n := range list {
			need(n.args...)
			place++
		}
	}
	body(p.always)
	if p.skips {
		need(p.conditions()...)
		place++
	}
	body(p.often)
	for _, b := range p.branches {
		need(b.cond)
		body(b.body)
		need(b.cond, b.value, b.ok, p.last.value, p.last.ok)
		place++
	}
	need(p.last.value, p.last.ok)
	return uses
}

// A future holds what a place of a program needs to know of the places behind
// it: the code is straight, so all is known.
type future struct {
	now  int             // the place
	uses map[*node][]int // places where a node is needed
}

// next returns the next place where a node is needed.
func (f *future) next(n *node) int {
	for _, u := range f.uses[n] {
		if u >= f.now {
			return u
		}
	}
	return math.MaxInt
}

// isLast reports whether a node is not needed after this place.
func (f *future) isLast(n *node) bool {
	u := f.uses[n]
	return u[len(u)-1] <= f.now
}

// soon bounds how many places ahead a column's neighbour is loaded with it.
const soon = 24

// neighbour returns the column before or after this one, if it is needed soon
// and is not there yet.
func (f *future) neighbour(n *node, have func(*node) bool) *node {
	for _, d := range []int{1, -1} {
		for c := range f.uses {
			inRow := c.op == column && c.table == n.table && c.args[0] == n.args[0]
			if inRow && c.n == n.n+d && !have(c) && f.next(c) < f.now+soon {
				return c
			}
		}
	}
	return nil
}
