//go:build !purego

#include "textflag.h"

// func stackEnd() uintptr
TEXT ·stackEnd(SB), NOSPLIT, $0-8
	MOVD 8(g), R0    // g.stack.hi
	MOVD R0, ret+0(FP)
	RET
