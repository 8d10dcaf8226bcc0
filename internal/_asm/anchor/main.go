// Command anchor writes the sums that promise nothing, against which
// benchmarks hold the others: eight independent accumulators, and for a dot
// product fused multiply-adds.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const accumulators = 8

// vectors is an instruction set.
type vectors struct {
	set   string
	bytes int // of a register
	make  func() reg.VecVirtual
}

func main() {
	ConstraintExpr("!purego")
	for _, v := range []vectors{{"AVX512", 64, ZMM}, {"AVX2", 32, YMM}} {
		for _, dot := range []bool{false, true} {
			write(v, dot)
		}
	}
	Generate()
}

func write(v vectors, dot bool) {
	if dot {
		TEXT("plainDot"+v.set, NOSPLIT, "func(x, y *float64, n int) float64")
		Doc(fmt.Sprintf("plainDot%s adds in eight accumulators, by fused multiply-adds.", v.set))
	} else {
		TEXT("plainSum"+v.set, NOSPLIT, "func(x *float64, n int) float64")
		Doc(fmt.Sprintf("plainSum%s adds in eight accumulators.", v.set))
	}
	Pragma("noescape")

	x, y := Load(Param("x"), GP64()), GP64()
	if dot {
		Load(Param("y"), y)
	}
	n := Load(Param("n"), GP64())
	acc := make([]reg.VecVirtual, accumulators)
	for i := range acc {
		acc[i] = v.make()
		if v.bytes == 64 {
			VPXORQ(acc[i], acc[i], acc[i])
		} else {
			VXORPD(acc[i], acc[i], acc[i])
		}
	}
	add := func(offset int, to reg.VecVirtual) {
		if !dot {
			VADDPD(Mem{Base: x, Disp: offset}, to, to)
			return
		}
		t := v.make()
		VMOVUPD(Mem{Base: x, Disp: offset}, t)
		VFMADD231PD(Mem{Base: y, Disp: offset}, t, to)
	}
	width := v.bytes / 8
	loop := func(name string, accs []reg.VecVirtual) {
		Label(name)
		CMPQ(n, Imm(uint64(len(accs)*width)))
		JLT(LabelRef(name + "Done"))
		for i, a := range accs {
			add(i*v.bytes, a)
		}
		ADDQ(I32(int32(len(accs)*v.bytes)), x)
		if dot {
			ADDQ(I32(int32(len(accs)*v.bytes)), y)
		}
		SUBQ(Imm(uint64(len(accs)*width)), n)
		JMP(LabelRef(name))
		Label(name + "Done")
	}
	loop("rows", acc)
	loop("vectors", acc[:1])
	for h := accumulators / 2; h > 0; h /= 2 {
		for i := range h {
			VADDPD(acc[h+i], acc[i], acc[i])
		}
	}
	t := v.make()
	if v.bytes == 64 {
		VEXTRACTF64X4(Imm(1), acc[0], t.AsY())
		VADDPD(t.AsY(), acc[0].AsY(), acc[0].AsY())
	}
	s := acc[0].AsX()
	VEXTRACTF128(Imm(1), acc[0].AsY(), t.AsX())
	VADDPD(t.AsX(), s, s)
	VPERMILPD(Imm(1), s, t.AsX())
	VADDSD(t.AsX(), s, s)

	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	if dot {
		VMOVSD(Mem{Base: x}, t.AsX())
		VFMADD231SD(Mem{Base: y}, t.AsX(), s)
		ADDQ(Imm(8), y)
	} else {
		VADDSD(Mem{Base: x}, s, s)
	}
	ADDQ(Imm(8), x)
	DECQ(n)
	JMP(LabelRef("rest"))
	Label("done")
	Store(s, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
