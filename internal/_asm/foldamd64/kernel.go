package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// unroll is the number of vectors in one turn of a loop.
const unroll = 4

// A chain is one set of accumulators. Each addition waits for the one before
// it, so a kernel has several chains where registers allow.
type chain struct {
	sums []reg.VecVirtual // of each fold: Σ bits(t)

	// AVX-512: or of bits(t₁) xor bits(M₁). AVX2: the largest upper half of a
	// summand, shifted left by one.
	rng reg.VecVirtual

	// The lowest summand as an integer. AVX2: the lowest upper half.
	lowest reg.VecVirtual
}

// kernel is one function.
type kernel struct {
	gen.Set
	gen.Fold

	m              []reg.VecVirtual // M of each fold
	one, sign      reg.VecVirtual   // 1.0; all bits except the sign
	chains         []chain
	x, y           reg.GPVirtual
	residuals      []Mem // AVX2: buffers of the residuals of the last folds
	at             reg.GPVirtual
	flags          reg.GPVirtual
	oldCSR, newCSR Mem
}

// group returns the number of vectors that go through the folds side by side.
func (k *kernel) group() int {
	if k.Wide {
		return unroll
	}
	return 2
}

// generate writes the function.
func (k *kernel) generate() {
	name := k.Name(k.Level)
	gen.Begin(name, 0, "func"+k.Signature(), name+" "+k.Doc(k.Level, "foldamd64"))

	k.x = Load(Param("x"), GP64()).(reg.GPVirtual)
	if k.Dot {
		k.y = Load(Param("y"), GP64()).(reg.GPVirtual)
	}
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	m := Load(Param("m"), GP64())
	k.begin(m)
	if k.Wide {
		k.direct(n)
	} else {
		k.buffered(n)
	}
	k.store(n)
	VZEROUPPER()
	RET()
}

// chainCount returns the number of chains there are registers for.
func (k *kernel) chainCount() int {
	if !k.Wide && (k.Folds > 2 || k.Dot) {
		return 1
	}
	return 2
}

// begin sets the registers and the processor's mode.
func (k *kernel) begin(m reg.Register) {
	k.oldCSR, k.newCSR = AllocLocal(8), AllocLocal(8)
	STMXCSR(k.oldCSR)
	k.setStandardMode()
	k.flags = GP64()
	XORQ(k.flags, k.flags)
	for f := range k.Folds {
		k.m = append(k.m, k.Broadcast(Mem{Base: m, Disp: 8 * f}))
	}
	for range k.chainCount() {
		c := chain{rng: k.Zero()}
		if !k.Abs {
			c.lowest = k.Zero()
		}
		for range k.Folds {
			c.sums = append(c.sums, k.Zero())
		}
		k.chains = append(k.chains, c)
	}
	k.one = k.Constant(math.Float64bits(1))
	if k.Abs {
		k.sign = k.Constant(1<<63 - 1)
	}
}

// chain returns the chain of vector i.
func (k *kernel) chain(i int) chain { return k.chains[i%len(k.chains)] }

// loop writes a loop over n elements, four vectors at a time and then one.
// body gets the numbers of the vectors.
func (k *kernel) loop(name string, n reg.GPVirtual, body func(i []int), advance func(vectors int)) {
	for _, vectors := range []int{unroll, 1} {
		top, end := fmt.Sprint(name, vectors), fmt.Sprint(name, vectors, "end")
		Label(top)
		CMPQ(n, U32(vectors*k.Lanes()))
		JLT(LabelRef(end))
		for i := 0; i < vectors; {
			var group []int
			for range min(k.group(), vectors) {
				group = append(group, i)
				i++
			}
			body(group)
		}
		advance(vectors)
		SUBQ(U32(vectors*k.Lanes()), n)
		JMP(LabelRef(top))
		Label(end)
	}
}

// advance moves the pointers past vectors.
func (k *kernel) advance(vectors int) {
	bytes := vectors * k.Lanes() * k.Size()
	ADDQ(U32(bytes), k.x)
	if k.Dot {
		ADDQ(U32(bytes), k.y)
	}
}

// part writes the code for less than a vector. It leaves in n minus the number
// of empty lanes: they hold +0 and count like any other.
func (k *kernel) part(n reg.GPVirtual, body func(tail reg.Register)) {
	TESTQ(n, n)
	JZ(LabelRef("whole"))
	body(k.mask(n))
	SUBQ(U32(k.Lanes()), n)
	Label("whole")
}
