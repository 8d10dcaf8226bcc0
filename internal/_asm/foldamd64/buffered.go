package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// buffer is the number of bytes of residuals that AVX2 puts aside at a time.
const buffer = 4096

// buffered writes AVX2's loops, block by block: all folds except the last, then
// the last. It leaves in n minus the number of empty lanes.
func (k *kernel) buffered(n reg.GPVirtual) {
	k.at = GP64()
	block := k.allocate()
	left, done := GP64(), GP64()
	Label("block")
	// n counts the elements to come, and left the elements of this block.
	MOVQ(U32(block), left)
	CMPQ(n, left)
	CMOVQLT(n, left)
	SUBQ(left, n)
	MOVQ(left, done)
	XORQ(k.at, k.at)
	put := func(i []int, tail reg.Register) {
		for j, rest := range k.step(i, tail) {
			for stream, r := range rest {
				VMOVAPD(r, k.residual(stream, i[j]))
			}
		}
	}
	k.loop("vectors", left, func(i []int) { put(i, nil) }, func(vectors int) {
		k.advance(vectors)
		ADDQ(U32(vectors*k.Bytes), k.at)
	})
	k.part(left, func(tail reg.Register) { put([]int{0}, tail) })
	SUBQ(left, done) // counts the empty lanes
	if k.IsExactDot() {
		k.look(underflow)
	}
	k.setStandardMode()
	XORQ(k.at, k.at)
	k.loop("rest", done, func(i []int) {
		for _, i := range i {
			var rest []Op
			for stream := range k.residuals {
				rest = append(rest, k.residual(stream, i))
			}
			k.finish(rest, k.chain(i))
		}
	}, func(vectors int) { ADDQ(U32(vectors*k.Bytes), k.at) })
	k.look(inexact)
	TESTQ(n, n)
	JNZ(LabelRef("block"))
	MOVQ(left, n)
}

// allocate reserves the aligned buffer of residuals, and returns the number of
// elements it holds.
func (k *kernel) allocate() int {
	streams := 1
	if k.IsExactDot() {
		streams = 2
	}
	base := GP64()
	LEAQ(AllocLocal(buffer+k.Bytes), base)
	ADDQ(U32(k.Bytes-1), base)
	ANDQ(I32(-k.Bytes), base)
	for j := range streams {
		k.residuals = append(k.residuals, Mem{Base: base, Disp: j * buffer / streams})
	}
	return buffer / streams / 8
}

// residual returns the place of vector i of stream j.
func (k *kernel) residual(j, i int) Mem {
	m := k.residuals[j]
	m.Index, m.Scale = k.at, 1
	return m.Offset(i * k.Bytes)
}
