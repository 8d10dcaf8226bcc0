package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Bits of MXCSR.
const (
	standard  = 0x1f80 // no traps, to nearest even, subnormals kept, flags clear
	underflow = 1 << 4
	inexact   = 1 << 5
	allFlags  = 0x3f
)

// setStandardMode sets the mode that the folds need and clears the flags.
func (k *kernel) setStandardMode() {
	MOVL(U32(standard), k.newCSR)
	LDMXCSR(k.newCSR)
}

// look adds the flags in mask to those seen so far, in k.flags.
func (k *kernel) look(mask uint8) {
	r := GP64()
	STMXCSR(k.newCSR)
	MOVL(k.newCSR, r.As32())
	ANDQ(U8(mask), r)
	ORQ(r, k.flags)
}

// restore puts the caller's mode back if it was another. The flags may stay.
func (k *kernel) restore() {
	mode := GP32()
	MOVL(k.oldCSR, mode)
	ANDL(I32(^allFlags), mode)
	CMPL(mode, U32(standard))
	JEQ(LabelRef("restored"))
	LDMXCSR(k.oldCSR)
	Label("restored")
}
