package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// load returns one vector of float64 from offset off of the pointer p. tail is
// the mask of a partial vector, or nil.
func (k *kernel) load(p reg.GPVirtual, off int, tail reg.Register) reg.VecVirtual {
	r := k.Reg()
	m := Mem{Base: p, Disp: off}
	switch {
	case k.Single && k.Wide && tail != nil:
		h := YMM()
		VMOVUPS_Z(m, tail, h)
		VCVTPS2PD(h, r)
	case k.Single && tail != nil:
		h := XMM()
		VMASKMOVPS(m, tail, h)
		VCVTPS2PD(h, r)
	case k.Single:
		VCVTPS2PD(m, r)
	case k.Wide && tail != nil:
		VMOVUPD_Z(m, tail, r)
	case tail != nil:
		VMASKMOVPD(m, tail, r)
	default:
		VMOVUPD(m, r)
	}
	if k.Abs {
		VANDPD(k.sign, r, r)
	}
	return r
}

// values returns the summands of the vectors at the offsets off, and the errors
// of products where they count.
func (k *kernel) values(off []int, tail reg.Register) (v, e []reg.VecVirtual) {
	for _, o := range off {
		x := k.load(k.x, o, tail)
		switch {
		case k.IsExactDot():
			y, p := k.load(k.y, o, tail), k.Reg()
			if k.Wide {
				VMULPD_RN_SAE(y, x, p)
			} else {
				VMULPD(y, x, p)
			}
			VFMSUB213PD(p, y, x) // TwoProd
			v, e = append(v, p), append(e, x)
		case k.Dot:
			VMULPD(k.load(k.y, o, tail), x, x) // 24 + 24 bits: exact
			fallthrough
		default:
			v = append(v, x)
		}
	}
	return v, e
}

// offsets returns the offsets of the vectors i in the slice.
func (k *kernel) offsets(i []int) (off []int) {
	for _, i := range i {
		off = append(off, i*k.Lanes()*k.Size())
	}
	return off
}

// ahead is the distance of prefetches in bytes. Memory is read at its full
// speed only with more requests under way than the processor makes by itself
// beside the folds.
const ahead = 8192

// cacheLine is the number of bytes that a prefetch brings.
const cacheLine = 64

// prefetch fetches the lines that are that far behind the vectors i. They may
// lie beyond the slice: a prefetch does not fault.
func (k *kernel) prefetch(i []int) {
	for _, off := range k.offsets(i) {
		if off%cacheLine != 0 {
			continue
		}
		PREFETCHT0(Mem{Base: k.x, Disp: off + ahead})
		if k.Dot {
			PREFETCHT0(Mem{Base: k.y, Disp: off + ahead})
		}
	}
}

// mask returns the mask of the first n lanes.
func (k *kernel) mask(n reg.GPVirtual) reg.Register {
	if k.Wide {
		ones, kr := GP64(), K()
		MOVQ(n, reg.RCX)
		MOVQ(U32(1), ones)
		SHLQ(reg.CL, ones)
		DECQ(ones)
		KMOVB(ones.As32(), kr)
		return kr
	}
	table, p := GP64(), GP64()
	LEAQ(gen.MaskTable(), table)
	r := reg.VecVirtual(YMM())
	if k.Single {
		r = XMM()
	}
	MOVQ(n, p)
	NEGQ(p)
	VMOVDQU(Mem{Base: table, Index: p, Scale: uint8(k.Size()), Disp: gen.MaskMiddle}, r)
	return r
}
