package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// chainCompensated writes chainCompensated.
func chainCompensated(set gen.Set) {
	const size = 8
	name := gen.Stub("chainCompensated", size, set.Level)
	gen.Begin(name, attr.NOSPLIT, "func(n int, x, y, sums *float64)",
		name+" "+gen.ChainDoc("chainCompensated", size, set.Level, "chainamd64"))
	n, x, y := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	sums := Load(Param("sums"), GP64())
	parts := gen.ChainLanesBytes / set.Bytes
	var s, c []reg.VecVirtual
	for range parts {
		s, c = append(s, set.Zero()), append(c, set.Zero())
	}
	Label("loop")
	for i := range parts {
		at := i * set.Bytes
		e, p := set.Reg(), set.Reg()
		VMOVUPD(Mem{Base: x, Disp: at}, e)
		VMULPD(Mem{Base: y, Disp: at}, e, p)
		VFMSUB132PD(Mem{Base: y, Disp: at}, p, e) // e = x·y − p
		sum, t, u := set.Reg(), set.Reg(), set.Reg()
		VADDPD(p, s[i], sum)
		VSUBPD(s[i], sum, t)
		VSUBPD(t, sum, u)
		VSUBPD(u, s[i], u)
		VSUBPD(t, p, t)
		VADDPD(t, u, u)
		VADDPD(e, u, u)
		VADDPD(u, c[i], c[i])
		VMOVAPD(sum, s[i])
	}
	ADDQ(Imm(gen.ChainLanesBytes), x)
	ADDQ(Imm(gen.ChainLanesBytes), y)
	SUBQ(Imm(gen.ChainLanesBytes/size), n)
	JNZ(LabelRef("loop"))
	for i := range parts {
		VMOVUPD(s[i], Mem{Base: sums, Disp: i * set.Bytes})
		VMOVUPD(c[i], Mem{Base: sums, Disp: gen.ChainLanesBytes + i*set.Bytes})
	}
	VZEROUPPER()
	RET()
}
