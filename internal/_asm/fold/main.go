// Command fold writes internal/kernel's fold kernels for amd64.
//
// A fold splits each value at a constant M = 1.5·2^e: t = v + M, q = t − M,
// r = v − q. The integers bits(t) are summed, r goes to the next fold, and in the
// last one v + M has to be exact: the comments of internal/kernel/fold.go say why.
//
// The processor itself says whether an addition was exact, by an exception flag that
// stays set. With AVX-512 the additions that may round suppress it, so that one look
// at the end is enough. AVX2 cannot, so there the folds before the last one write
// their residuals to a buffer, and the last fold goes over that with the flag cleared.
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	// unroll is how many vectors one turn of a loop takes.
	unroll = 4
	// buffer is how many bytes of residuals are put aside at a time.
	buffer = 4096
)

// Bits of MXCSR.
const (
	standard  = 0x1f80 // no exception traps, nearest even, subnormals kept, no flag set
	underflow = 1 << 4
	inexact   = 1 << 5
)

// vector is an instruction set.
type vector struct {
	name  string
	bytes int // of a register
	wide  bool
	group int // how many vectors go through the folds side by side
}

var (
	avx2   = vector{"AVX2", 32, false, 2}
	avx512 = vector{"AVX512", 64, true, unroll}
)

func (v vector) lanes() int { return v.bytes / 8 }

func (v vector) reg() reg.VecVirtual {
	if v.wide {
		return ZMM()
	}
	return YMM()
}

func (v vector) zero() reg.VecVirtual {
	r := v.reg()
	if v.wide {
		VPXORQ(r, r, r)
	} else {
		VPXOR(r, r, r)
	}
	return r
}

func (v vector) broadcast(m Op) reg.VecVirtual {
	r := v.reg()
	VBROADCASTSD(m, r)
	return r
}

// constant returns a register full of one 64-bit value.
func (v vector) constant(bits uint64) reg.VecVirtual {
	g, r := GP64(), v.reg()
	MOVQ(Imm(bits), g)
	if v.wide {
		VPBROADCASTQ(g, r)
		return r
	}
	x := XMM()
	MOVQ(g, x)
	VBROADCASTSD(x, r)
	return r
}

// roundedAdd returns a + b without touching the flags, where that can be done.
func (v vector) roundedAdd(a, b reg.VecVirtual) reg.VecVirtual {
	t := v.reg()
	if v.wide {
		VADDPD_RN_SAE(a, b, t)
	} else {
		VADDPD(a, b, t)
	}
	return t
}

// A chain is accumulators. There are several because each addition waits for the one
// before it.
type chain struct {
	sums    []reg.VecVirtual // of each fold: Σ bits(t)
	rng     reg.VecVirtual   // AVX-512: or of bits(t₁) xor bits(M₁); AVX2: twice the largest upper half
	negZero reg.VecVirtual   // the lowest value, for AVX2 the lowest upper half, as an integer
}

// kernel is one function.
type kernel struct {
	v        vector
	folds    int
	single   bool // float32
	abs, dot bool

	m         []reg.VecVirtual // M of each fold
	one, sign reg.VecVirtual   // 1.0; all bits but the sign
	chains    []chain
	x, y      reg.GPVirtual
	residuals []Mem // AVX2: where those of the last folds are put
	at        reg.GPVirtual
	flags     reg.GPVirtual
}

// exactDot is a dot product whose products have errors.
func (k *kernel) exactDot() bool { return k.dot && !k.single }

// size is that of an element, in bytes.
func (k *kernel) size() int {
	if k.single {
		return 4
	}
	return 8
}

// loaded returns one vector of float64 at offset off of the pointer p; tail is the
// mask of a part of a vector, or nil.
func (k *kernel) loaded(p reg.GPVirtual, off int, tail reg.Register) reg.VecVirtual {
	r := k.v.reg()
	m := Mem{Base: p, Disp: off}
	switch {
	case k.single && k.v.wide && tail != nil:
		h := YMM()
		VMOVUPS_Z(m, tail, h)
		VCVTPS2PD(h, r)
	case k.single && tail != nil:
		h := XMM()
		VMASKMOVPS(m, tail, h)
		VCVTPS2PD(h, r)
	case k.single:
		VCVTPS2PD(m, r)
	case k.v.wide && tail != nil:
		VMOVUPD_Z(m, tail, r)
	case tail != nil:
		VMASKMOVPD(m, tail, r)
	default:
		VMOVUPD(m, r)
	}
	if k.abs {
		VANDPD(k.sign, r, r)
	}
	return r
}

