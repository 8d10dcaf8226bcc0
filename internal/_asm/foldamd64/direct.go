package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// direct writes AVX-512's loop: every vector goes through all folds at once. It
// leaves in n minus the number of empty lanes.
func (k *kernel) direct(n reg.GPVirtual) {
	vectors := func(i []int, tail reg.Register) {
		for j, r := range k.step(i, tail) {
			k.finish(ops(r), k.chain(j))
		}
	}
	k.loop("vectors", n, func(i []int) { vectors(i, nil) }, k.advance)
	k.part(n, func(tail reg.Register) { vectors([]int{0}, tail) })
	k.look(inexact)
}

// ops returns registers as operands.
func ops(r []reg.VecVirtual) (o []Op) {
	for _, r := range r {
		o = append(o, r)
	}
	return o
}
