package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// copier holds the operands of a copy being written.
type copier struct {
	format
	dst, dstRow, src, srcRow, rows, cols reg.Register
	alpha                                reg.VecVirtual
}

// begin begins the function of a copy.
func (f format) begin(operation string) copier {
	level := gen.AVX2.Level
	name := gen.Stub(operation, f.size, level)
	gen.Begin(name, NOSPLIT, "func"+gen.ChainPackSignature(f.size),
		name+" "+gen.ChainDoc(operation, f.size, level, "chainamd64"))
	c := copier{format: f,
		dst: Load(Param("dst"), GP64()), dstRow: f.stride("dstRow"),
		src: Load(Param("src"), GP64()), srcRow: f.stride("srcRow"),
		rows: Load(Param("rows"), GP64()), cols: Load(Param("cols"), GP64()),
		alpha: YMM(),
	}
	f.broadcast(parameter("alpha"), c.alpha)
	return c
}

// packRows writes chainPackRows.
func (f format) packRows() {
	c := f.begin("chainPackRows")
	at, rest := GP64(), GP64()
	from := Mem{Base: c.src, Index: at, Scale: uint8(f.size)}
	to := Mem{Base: c.dst, Index: at, Scale: uint8(f.size)}
	width, t := gen.AVX2.Bytes/f.size, YMM()
	TESTQ(c.rows, c.rows)
	JZ(LabelRef("done"))

	Label("row")
	XORL(at.As32(), at.As32())
	MOVQ(c.cols, rest)
	SUBQ(Imm(uint64(width)), rest)
	JLT(LabelRef("rest"))
	Label("vector")
	f.mul(from, c.alpha, t)
	f.move(t, to)
	ADDQ(Imm(uint64(width)), at)
	SUBQ(Imm(uint64(width)), rest)
	JGE(LabelRef("vector"))

	Label("rest")
	ADDQ(Imm(uint64(width)), rest)
	JZ(LabelRef("next"))
	Label("element")
	f.mulScalar(from, c.alpha.AsX(), t.AsX())
	f.moveScalar(t.AsX(), to)
	INCQ(at)
	DECQ(rest)
	JNZ(LabelRef("element"))

	Label("next")
	ADDQ(c.srcRow, c.src)
	ADDQ(c.dstRow, c.dst)
	DECQ(c.rows)
	JNZ(LabelRef("row"))
	Label("done")
	VZEROUPPER()
	RET()
}

// packColumns writes chainPackColumns.
func (f format) packColumns() {
	c := f.begin("chainPackColumns")
	m := matrix{bases: []reg.Register{c.src}, stride: c.srcRow, stride3: GP64()}
	LEAQ(Mem{Base: c.srcRow, Index: c.srcRow, Scale: 2}, m.stride3)
	TESTQ(c.cols, c.cols)
	JZ(LabelRef("done"))
	width := gen.AVX2.Bytes / f.size
	Label("columns")
	var rows [4]reg.VecVirtual
	for i := range rows {
		rows[i] = YMM()
		f.mul(m.row(i), c.alpha, rows[i])
	}
	for _, column := range f.transpose(rows) {
		column(Mem{Base: c.dst})
		ADDQ(c.dstRow, c.dst)
	}
	ADDQ(Imm(uint64(gen.AVX2.Bytes)), c.src)
	SUBQ(Imm(uint64(width)), c.cols)
	JNZ(LabelRef("columns"))
	Label("done")
	VZEROUPPER()
	RET()
}

// transpose transposes 4 rows and returns the stores of the columns.
func (f format) transpose(rows [4]reg.VecVirtual) (stores []func(to Mem)) {
	// pair interleaves the rows 0 and 1, or 2 and 3: of each half of 128 bits
	// the lower or the upper elements.
	pair := func(unpack func(...Op), i int) reg.VecVirtual {
		t := YMM()
		unpack(rows[i+1], rows[i], t)
		return t
	}
	low, high := [2]reg.VecVirtual{pair(f.unpackLow, 0), pair(f.unpackLow, 2)},
		[2]reg.VecVirtual{pair(f.unpackHigh, 0), pair(f.unpackHigh, 2)}
	if f.size == 8 {
		for _, half := range []uint64{0x20, 0x31} {
			for _, p := range [][2]reg.VecVirtual{low, high} {
				stores = append(stores, func(to Mem) {
					t := YMM()
					VPERM2F128(Imm(half), p[1], p[0], t)
					VMOVUPD(t, to)
				})
			}
		}
		return stores
	}
	var quads []reg.VecVirtual // columns 0 and 4, 1 and 5, 2 and 6, 3 and 7
	for _, p := range [][2]reg.VecVirtual{low, high} {
		for _, unpack := range []func(...Op){VUNPCKLPD, VUNPCKHPD} {
			t := YMM()
			unpack(p[1], p[0], t)
			quads = append(quads, t)
		}
	}
	for i := range 8 {
		stores = append(stores, func(to Mem) {
			if q := quads[i%4]; i < 4 {
				VMOVUPS(q.AsX(), to)
			} else {
				VEXTRACTF128(Imm(1), q, to)
			}
		})
	}
	return stores
}