// fold splits v at m: it leaves the residual, with the contribution added to the
// sum f of the chain, and returns t. Its last subtraction is a multiplication by one
// and so goes to another port.
func (k *kernel) fold(v reg.VecVirtual, c chain, f int) reg.VecVirtual {
	t, q := k.v.roundedAdd(k.m[f], v), k.v.reg()
	VPADDQ(t, c.sums[f], c.sums[f])
	VSUBPD(k.m[f], t, q)
	VFMSUB213PD(q, k.one, v)
	return t
}

// last adds v, which has to be a multiple of ulp(M), to the sum f.
func (k *kernel) last(v Op, c chain, f int) {
	t := k.v.reg()
	VADDPD(v, k.m[f], t)
	VPADDQ(t, c.sums[f], c.sums[f])
}

// values returns the values of the vectors at the offsets off; for products whose
// errors count, these too.
func (k *kernel) values(off []int, tail reg.Register) (v, e []reg.VecVirtual) {
	for _, o := range off {
		x := k.loaded(k.x, o, tail)
		switch {
		case k.exactDot():
			y, p := k.loaded(k.y, o, tail), k.v.reg()
			if k.v.wide {
				VMULPD_RN_SAE(y, x, p)
			} else {
				VMULPD(y, x, p)
			}
			VFMSUB213PD(p, y, x) // TwoProd
			v, e = append(v, p), append(e, x)
		case k.dot:
			VMULPD(k.loaded(k.y, o, tail), x, x) // 24 + 24 bits: exact
			fallthrough
		default:
			v = append(v, x)
		}
	}
	return v, e
}

// step takes the vectors i through all folds but the last. It
// returns the residuals of each.
func (k *kernel) step(i []int, tail reg.Register) (rest [][]reg.VecVirtual) {
	v, e := k.values(k.offsets(i), tail)
	k.signs(v, k.chain(i[0]/2))
	var t []reg.VecVirtual
	for i := range v {
		c := k.chain(i)
		r := []reg.VecVirtual{v[i]}
		t = append(t, k.fold(v[i], c, 0))
		if k.exactDot() {
			k.fold(e[i], c, 1)
			r = append(r, e[i])
		} else if k.folds == 3 {
			k.fold(v[i], c, 1)
		}
		rest = append(rest, r)
	}
	if k.v.wide {
		k.binades(t, k.chains[0])
	}
	return rest
}

// signs notes −0, which is the lowest of all as a signed integer. For AVX2, which has
// integers of 32 bits, it looks at the upper halves of two vectors at a time, and
// notes the largest magnitude too.
func (k *kernel) signs(v []reg.VecVirtual, c chain) {
	if k.v.wide {
		for i, v := range v {
			if c := k.chain(i); !k.abs {
				VPMINSQ(c.negZero, v, c.negZero)
			}
		}
		return
	}
	h := YMM()
	VSHUFPS(U8(0xdd), v[len(v)-1], v[0], h)
	if !k.abs {
		VPMINSD(c.negZero, h, c.negZero)
	}
	VPADDD(h, h, h) // without the sign
	VPMAXUD(c.rng, h, c.rng)
}

// binades notes whether every t is in the binade of M₁. It may spoil t.
func (k *kernel) binades(t []reg.VecVirtual, c chain) {
	const (
		orXor  = 0xf6 // a | b^c
		xorXor = 0x7e // a^c | b^c
		orOr   = 0xfe // a | b | c
	)
	if len(t) != unroll {
		for _, t := range t {
			VPTERNLOGQ(U8(orXor), t, k.m[0], c.rng)
		}
		return
	}
	VPTERNLOGQ(U8(xorXor), k.m[0], t[1], t[0])
	VPTERNLOGQ(U8(xorXor), k.m[0], t[3], t[2])
	VPTERNLOGQ(U8(orOr), t[0], t[2], c.rng)
}

// finish takes what is left of a vector through the last folds.
func (k *kernel) finish(rest []Op, c chain) {
	for i, r := range rest {
		k.last(r, c, k.folds-len(rest)+i)
	}
}

