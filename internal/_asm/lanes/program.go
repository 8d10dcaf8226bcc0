package main

import (
	"maps"
	"slices"
)

// A program is the operations of a function in their order.
type program struct {
	always   []*node
	branches []branch
	last     region
}

// A branch is a region and the operations that only it needs.
type branch struct {
	region
	body []*node
}

// order puts operations into the order of the source. Where several branches'
// conditions hold, the first one counts: it comes last.
func (l lane) order() (p program) {
	conditional := l.regions[:len(l.regions)-1]
	p.last = l.regions[len(conditional)]
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
	for _, b := range p.branches {
		need(b.cond)
		body(b.body)
		need(b.cond, b.value, b.ok, p.last.value, p.last.ok)
		place++
	}
	need(p.last.value, p.last.ok)
	return uses
}
