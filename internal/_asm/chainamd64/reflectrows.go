package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// piece is a part of a row: elements that are in one register.
type piece struct {
	bytes int
	from  reg.Register // bytes from the row to the piece, besides disp; nil: 0
	disp  int
}

func (p piece) at(row reg.Register) Mem {
	m := Mem{Base: row, Disp: p.disp}
	if p.from != nil {
		return m.Idx(p.from, 1)
	}
	return m
}

// The registers of chainReflectRows: the sums of the pieces, the element of x,
// scale, and two pieces of a row.
const (
	reflectX     = gen.ChainEliminateVectors
	reflectScale = reflectX + 1
	reflectA     = reflectX + 2
)

// chainReflectRows writes chainReflectRows, with AVX2.
func (v vector) chainReflectRows() {
	name := gen.Stub("chainReflectRows", v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainReflectRowsSignature(v.size),
		name+" "+gen.ChainDoc("chainReflectRows", v.size, v.Level, "chainamd64"))
	rows, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	px, a := Load(Param("x"), GP64()), Load(Param("a"), GP64())
	xRow, aRow := v.stride("xRow"), v.stride("aRow")
	v.moveScalar(parameter("scale"), v.x(reflectScale))
	r := reflectRows{v, rows, px, a, xRow, aRow, GP64()}
	width := v.Bytes / v.size
	for count := 1; count < width; count++ {
		CMPQ(n, Imm(uint64(count)))
		JNE(LabelRef(fmt.Sprint("notOf", count)))
		pieces := []piece{}
		for bytes, at := v.Bytes/2, 0; bytes >= v.size; bytes /= 2 {
			if count&(bytes/v.size) != 0 {
				pieces = append(pieces, piece{bytes, nil, at})
				at += bytes
			}
		}
		r.write(fmt.Sprint("Of", count), pieces)
		Label(fmt.Sprint("notOf", count))
	}
	Comment("The last vector of a row overlaps with the one before it.")
	last := GP64()
	LEAQ(Mem{Base: n, Disp: -width}, last)
	SHLQ(Imm(uint64(gen.Log2(v.size))), last)
	for count := 1; count <= gen.ChainEliminateVectors; count++ {
		if count < gen.ChainEliminateVectors {
			CMPQ(n, Imm(uint64(count*width)))
			JGT(LabelRef(fmt.Sprint("above", count)))
		}
		pieces := []piece{}
		for i := range count - 1 {
			pieces = append(pieces, piece{v.Bytes, nil, i * v.Bytes})
		}
		r.write(fmt.Sprint("vectors", count), append(pieces, piece{v.Bytes, last, 0}))
		if count < gen.ChainEliminateVectors {
			Label(fmt.Sprint("above", count))
		}
	}
}

// reflectRows is chainReflectRows being written.
type reflectRows struct {
	vector
	rows, px, a, xRow, aRow reg.Register
	count                   reg.GPVirtual
}

// write writes the code for the pieces of a row, and returns.
func (r reflectRows) write(suffix string, pieces []piece) {
	for i := range pieces {
		VXORPS(r.x(i), r.x(i), r.x(i))
	}
	MOVQ(r.rows, r.count)
	Label("sum" + suffix)
	r.broadcast(Mem{Base: r.px}, r.reg(reflectX))
	for i, p := range pieces {
		r.fmaPart(p.bytes, p.at(r.a), r.reg(reflectA), r.reg(reflectX), r.reg(i))
	}
	ADDQ(r.xRow, r.px)
	ADDQ(r.aRow, r.a)
	DECQ(r.count)
	JNZ(LabelRef("sum" + suffix))

	Load(Param("x"), r.px)
	Load(Param("a"), r.a)
	Label("row" + suffix)
	r.mulScalar(Mem{Base: r.px}, r.x(reflectScale), r.x(reflectX))
	r.broadcast(r.x(reflectX), r.reg(reflectX))
	for i := 0; i < len(pieces); {
		group := pieces[i:min(i+1, len(pieces))]
		if i == len(pieces)-2 {
			group = pieces[i:]
		}
		for g, p := range group {
			to := part(p.bytes, r.reg(reflectA+g))
			r.movePart(p.bytes, p.at(r.a), to)
			r.subProduct(part(p.bytes, r.reg(i+g)), part(p.bytes, r.reg(reflectX)), to)
		}
		for g, p := range group {
			r.movePart(p.bytes, r.reg(reflectA+g), p.at(r.a))
		}
		i += len(group)
	}
	ADDQ(r.xRow, r.px)
	ADDQ(r.aRow, r.a)
	DECQ(r.rows)
	JNZ(LabelRef("row" + suffix))
	VZEROUPPER()
	RET()
}