// loop writes a loop over n elements, several vectors at a time and then one: body
// gets the vectors' numbers.
func (k *kernel) loop(name string, n reg.GPVirtual, body func(i []int), advance func(vectors int)) {
	for _, vectors := range []int{unroll, 1} {
		top, end := fmt.Sprint(name, vectors), fmt.Sprint(name, vectors, "end")
		Label(top)
		CMPQ(n, U32(vectors*k.v.lanes()))
		JLT(LabelRef(end))
		for i := 0; i < vectors; {
			var group []int
			for range min(k.v.group, vectors) {
				group = append(group, i)
				i++
			}
			body(group)
		}
		advance(vectors)
		SUBQ(U32(vectors*k.v.lanes()), n)
		JMP(LabelRef(top))
		Label(end)
	}
}

// chain returns that of vector i.
func (k *kernel) chain(i int) chain { return k.chains[i%len(k.chains)] }

// offsets are those of the vectors i of the slice.
func (k *kernel) offsets(i []int) (off []int) {
	for _, i := range i {
		off = append(off, i*k.v.lanes()*k.size())
	}
	return off
}

// direct writes the loop that takes every vector through all folds at once. It leaves
// in n minus the number of lanes that were empty.
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

// part writes what is done with less than a vector. It leaves in n minus the number of
// empty lanes: they hold +0 and count like any other.
func (k *kernel) part(n reg.GPVirtual, body func(tail reg.Register)) {
	TESTQ(n, n)
	JZ(LabelRef("whole"))
	body(k.mask(n))
	SUBQ(U32(k.v.lanes()), n)
	Label("whole")
}

// buffered writes the loops for AVX2: block by block, all folds but the last, then
// the last. It leaves in n minus the number of lanes that were empty.
func (k *kernel) buffered(n reg.GPVirtual) {
	k.at = GP64()
	block := k.room()
	left, done := GP64(), GP64()
	Label("block")
	// n has what is left; left what of it is in this block.
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
		ADDQ(U32(vectors*k.v.bytes), k.at)
	})
	k.part(left, func(tail reg.Register) { put([]int{0}, tail) })
	SUBQ(left, done) // with the empty lanes
	if k.exactDot() {
		k.look(underflow)
	}
	k.standard()
	XORQ(k.at, k.at)
	k.loop("rest", done, func(i []int) {
		for _, i := range i {
			var rest []Op
			for stream := range k.residuals {
				rest = append(rest, k.residual(stream, i))
			}
			k.finish(rest, k.chain(i))
		}
	}, func(vectors int) { ADDQ(U32(vectors*k.v.bytes), k.at) })
	k.look(inexact)
	TESTQ(n, n)
	JNZ(LabelRef("block"))
	MOVQ(left, n)
}

// room makes room for residuals and returns for how many elements.
func (k *kernel) room() int {
	streams := 1
	if k.exactDot() {
		streams = 2
	}
	base := GP64()
	LEAQ(AllocLocal(buffer+k.v.bytes), base)
	ADDQ(U32(k.v.bytes-1), base)
	ANDQ(I32(-k.v.bytes), base)
	for j := range streams {
		k.residuals = append(k.residuals, Mem{Base: base, Disp: j * buffer / streams})
	}
	return buffer / streams / 8
}

// residual is the place of vector i of those of stream j.
func (k *kernel) residual(j, i int) Mem {
	m := k.residuals[j]
	m.Index, m.Scale = k.at, 1
	return m.Offset(i * k.v.bytes)
}

func ops(r []reg.VecVirtual) (o []Op) {
	for _, r := range r {
		o = append(o, r)
	}
	return o
}

// generate writes the function.
func (k *kernel) generate(name string) {
	elem := "float64"
	if k.single {
		elem = "float32"
	}
	args := "x *" + elem
	if k.dot {
		args += ", y *" + elem
	}
	TEXT(name+k.v.name, 0, fmt.Sprintf("func(%s, n int, m *[3]float64, f *[6]uint64)", args))
	Pragma("noescape")
	Doc(name + k.v.name + " is " + name + "Generic for " + k.v.name + ".")

	k.x = Load(Param("x"), GP64()).(reg.GPVirtual)
	if k.dot {
		k.y = Load(Param("y"), GP64()).(reg.GPVirtual)
	}
	n := Load(Param("n"), GP64()).(reg.GPVirtual)
	m := Load(Param("m"), GP64())
	k.begin(m)
	if k.v.wide {
		k.direct(n)
	} else {
		k.buffered(n)
	}
	k.store(n)
	VZEROUPPER()
	RET()
}

