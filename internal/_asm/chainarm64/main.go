// Command chainarm64 writes internal/kernel's kernels of matrix products for
// arm64: tiles, copies of panels, updates and dot products with NEON.
//
// The contracts equal chainamd64's, bit for bit, with up to 4 vectors in a
// tile's row; chainPackColumns takes 2 rows, and a multiple of a register's
// elements in a row.
//
// A tile keeps its accumulators in 24 of the 32 registers: 6 rows of 4. Four
// hold a row of b and four elements of a. An instruction multiplies a vector by
// one element.
package main

import (
	"fmt"
	"strings"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

const (
	bytes   = 16 // of a register
	rows    = gen.ChainRowsNEON
	vectors = gen.ChainVectorsNEON
	firstB  = rows * vectors
	firstA  = firstB + vectors
	spare   = 4 // registers for elements of a
)

// format is an element type and its encodings, for registers 0.
type format struct {
	size   int
	suffix string // of scalar instructions
	wide   string // a vector, in ARM's words
	lane   string // a vector, in Go's words
	fmla   uint32 // by element 0
	fmul   uint32

	fmlaVector, add uint32
	addPair         uint32 // of the two lowest elements
}

var formats = []format{
	{8, "D", "2D", "D2", 0x4fc01000, 0x6e60dc00, 0x4e60cc00, 0x4e60d400, 0x7e70d800},
	{4, "S", "4S", "S4", 0x4f801000, 0x6e20dc00, 0x4e20cc00, 0x4e20d400, 0x7e30d800},
}

// writer writes a function of a format.
type writer struct {
	gen.ARM64
	format
}

func main() {
	var functions []gen.ARM64Func
	add := func(operation string, f format, signature string, frame, args int,
		body func(w *writer)) {
		functions = append(functions, gen.ARM64Func{
			Name:      gen.Stub(operation, f.size, "NEON"),
			Signature: signature,
			Doc:       gen.ChainDoc(operation, f.size, "NEON", "chainarm64"),
			NoSplit:   true,
			Frame:     frame,
			Args:      args,
			Body:      func(w gen.ARM64) { body(&writer{w, f}) },
		})
	}
	for _, f := range formats {
		add("chainTile", f, gen.ChainTileSignature(f.size), 0, 80, (*writer).tile)
	}
	for _, f := range formats {
		pack := gen.ChainPackSignature(f.size)
		add("chainPackRows", f, pack, 0, 48+f.size, (*writer).packRows)
		add("chainPackColumns", f, pack, 0, 48+f.size, (*writer).packColumns)
	}
	for _, f := range formats {
		add("chainAxpy", f, gen.ChainAxpySignature(f.size), 0, 48, (*writer).axpy)
		add("chainDots", f, gen.ChainDotsSignature(f.size), dotsFrame, 40, (*writer).dots)
		add("chainOuter", f, gen.ChainOuterSignature(f.size), 0, 48, (*writer).outer)
	}
	gen.Write("kernel", functions)
}

// shift turns strides in elements into strides in bytes.
func (w *writer) shift(registers ...string) {
	for _, r := range registers {
		w.Ins("LSL $%d, %s, %s", gen.Log2(w.size), r, r)
	}
}

// list returns n registers from v on as operands of a load or store.
func list(v, n int) string {
	var s []string
	for i := range n {
		s = append(s, fmt.Sprintf("V%d.D2", v+i))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// tile writes chainTile.
func (w *writer) tile() {
	const (
		count, k, a, aRow, aCol, b, bRow, c, cRow, next = "R0", "R1", "R2", "R3", "R4", "R5",
			"R6", "R7", "R8", "R9"
		at, column = "R10", "R11"
	)
	row := func(i int) string { return [rows]string{a, "R12", "R13", "R14", "R15", "R16"}[i] }
	w.Load("vectors", count, "k", k, "a", a, "aRow", aRow, "aCol", aCol, "b", b, "bRow", bRow,
		"c", c, "cRow", cRow, "next", next)
	w.shift(aRow, aCol, bRow, cRow)
	for i := range rows {
		w.Ins("PRFM (%s), PLDL1KEEP", next)
		w.Ins("ADD %s, %s, %s", cRow, next, next)
		if i > 0 {
			w.Ins("ADD %s, %s, %s", aRow, row(i-1), row(i))
		}
	}
	w.Ins("MOVD $0, %s", column)
	w.Ins("MOVD %s, %s", c, at)
	for v := vectors; v > 0; v-- {
		w.Label(fmt.Sprint("vectors", v))
		if v > 1 {
			w.Ins("CMP $%d, %s", v, count)
			w.Ins("BNE vectors%d", v-1)
		}
		for i := range rows {
			w.Ins("VLD1 (%s), %s", at, list(i*vectors, v))
			w.Ins("ADD %s, %s, %s", cRow, at, at)
		}
		w.Label(fmt.Sprint("loop", v))
		w.Ins("VLD1 (%s), %s", b, list(firstB, v))
		w.Ins("ADD %s, %s, %s", bRow, b, b)
		for i := range rows {
			w.Ins("FMOV%s (%s)(%s), F%d", w.suffix, row(i), column, firstA+i%spare)
			for j := range v {
				w.multiplyAdd(i*vectors+j, firstB+j, firstA+i%spare)
			}
		}
		w.Ins("ADD %s, %s, %s", aCol, column, column)
		w.Ins("SUBS $1, %s, %s", k, k)
		w.Ins("BNE loop%d", v)
		for i := range rows {
			w.Ins("VST1 %s, (%s)", list(i*vectors, v), c)
			w.Ins("ADD %s, %s, %s", cRow, c, c)
		}
		w.Ins("RET")
	}
}

// multiplyAdd adds v[n]·(element 0 of v[m]) to v[d].
func (w *writer) multiplyAdd(d, n, m int) {
	w.Word(w.fmla|uint32(m)<<16|uint32(n)<<5|uint32(d), "FMLA V%d.%s, V%d.%[2]s, V%[4]d.%s[0]",
		d, w.wide, n, m, w.suffix)
}

// Registers of the copies.
const (
	dst, dstRow, src, srcRow, height, width = "R0", "R1", "R2", "R3", "R4", "R5"
	from, to, rest                          = "R6", "R7", "R8"
	alpha                                   = 31
)

// begin loads the arguments of a copy.
func (w *writer) begin() {
	w.Load("dst", dst, "dstRow", dstRow, "src", src, "srcRow", srcRow, "rows", height,
		"cols", width)
	w.shift(dstRow, srcRow)
	w.Ins("FMOV%s alpha+48(FP), F%d", w.suffix, alpha)
	w.Ins("VDUP V%d.%s[0], V%[1]d.%[3]s", alpha, w.suffix, w.lane)
}

// scale multiplies v[d] by alpha.
func (w *writer) scale(d int) {
	w.Word(w.fmul|alpha<<16|uint32(d)<<5|uint32(d), "FMUL V%d.%s, V%[1]d.%[2]s, V%[3]d.%[2]s",
		d, w.wide, alpha)
}

// packRows writes chainPackRows.
func (w *writer) packRows() {
	w.begin()
	lanes := bytes / w.size
	w.Ins("CBZ %s, done", height)
	w.Label("row")
	w.Ins("MOVD %s, %s", src, from)
	w.Ins("MOVD %s, %s", dst, to)
	w.Ins("MOVD %s, %s", width, rest)
	w.Label("vector")
	w.Ins("CMP $%d, %s", lanes, rest)
	w.Ins("BLT elements")
	w.Ins("VLD1.P %d(%s), [V0.D2]", bytes, from)
	w.scale(0)
	w.Ins("VST1.P [V0.D2], %d(%s)", bytes, to)
	w.Ins("SUB $%d, %s, %s", lanes, rest, rest)
	w.Ins("B vector")
	w.Label("elements")
	w.Ins("CBZ %s, next", rest)
	w.Ins("FMOV%s.P %d(%s), F0", w.suffix, w.size, from)
	w.Ins("FMUL%s F%d, F0, F0", w.suffix, alpha)
	w.Ins("FMOV%s.P F0, %d(%s)", w.suffix, w.size, to)
	w.Ins("SUB $1, %s, %s", rest, rest)
	w.Ins("B elements")
	w.Label("next")
	w.Ins("ADD %s, %s, %s", srcRow, src, src)
	w.Ins("ADD %s, %s, %s", dstRow, dst, dst)
	w.Ins("SUBS $1, %s, %s", height, height)
	w.Ins("BNE row")
	w.Label("done")
	w.Ins("RET")
}

// packColumns writes chainPackColumns.
func (w *writer) packColumns() {
	w.begin()
	lanes := bytes / w.size
	w.Ins("CBZ %s, done", width)
	w.Ins("ADD %s, %s, %s", srcRow, src, from)
	w.Label("columns")
	for i, row := range []string{src, from} {
		w.Ins("VLD1.P %d(%s), [V%d.D2]", bytes, row, i)
		w.scale(i)
	}
	w.Ins("VZIP1 V1.%s, V0.%[1]s, V2.%[1]s", w.lane)
	w.Ins("VZIP2 V1.%s, V0.%[1]s, V3.%[1]s", w.lane)
	for i := range lanes {
		if w.size == 8 {
			w.Ins("VST1 [V%d.D2], (%s)", 2+i, dst)
		} else {
			w.Ins("VST1 V%d.D[%d], (%s)", 2+i/2, i%2, dst)
		}
		w.Ins("ADD %s, %s, %s", dstRow, dst, dst)
	}
	w.Ins("SUBS $%d, %s, %s", lanes, width, width)
	w.Ins("BNE columns")
	w.Label("done")
	w.Ins("RET")
}
