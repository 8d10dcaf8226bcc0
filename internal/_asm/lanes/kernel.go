package main

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A program is a function's operations in their order.
type program struct {
	always   []*node
	branches []branch
	last     region
}

// A branch is a region with the operations that it alone needs.
type branch struct {
	region
	body []*node
}

// order puts operations into the order of the source. Of the branches whose condition holds the
// first one counts: it comes last.
func (l lane) order() (p program) {
	conditional := l.regions[:len(l.regions)-1]
	p.last = l.regions[len(conditional)]
	done := map[*node]bool{}
	outputs := p.last.outputs()
	for _, r := range conditional {
		outputs = append(outputs, r.cond)
	}
	p.always = scheduled(done, outputs...)
	for _, r := range slices.Backward(conditional) {
		p.branches = append(p.branches, branch{r, scheduled(maps.Clone(done), r.value, r.ok)})
	}
	return p
}

// uses returns the places of the program where each node is needed, as machine.now counts them.
func (p program) uses() map[*node][]int {
	uses, place := map[*node][]int{}, 0
	need := func(list ...*node) {
		for _, n := range list {
			uses[n] = append(uses[n], place)
		}
	}
	body := func(list []*node) {
		for _, n := range list {
			need(n.args...)
			place++
		}
	}
	body(p.always)
	for _, b := range p.branches {
		need(b.cond)
		body(b.body)
		need(b.cond, b.value, b.ok, p.last.value, p.last.ok)
		place++
	}
	need(p.last.value, p.last.ok)
	return uses
}

// kernel writes one function, and tells its size.
func kernel(v vector, l lane, constants *pool) (size string) {
	p := l.order()
	m := &machine{vector: v, single: l.single, pool: constants, uses: p.uses(), saved: map[*node]Mem{}, allocation: newAllocation()}
	name := strings.ToLower(l.name[:1]) + l.name[1:] + v.name
	TEXT(name, 0, l.signature())
	Doc(fmt.Sprintf("%s computes %s of 1 to 64 elements. Bit i of fails, up to n, says that dst[i]", name, l.name),
		"has no result, and is as it was.")
	Pragma("noescape")
	m.prologue(l.arity)
	Label("start")
	XORQ(offset, offset)
	Label("loop")
	for _, n := range p.always {
		m.compute(n)
	}
	total := len(p.always)
	for i, b := range p.branches {
		m.branch(fmt.Sprintf("after%d", i), b, p.last)
		total += len(b.body)
	}
	m.finish(p.last)
	ADDQ(U8(m.stride()), offset)
	CMPQ(offset, whole)
	JLT(LabelRef("loop"))
	m.epilogue(l.arity)
	return fmt.Sprintf("%d operations, %d of them always, %d spilled", total, len(p.always), m.spills)
}

// signature returns the type of the lane's kernels.
func (l lane) signature() string {
	params, format := "x", "float64"
	if l.arity == 2 {
		params = "x, y"
	}
	if l.single {
		format = "float32"
	}
	return fmt.Sprintf("func(dst, %s *%s, n int) (fails uint64)", params, format)
}

// branch writes what is done if the condition holds in some lane: there the value and ok of
// the branch replace those of the last region.
func (m *machine) branch(label string, b branch, last region) {
	m.pinned = map[int]bool{}
	if m.wide {
		k := m.truth(b.cond)
		KORTESTB(k, k)
	} else {
		c := m.register(b.cond)
		VPTEST(c, c)
	}
	// What is changed in place is in registers on both ways, and stays there.
	value := m.register(last.value)
	m.fixed = map[int]bool{m.where[last.value]: true}
	delete(m.slot, last.value)
	var ok reg.VecPhysical
	if !m.wide {
		ok = m.register(last.ok)
		m.fixed[m.where[last.ok]] = true
		delete(m.slot, last.ok)
	}
	JEQ(LabelRef(label))
	old := m.clone()
	for _, n := range b.body {
		if slices.Contains(n.args, last.value) || slices.Contains(n.args, last.ok) {
			panic(fmt.Sprintf("%v needs what its branch changes", n))
		}
		m.compute(n)
	}
	m.pinned = map[int]bool{}
	if m.wide {
		k, good, t := m.truth(b.cond), m.truth(last.ok), m.mask(nil)
		VMOVAPD(m.register(b.value), k, value)
		KANDB(k, m.truth(b.ok), t)
		KANDNB(good, k, good)
		KORB(t, good, good)
	} else {
		c := m.register(b.cond)
		VBLENDVPD(c, m.register(b.value), value, value)
		VBLENDVPD(c, m.register(b.ok), ok, ok)
	}
	m.now++
	m.fixed = nil
	m.restore(old)
	Label(label)
}

