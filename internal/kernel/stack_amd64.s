//go:build !purego

#include "textflag.h"

// func stackEnd() uintptr
TEXT ·stackEnd(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX   // g
	MOVQ 8(AX), AX   // g.stack.hi
	MOVQ AX, ret+0(FP)
	RET