// chainCount is how many chains there are registers for.
func (k *kernel) chainCount() int {
	if !k.v.wide && (k.folds > 2 || k.dot) {
		return 1
	}
	return 2
}

var oldCSR, newCSR Mem

// begin sets the registers and the processor's mode.
func (k *kernel) begin(m reg.Register) {
	oldCSR, newCSR = AllocLocal(8), AllocLocal(8)
	STMXCSR(oldCSR)
	k.standard()
	k.flags = GP64()
	XORQ(k.flags, k.flags)
	for f := range k.folds {
		k.m = append(k.m, k.v.broadcast(Mem{Base: m, Disp: 8 * f}))
	}
	for range k.chainCount() {
		c := chain{rng: k.v.zero()}
		if !k.abs {
			c.negZero = k.v.zero()
		}
		for range k.folds {
			c.sums = append(c.sums, k.v.zero())
		}
		k.chains = append(k.chains, c)
	}
	k.one = k.v.constant(math.Float64bits(1))
	if k.abs {
		k.sign = k.v.constant(1<<63 - 1)
	}
}

// standard sets the mode that the folds need, whatever it was, and clears the flags.
func (k *kernel) standard() {
	MOVL(U32(standard), newCSR)
	LDMXCSR(newCSR)
}

// look adds the flags in mask to those seen so far.
func (k *kernel) look(mask uint8) {
	r := GP64()
	STMXCSR(newCSR)
	MOVL(newCSR, r.As32())
	ANDQ(U8(mask), r)
	ORQ(r, k.flags)
}

// advance moves the pointers on.
func (k *kernel) advance(vectors int) {
	bytes := vectors * k.v.lanes() * k.size()
	ADDQ(U32(bytes), k.x)
	if k.dot {
		ADDQ(U32(bytes), k.y)
	}
}

// mask returns the mask for the first n lanes.
func (k *kernel) mask(n reg.GPVirtual) reg.Register {
	if k.v.wide {
		ones, kr := GP64(), K()
		MOVQ(n, reg.RCX)
		MOVQ(U32(1), ones)
		SHLQ(reg.CL, ones)
		DECQ(ones)
		KMOVB(ones.As32(), kr)
		return kr
	}
	// Element i of the table's part is all ones for i < n.
	table, p := GP64(), GP64()
	LEAQ(tailMask(), table)
	if k.single {
		r := XMM()
		MOVQ(n, p)
		NEGQ(p)
		VMOVDQU(Mem{Base: table, Index: p, Scale: 4, Disp: 16 + 64}, r)
		return r
	}
	r := YMM()
	MOVQ(n, p)
	NEGQ(p)
	VMOVDQU(Mem{Base: table, Index: p, Scale: 8, Disp: 32}, r)
	return r
}

var tailTable *Mem

// tailMask is four 64-bit ones and four zeros, then four 32-bit ones and zeros.
func tailMask() Mem {
	if tailTable == nil {
		m := GLOBL("tailMask", RODATA|NOPTR)
		for i := range 8 {
			DATA(8*i, U64(lane(i < 4)))
		}
		for i := range 8 {
			DATA(64+4*i, U32(lane(i < 4)))
		}
		tailTable = &m
	}
	return *tailTable
}

// lane is a lane of a mask.
func lane(on bool) uint64 {
	if on {
		return math.MaxUint64
	}
	return 0
}

// restore puts the mode back, if it was another: the flags may stay.
func (k *kernel) restore() {
	mode := GP32()
	MOVL(oldCSR, mode)
	ANDL(I32(^0x3f), mode)
	CMPL(mode, U32(standard))
	JEQ(LabelRef("restored"))
	LDMXCSR(oldCSR)
	Label("restored")
}

