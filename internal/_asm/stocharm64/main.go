// Command stocharm64 writes internal/kernel's stochastic kernels for arm64:
// operations whose results are rounded up or down, each as its coin decides.
//
// The contract is the same as for stochamd64's operations, and the method the
// same as in its AVX2 kernels: FPCR rounds up, and RD(x) = -RU(-x). There are
// no filters.
package main

import "github.com/lastbit/lastbit/internal/asm/gen"

// Vector registers.
const (
	x, y, z      = 0, 1, 2
	high, low    = 3, 4 // the result is in high
	mask, isDown = 5, 6
	coins        = 16 // four, for the lanes of a row
	sign         = 20 // the sign bit in each lane

	parts = 4 // registers of a row
)

// General registers.
const (
	dst, left, words, at, end = "R0", "R4", "R5", "R6", "R7"
	mode                      = "R8"
)

// from are the pointers to the operands.
var from = []string{"R1", "R2", "R3"}

// roundUp is FPCR rounding up, and otherwise the standard.
const roundUp = 1 << 22

// format holds the encodings of vector instructions, for registers 0, and the
// arrangement of integers.
type format struct {
	fadd, fsub, fmul, fdiv, fmla, fmls, fcmgt uint32
	fneg, fsqrt, fcmgt0, cmlt0                uint32
	lanes                                     string
}

var formats = map[int]format{
	8: {
		fadd: 0x4e60d400, fsub: 0x4ee0d400, fmul: 0x6e60dc00, fdiv: 0x6e60fc00, fmla: 0x4e60cc00,
		fmls: 0x4ee0cc00, fcmgt: 0x6ee0e400,
		fneg: 0x6ee0f800, fsqrt: 0x6ee1f800, fcmgt0: 0x4ee0c800, cmlt0: 0x4ee0a800,
		lanes: "D2",
	},
	4: {
		fadd: 0x4e20d400, fsub: 0x4ea0d400, fmul: 0x6e20dc00, fdiv: 0x6e20fc00, fmla: 0x4e20cc00,
		fmls: 0x4ea0cc00, fcmgt: 0x6ea0e400,
		fneg: 0x6ea0f800, fsqrt: 0x6ea1f800, fcmgt0: 0x4ea0c800, cmlt0: 0x4ea0a800,
		lanes: "S4",
	},
}

// An operation computes the vector in high from those in x, y and z.
type operation struct {
	name     string
	operands int
	vector   func(k *kernel, coin int)
}

var operations = []operation{
	{"stochAdd", 2, (*kernel).add},
	{"stochSub", 2, (*kernel).sub},
	{"stochMul", 2, func(k *kernel, coin int) { k.flipped(k.fmul, "FMUL", coin) }},
	{"stochDiv", 2, func(k *kernel, coin int) { k.flipped(k.fdiv, "FDIV", coin) }},
	{"stochSqrt", 1, (*kernel).sqrt},
	{"stochFMA", 3, (*kernel).fma},
	{"stochDot", 2, (*kernel).fma},
}

// kernel is one function being written.
type kernel struct {
	gen.ARM64
	format
	size int
}

func main() {
	var functions []gen.ARM64Func
	for _, size := range []int{8, 4} {
		for _, op := range operations {
			functions = append(functions, gen.ARM64Func{
				Name:      gen.Stub(op.name, size, "NEON"),
				Signature: gen.StochSignature(size),
				Doc:       gen.StochDoc(op.name, size, "NEON", "stocharm64"),
				NoSplit:   true, Args: 48,
				Body: func(w gen.ARM64) { (&kernel{w, formats[size], size}).body(op) },
			})
		}
	}
	gen.Write("kernel", functions)
}

// three writes a vector instruction of three registers: d = n op m.
func (k *kernel) three(op uint32, name string, d, n, m int) {
	k.Word(op|uint32(m)<<16|uint32(n)<<5|uint32(d), "%s V%d, V%d, V%d", name, d, n, m)
}

// two writes a vector instruction of two registers: d = op n.
func (k *kernel) two(op uint32, name string, d, n int) {
	k.Word(op|uint32(n)<<5|uint32(d), "%s V%d, V%d", name, d, n)
}

// bits writes d = n op m, bit by bit.
func (k *kernel) bits(name string, d, n, m int) {
	k.Ins("%s V%d.B16, V%d.B16, V%d.B16", name, m, n, d)
}

