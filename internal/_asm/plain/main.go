// Command plain writes internal/kernel's plain sums for amd64: as fast as AVX2
// and AVX-512 can add. Benchmarks hold other sums against them.
//
// # Contract
//
//	func(x [, y] *float64, n int) float64
//
// The result is the sum of x[:n], or the dot product of x[:n] and y[:n] by
// fused multiply-adds, in an order that nothing promises: eight accumulators of
// vectors, then one, then one element at a time.
//
//	func(dst, x, y *T, rows int)
//
// plainAdd and plainMul set dst to x + y or x·y, for rows of 64 bytes.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

const (
	accumulators = 8
	size         = 8 // of an element
)

func main() {
	ConstraintExpr("!purego")
	for _, set := range []gen.Set{gen.AVX512, gen.AVX2} {
		for _, dot := range []bool{false, true} {
			(&kernel{Set: set, dot: dot}).generate()
		}
		for _, size := range []int{8, 4} {
			add, mul := VADDPD, VMULPD
			if size == 4 {
				add, mul = VADDPS, VMULPS
			}
			elementwise(set, "plainAdd", size, add)
			elementwise(set, "plainMul", size, mul)
		}
	}
	Generate()
}

// rowBytes is the size of a row of elementwise operations.
const rowBytes = 64

// elementwise writes an operation on each element of rows.
func elementwise(set gen.Set, operation string, size int, f func(...Op)) {
	name := gen.Stub(operation, size, set.Level)
	gen.Begin(name, NOSPLIT, "func(dst, x, y *"+gen.Float(size)+", rows int)",
		name+" computes rows of 64 bytes."+gen.Origin("plain"))
	dst, x, y := Load(Param("dst"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	rows := Load(Param("rows"), GP64())
	Label("row")
	for i := range rowBytes / set.Bytes {
		v := set.Reg()
		VMOVUPD(Mem{Base: x, Disp: i * set.Bytes}, v)
		f(Mem{Base: y, Disp: i * set.Bytes}, v, v)
		VMOVUPD(v, Mem{Base: dst, Disp: i * set.Bytes})
	}
	for _, p := range []reg.Register{dst, x, y} {
		ADDQ(U8(rowBytes), p)
	}
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// kernel is one function.
type kernel struct {
	gen.Set
	dot     bool
	x, y, n reg.Register
}

// generate writes the function.
func (k *kernel) generate() {
	operation, arguments, how := "plainSum", "x", ""
	if k.dot {
		operation, arguments, how = "plainDot", "x, y", ", by fused multiply-adds"
	}
	name := gen.Stub(operation, size, k.Level)
	gen.Begin(name, NOSPLIT, "func("+arguments+" *float64, n int) float64",
		name+" adds in eight accumulators of vectors"+how+"."+gen.Origin("plain"))

	k.x, k.y = Load(Param("x"), GP64()), GP64()
	if k.dot {
		Load(Param("y"), k.y)
	}
	k.n = Load(Param("n"), GP64())
	acc := make([]reg.VecVirtual, accumulators)
	for i := range acc {
		acc[i] = k.Zero()
	}
	k.loop("rows", acc)
	k.loop("vectors", acc[:1])
	for h := accumulators / 2; h > 0; h /= 2 {
		for i := range h {
			VADDPD(acc[h+i], acc[i], acc[i])
		}
	}
	t := k.Reg()
	s := k.across(acc[0], t)
	k.rest(s, t.AsX())
	Store(s, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// loop adds as long as there is a vector for each of the accumulators.
func (k *kernel) loop(name string, accs []reg.VecVirtual) {
	elements := len(accs) * k.Lanes()
	Label(name)
	CMPQ(k.n, Imm(uint64(elements)))
	JLT(LabelRef(name + "Done"))
	for i, a := range accs {
		x := Mem{Base: k.x, Disp: i * k.Bytes}
		if !k.dot {
			VADDPD(x, a, a)
			continue
		}
		t := k.Reg()
		VMOVUPD(x, t)
		VFMADD231PD(Mem{Base: k.y, Disp: i * k.Bytes}, t, a)
	}
	ADDQ(I32(size*elements), k.x)
	if k.dot {
		ADDQ(I32(size*elements), k.y)
	}
	SUBQ(Imm(uint64(elements)), k.n)
	JMP(LabelRef(name))
	Label(name + "Done")
}

// across adds the lanes of a, and returns the register whose lowest lane holds
// their sum.
func (k *kernel) across(a, t reg.VecVirtual) reg.Register {
	if k.Wide {
		VEXTRACTF64X4(Imm(1), a, t.AsY())
		VADDPD(t.AsY(), a.AsY(), a.AsY())
	}
	s := a.AsX()
	VEXTRACTF128(Imm(1), a.AsY(), t.AsX())
	VADDPD(t.AsX(), s, s)
	VPERMILPD(Imm(1), s, t.AsX())
	VADDSD(t.AsX(), s, s)
	return s
}

// rest adds to s, one by one, the elements that no vector took.
func (k *kernel) rest(s, t reg.Register) {
	Label("rest")
	TESTQ(k.n, k.n)
	JZ(LabelRef("done"))
	if k.dot {
		VMOVSD(Mem{Base: k.x}, t)
		VFMADD231SD(Mem{Base: k.y}, t, s)
		ADDQ(Imm(size), k.y)
	} else {
		VADDSD(Mem{Base: k.x}, s, s)
	}
	ADDQ(Imm(size), k.x)
	DECQ(k.n)
	JMP(LabelRef("rest"))
	Label("done")
}
