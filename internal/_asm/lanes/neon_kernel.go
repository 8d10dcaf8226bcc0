package main

import (
	"fmt"
	"slices"
)

// branch writes the code for a condition that holds in some lane: there the
// value and ok of the branch replace the value and ok of the last region.
func (m *neon) branch(label string, b branch, last region) {
	m.pinned = map[int]bool{}
	cond, any := m.register(b.cond), m.take(nil)
	m.unaryWord(addp, any, cond)
	m.Ins("FMOVD F%d, R%d", any, neonT1)
	// The values that the branch changes in place are in registers on both
	// sides of it.
	value, ok := m.register(last.value), m.register(last.ok)
	m.fixed = map[int]bool{value: true, ok: true}
	delete(m.slot, last.value)
	delete(m.slot, last.ok)
	m.Ins("CBZ R%d, %s", neonT1, label)
	old := m.clone()
	for _, n := range b.body {
		if slices.Contains(n.args, last.value) || slices.Contains(n.args, last.ok) {
			panic(fmt.Sprintf("%v needs the value that its branch changes", n))
		}
		m.compute(n)
	}
	m.pinned = map[int]bool{}
	c := m.register(b.cond)
	m.threeWord(bit, value, m.register(b.value), c)
	m.threeWord(bit, ok, m.register(b.ok), c)
	m.now++
	m.fixed = nil
	m.restore(old)
	m.Label(label)
}

// finish stores the value where ok holds, and collects the failures.
func (m *neon) finish(last region) {
	m.pinned = map[int]bool{}
	value, ok := m.register(last.value), m.register(last.ok)
	for lane, r := range []int{neonT1, neonT2} {
		m.Ins("VMOV V%d.D[%d], R%d", ok, lane, r)
		m.Ins("MVN R%d, R%d", r, r)
		m.Ins("AND $%d, R%d, R%d", 1<<lane, r, r)
	}
	m.Ins("ORR R%d, R%d, R%d", neonT2, neonT1, neonT1)
	m.Ins("LSL R%d, R%d, R%d", neonShift, neonT1, neonT1)
	m.Ins("ORR R%d, R%d, R%d", neonT1, neonFails, neonFails)
	old := m.take(nil)
	if m.single {
		m.unaryWord(fcvtn, value, value)
		m.unaryWord(xtn, ok, ok)
		m.Ins("FMOVD (R%d), F%d", neonDst, old)
		m.threeWord(bit, old, value, ok)
		m.Ins("FMOVD F%d, (R%d)", old, neonDst)
		return
	}
	m.loadVector(old, neonDst, 0)
	m.threeWord(bit, old, value, ok)
	m.store(old, neonDst, 0)
}

// prologue loads the arguments, and counts the elements of the full vectors and
// of the partial one.
func (m *neon) prologue() {
	for i, name := range []string{"dst", "x", "y"}[:1+m.arity] {
		m.Ins("MOVD %s+%d(FP), R%d", name, 8*i, m.pointers()[i])
	}
	m.Ins("MOVD n+%d(FP), R%d", 8*(1+m.arity), neonWhole)
	m.Ins("AND $%d, R%d, R%d", neonLanes-1, neonWhole, neonRest)
	m.Ins("SUB R%d, R%d, R%d", neonRest, neonWhole, neonWhole)
	m.Ins("MOVD $%s<>(SB), R%d", poolName, neonPool)
	for _, r := range []int{neonFails, neonShift, neonTail} {
		m.Ins("MOVD ZR, R%d", r)
	}
	m.Ins("CBZ R%d, left", neonWhole)
}

// pointers returns the registers of dst and the arguments.
func (m *neon) pointers() []int { return append([]int{neonDst}, neonArgs[:m.arity]...) }

// epilogue ends the loop. It copies the last element of an odd number to the
// frame, with a zero behind it, lets the loop compute that, and copies the
// result back.
func (m *neon) epilogue() {
	move := "MOVD"
	if m.single {
		move = "MOVWU"
	}
	for _, p := range m.pointers() {
		m.Ins("ADD $%d, R%d, R%d", neonLanes*m.size(), p, p)
	}
	m.Ins("ADD $%d, R%d, R%d", neonLanes, neonShift, neonShift)
	m.Ins("SUBS $%d, R%d, R%d", neonLanes, neonWhole, neonWhole)
	m.Ins("BNE loop")
	m.Label("left")
	m.Ins("CBZ R%d, end", neonRest)
	m.Ins("MOVD R%d, R%d", neonDst, neonTail)
	for i, p := range m.pointers() {
		m.Ins("%s (R%d), R%d", move, p, neonT1)
		m.Ins("ADD $%d, R%d, R%d", neonBytes*i, neonFrame, p)
		m.Ins("STP (ZR, ZR), (R%d)", p)
		m.Ins("%s R%d, (R%d)", store(move), neonT1, p)
	}
	m.Ins("MOVD ZR, R%d", neonRest)
	m.Ins("MOVD $%d, R%d", neonLanes, neonWhole)
	m.Ins("B loop")
	m.Label("end")
	m.Ins("CBZ R%d, whole", neonTail)
	m.Ins("%s (R%d), R%d", move, neonFrame, neonT1)
	m.Ins("%s R%d, (R%d)", store(move), neonT1, neonTail)
	m.Label("whole")
	m.Ins("MOVD R%d, fails+%d(FP)", neonFails, 8*(2+m.arity))
	m.Ins("RET")
}

// store returns the instruction that stores that which another loads.
func store(load string) string {
	if load == "MOVWU" {
		return "MOVW"
	}
	return load
}
