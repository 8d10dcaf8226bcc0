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

// The registers of rowsOfPieces: sums or elements of y, the element of x,
// scale, and two pieces of a row.
const (
	piecesX     = gen.ChainEliminateVectors
	piecesScale = piecesX + 1
	piecesA     = piecesX + 2
)

// rowsOfPieces is chainReflect or chainEliminate being written. A row
// of at most 8 vectors consists of pieces: the last vector overlaps with the
// one before it, so that no store is masked. A load would wait for that.
type rowsOfPieces struct {
	vector
	rows, px, a, xRow, aRow reg.Register
	count                   reg.GPVirtual
}

// rowsOfPieces begins a function. The number of elements of a row is n.
func (v vector) rowsOfPieces(operation, signature string) (r rowsOfPieces, n reg.Register) {
	name := gen.Stub(operation, v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+signature,
		name+" "+gen.ChainDoc(operation, v.size, v.Level, "chainamd64"))
	rows, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	px, a := Load(Param("x"), GP64()), Load(Param("a"), GP64())
	v.moveScalar(parameter("scale"), v.x(piecesScale))
	return rowsOfPieces{v, rows, px, a, v.stride("xRow"), v.stride("aRow"), GP64()}, n
}

// each calls write for the pieces of rows of each length n.
func (r rowsOfPieces) each(n reg.Register, write func(suffix string, pieces []piece)) {
	width := r.Bytes / r.size
	for count := 1; count < width; count++ {
		CMPQ(n, Imm(uint64(count)))
		JNE(LabelRef(fmt.Sprint("notOf", count)))
		pieces := []piece{}
		for bytes, at := r.Bytes/2, 0; bytes >= r.size; bytes /= 2 {
			if count&(bytes/r.size) != 0 {
				pieces = append(pieces, piece{bytes, nil, at})
				at += bytes
			}
		}
		write(fmt.Sprint("Of", count), pieces)
		Label(fmt.Sprint("notOf", count))
	}
	last := GP64()
	LEAQ(Mem{Base: n, Disp: -width}, last)
	SHLQ(Imm(uint64(gen.Log2(r.size))), last)
	for count := 1; count <= gen.ChainEliminateVectors; count++ {
		if count < gen.ChainEliminateVectors {
			CMPQ(n, Imm(uint64(count*width)))
			JGT(LabelRef(fmt.Sprint("above", count)))
		}
		pieces := []piece{}
		for i := range count - 1 {
			pieces = append(pieces, piece{r.Bytes, nil, i * r.Bytes})
		}
		write(fmt.Sprint("vectors", count), append(pieces, piece{r.Bytes, last, 0}))
		if count < gen.ChainEliminateVectors {
			Label(fmt.Sprint("above", count))
		}
	}
}

// goOn continues with the next row, and jumps unless there is none.
func (r rowsOfPieces) goOn(count reg.Register, label string) {
	ADDQ(r.xRow, r.px)
	ADDQ(r.aRow, r.a)
	DECQ(count)
	JNZ(LabelRef(label))
}

// subtract subtracts the pieces of the first registers, times x, from a row.
// The last two pieces are loaded before either is stored.
func (r rowsOfPieces) subtract(pieces []piece) {
	for i := 0; i < len(pieces); {
		group := pieces[i : i+1]
		if i == len(pieces)-2 {
			group = pieces[i:]
		}
		for g, p := range group {
			to := part(p.bytes, r.reg(piecesA+g))
			r.movePart(p.bytes, p.at(r.a), to)
			r.subProduct(part(p.bytes, r.reg(i+g)), part(p.bytes, r.reg(piecesX)), to)
		}
		for g, p := range group {
			r.movePart(p.bytes, r.reg(piecesA+g), p.at(r.a))
		}
		i += len(group)
	}
}

// chainReflect writes chainReflect, with AVX2.
func (v vector) chainReflect() {
	r, n := v.rowsOfPieces("chainReflect", gen.ChainReflectSignature(v.size))
	r.each(n, func(suffix string, pieces []piece) {
		for i := range pieces {
			VXORPS(r.x(i), r.x(i), r.x(i))
		}
		MOVQ(r.rows, r.count)
		Label("sum" + suffix)
		r.broadcast(Mem{Base: r.px}, r.reg(piecesX))
		for i, p := range pieces {
			r.fmaPart(p.bytes, p.at(r.a), r.reg(piecesA), r.reg(piecesX), r.reg(i))
		}
		r.goOn(r.count, "sum"+suffix)

		Load(Param("x"), r.px)
		Load(Param("a"), r.a)
		Label("row" + suffix)
		r.mulScalar(Mem{Base: r.px}, r.x(piecesScale), r.x(piecesX))
		r.broadcast(r.x(piecesX), r.reg(piecesX))
		r.subtract(pieces)
		r.goOn(r.rows, "row"+suffix)
		VZEROUPPER()
		RET()
	})
}

// chainEliminate writes chainEliminate, with AVX2.
func (v vector) chainEliminate() {
	r, n := v.rowsOfPieces("chainEliminate", gen.ChainEliminateSignature(v.size))
	y, keep := Load(Param("y"), GP64()), Load(Param("keep"), GP64())
	r.each(n, func(suffix string, pieces []piece) {
		for i, p := range pieces {
			r.movePart(p.bytes, p.at(y), r.reg(i))
		}
		Label("row" + suffix)
		r.mulScalar(Mem{Base: r.px}, r.x(piecesScale), r.x(piecesX))
		TESTQ(keep, keep)
		JNZ(LabelRef("keep" + suffix))
		r.moveScalar(r.x(piecesX), Mem{Base: r.px})
		Label("keep" + suffix)
		r.broadcast(r.x(piecesX), r.reg(piecesX))
		r.subtract(pieces)
		r.goOn(r.rows, "row"+suffix)
		VZEROUPPER()
		RET()
	})
}
