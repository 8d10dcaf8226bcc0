#include "textflag.h"

// Four products are two pairs: words x01, x23, y01 and y23 hold two bfloat16
// each, the first in the lower half.

// func bfdot(x01, x23, y01, y23, c uint32) uint32
TEXT ·bfdot(SB), NOSPLIT, $0-28
	MOVWU x01+0(FP), R0
	MOVWU x23+4(FP), R1
	MOVWU y01+8(FP), R2
	MOVWU y23+12(FP), R3
	MOVWU c+16(FP), R4
	VDUP  R0, V0.S4
	VDUP  R1, V1.S4
	VDUP  R2, V2.S4
	VDUP  R3, V3.S4
	VDUP  R4, V4.S4
	WORD  $0x6e42fc04 // bfdot v4.4s, v0.8h, v2.8h
	WORD  $0x6e43fc24 // bfdot v4.4s, v1.8h, v3.8h
	VMOV  V4.S[0], R0
	MOVW  R0, ret+24(FP)
	RET

// func bfmmla(x01, x23, y01, y23, c uint32) uint32
TEXT ·bfmmla(SB), NOSPLIT, $0-28
	MOVD x01+0(FP), R0
	MOVD y01+8(FP), R2
	MOVWU c+16(FP), R4
	VDUP R0, V0.D2
	VDUP R2, V2.D2
	VDUP R4, V4.S4
	WORD $0x6e42ec04 // bfmmla v4.4s, v0.8h, v2.8h
	VMOV V4.S[0], R0
	MOVW R0, ret+24(FP)
	RET

// func bfmopa(x01, x23, y01, y23, c uint32) uint32
TEXT ·bfmopa(SB), NOSPLIT, $0-28
	MOVWU x01+0(FP), R0
	MOVWU x23+4(FP), R1
	MOVWU y01+8(FP), R2
	MOVWU y23+12(FP), R3
	MOVWU c+16(FP), R4
	MOVD  $0, R12
	WORD  $0xd503477f // smstart
	WORD  $0x2518e3e0 // ptrue p0.b
	WORD  $0x05a03800 // mov z0.s, w0
	WORD  $0x05a03821 // mov z1.s, w1
	WORD  $0x05a03842 // mov z2.s, w2
	WORD  $0x05a03863 // mov z3.s, w3
	WORD  $0x05a03884 // mov z4.s, w4
	WORD  $0xc0800080 // mova za0h.s[w12, 0], p0/m, z4.s
	WORD  $0x81820000 // bfmopa za0.s, p0/m, p0/m, z0.h, z2.h
	WORD  $0x81830020 // bfmopa za0.s, p0/m, p0/m, z1.h, z3.h
	WORD  $0xc0820005 // mova z5.s, p0/m, za0h.s[w12, 0]
	WORD  $0x1e2600a0 // fmov w0, s5
	WORD  $0xd503467f // smstop
	MOVW  R0, ret+24(FP)
	RET