func (k *kernel) add(coin int) {
	k.three(k.fadd, "FADD", high, x, y)
	k.two(k.fneg, "FNEG", low, x)
	k.three(k.fsub, "FSUB", low, low, y)
	k.lower(coin)
}

func (k *kernel) sub(coin int) {
	k.three(k.fsub, "FSUB", high, x, y)
	k.three(k.fsub, "FSUB", low, y, x)
	k.lower(coin)
}

func (k *kernel) fma(coin int) {
	k.bits("VORR", high, z, z)
	k.three(k.fmla, "FMLA", high, x, y)
	k.two(k.fneg, "FNEG", low, z)
	k.three(k.fmls, "FMLS", low, x, y)
	k.lower(coin)
}

// lower replaces high by -low in the lanes that round down, where that is less:
// an exact zero is +0, as to nearest.
func (k *kernel) lower(coin int) {
	k.two(k.fneg, "FNEG", low, low)
	k.three(k.fcmgt, "FCMGT", mask, high, low)
	k.two(k.cmlt0, "CMLT", isDown, coin)
	k.bits("VAND", mask, mask, isDown)
	k.Ins("VBIT V%d.B16, V%d.B16, V%d.B16", mask, low, high)
}

// flipped flips the sign of x and of the result in the lanes that round down.
func (k *kernel) flipped(op uint32, name string, coin int) {
	k.bits("VAND", isDown, coin, sign)
	k.bits("VEOR", x, x, isDown)
	k.three(op, name, high, x, y)
	k.bits("VEOR", high, high, isDown)
}

// sqrt subtracts an ULP from the root rounded up where its square is more than
// x. The difference is rounded up, so that it is 0 only if it is exact.
func (k *kernel) sqrt(coin int) {
	k.two(k.fsqrt, "FSQRT", high, x)
	k.two(k.fneg, "FNEG", low, x)
	k.three(k.fmla, "FMLA", low, high, high)
	k.two(k.fcmgt0, "FCMGT", mask, low)
	k.two(k.cmlt0, "CMLT", isDown, coin)
	k.bits("VAND", mask, mask, isDown)
	k.Ins("VADD V%d.%s, V%d.%s, V%d.%s", mask, k.lanes, high, k.lanes, high, k.lanes)
}

// body writes the function's instructions.
func (k *kernel) body(op operation) {
	k.Load("dst", dst, "x", from[0], "y", from[1], "z", from[2], "rows", left, "coins", words)
	k.Ins("VLD1 (%s), [V%d.D2, V%d.D2, V%d.D2, V%d.D2]", words, coins, coins+1, coins+2, coins+3)
	top := uint64(1) << 63
	if k.size == 4 {
		top |= 1 << 31
	}
	k.Ins("MOVD $%d, %s", top, mode)
	k.Ins("VDUP %s, V%d.D2", mode, sign)
	k.Word(0xd53b4409, "MRS FPCR, R9")
	k.Ins("MOVD $%d, %s", roundUp, mode)
	k.Word(0xd51b4408, "MSR R8, FPCR")
	isDot := op.name == "stochDot"
	if isDot {
		k.Ins("MOVD %s, %s", dst, at)
		k.Ins("ADD $%d, %s, %s", gen.StochDotRows*gen.StochRowBytes, dst, end)
	}
	k.Label("row")
	for i := range parts {
		for j, p := range from[:op.operands] {
			k.Ins("VLD1.P 16(%s), [V%d.D2]", p, x+j)
		}
		to := dst
		if isDot {
			to = at
			k.Ins("VLD1 (%s), [V%d.D2]", at, z)
		}
		op.vector(k, coins+i)
		k.Ins("VST1.P [V%d.D2], 16(%s)", high, to)
		c := coins + i
		k.Ins("VADD V%d.%s, V%d.%s, V%d.%s", c, k.lanes, c, k.lanes, c, k.lanes)
	}
	if isDot {
		k.Ins("CMP %s, %s", end, at)
		k.Ins("CSEL EQ, %s, %s, %s", dst, at, at)
	}
	k.Ins("SUB $1, %s, %s", left, left)
	k.Ins("CBNZ %s, row", left)
	k.Word(0xd51b4409, "MSR R9, FPCR")
	k.Ins("RET")
}
