package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// instructions holds the instructions of a format. Operands are in the order of
// Go's assembler: the destination last.
type instructions struct {
	move func(...Op)

	add, sub, mul, div, sqrt func(...Op)
	max, min                 func(...Op)
	fma, fmaNegated          func(...Op) // 231
	fmsub                    func(...Op) // 213
	and, or, addInt          func(...Op)
	xor                      func(...Op) // with a mask
	compare                  func(...Op)
	blend                    func(mask, yes, no, to Op)
	toMask                   func(from, to Op)
	testBit, largest         func(...Op)
	signs                    func(from, to Op)

	addUp, addDown, subUp, subDown, mulUp, mulDown func(...Op)
	divUp, sqrtUp, squareLessUp, fmaUp, fmaDown    func(...Op)
}

var formats = map[int]instructions{
	8: {
		move: VMOVUPD,
		add:  VADDPD, sub: VSUBPD, mul: VMULPD, div: VDIVPD, sqrt: VSQRTPD,
		max: VMAXPD, min: VMINPD,
		fma:        VFMADD231PD,
		fmaNegated: VFNMADD231PD, fmsub: VFMSUB213PD,
		and: VANDPD, or: VORPD, addInt: VPADDQ, xor: VXORPD, compare: VCMPPD,
		blend: VBLENDVPD, toMask: VPMOVQ2M, testBit: VPTESTMQ_BCST,
		largest: VRANGEPD, signs: VMOVMSKPD,
		addUp: VADDPD_RU_SAE, addDown: VADDPD_RD_SAE,
		subUp: VSUBPD_RU_SAE, subDown: VSUBPD_RD_SAE,
		mulUp: VMULPD_RU_SAE, mulDown: VMULPD_RD_SAE,
		divUp: VDIVPD_RU_SAE, sqrtUp: VSQRTPD_RU_SAE,
		squareLessUp: VFMSUB213PD_RU_SAE,
		fmaUp:        VFMADD231PD_RU_SAE, fmaDown: VFMADD231PD_RD_SAE,
	},
	4: {
		move: VMOVUPD,
		add:  VADDPS, sub: VSUBPS, mul: VMULPS, div: VDIVPS, sqrt: VSQRTPS,
		max: VMAXPS, min: VMINPS,
		fma:        VFMADD231PS,
		fmaNegated: VFNMADD231PS, fmsub: VFMSUB213PS,
		and: VANDPD, or: VORPD, addInt: VPADDD, xor: VXORPS, compare: VCMPPS,
		blend: VBLENDVPS, toMask: VPMOVD2M, testBit: VPTESTMD_BCST,
		largest: VRANGEPS, signs: VMOVMSKPS,
		addUp: VADDPS_RU_SAE, addDown: VADDPS_RD_SAE,
		subUp: VSUBPS_RU_SAE, subDown: VSUBPS_RD_SAE,
		mulUp: VMULPS_RU_SAE, mulDown: VMULPS_RD_SAE,
		divUp: VDIVPS_RU_SAE, sqrtUp: VSQRTPS_RU_SAE,
		squareLessUp: VFMSUB213PS_RU_SAE,
		fmaUp:        VFMADD231PS_RU_SAE, fmaDown: VFMADD231PS_RD_SAE,
	},
}
