// Command orderedarm64 writes internal/kernel's OrderedBlock kernels for arm64:
// the inner loops of package ordered with NEON.
//
// The contract equals orderedamd64's, bit for bit.
//
// A row is 512 bytes, which all 32 registers together hold. 24 registers are
// accumulators, which leaves eight to load into. The other eight accumulators
// are in the frame, where their additions, once a row, keep up with the loads.
package main

import (
	"fmt"
	"strings"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

const (
	bytes   = 16 // of a register
	vectors = gen.OrderedRowBytes / bytes
	inRegs  = 24 // accumulators in registers
	temp    = 24 // first register to load into
	group   = 4  // registers of one load
)

// format is an element type and its encodings, for registers 0.
type format struct {
	size          int
	suffix        string // of scalar instructions
	arrangement   string // of a vector, in Go's words
	add, mul, abs uint32
	addPair       uint32 // of the two lowest elements
}

var formats = []format{
	{size: 8, suffix: "D", arrangement: "D2",
		add: 0x4e60d400, mul: 0x6e60dc00, abs: 0x4ee0f800, addPair: 0x7e70d800},
	{size: 4, suffix: "S", arrangement: "S4",
		add: 0x4e20d400, mul: 0x6e20dc00, abs: 0x4ea0f800, addPair: 0x7e30d800},
}

// Registers.
const (
	op, x, y, rest, stack, levels, dst = "R0", "R1", "R2", "R3", "R4", "R5", "R6"
	rows, at, frame, count             = "R7", "R8", "R9", "R10"
)

// writer writes the function of a format.
type writer struct {
	gen.ARM64
	format
}

func main() {
	var functions []gen.ARM64Func
	for _, f := range formats {
		functions = append(functions, gen.ARM64Func{
			Name:      gen.Stub("orderedBlock", f.size, "NEON"),
			Signature: gen.OrderedSignature(f.size),
			Doc:       gen.OrderedDoc(f.size, "NEON", "orderedarm64"),
			Frame:     gen.OrderedRowBytes,
			Args:      56 + f.size,
			Body:      func(w gen.ARM64) { (&writer{w, f}).body() },
		})
	}
	gen.Write("kernel", functions)
}

// lanes returns the number of lanes.
func (w *writer) lanes() int { return gen.OrderedRowBytes / w.size }

// neon returns the arrangement of a vector in ARM's words.
func (w *writer) neon() string {
	return map[int]string{8: "2D", 4: "4S"}[w.size]
}

// fadd adds v[m] to v[d], fmul multiplies v[d] by v[m].
func (w *writer) fadd(d, m int) { w.three(w.add, "FADD", d, m) }
func (w *writer) fmul(d, m int) { w.three(w.mul, "FMUL", d, m) }

// three writes an instruction that combines v[d] and v[m] in v[d].
func (w *writer) three(op uint32, name string, d, m int) {
	w.Word(op|uint32(m)<<16|uint32(d)<<5|uint32(d), "%s V%d.%[3]s, V%[2]d.%[3]s, V%[4]d.%[3]s",
		name, d, w.neon(), m)
}

func (w *writer) fabs(d int) {
	w.Word(w.abs|uint32(d)<<5|uint32(d), "FABS V%d.%[2]s, V%[1]d.%[2]s", d, w.neon())
}

// list returns the registers v … v+3 as operands of a load or store.
func list(v int) string {
	var s []string
	for i := range group {
		s = append(s, fmt.Sprintf("V%d.D2", v+i))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

func (w *writer) loadNext(from string, v int) {
	w.Ins("VLD1.P %d(%s), %s", group*bytes, from, list(v))
}

func (w *writer) storeNext(v int, to string) {
	w.Ins("VST1.P %s, %d(%s)", list(v), group*bytes, to)
}

// body writes the function's instructions.
func (w *writer) body() {
	w.Load("op", op, "x", x, "y", y, "n", rest, "stack", stack, "levels", levels, "dst", dst)
	w.Ins("MOVD $lanes-%d(SP), %s", gen.OrderedRowBytes, frame)
	w.Ins("MOVD $%#x, %s", uint64(1)<<(8*w.size-1), count)
	w.Ins("VDUP %s, V0.%s", count, w.arrangement)
	for i := 1; i < inRegs; i++ {
		w.Ins("VMOV V0.B16, V%d.B16", i)
	}
	w.frameAt(inRegs)
	for range (vectors - inRegs) / group {
		w.storeNext(0, at)
	}
	w.Ins("LSR $%d, %s, %s", gen.Log2(w.lanes()), rest, rows)
	w.Ins("AND $%d, %s, %s", w.lanes()-1, rest, rest)
	for i, name := range gen.OrderedOps[1:] {
		w.Ins("CMP $%d, %s", i+1, op)
		w.Ins("BEQ %s", name)
	}
	for i, name := range gen.OrderedOps {
		w.chains(name)
		if i < len(gen.OrderedOps)-1 {
			w.Ins("B merge")
		}
	}
	w.merge()
	w.finish()
}

// frameAt points at to a vector of the frame.
func (w *writer) frameAt(vector int) {
	w.Ins("ADD $%d, %s, %s", vector*bytes, frame, at)
}

// chains adds all full rows, leaves the accumulators in the frame, and adds a
// partial last row there.
func (w *writer) chains(name string) {
	w.Label(name)
	w.Ins("CBZ %s, %sStore", rows, name)
	w.Label(name + "Rows")
	w.frameAt(inRegs)
	for v := 0; v < vectors; v += group {
		t := temp
		if name == "sum" && v/group%2 == 1 && v < inRegs {
			t += group
		}
		w.terms(name, t)
		if v < inRegs {
			for i := range group {
				w.fadd(v+i, t+i)
			}
			continue
		}
		w.Ins("VLD1 (%s), %s", at, list(temp+group))
		for i := range group {
			w.fadd(t+i, temp+group+i)
		}
		w.storeNext(t, at)
	}
	w.Ins("SUBS $1, %s, %s", rows, rows)
	w.Ins("BNE %sRows", name)
	w.Label(name + "Store")
	w.Ins("MOVD %s, %s", frame, at)
	for v := 0; v < inRegs; v += group {
		w.storeNext(v, at)
	}
	w.Ins("CBZ %s, merge", rest)
	w.Ins("MOVD %s, %s", frame, at)
	w.Label(name + "Rest")
	w.scalar(name)
	w.Ins("SUBS $1, %s, %s", rest, rest)
	w.Ins("BNE %sRest", name)
}

// terms loads the next terms into t … t+3.
func (w *writer) terms(name string, t int) {
	w.loadNext(x, t)
	if name == "dot" {
		w.loadNext(y, t+group)
	}
	for i := range group {
		switch name {
		case "dot":
			w.fmul(t+i, t+group+i)
		case "asum":
			w.fabs(t + i)
		case "squares":
			w.fmul(t+i, t+i)
		}
	}
}

// scalar adds one more term to the lane at at.
func (w *writer) scalar(name string) {
	w.Ins("FMOV%s.P %d(%s), F0", w.suffix, w.size, x)
	switch name {
	case "dot":
		w.Ins("FMOV%s.P %d(%s), F1", w.suffix, w.size, y)
		w.Ins("FMUL%s F1, F0, F0", w.suffix)
	case "asum":
		w.Ins("FABS%s F0, F0", w.suffix)
	case "squares":
		w.Ins("FMUL%s F0, F0, F0", w.suffix)
	}
	w.Ins("FMOV%s (%s), F2", w.suffix, at)
	w.Ins("FADD%s F0, F2, F2", w.suffix)
	w.Ins("FMOV%s.P F2, %d(%s)", w.suffix, w.size, at)
}

// merge adds to the lanes every row of the stack whose bit of levels is set.
func (w *writer) merge() {
	w.Label("merge")
	w.Ins("CBZ %s, merged", levels)
	w.Ins("TBZ $0, %s, next", levels)
	w.Ins("MOVD %s, %s", frame, at)
	w.Ins("MOVD %s, %s", stack, count)
	for v := 0; v < vectors; v += group {
		w.Ins("VLD1 (%s), %s", at, list(0))
		w.loadNext(count, group)
		for i := range group {
			w.fadd(i, group+i)
		}
		w.storeNext(0, at)
	}
	w.Label("next")
	w.Ins("LSR $1, %s, %s", levels, levels)
	w.Ins("ADD $%d, %s, %s", gen.OrderedRowBytes, stack, stack)
	w.Ins("B merge")
	w.Label("merged")
}

// finish writes the lanes to dst, or halves them until one is left and returns
// it.
func (w *writer) finish() {
	w.Ins("MOVD %s, %s", frame, at)
	for v := 0; v < vectors; v += group {
		w.loadNext(at, v)
	}
	w.Ins("CBZ %s, halve", dst)
	for v := 0; v < vectors; v += group {
		w.storeNext(v, dst)
	}
	w.Ins("RET")
	w.Label("halve")
	for h := vectors / 2; h > 0; h /= 2 {
		for i := range h {
			w.fadd(i, h+i)
		}
	}
	if w.size == 4 {
		w.Ins("VEXT $8, V0.B16, V0.B16, V1.B16")
		w.fadd(0, 1)
	}
	w.Word(w.addPair, "FADDP %s0, V0.2%[1]s", w.suffix)
	w.Ins("FMOV%s F0, ret+56(FP)", w.suffix)
	w.Ins("RET")
}
