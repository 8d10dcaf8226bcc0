package gen

import (
	"math"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Set is a vector instruction set of amd64.
type Set struct {
	Level string // suffix of the stubs
	Bytes int    // of a register
	Wide  bool   // AVX-512: 512 bits, masks, rounding in the instruction
}

// The instruction sets. AVX2 includes FMA; AVX512 is F, VL, DQ and BW.
var (
	AVX2   = Set{"AVX2", 32, false}
	AVX512 = Set{"AVX512", 64, true}
)

// Lanes returns the number of float64 in a register.
func (s Set) Lanes() int { return s.Bytes / 8 }

// Reg returns a new register.
func (s Set) Reg() reg.VecVirtual {
	if s.Wide {
		return ZMM()
	}
	return YMM()
}

// Zero returns a new register of zeros.
func (s Set) Zero() reg.VecVirtual {
	r := s.Reg()
	if s.Wide {
		VPXORQ(r, r, r)
	} else {
		VPXOR(r, r, r)
	}
	return r
}

// Broadcast returns a register full of the float64 at m.
func (s Set) Broadcast(m Op) reg.VecVirtual {
	r := s.Reg()
	VBROADCASTSD(m, r)
	return r
}

// Constant returns a register full of one 64-bit value.
func (s Set) Constant(bits uint64) reg.VecVirtual {
	g, r := GP64(), s.Reg()
	MOVQ(Imm(bits), g)
	if s.Wide {
		VPBROADCASTQ(g, r)
		return r
	}
	x := XMM()
	MOVQ(g, x)
	VBROADCASTSD(x, r)
	return r
}

// Physical returns the first n registers by their numbers.
func (s Set) Physical(n int) []reg.VecPhysical {
	if s.Wide {
		return zmm[:n]
	}
	return ymm[:n]
}

var (
	ymm = []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
		reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
	}
	zmm = []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
		reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
		reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
	}
)

// maskTable is MaskTable's, once it is written.
var maskTable *Mem

// MaskTable returns a table of 32 bytes of ones and 32 of zeros. A vector
// loaded from n elements before its middle, MaskMiddle, masks n elements.
func MaskTable() Mem {
	if maskTable == nil {
		m := GLOBL("tailMask", RODATA|NOPTR)
		for i := range 8 {
			ones := uint64(0)
			if i < 4 {
				ones = math.MaxUint64
			}
			DATA(8*i, U64(ones))
		}
		maskTable = &m
	}
	return *maskTable
}

// MaskMiddle is the offset of the first zero of MaskTable.
const MaskMiddle = 32

// Begin starts a function that keeps none of its pointers. doc is the comment
// of its stub, a line or several.
func Begin(name string, attributes attr.Attribute, signature string, doc string) {
	TEXT(name, attributes, signature)
	Pragma("noescape")
	Doc(strings.Split(doc, "\n")...)
}
