package main

import (
	"fmt"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// Registers of chainAxpy and chainDots.
const (
	row4   = 4 // registers of ChainLanesBytes
	firstY = 16
	firstX = 16
	part   = 20 // first register for elements of a
)

// axpy writes chainAxpy.
func (w *writer) axpy() {
	const count, n, a, aRow, x, y, at = "R0", "R1", "R2", "R3", "R4", "R5", "R6"
	w.Load("rows", count, "n", n, "a", a, "aRow", aRow, "x", x, "y", y)
	w.shift(aRow)
	elements := gen.ChainLanesBytes / w.size
	w.Ins("CMP $1, %s", count)
	w.Ins("BEQ one")
	for _, rows := range []int{gen.ChainAxpyRows, 1} {
		suffix := map[bool]string{true: "One", false: "All"}[rows == 1]
		if rows == 1 {
			w.Label("one")
		}
		for i := range rows {
			w.Ins("FMOV%s %d(%s), F%d", w.suffix, i*w.size, x, i)
		}
		w.Label("group" + suffix)
		w.Ins("CMP $%d, %s", elements, n)
		w.Ins("BLT rest%s", suffix)
		w.Ins("VLD1 (%s), %s", y, list(firstY, row4))
		w.Ins("MOVD %s, %s", a, at)
		for i := range rows {
			w.Ins("VLD1 (%s), %s", at, list(part, row4))
			w.Ins("ADD %s, %s, %s", aRow, at, at)
			for p := range row4 {
				w.multiplyAdd(firstY+p, part+p, i)
			}
		}
		w.Ins("VST1.P %s, %d(%s)", list(firstY, row4), gen.ChainLanesBytes, y)
		w.Ins("ADD $%d, %s, %s", gen.ChainLanesBytes, a, a)
		w.Ins("SUB $%d, %s, %s", elements, n, n)
		w.Ins("B group%s", suffix)

		w.Label("rest" + suffix)
		w.Ins("CBZ %s, done%s", n, suffix)
		w.Ins("FMOV%s (%s), F%d", w.suffix, y, firstY)
		w.Ins("MOVD %s, %s", a, at)
		for i := range rows {
			w.Ins("FMOV%s (%s), F%d", w.suffix, at, part)
			w.Ins("ADD %s, %s, %s", aRow, at, at)
			w.Ins("FMADD%s F%d, F%d, F%d, F%[3]d", w.suffix, i, firstY, part)
		}
		w.Ins("FMOV%s.P F%d, %d(%s)", w.suffix, firstY, w.size, y)
		w.Ins("ADD $%d, %s, %s", w.size, a, a)
		w.Ins("SUB $1, %s, %s", n, n)
		w.Ins("B rest%s", suffix)
		w.Label("done" + suffix)
		w.Ins("RET")
	}
}

// dotsFrame is the size of the frame of chainDots: the last elements of x, with
// −0 in place of those beyond the end, and of a row, with +0.
const dotsFrame = 2 * gen.ChainLanesBytes

// dots writes chainDots.
func (w *writer) dots() {
	const n, a, aRow, x, sums, frame, to, rest = "R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7"
	w.Load("n", n, "a", a, "aRow", aRow, "x", x, "sums", sums)
	w.shift(aRow)
	elements := gen.ChainLanesBytes / w.size
	row := func(i int) string { return [gen.ChainDotsRows]string{a, "R8", "R9", "R10"}[i] }
	for i := 1; i < gen.ChainDotsRows; i++ {
		w.Ins("ADD %s, %s, %s", aRow, row(i-1), row(i))
	}
	for i := range gen.ChainDotsRows * row4 {
		w.clear(i)
	}
	w.Label("loop")
	w.Ins("CMP $%d, %s", elements, n)
	w.Ins("BLT rest")
	w.Ins("VLD1.P %d(%s), %s", gen.ChainLanesBytes, x, list(firstX, row4))
	for i := range gen.ChainDotsRows {
		w.Ins("VLD1.P %d(%s), %s", gen.ChainLanesBytes, row(i), list(part, row4))
		w.addProducts(i)
	}
	w.Ins("SUB $%d, %s, %s", elements, n, n)
	w.Ins("B loop")

	// copyRest copies the last elements to the frame and loads them.
	copyRest := func(name, from string, offset, register int) {
		w.Ins("ADD $%d, %s, %s", offset, frame, to)
		w.Ins("MOVD %s, %s", n, rest)
		w.Label(name)
		w.Ins("FMOV%s.P %d(%s), F%d", w.suffix, w.size, from, part)
		w.Ins("FMOV%s.P F%d, %d(%s)", w.suffix, part, w.size, to)
		w.Ins("SUBS $1, %s, %s", rest, rest)
		w.Ins("BNE %s", name)
		w.Ins("ADD $%d, %s, %s", offset, frame, to)
		w.Ins("VLD1 (%s), %s", to, list(register, row4))
	}
	w.Label("rest")
	w.Ins("CBZ %s, halve", n)
	w.Ins("MOVD $lanes-%d(SP), %s", dotsFrame, frame)
	w.Ins("MOVD %s, %s", frame, to)
	w.Ins("MOVD $%#x, %s", uint64(1)<<(8*w.size-1), rest)
	for i := range row4 {
		w.Ins("VDUP %s, V%d.%s", rest, firstX+i, w.lane)
		w.clear(part + i)
	}
	w.Ins("VST1.P %s, %d(%s)", list(firstX, row4), gen.ChainLanesBytes, to)
	w.Ins("VST1 %s, (%s)", list(part, row4), to)
	copyRest("restOfX", x, 0, firstX)
	for i := range gen.ChainDotsRows {
		copyRest(fmt.Sprint("restOfRow", i), row(i), gen.ChainLanesBytes, part)
		w.addProducts(i)
	}
	w.Label("halve")
	for i := range gen.ChainDotsRows {
		w.halve(i * row4)
		w.Ins("FMOV%s.P F%d, %d(%s)", w.suffix, i*row4, w.size, sums)
	}
	w.Ins("RET")
}

func (w *writer) clear(v int) { w.Ins("VEOR V%d.B16, V%[1]d.B16, V%[1]d.B16", v) }

// addProducts adds the products of x and a row to the row's lanes.
func (w *writer) addProducts(row int) {
	for p := range row4 {
		d, n, m := row*row4+p, part+p, firstX+p
		w.Word(w.fmlaVector|uint32(m)<<16|uint32(n)<<5|uint32(d),
			"FMLA V%d.%s, V%d.%[2]s, V%[4]d.%[2]s", d, w.wide, n, m)
	}
}

// fadd adds v[m] to v[d].
func (w *writer) fadd(d, m int) {
	w.Word(w.add|uint32(m)<<16|uint32(d)<<5|uint32(d), "FADD V%d.%s, V%[1]d.%[2]s, V%[3]d.%[2]s",
		d, w.wide, m)
}

// halve adds the upper half of the lanes from register v on to the lower until
// one is left.
func (w *writer) halve(v int) {
	w.fadd(v, v+2)
	w.fadd(v+1, v+3)
	w.fadd(v, v+1)
	if w.size == 4 {
		w.Ins("VEXT $8, V%d.B16, V%[1]d.B16, V%d.B16", v, part)
		w.fadd(v, part)
	}
	w.Word(w.addPair|uint32(v)<<5|uint32(v), "FADDP %s%d, V%[2]d.2%[1]s", w.suffix, v)
}

// outer writes chainOuter.
func (w *writer) outer() {
	const count, n, x, y, a, aRow = "R0", "R1", "R2", "R3", "R4", "R5"
	const left, to, from = "R6", "R7", "R8"
	w.Load("rows", count, "n", n, "x", x, "y", y, "a", a, "aRow", aRow)
	w.shift(aRow)
	elements := gen.ChainLanesBytes / w.size
	w.Label("row")
	w.Ins("FMOV%s.P %d(%s), F0", w.suffix, w.size, x)
	w.Ins("MOVD %s, %s", n, left)
	w.Ins("MOVD %s, %s", a, to)
	w.Ins("MOVD %s, %s", y, from)
	w.Label("group")
	w.Ins("CMP $%d, %s", elements, left)
	w.Ins("BLT rest")
	w.Ins("VLD1.P %d(%s), %s", gen.ChainLanesBytes, from, list(part, row4))
	w.Ins("VLD1 (%s), %s", to, list(firstY, row4))
	for p := range row4 {
		w.multiplyAdd(firstY+p, part+p, 0)
	}
	w.Ins("VST1.P %s, %d(%s)", list(firstY, row4), gen.ChainLanesBytes, to)
	w.Ins("SUB $%d, %s, %s", elements, left, left)
	w.Ins("B group")
	w.Label("rest")
	w.Ins("CBZ %s, next", left)
	w.Ins("FMOV%s (%s), F%d", w.suffix, to, firstY)
	w.Ins("FMOV%s.P %d(%s), F%d", w.suffix, w.size, from, part)
	w.Ins("FMADD%s F0, F%d, F%d, F%[2]d", w.suffix, firstY, part)
	w.Ins("FMOV%s.P F%d, %d(%s)", w.suffix, firstY, w.size, to)
	w.Ins("SUB $1, %s, %s", left, left)
	w.Ins("B rest")
	w.Label("next")
	w.Ins("ADD %s, %s, %s", aRow, a, a)
	w.Ins("SUBS $1, %s, %s", count, count)
	w.Ins("BNE row")
	w.Ins("RET")
}
