// Command residueamd64 writes internal/kernel's products of matrices of
// integers by their residues, for AVX-512 with VNNI. The contract of each
// function is the method of Residues that calls it.
//
// # Contract
//
//	residueSplit      Residues.Split, of whole blocks
//	residueTranspose  dst[j·dstRow + i] = src[i·16 + j] for 16×16 groups of bytes
//	residueTile       Residues.Tile
//	residueJoin       Residues.Join, of a multiple of 16 elements
//	residueRound      Residues.Round, of a multiple of 8 elements
//
// # Method
//
// VPDPBUSD adds four products of bytes, unsigned times signed, to each of 16
// sums of 32 bits. It adds products of residues in a tile, as chainamd64 adds
// products of float32. To split an integer, it adds products of the integer's
// bytes and the residues of powers of 256.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

const bytes = 64 // of a register

func main() {
	ConstraintExpr("!purego")
	split()
	transpose()
	tile()
	join()
	round()
	Generate()
}

// begin begins a function.
func begin(operation, signature string) {
	name := operation + "VNNI"
	gen.Begin(name, NOSPLIT, "func"+signature,
		name+" is "+operation+" with AVX-512 and VNNI."+gen.Origin("residueamd64"))
}

func load(name string) reg.Register { return Load(Param(name), GP64()) }

// broadcast returns a register full of a parameter of type float64.
func broadcast(name string) reg.VecVirtual {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	r := ZMM()
	VBROADCASTSD(p.Addr, r)
	return r
}

// zmms returns new registers.
func zmms(n int) []reg.VecVirtual {
	r := make([]reg.VecVirtual, n)
	for i := range r {
		r[i] = ZMM()
	}
	return r
}

// nearest rounds to an integer, to nearest, without an exception.
const nearest = 8

