//go:build !purego && !faketime && !static && ((linux && !android) || (darwin && !ios))

#include "textflag.h"

// Loops over C functions, written by hand: avo knows amd64 only, and these are short.
//
// Each is itself a C function of the AAPCS64, so that a foreign call of it, once, makes n
// plain calls of C: f in R0, the result's array in R1, n in R2, and the arguments' arrays in
// R3 and R4. R19 to R23 and R29 are the caller's, and so kept, as is R30, where it is
// called from; the stack stays a multiple of 16. FPCR is not touched.

#define ENTER \
	STP.W (R29, R30), -64(RSP) \
	STP   (R19, R20), 16(RSP) \
	STP   (R21, R22), 32(RSP) \
	MOVD  R23, 48(RSP) \
	MOVD  RSP, R29 \
	MOVD  R0, R19 \
	MOVD  R1, R20 \
	MOVD  R2, R21 \
	MOVD  R3, R22 \
	MOVD  R4, R23

#define LEAVE \
	MOVD  48(RSP), R23 \
	LDP   32(RSP), (R21, R22) \
	LDP   16(RSP), (R19, R20) \
	LDP.P 64(RSP), (R29, R30) \
	RET

TEXT ·map1Float64(SB), NOSPLIT|NOFRAME, $0
	ENTER
	CBZ R21, done

next:
	FMOVD.P 8(R22), F0
	CALL    (R19)
	FMOVD.P F0, 8(R20)
	SUB     $1, R21
	CBNZ    R21, next

done:
	LEAVE

TEXT ·map1Float32(SB), NOSPLIT|NOFRAME, $0
	ENTER
	CBZ R21, done

next:
	FMOVS.P 4(R22), F0
	CALL    (R19)
	FMOVS.P F0, 4(R20)
	SUB     $1, R21
	CBNZ    R21, next

done:
	LEAVE

TEXT ·map2Float64(SB), NOSPLIT|NOFRAME, $0
	ENTER
	CBZ R21, done

next:
	FMOVD.P 8(R22), F0
	FMOVD.P 8(R23), F1
	CALL    (R19)
	FMOVD.P F0, 8(R20)
	SUB     $1, R21
	CBNZ    R21, next

done:
	LEAVE

TEXT ·map2Float32(SB), NOSPLIT|NOFRAME, $0
	ENTER
	CBZ R21, done

next:
	FMOVS.P 4(R22), F0
	FMOVS.P 4(R23), F1
	CALL    (R19)
	FMOVS.P F0, 4(R20)
	SUB     $1, R21
	CBNZ    R21, next

done:
	LEAVE

// func map1Float64Addr() uintptr
TEXT ·map1Float64Addr(SB), NOSPLIT, $0-8
	MOVD $·map1Float64(SB), R0
	MOVD R0, ret+0(FP)
	RET

// func map1Float32Addr() uintptr
TEXT ·map1Float32Addr(SB), NOSPLIT, $0-8
	MOVD $·map1Float32(SB), R0
	MOVD R0, ret+0(FP)
	RET

// func map2Float64Addr() uintptr
TEXT ·map2Float64Addr(SB), NOSPLIT, $0-8
	MOVD $·map2Float64(SB), R0
	MOVD R0, ret+0(FP)
	RET

// func map2Float32Addr() uintptr
TEXT ·map2Float32Addr(SB), NOSPLIT, $0-8
	MOVD $·map2Float32(SB), R0
	MOVD R0, ret+0(FP)
	RET
