// Command lanes compiles functions of package crmath to vector kernels, operation by
// operation: every lane computes what the Go function computes, with the same roundings,
// so that its error bounds hold as they stand.
//
// A lane function takes one or two float64 and returns a value and whether it is the
// result; where it is not, the value means nothing. It is straight-line code, and so is
// all that it calls: assignments, arithmetic without integer products, rows of tables whose
// index is masked, functions of package math that are one instruction. It may begin with
// branches that end in a return: they are taken by all lanes if one of them needs it.
package main

import (
	"flag"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"sort"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var (
	src     = flag.String("src", "../../crmath", "folder of the package")
	names   = flag.String("lanes", "", "functions, separated by commas")
	weight  = flag.Int("w", 2, "")
	verbose = flag.Bool("report", false, "print how large each kernel is")
)

func main() {
	flag.Parse()
	s, err := load(*src)
	if err != nil {
		fail(err)
	}
	ConstraintExpr("!purego")
	p := &pool{}
	for _, v := range []vector{avx2, avx512} {
		for _, name := range strings.Split(*names, ",") {
			g := newGraph(v.wide)
			l, err := s.compile(name, g)
			if err != nil {
				fail(err)
			}
			if !l.single {
				l.regions = g.fused(l.regions)
			}
			kernel(v, name, l, p)
		}
	}
	p.emit()
	Generate()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "lanes:", err)
	os.Exit(1)
}

// program is a kernel's instructions in their order: those that all lanes take, and those
// of each branch.
func program(l lane) (always []*node, branches [][]*node) {
	done := map[*node]bool{}
	last := l.regions[len(l.regions)-1]
	outputs := []*node{last.value, last.ok}
	for _, r := range l.regions[:len(l.regions)-1] {
		outputs = append(outputs, r.cond)
	}
	always = ordered(scheduled(done, outputs...))
	// The first branch counts most: it comes last.
	for i := len(l.regions) - 2; i >= 0; i-- {
		inner := map[*node]bool{}
		for n := range done {
			inner[n] = true
		}
		branches = append(branches, ordered(scheduled(inner, l.regions[i].value, l.regions[i].ok)))
	}
	return always, branches
}

func ordered(list []*node) []*node {
	sort.Slice(list, func(i, j int) bool { return list[i].id < list[j].id })
	return list
}

// kernel writes one function.
func kernel(v vector, name string, l lane, p *pool) {
	always, branches := program(l)
	last := l.regions[len(l.regions)-1]
	m := &machine{vector: v, single: l.single, pool: p, uses: map[*node][]int{}, saved: map[*node]Mem{},
		allocation: allocation{map[*node]int{}, map[*node]Mem{}, map[int]*node{}, map[reg.Register]*node{}, map[*node]Mem{}}}
	place := 0
	need := func(list ...*node) {
		for _, n := range list {
			m.uses[n] = append(m.uses[n], place)
		}
	}
	body := func(list []*node) {
		for _, n := range list {
			need(n.args...)
			place++
		}
	}
	body(always)
	for i, b := range branches {
		r := l.regions[len(l.regions)-2-i]
		need(r.cond)
		body(b)
		need(r.cond, r.value, r.ok, last.value, last.ok)
		place++
	}
	need(last.value, last.ok)

	params := "x"
	if l.arity == 2 {
		params = "x, y"
	}
	format := "float64"
	if l.single {
		format = "float32"
	}
	TEXT(strings.ToLower(name[:1])+name[1:]+v.name, 0, fmt.Sprintf("func(dst, %s *%s, n int) (fails uint64)", params, format))
	Doc(fmt.Sprintf("%s%s%s computes %s of 1 to 64 elements. Bit i of fails, up to n, says that dst[i]", strings.ToLower(name[:1]), name[1:], v.name, name),
		"has no result, and is as it was.")
	Pragma("noescape")
	m.prologue(l.arity)
	Label("start")
	XORQ(offset, offset)
	Label("loop")
	for _, n := range always {
		m.compute(n)
	}
	for i, b := range branches {
		r := l.regions[len(l.regions)-2-i]
		m.branch(fmt.Sprintf("after%d", i), r, b, last)
	}
	m.finish(last)
	ADDQ(U8(m.stride()), offset)
	CMPQ(offset, whole)
	JLT(LabelRef("loop"))
	m.epilogue(l.arity)
	if *verbose {
		total := len(always)
		for _, b := range branches {
			total += len(b)
		}
		fmt.Fprintf(os.Stderr, "%s%s: %d operations, %d of them always, %d spills\n", name, v.name, total, len(always), m.spills)
	}
}

// branch writes what is done if the condition holds in some lane: there the value and ok of
// the branch replace those of the last region.
func (m *machine) branch(label string, r region, list []*node, last region) {
	m.pinned = map[int]bool{}
	if m.wide {
		k := m.truth(r.cond)
		KORTESTB(k, k)
	} else {
		c := m.register(r.cond)
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
	for _, n := range list {
		if slices.Contains(n.args, last.value) || slices.Contains(n.args, last.ok) {
			panic(fmt.Sprintf("%v needs what its branch changes", n))
		}
		m.compute(n)
	}
	m.pinned = map[int]bool{}
	if m.wide {
		k, good, t := m.truth(r.cond), m.truth(last.ok), m.mask(nil)
		VMOVAPD(m.register(r.value), k, value)
		KANDB(k, m.truth(r.ok), t)
		KANDNB(good, k, good)
		KORB(t, good, good)
	} else {
		c := m.register(r.cond)
		VBLENDVPD(c, m.register(r.value), value, value)
		VBLENDVPD(c, m.register(r.ok), ok, ok)
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