// split writes residueSplit.
func split() {
	begin("residueSplit", "(dst *byte, plane, step int, x *float64, blocks int, "+
		"scale, back float64, moduli *uint32, count int, offset float32) uint64")
	dst, plane, step := load("dst"), load("plane"), load("step")
	x, blocks := load("x"), load("blocks")
	moduli, count := load("moduli"), load("count")
	s := splitter{scale: broadcast("scale"), back: broadcast("back"), x: x,
		half: gen.AVX512.Constant(0x42F0000000000000), sign: gen.AVX512.Constant(1 << 63),
		inexact: K()}
	offset := ZMM()
	p, err := Param("offset").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(p.Addr, offset)
	KXORW(s.inexact, s.inexact, s.inexact)
	masks := make([]reg.OpmaskVirtual, 3)
	for i := range masks {
		g := GP64()
		MOVQ(U64(0x1111111111111111<<(i+1)), g)
		masks[i] = K()
		KMOVQ(g, masks[i])
	}

	Label("block")
	var limbs [4][3]reg.VecVirtual
	for v := range limbs {
		limbs[v] = s.limbs(v)
	}
	m, to, left := GP64(), GP64(), GP64()
	MOVQ(moduli, m)
	MOVQ(dst, to)
	MOVQ(count, left)
	Label("modulus")
	coefficients := zmms(3)
	for i, c := range coefficients {
		VPBROADCASTD(Mem{Base: m, Disp: gen.SplitCoefficients + 4*i}, c)
	}
	inverse, negative := ZMM(), ZMM()
	VBROADCASTSS(Mem{Base: m, Disp: gen.SplitInverse}, inverse)
	VPBROADCASTD(Mem{Base: m, Disp: gen.SplitNegative}, negative)
	sums := zmms(4)
	for v, sum := range sums {
		VPBROADCASTD(Mem{Base: m, Disp: gen.SplitBase}, sum)
		for i, c := range coefficients {
			VPDPBUSD(c, limbs[v][i], sum)
		}
		q := ZMM()
		VCVTDQ2PS(sum, q)
		VFMADD213PS(offset, inverse, q)
		VCVTPS2DQ(q, q)
		VPDPWSSD(negative, q, sum)
		if v > 0 {
			VPSLLD(Imm(uint64(8*v)), sum, sum)
			VMOVDQU8(sum, masks[v-1], sums[0])
		}
	}
	VMOVDQU32(sums[0], Mem{Base: to})
	ADDQ(plane, to)
	ADDQ(Imm(gen.SplitSize), m)
	DECQ(left)
	JNZ(LabelRef("modulus"))

	ADDQ(step, dst)
	ADDQ(I32(8*gen.ResidueBlock), x)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	inexact := GP64()
	KMOVW(s.inexact, inexact.As32())
	Store(inexact, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// splitter turns numbers into integers.
type splitter struct {
	scale, back, half, sign reg.VecVirtual
	x                       reg.Register
	inexact                 reg.OpmaskVirtual
}

// limbs returns the digits of base 2^32 of 16 integers plus 2^95, in some
// order.
func (s splitter) limbs(v int) (limbs [3]reg.VecVirtual) {
	var low, high [2]reg.VecVirtual
	for i := range low {
		x := Mem{Base: s.x, Disp: (2*v + i) * bytes}
		y, t, unequal := ZMM(), ZMM(), K()
		VMULPD(x, s.scale, y)
		VMULPD(s.back, y, t)
		VCMPPD(Imm(4), x, t, unequal)
		KORW(unequal, s.inexact, s.inexact)
		low[i], high[i] = ZMM(), ZMM()
		VRNDSCALEPD(Imm(nearest), y, high[i])
		VSUBPD(high[i], y, y)
		VMULPD(s.half, y, y)
		VRNDSCALEPD(Imm(nearest), y, low[i])
		VCMPPD(Imm(4), y, low[i], unequal)
		KORW(unequal, s.inexact, s.inexact)
		VCVTPD2QQ(low[i], low[i])
		VCVTPD2QQ(high[i], high[i])
		VPSLLQ(Imm(16), high[i], high[i])
		VPSRAQ(Imm(32), low[i], t)
		VPADDQ(t, high[i], high[i])
		VPXORQ(s.sign, high[i], high[i])
	}
	for i := range limbs {
		limbs[i] = ZMM()
	}
	VSHUFPS(Imm(0x88), low[1], low[0], limbs[0])
	VSHUFPS(Imm(0x88), high[1], high[0], limbs[1])
	VSHUFPS(Imm(0xdd), high[1], high[0], limbs[2])
	return limbs
}

// transpose writes residueTranspose.
func transpose() {
	begin("residueTranspose", "(dst *byte, dstRow int, src *byte)")
	dst, dstRow, src := load("dst"), load("dstRow"), load("src")
	rows := zmms(16)
	for i, r := range rows {
		VMOVDQU32(Mem{Base: src, Disp: bytes * i}, r)
	}
	pairs := zmms(16)
	for i := 0; i < 16; i += 2 {
		VPUNPCKLDQ(rows[i+1], rows[i], pairs[i])
		VPUNPCKHDQ(rows[i+1], rows[i], pairs[i+1])
	}
	// Lane l of quads[4i+c] holds column 4l+c of the rows from 4i on.
	quads := zmms(16)
	for i := 0; i < 16; i += 4 {
		VPUNPCKLQDQ(pairs[i+2], pairs[i], quads[i])
		VPUNPCKHQDQ(pairs[i+2], pairs[i], quads[i+1])
		VPUNPCKLQDQ(pairs[i+3], pairs[i+1], quads[i+2])
		VPUNPCKHQDQ(pairs[i+3], pairs[i+1], quads[i+3])
	}
	columns := make([]reg.VecVirtual, 16)
	for c := range 4 {
		for odd, select2 := range []uint64{0x88, 0xdd} {
			low, high := ZMM(), ZMM()
			VSHUFI32X4(Imm(select2), quads[4+c], quads[c], low)
			VSHUFI32X4(Imm(select2), quads[12+c], quads[8+c], high)
			first, second := 4*odd+c, 4*odd+c+8
			columns[first], columns[second] = ZMM(), ZMM()
			VSHUFI32X4(Imm(0x88), high, low, columns[first])
			VSHUFI32X4(Imm(0xdd), high, low, columns[second])
		}
	}
	for _, c := range columns {
		VMOVDQU32(c, Mem{Base: dst})
		ADDQ(dstRow, dst)
	}
	VZEROUPPER()
	RET()
}

// tile writes residueTile.
func tile() {
	const vectors = gen.ResidueColumns / 16
	begin("residueTile", "(blocks int, a, b *byte, c *int32, cRow int)")
	blocks, a, b, c, cRow := load("blocks"), load("a"), load("b"), load("c"), load("cRow")
	SHLQ(Imm(2), cRow)
	zmm := gen.AVX512.Physical(32)
	acc := func(row, v int) reg.VecPhysical { return zmm[row*vectors+v] }
	right := zmm[gen.ResidueRows*vectors:][:vectors]
	left := zmm[(gen.ResidueRows+1)*vectors:]
	for i := range gen.ResidueRows * vectors {
		VPXORD(zmm[i], zmm[i], zmm[i])
	}
	groups := GP64()
	Label("block")
	MOVQ(U32(gen.ResidueBlock/gen.ResidueGroup/2), groups)
	Label("group")
	for half := range 2 {
		for v, r := range right {
			VMOVDQU32(Mem{Base: b, Disp: (half*vectors + v) * bytes}, r)
		}
		for row := range gen.ResidueRows {
			l := left[row%len(left)]
			VPBROADCASTD(Mem{Base: a, Disp: row*gen.ResidueBlock + half*gen.ResidueGroup}, l)
			for v, r := range right {
				VPDPBUSD(l, r, acc(row, v))
			}
		}
		if half == 0 {
			PREFETCHT0(Mem{Base: b, Disp: 1024})
			PREFETCHT0(Mem{Base: b, Disp: 1024 + bytes})
			PREFETCHT0(Mem{Base: b, Disp: 1024 + 2*bytes})
		} else {
			PREFETCHT0(Mem{Base: b, Disp: 1024 + 3*bytes})
			PREFETCHT0(Mem{Base: b, Disp: 1024 + 4*bytes})
			PREFETCHT0(Mem{Base: b, Disp: 1024 + 5*bytes})
		}
	}
	ADDQ(Imm(2*gen.ResidueGroup), a)
	ADDQ(I32(2*vectors*bytes), b)
	DECQ(groups)
	JNZ(LabelRef("group"))
	ADDQ(I32((gen.ResidueRows-1)*gen.ResidueBlock), a)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	for row := range gen.ResidueRows {
		for v := range vectors {
			VMOVDQU32(acc(row, v), Mem{Base: c, Disp: v * bytes})
		}
		ADDQ(cRow, c)
	}
	VZEROUPPER()
	RET()
}

// join writes residueJoin.
func join() {
	const (
		vectors = 2
		magic   = 0x4338000000000000 // 1.5·2^52
	)
	begin("residueJoin", "(hi, lo *float64, c *int32, plane, n int, moduli *float64, "+
		"count int, scale float64, scales *float64)")
	hi, lo, c, plane, n := load("hi"), load("lo"), load("c"), load("plane"), load("n")
	moduli, count, scales := load("moduli"), load("count"), load("scales")
	SHLQ(Imm(2), plane)
	rounding, scale := gen.AVX512.Constant(magic), broadcast("scale")

	Label("vectors")
	var sums [vectors][3]reg.VecVirtual
	for v := range sums {
		for i := range sums[v] {
			sums[v][i] = gen.AVX512.Zero()
		}
	}
	from, m, left := GP64(), GP64(), GP64()
	MOVQ(c, from)
	MOVQ(moduli, m)
	MOVQ(count, left)
	Label("modulus")
	k := constants(m)
	for v := range sums {
		x, q := ZMM(), ZMM()
		VCVTDQ2PD(Mem{Base: from, Disp: v * bytes / 2}, x)
		VMOVAPD(x, q)
		VFMADD213PD(rounding, k.inverse, q)
		VSUBPD(rounding, q, q)
		VFNMADD231PD(k.modulus, q, x)
		for i, w := range k.weights {
			VFMADD231PD(w, x, sums[v][i])
		}
	}
	ADDQ(plane, from)
	ADDQ(Imm(gen.JoinSize), m)
	DECQ(left)
	JNZ(LabelRef("modulus"))

	// The last one is the product of all moduli.
	k = constants(m)
	for v := range sums {
		q := ZMM()
		VMOVAPD(sums[v][0], q)
		VFMADD213PD(rounding, k.inverse, q)
		VSUBPD(rounding, q, q)
		for i, w := range k.weights {
			VFNMADD231PD(w, q, sums[v][i])
		}
		s, e := twoSum(sums[v][0], sums[v][1])
		f, g := twoSum(e, sums[v][2])
		high, low := twoSum(s, f)
		VADDPD(g, low, low)
		for i, r := range []reg.VecVirtual{high, low} {
			VMULPD(scale, r, r)
			VMULPD(Mem{Base: scales, Disp: v * bytes}, r, r)
			VMOVUPD(r, Mem{Base: []reg.Register{hi, lo}[i], Disp: v * bytes})
		}
	}
	for _, p := range []reg.Register{hi, lo, scales} {
		ADDQ(I32(vectors*bytes), p)
	}
	ADDQ(Imm(vectors*bytes/2), c)
	SUBQ(Imm(vectors*8), n)
	JNZ(LabelRef("vectors"))
	VZEROUPPER()
	RET()
}

// joinConstants holds the constants of a modulus.
type joinConstants struct {
	inverse, modulus reg.VecVirtual
	weights          []reg.VecVirtual
}

func constants(m reg.Register) joinConstants {
	k := joinConstants{ZMM(), ZMM(), zmms(3)}
	VBROADCASTSD(Mem{Base: m, Disp: gen.JoinInverse}, k.inverse)
	VBROADCASTSD(Mem{Base: m, Disp: gen.JoinModulus}, k.modulus)
	for i, w := range k.weights {
		VBROADCASTSD(Mem{Base: m, Disp: gen.JoinWeights + 8*i}, w)
	}
	return k
}

// twoSum returns the rounded sum and its error.
func twoSum(a, b reg.VecVirtual) (s, e reg.VecVirtual) {
	s, e = ZMM(), ZMM()
	t, u := ZMM(), ZMM()
	VADDPD(b, a, s)
	VSUBPD(a, s, t) // t = s − a
	VSUBPD(t, s, u) // u = s − t
	VSUBPD(u, a, u) // the error of a
	VSUBPD(t, b, e) // the error of b
	VADDPD(u, e, e)
	return s, e
}

// round writes residueRound.
func round() {
	begin("residueRound", "(dst *float64, fails *byte, hi, lo *float64, n int, row *float64, "+
		"norms, errors, scales *float64)")
	dst, fails, hi, lo, n := load("dst"), load("fails"), load("hi"), load("lo"), load("n")
	row, columns := load("row"), []reg.Register{load("norms"), load("errors"), load("scales")}
	var factors [3]reg.VecVirtual
	for i, at := range []int{gen.RoundError, gen.RoundNorm, gen.RoundJoined} {
		factors[i] = ZMM()
		VBROADCASTSD(Mem{Base: row, Disp: at}, factors[i])
	}
	unit := gen.AVX512.Constant(0x3CB0000200000000) // 2^-52·(1+2^-19)
	more := gen.AVX512.Constant(0x3FF0000200000000) // 1+2^-19
	magnitude := gen.AVX512.Constant(1<<63 - 1)
	zero := gen.AVX512.Zero()

	Label("vector")
	high, low, e, t := ZMM(), ZMM(), ZMM(), ZMM()
	VMOVUPD(Mem{Base: hi}, high)
	VMOVUPD(Mem{Base: lo}, low)
	VMULPD(Mem{Base: columns[0]}, factors[0], e)
	for i := 1; i < 3; i++ {
		VFMADD231PD(Mem{Base: columns[i]}, factors[i], e)
	}
	VMULPD(more, e, e)
	VPANDQ(magnitude, low, t)
	VFMADD231PD(unit, t, e)
	down, up := ZMM(), ZMM()
	VSUBPD(e, low, down)
	VADDPD(down, high, down)
	VADDPD(e, low, up)
	VADDPD(up, high, up)
	VMOVUPD(down, Mem{Base: dst})
	equal, sure := K(), K()
	VCMPPD(Imm(0), up, down, equal)  // equal and no NaN
	VCMPPD(Imm(4), zero, down, sure) // not zero,
	exactly := K()
	VCMPPD(Imm(0), zero, e, exactly) // or zero without an error
	KORW(exactly, sure, sure)
	KANDW(sure, equal, equal)
	KNOTW(equal, equal)
	flags := GP32()
	KMOVW(equal, flags)
	MOVB(flags.As8(), Mem{Base: fails})
	INCQ(fails)
	for _, p := range append([]reg.Register{dst, hi, lo}, columns...) {
		ADDQ(Imm(bytes), p)
	}
	SUBQ(Imm(8), n)
	JNZ(LabelRef("vector"))
	VZEROUPPER()
	RET()
}