// store puts the mode back, adds the chains and their lanes up and subtracts what the
// constants themselves gave. n has minus the number of empty lanes.
func (k *kernel) store(n reg.GPVirtual) {
	k.restore()
	count, m, out := Load(Param("n"), GP64()).(reg.GPVirtual), Load(Param("m"), GP64()), Load(Param("f"), GP64())
	SUBQ(n, count)
	c := k.chains[0]
	for _, d := range k.chains[1:] {
		for f := range c.sums {
			VPADDQ(d.sums[f], c.sums[f], c.sums[f])
		}
		k.higher(d.rng, c.rng, c.rng)
		if !k.abs {
			k.lower(d.negZero, c.negZero, c.negZero)
		}
	}
	for f, s := range c.sums {
		total, bits := k.across(s, func(a Op, b, c reg.VecVirtual) { VPADDQ(a, b, c) }), GP64()
		MOVQ(Mem{Base: m, Disp: 8 * f}, bits)
		IMULQ(count, bits)
		SUBQ(bits, total)
		if k.exactDot() && f == 1 {
			SUBQ(bits, total) // e went through it too
		}
		MOVQ(total, Mem{Base: out, Disp: 8 * f})
	}
	MOVQ(k.rangeOf(c, m), Mem{Base: out, Disp: 24})
	MOVQ(k.flags, Mem{Base: out, Disp: 32})
	MOVQ(k.lowest(c), Mem{Base: out, Disp: 40})
}

// lowest returns what Folds.Lowest says.
func (k *kernel) lowest(c chain) reg.GPVirtual {
	if k.abs {
		zero := GP64()
		XORQ(zero, zero)
		return zero
	}
	r := k.across(c.negZero, k.lower)
	if k.v.wide {
		return r
	}
	high := GP64()
	MOVQ(r, high)
	SHRQ(U8(32), high)
	CMPL(r.As32(), high.As32())
	CMOVLLT(r.As32(), high.As32())
	SHLQ(U8(32), high)
	return high
}

// rangeOf returns what Folds.Range says.
func (k *kernel) rangeOf(c chain, m reg.Register) reg.GPVirtual {
	r := k.across(c.rng, k.higher)
	if k.v.wide {
		return r
	}
	// The larger half, and twice the upper half of 2^(e−1), the first value that is
	// out of range: its exponent is one less than M's, which is 1.5·2^e.
	high, limit, out := GP64(), GP32(), GP64()
	MOVQ(r, high)
	SHRQ(U8(32), high)
	CMPL(r.As32(), high.As32())
	CMOVLHI(r.As32(), high.As32())
	MOVL(Mem{Base: m, Disp: 4}, limit)
	SUBL(U32(1<<20|1<<19+1), limit)
	ADDL(limit, limit)
	XORQ(out, out)
	CMPL(high.As32(), limit)
	SETCC(out.As8())
	SHLQ(U8(63), out)
	return out
}

// higher combines two values of chain.rng.
func (k *kernel) higher(a Op, b, c reg.VecVirtual) {
	switch {
	case !k.v.wide:
		VPMAXUD(a, b, c)
	case c.Size() == uint(avx512.bytes):
		VPORQ(a, b, c)
	default:
		VPOR(a, b, c)
	}
}

// lower combines two values of chain.negZero.
func (k *kernel) lower(a Op, b, c reg.VecVirtual) {
	if k.v.wide {
		VPMINSQ(a, b, c)
	} else {
		VPMINSD(a, b, c)
	}
}

// across combines the lanes of r.
func (k *kernel) across(r reg.VecVirtual, op func(a Op, b, c reg.VecVirtual)) reg.GPVirtual {
	if k.v.wide {
		h := YMM()
		VEXTRACTI64X4(U8(1), r, h)
		op(h, r.AsY().(reg.VecVirtual), h)
		r = h
	}
	h := XMM()
	VEXTRACTI128(U8(1), r.AsY(), h)
	op(h, r.AsX().(reg.VecVirtual), h)
	l := XMM()
	VPSHUFD(U8(0x4e), h, l)
	op(l, h, h)
	g := GP64()
	MOVQ(h, g)
	return g
}

func main() {
	ConstraintExpr("!purego")
	for _, v := range []vector{avx2, avx512} {
		(&kernel{v: v, folds: 2}).generate("foldSum2")
		(&kernel{v: v, folds: 3}).generate("foldSum3")
		(&kernel{v: v, folds: 2, abs: true}).generate("foldAsum2")
		(&kernel{v: v, folds: 2, single: true}).generate("foldSum2F32")
		(&kernel{v: v, folds: 2, single: true, abs: true}).generate("foldAsum2F32")
		(&kernel{v: v, folds: 3, dot: true}).generate("foldDot")
		(&kernel{v: v, folds: 2, dot: true, single: true}).generate("foldDot2F32")
	}
	Generate()
}
