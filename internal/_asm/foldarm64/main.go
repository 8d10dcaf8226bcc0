// Command foldarm64 writes internal/kernel's fold kernels for arm64: the inner
// loops of exact.Sum, Asum and Dot with NEON.
//
// The contract equals foldamd64's. Both agree bit for bit where the block is
// exact: T, and whether Range, Inexact and Lowest pass. Here Inexact is an or
// of the remainders of the last fold (undoing an addition shows whether it
// rounded), and Lowest is 2^63 exactly if a summand is −0.
//
// One turn of the main loop takes four vectors, eight elements.
package main

import (
	"fmt"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

const (
	lanes  = 2 // of a vector
	unroll = 4 // vectors in one turn of the main loop
)

// Vector registers. 0 to 7 receive loads.
const (
	temp      = 8
	minusZero = 15
	m         = 16 // M of folds 1, 2 and 3
	sums      = 20 // of folds 1, 2 and 3: Σ bits(t)
	rng       = 24 // or of bits(t₁) xor bits(M₁)
	rest      = 25 // or of the bits of the last residuals
	negZero   = 26 // all ones where a summand was −0
)

// General registers.
const (
	x, y, left, constants, out = "R0", "R1", "R2", "R3", "R4"
	count, a, b                = "R5", "R6", "R7"
)

// kernel is one function.
type kernel struct {
	gen.ARM64
	gen.Fold
}

func main() {
	var functions []gen.ARM64Func
	for _, f := range gen.Folds {
		functions = append(functions, function(f))
	}
	gen.Write("kernel", functions)
}

// function returns the function of f, with its stub.
func function(f gen.Fold) gen.ARM64Func {
	args := 32
	if f.Dot {
		args = 40
	}
	return gen.ARM64Func{
		Name: f.Name("NEON"), Signature: f.Signature(), Doc: f.Doc("NEON", "foldarm64"),
		NoSplit: true, Args: args,
		Body: func(w gen.ARM64) { (&kernel{w, f}).body() },
	}
}

// Encodings of instructions on two doubles, for registers 0.
const (
	fadd  = 0x4e60d400 // d = n + m
	fsub  = 0x4ee0d400 // d = n − m
	fmul  = 0x6e60dc00 // d = n·m
	fmla  = 0x4e60cc00 // d += n·m
	fneg  = 0x6ee0f800 // d = −n
	fabs  = 0x4ee0f800 // d = |n|
	fcvtl = 0x0e617800 // d = n, of two floats
)

// three writes a vector instruction of three registers.
func (k *kernel) three(op uint32, name string, d, n, m int) {
	bits := op | uint32(m)<<16 | uint32(n)<<5 | uint32(d)
	k.Word(bits, "%s V%d.2D, V%d.2D, V%d.2D", name, d, n, m)
}

// two writes a vector instruction of two registers.
func (k *kernel) two(op uint32, name string, d, n int) {
	k.Word(op|uint32(n)<<5|uint32(d), "%s V%d, V%d", name, d, n)
}

func (k *kernel) or(from, to int) {
	k.Ins("VORR V%d.B16, V%d.B16, V%d.B16", from, to, to)
}

func (k *kernel) addInt(from, to int) {
	k.Ins("VADD V%d.D2, V%d.D2, V%d.D2", from, to, to)
}

// fold splits v at the constant of fold f and leaves the residual in v.
func (k *kernel) fold(v, f int) {
	t, q := temp, temp+1
	k.three(fadd, "FADD", t, v, m+f)
	k.addInt(t, sums+f)
	k.three(fsub, "FSUB", q, t, m+f)
	if f == 0 {
		k.Ins("VEOR V%d.B16, V%d.B16, V%d.B16", m, t, t)
		k.or(t, rng)
	}
	k.three(fsub, "FSUB", v, v, q)
}

// last adds v, which must be a multiple of ulp(M), to the sum of fold f.
// Undoing the addition leaves a remainder of zero exactly if it was.
func (k *kernel) last(v, f int) {
	t := temp
	k.three(fadd, "FADD", t, v, m+f)
	k.addInt(t, sums+f)
	k.three(fsub, "FSUB", t, t, m+f)
	k.three(fsub, "FSUB", t, t, v)
	k.or(t, rest)
}

// step takes the vector in register v, times that in w for products, through
// all folds.
func (k *kernel) step(v, w int) {
	if k.Single {
		k.two(fcvtl, "FCVTL", v, v)
		if k.Dot {
			k.two(fcvtl, "FCVTL", w, w)
		}
	}
	if k.Abs {
		k.two(fabs, "FABS", v, v)
	}
	p, e := v, -1
	switch {
	case k.Dot && k.Single:
		k.three(fmul, "FMUL", v, v, w) // 24 + 24 bits: exact
	case k.Dot: // TwoProd
		p, e = temp+2, temp+3
		k.three(fmul, "FMUL", p, v, w)
		k.two(fneg, "FNEG", e, p)
		k.three(fmla, "FMLA", e, v, w)
	}
	if !k.Abs {
		k.Ins("VCMEQ V%d.D2, V%d.D2, V%d.D2", minusZero, p, temp)
		k.or(temp, negZero)
	}
	k.fold(p, 0)
	switch {
	case e >= 0:
		k.fold(e, 1)
		k.last(p, 1)
		k.last(e, 2)
	case k.Folds == 3:
		k.fold(p, 1)
		k.last(p, 2)
	default:
		k.last(p, 1)
	}
}

// load loads vectors, or for 0 one element, from p into registers from v on.
func (k *kernel) load(p string, v, vectors int) {
	switch {
	case vectors == 0 && k.Single:
		k.Ins("FMOVS (%s), F%d", p, v)
	case vectors == 0:
		k.Ins("FMOVD (%s), F%d", p, v)
	case k.Single: // a vector is two floats
		for i := range vectors {
			k.Ins("FMOVD.P %d(%s), F%d", 4*lanes, p, v+i)
		}
	case vectors == unroll:
		k.Ins("VLD1.P %d(%s), [V%d.D2, V%d.D2, V%d.D2, V%d.D2]",
			8*lanes*vectors, p, v, v+1, v+2, v+3)
	default:
		k.Ins("VLD1.P %d(%s), [V%d.D2]", 8*lanes*vectors, p, v)
	}
}

// turn loads vectors, or for 0 one element, and takes them through the folds.
func (k *kernel) turn(vectors int) {
	k.load(x, 0, vectors)
	if k.Dot {
		k.load(y, 4, vectors)
	}
	for i := range max(vectors, 1) {
		k.step(i, 4+i)
	}
}

// body writes the function's instructions.
func (k *kernel) body() {
	if k.Dot {
		k.Load("x", x, "y", y, "n", left, "m", constants, "f", out)
	} else {
		k.Load("x", x, "n", left, "m", constants, "f", out)
	}
	k.begin()
	for _, vectors := range []int{unroll, 1} {
		name := fmt.Sprint("vectors", vectors)
		k.Label(name)
		k.Ins("CMP $%d, %s", vectors*lanes, left)
		k.Ins("BLT %sEnd", name)
		k.turn(vectors)
		k.Ins("SUB $%d, %s", vectors*lanes, left)
		k.Ins("B %s", name)
		k.Label(name + "End")
	}
	k.Ins("CBZ %s, whole", left)
	k.turn(0)
	k.Label("whole")
	k.store()
	k.Ins("RET")
}

// begin sets the registers, and clears the flags where products may underflow.
func (k *kernel) begin() {
	for f := range k.Folds {
		k.Ins("MOVD %d(%s), %s", 8*f, constants, a)
		k.Ins("VDUP %s, V%d.D2", a, m+f)
		k.Ins("VEOR V%[1]d.B16, V%[1]d.B16, V%[1]d.B16", sums+f)
	}
	for _, v := range []int{rng, rest, negZero} {
		k.Ins("VEOR V%[1]d.B16, V%[1]d.B16, V%[1]d.B16", v)
	}
	k.Ins("MOVD $%d, %s", uint64(1)<<63, a)
	k.Ins("VDUP %s, V%d.D2", a, minusZero)
	// The lane beyond an odd end holds +0 and counts like any other.
	k.Ins("ADD $1, %s, %s", left, count)
	k.Ins("AND $~1, %s, %s", count, count)
	if k.IsExactDot() {
		k.Ins("WORD $0xd51b443f // MSR XZR, FPSR")
	}
}

// store combines the lanes, subtracts the bits of the constants, and writes the
// Folds.
func (k *kernel) store() {
	for f := range k.Folds {
		k.both(sums+f, "ADD")
		k.Ins("MOVD %d(%s), %s", 8*f, constants, b)
		k.Ins("MSUB %s, %s, %s, %s", count, a, b, a)
		if k.IsExactDot() && f == 1 {
			k.Ins("MSUB %s, %s, %s, %s", count, a, b, a) // the errors went through it too
		}
		k.Ins("MOVD %s, %d(%s)", a, gen.FoldsT+8*f, out)
	}
	k.both(rng, "ORR")
	k.Ins("MOVD %s, %d(%s)", a, gen.FoldsRange, out)
	k.both(rest, "ORR")
	if k.IsExactDot() {
		// A product that underflowed has no exact error.
		k.Ins("WORD $0xd53b4427 // MRS FPSR, R7")
		k.Ins("AND $8, %s, %s", b, b)
		k.Ins("ORR %s, %s", b, a)
	}
	k.Ins("MOVD %s, %d(%s)", a, gen.FoldsInexact, out)
	k.both(negZero, "ORR")
	k.Ins("AND $%d, %s, %s", uint64(1)<<63, a, a)
	k.Ins("MOVD %s, %d(%s)", a, gen.FoldsLowest, out)
}

// both combines the two lanes of a vector into the register a.
func (k *kernel) both(v int, op string) {
	k.Ins("VMOV V%d.D[0], %s", v, a)
	k.Ins("VMOV V%d.D[1], %s", v, b)
	k.Ins("%s %s, %s", op, b, a)
}