// finish stores the value where ok, and collects the failures, those of the latest vector in
// the highest bits.
func (m *machine) finish(last region) {
	m.pinned = map[int]bool{}
	out := Mem{Base: dst, Index: offset, Scale: 1}
	switch {
	case m.wide:
		k, v := m.truth(last.ok), m.register(last.value)
		if m.single {
			narrow := m.take(nil).AsY()
			VCVTPD2PS(v, narrow)
			VMOVUPS(narrow, k, out)
		} else {
			VMOVUPD(v, k, out)
		}
		KNOTB(k, k)
		KMOVB(k, scratch.As32())
	case m.single:
		ok, v := m.register(last.ok), m.register(last.value)
		high, old := m.take(nil).AsX(), m.take(nil).AsX()
		VMOVMSKPD(ok, scratch.As32())
		VEXTRACTF128(U8(1), ok, high)
		VSHUFPS(U8(0x88), high, ok.AsX(), high)
		VCVTPD2PSY(v, v.AsX())
		VMOVUPS(out, old)
		VBLENDVPS(high, v.AsX(), old, old)
		VMOVUPS(old, out)
		XORL(U8(1<<m.lanes-1), scratch.As32())
	default:
		ok, v := m.register(last.ok), m.register(last.value)
		old := m.take(nil)
		VMOVUPD(out, old)
		VBLENDVPD(ok, v, old, old)
		VMOVUPD(old, out)
		VMOVMSKPD(ok, scratch.As32())
		XORL(U8(1<<m.lanes-1), scratch.As32())
	}
	SHLQ(U8(64-m.lanes), scratch)
	SHRQ(U8(m.lanes), fails)
	ORQ(scratch, fails)
}

// prologue loads the arguments, and counts the bytes of all whole vectors and what is left.
func (m *machine) prologue(arity int) {
	Load(Param("dst"), dst)
	for i, name := range []string{"x", "y"}[:arity] {
		Load(Param(name), args[i])
	}
	Load(Param("n"), whole)
	SHLQ(U8(bits.Len(uint(m.size()))-1), whole)
	MOVQ(whole, rest)
	ANDQ(U8(m.stride()-1), rest)
	SUBQ(rest, whole)
	XORQ(fails, fails)
	m.frame, m.left = AllocLocal(m.bytes()*(arity+1)), AllocLocal(8)
	MOVQ(rest, m.left)
	TESTQ(whole, whole)
	JEQ(LabelRef("left"))
}

// epilogue is where the loop ends. What is left is copied to a vector in the frame, with zeros
// behind it, which the loop then goes over; after that its results are copied back.
func (m *machine) epilogue(arity int) {
	Label("left")
	MOVQ(m.left, rest)
	TESTQ(rest, rest)
	JEQ(LabelRef("end"))
	pointers := append([]reg.GPPhysical{dst}, args[:arity]...)
	zero := m.take(nil)
	VPXOR(zero.AsX(), zero.AsX(), zero.AsX())
	for i, p := range pointers {
		VMOVUPD(zero.AsY(), m.frame.Offset(m.bytes()*i))
		if m.wide {
			VMOVUPD(zero.AsY(), m.frame.Offset(m.bytes()*i+32))
		}
		ADDQ(whole, p)
	}
	XORQ(offset, offset)
	Label("in")
	for i, p := range pointers {
		LEAQ(m.frame.Offset(m.bytes()*i), base)
		m.copy(Mem{Base: p, Index: offset, Scale: 1}, Mem{Base: base, Index: offset, Scale: 1})
	}
	ADDQ(U8(m.size()), offset)
	CMPQ(offset, rest)
	JLT(LabelRef("in"))
	for i, p := range pointers {
		LEAQ(m.frame.Offset(m.bytes()*i), p)
	}
	MOVQ(U32(m.stride()), whole)
	MOVQ(U32(0), m.left)
	JMP(LabelRef("start"))

	Label("end")
	VZEROUPPER()
	Load(Param("n"), whole)
	MOVQ(whole, rest)
	ANDQ(U8(m.lanes-1), rest)
	JEQ(LabelRef("whole"))
	SUBQ(rest, whole)
	Load(Param("dst"), base)
	LEAQ(Mem{Base: base, Index: whole, Scale: uint8(m.size())}, base)
	XORQ(offset, offset)
	Label("out")
	m.copy(Mem{Base: dst, Index: offset, Scale: uint8(m.size())}, Mem{Base: base, Index: offset, Scale: uint8(m.size())})
	INCQ(offset)
	CMPQ(offset, rest)
	JLT(LabelRef("out"))
	ADDQ(U8(m.lanes), whole)
	Label("whole")
	// The lowest bit comes to the lowest place: 64 less the lanes of all vectors.
	NEGQ(whole)
	SHRQ(reg.CL, fails)
	Store(fails, ReturnIndex(0))
	RET()
}

// copy copies one argument or result.
func (m *machine) copy(from, to Mem) {
	if m.single {
		MOVL(from, scratch.As32())
		MOVL(scratch.As32(), to)
	} else {
		MOVQ(from, scratch)
		MOVQ(scratch, to)
	}
}
