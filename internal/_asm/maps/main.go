// Command maps writes internal/dl's loops over C functions for amd64.
//
// # Contract
//
// Each loop is itself a C function of the System V calling convention, so that
// one foreign call makes n plain calls of C: f in DI, the array of results in
// SI, n in DX, and the arrays of arguments in CX and R8. BX and R12 to R15 are
// callee-saved and kept. The stack, 8 past a multiple of 16 at the entry, is a
// multiple of 16 after the five pushes, as f expects. MXCSR and the x87 control
// word are not touched.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// kept are the callee-saved registers.
var kept = []reg.GPPhysical{reg.RBX, reg.R12, reg.R13, reg.R14, reg.R15}

func main() {
	ConstraintExpr("!purego")
	ConstraintExpr("!faketime")
	ConstraintExpr("!static")
	ConstraintExpr("linux,!android darwin,!ios")
	for _, arguments := range []int{1, 2} {
		loop("Float64", 8, MOVSD, arguments)
		loop("Float32", 4, MOVSS, arguments)
	}
	Generate()
}

// loop writes a loop over a function of one argument or two, and a function
// that returns its address. Go has no expression for that: it would be the
// address of a wrapper.
func loop(format string, size int, mov func(from, to Op), arguments int) {
	name := "map" + string('0'+rune(arguments)) + format
	f, out, n, x := reg.RBX, reg.R12, reg.R13, []reg.GPPhysical{reg.R14, reg.R15}

	TEXT(name, NOSPLIT|NOFRAME, "func()")
	if arguments == 1 {
		Doc(name + " is a C function: void (f, out, n, x), out[i] = f(x[i]) for i < n.")
	} else {
		Doc(name + " is a C function: void (f, out, n, x, y), out[i] = f(x[i], y[i]) for i < n.")
	}
	for _, r := range kept {
		PUSHQ(r)
	}
	MOVQ(reg.RDI, f)
	MOVQ(reg.RSI, out)
	MOVQ(reg.RDX, n)
	MOVQ(reg.RCX, x[0])
	if arguments == 2 {
		MOVQ(reg.R8, x[1])
	}
	TESTQ(n, n)
	JZ(LabelRef("done"))
	Label("next")
	for i, r := range x[:arguments] {
		mov(Mem{Base: r}, []Op{reg.X0, reg.X1}[i])
	}
	Instruction(&ir.Instruction{Opcode: "CALL", Operands: []Op{f}}) // avo's own calls labels only
	mov(reg.X0, Mem{Base: out})
	ADDQ(Imm(uint64(size)), out)
	for _, r := range x[:arguments] {
		ADDQ(Imm(uint64(size)), r)
	}
	DECQ(n)
	JNZ(LabelRef("next"))
	Label("done")
	for i := range kept {
		POPQ(kept[len(kept)-1-i])
	}
	RET()

	TEXT(name+"Addr", NOSPLIT, "func() uintptr")
	Doc(name + "Addr returns the address of " + name + ".")
	LEAQ(NewDataAddr(Symbol{Name: "·" + name}, 0), reg.RAX)
	Store(reg.RAX, ReturnIndex(0))
	RET()
}
