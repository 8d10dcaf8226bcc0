package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// A call of one float64 or float32, compiled for amd64 with FMA: see
// docs/develop/lanes.md. It computes in the low halves of XMM registers, in
// float64. The code of each region stands for itself, and a jump leads to it;
// where a value does not count, the function itself takes over, by a jump.

// callRegs counts the vector registers that a call may change. X15 is 0.
const callRegs = 15

// callGeneral are the general registers that a call may change.
var callGeneral = []string{
	"AX", "BX", "CX", "DX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13",
}

// A step of a region computes a node, or jumps to a label where a truth holds,
// or where it does not.
type step struct {
	node, truth *node
	holds       bool
	label       string
}

// A call writes the instructions of one function.
type call struct {
	gen.ARM64
	lane
	future
	pool      *pool
	names     []string    // of the arguments
	frame     map[int]int // their offsets
	indices   map[*node]bool
	where     map[*node]int
	held      map[int]*node
	general   map[*node]string  // general registers
	tables    map[string]string // their addresses
	pinned    map[int]bool
	skipLabel int
}

// slowPath is the label of the jump to the function itself.
const slowPath = "slow"

// writeCalls writes the functions for single calls.
func writeCalls(s *source, names []string) {
	p, functions := &pool{}, []gen.ARM64Func{}
	for _, name := range names {
		functions = append(functions, s.call(name, p))
	}
	file := func(name string) string { return flag.Lookup(name).Value.String() }
	gen.WriteTo(file("out"), file("stubs"), file("pkg"), callData(p), functions)
}

// call returns the function for single calls that a lane function computes.
func (s *source) call(name string, p *pool) gen.ARM64Func {
	l := s.callLane(name)
	operation := strings.TrimSuffix(strings.TrimSuffix(name, "Call"), "Lane")
	fast, slow := "Fast"+title(operation), "nearest"+title(operation)
	target := title(operation)
	if l.single {
		fast, slow, target = "fast"+title(operation), operation, operation
	}
	frame, signature := s.frame(name, target, l)
	text := bytes.Buffer{}
	w := bufio.NewWriter(&text)
	c := &call{ARM64: gen.ARM64{Writer: w}, lane: l, pool: p, names: s.params(name), frame: frame}
	c.write(slow)
	w.Flush()
	return gen.ARM64Func{
		Name:      fast,
		Signature: signature,
		Doc: fmt.Sprintf("computes %s(%s) to nearest, with FMA where the processor has it.",
			target, strings.Join(s.params(target), ", ")),
		NoSplit: true,
		Args:    l.resultOffset() + l.size(),
		Body:    func(w gen.ARM64) { w.Write(text.Bytes()) },
	}
}

// callLane compiles a function for single calls. Its products are fused with
// sums in float32, too: its rounding test holds for every value within the
// error bound.
func (s *source) callLane(name string) lane {
	g := newGraph(true)
	g.single = true
	l, err := s.compile(name, g)
	if err != nil {
		fail(err)
	}
	l.regions = g.fuse(l.regions)
	if l.single {
		l.regions = g.narrow(l.regions)
	}
	return l
}

// resultOffset returns the offset of the result of a call, behind its
// arguments.
func (l lane) resultOffset() int { return (l.arity*l.size() + 7) &^ 7 }

// title returns an exported name.
func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// params returns the names of a function's parameters before the mode.
func (s *source) params(name string) (list []string) {
	fn := s.funcs[s.scope.Lookup(name)]
	if fn == nil {
		fail(fmt.Errorf("there is no function %s", name))
	}
	for _, f := range fn.Type.Params.List {
		if t, ok := f.Type.(*ast.Ident); ok && (t.Name == "float64" || t.Name == "float32") {
			for _, n := range f.Names {
				list = append(list, n.Name)
			}
		}
	}
	return list
}

// frame returns the offsets of a lane function's arguments where the function
// itself has them, and the function's signature.
func (s *source) frame(name, target string, l lane) (frame map[int]int, signature string) {
	frame = map[int]int{}
	names := s.params(target)
	for i, n := range s.params(name) {
		frame[i] = l.size() * slices.Index(names, n)
	}
	format := fmt.Sprintf("float%d", 8*l.size())
	return frame, fmt.Sprintf("(%s %s) %s", strings.Join(names, ", "), format, format)
}

// callData returns the constants, each twice, as memory operands must be.
func callData(p *pool) string {
	var b strings.Builder
	b.WriteByte('\n')
	for i, v := range p.bits {
		for j := range 2 {
			fmt.Fprintf(&b, "DATA calls<>+%d(SB)/8, $%#016x\n", 16*i+8*j, v)
		}
	}
	fmt.Fprintf(&b, "GLOBL calls<>(SB), RODATA|NOPTR, $%d\n", 16*len(p.bits))
	return b.String()
}

// write writes the function: the last region, then the others.
func (c *call) write(slow string) {
	c.Ins("CMPB ·fused(SB), $0")
	c.Ins("JEQ %s", slowPath)
	last := len(c.regions) - 1
	var jumps []step
	for i, r := range c.regions[:last] {
		jumps = append(jumps, step{truth: r.cond, holds: true, label: fmt.Sprintf("region%d", i)})
	}
	c.region(c.regions[last], jumps)
	for i, r := range c.regions[:last] {
		c.Label(fmt.Sprintf("region%d", i))
		c.region(r, nil)
	}
	c.Label(slowPath)
	c.Ins("JMP ·%s(SB)", slow)
}

// early bounds the operations of a truth that is tested before the value is
// computed.
const early = 4

// region writes the code of a region, after jumps.
func (c *call) region(r region, jumps []step) {
	c.where, c.held, c.now = map[*node]int{}, map[int]*node{}, 0
	c.general, c.tables = map[*node]string{}, map[string]string{}
	var late []step
	for _, t := range conjuncts(r.ok) {
		s := step{truth: t, label: slowPath}
		if len(schedule(map[*node]bool{}, t)) <= early {
			jumps = append(jumps, s)
		} else {
			late = append(late, s)
		}
	}
	done := map[*node]bool{}
	var steps []step
	compute := func(nodes ...*node) {
		for _, n := range schedule(done, nodes...) {
			steps = append(steps, step{node: n})
		}
	}
	for _, s := range jumps {
		compute(operands(s.truth)...)
		steps = append(steps, s)
	}
	var outputs []*node
	if !c.single || r.value.op != argument {
		outputs = append(outputs, r.value)
	}
	for _, s := range late {
		outputs = append(outputs, operands(s.truth)...)
	}
	compute(outputs...)
	steps = append(steps, late...)
	c.findIndices(r.value, append(outputs, r.value)...)
	c.uses = map[*node][]int{}
	for i, s := range steps {
		args := operands(s.truth)
		if s.node != nil {
			args = s.node.args
		}
		c.need(i, args)
	}
	c.need(len(steps), []*node{r.value})
	for _, s := range steps {
		if s.node != nil {
			c.compute(s.node)
			continue
		}
		c.pinned = map[int]bool{}
		c.loadOperands(s.truth)
		c.jump(s.truth, s.holds, s.label)
		c.done()
	}
	c.pinned = map[int]bool{}
	c.result(r.value)
	c.Ins("RET")
}

// result stores the value of a region.
func (c *call) result(n *node) {
	switch {
	case c.single && n.op == argument:
		r := c.takeGeneral(n)
		c.Ins("MOVL %s, %s", c.memory(n), r)
		c.Ins("MOVL %s, ret+%d(FP)", r, c.resultOffset())
	case c.single:
		r := c.register(n)
		c.Ins("VCVTSD2SS X%d, X15, X%d", r, r)
		c.Ins("VMOVSS X%d, ret+%d(FP)", r, c.resultOffset())
	case c.isGeneral(n):
		c.Ins("MOVQ %s, ret+%d(FP)", c.integer(n), c.resultOffset())
	default:
		c.Ins("VMOVSD X%d, ret+%d(FP)", c.register(n), c.resultOffset())
	}
}

// need records the nodes that a step needs, and the indices of rows that
// columns are loaded from.
func (c *call) need(step int, list []*node) {
	for _, n := range list {
		c.uses[n] = append(c.uses[n], step)
		if n.op == column {
			c.uses[n.args[0]] = append(c.uses[n.args[0]], step)
		}
	}
}

// conjuncts returns truths that hold together where t does.
func conjuncts(t *node) []*node {
	switch {
	case t.op == both:
		return append(conjuncts(t.args[0]), conjuncts(t.args[1])...)
	case t.op == not && t.args[0].op == either:
		a, b := t.args[0].args[0], t.args[0].args[1]
		return append(conjuncts(negation(a)), conjuncts(negation(b))...)
	case t.op == ieq && t.args[0] == t.args[1]:
		return nil
	}
	return []*node{t}
}

// negation returns the truth that t does not hold.
func negation(t *node) *node {
	if t.op == not {
		return t.args[0]
	}
	return &node{op: not, args: []*node{t}, id: t.id}
}

// operands returns the nodes that the jump for a truth needs.
func operands(t *node) (list []*node) {
	switch {
	case t == nil:
		return nil
	case t.op == both || t.op == either || t.op == not:
		for _, a := range t.args {
			list = append(list, operands(a)...)
		}
		return list
	case isMaskTest(t):
		return t.args[0].args[:1]
	case slices.Contains([]op{lt, le, eq, ne, ult, sgt, ieq}, t.op):
		return t.args
	}
	return []*node{t}
}

// isMaskTest reports whether a truth is that a number has none of the bits of a
// mask.
func isMaskTest(t *node) bool {
	return t.op == ieq && t.args[1].op == constant && t.args[1].bits == 0 &&
		t.args[0].op == and && isImmediate(t.args[0].args[1])
}

// isImmediate reports whether a node is a constant that an instruction on
// general registers holds.
func isImmediate(n *node) bool { return n.op == constant && int64(n.bits) == int64(int32(n.bits)) }

// isGeneral reports whether a node is computed in a general register: integers
// are, so that they do not compete with floating-point operations for the ports
// of the processor. A mask of a float64 is, where it makes an integer of it.
func (c *call) isGeneral(n *node) bool {
	switch n.op {
	case argBits, tri, iadd, isub, shl, shr, sar, imin, imax:
		return true
	case and, or, xor:
		return c.indices[n] || c.isGeneral(n.args[0]) || c.isGeneral(n.args[1])
	}
	return false
}

// findIndices finds the nodes that index tables, or that such indices are made
// of. A float32 does not: its float64 comes from a conversion.
func (c *call) findIndices(value *node, outputs ...*node) {
	c.indices = map[*node]bool{}
	for _, n := range slices.Backward(schedule(map[*node]bool{}, outputs...)) {
		if n.op == column || c.isGeneral(n) {
			for _, a := range n.args {
				c.indices[a] = !c.single || a != value
			}
		}
	}
}

// take returns a vector register for a node, or for one instruction if n is
// nil. Where none is free, a node moves to a general register.
func (c *call) take(n *node) int {
	best := -1
	for r := range callRegs {
		switch {
		case c.pinned[r]:
		case best < 0 || c.held[best] != nil &&
			(c.held[r] == nil || c.next(c.held[r]) > c.next(c.held[best])):
			best = r
		}
	}
	if best < 0 {
		panic("no register left")
	}
	if old := c.held[best]; old != nil {
		if _, there := c.general[old]; !there && !c.isLoaded(old) {
			c.Ins("VMOVQ X%d, %s", best, c.takeGeneral(old))
		}
		delete(c.held, best)
		delete(c.where, old)
	}
	c.pinned[best] = true
	if n != nil {
		c.give(best, n)
	}
	return best
}

// give records that a register holds a node.
func (c *call) give(r int, n *node) { c.held[r], c.where[n] = n, r }

// isLoaded reports whether a node is in memory. A float32 is not, as a float64.
func (c *call) isLoaded(n *node) bool {
	return n.op == constant || n.op == argument && !c.single || n.op == column
}

// takeGeneral returns a free general register for a node.
func (c *call) takeGeneral(n *node) string {
	used := slices.Collect(maps.Values(c.general))
	used = slices.AppendSeq(used, maps.Values(c.tables))
	for _, r := range callGeneral {
		if !slices.Contains(used, r) {
			c.general[n] = r
			return r
		}
	}
	panic("no general register left")
}

// done goes to the next step, and frees the registers of nodes that are not
// needed any more: one that the instruction needs last may receive its result.
func (c *call) done() {
	c.now++
	for n, r := range maps.Clone(c.where) {
		if c.next(n) == math.MaxInt {
			delete(c.held, r)
			delete(c.where, n)
		}
	}
	for n := range maps.Clone(c.general) {
		if c.next(n) == math.MaxInt {
			delete(c.general, n)
		}
	}
	c.pinned = map[int]bool{}
}

// register returns a node's vector register. It loads or moves the node where
// necessary.
func (c *call) register(n *node) int {
	r, ok := c.where[n]
	if !ok {
		r = c.take(n)
		if from, ok := c.general[n]; ok {
			c.Ins("VMOVQ %s, X%d", from, r)
		} else {
			c.Ins("VMOVSD %s, X%d", c.memory(n), r)
		}
	}
	c.pinned[r] = true
	return r
}

// integer returns a node's general register. It loads or moves the node where
// necessary.
func (c *call) integer(n *node) string {
	if r, ok := c.general[n]; ok {
		return r
	}
	from, held := c.where[n]
	r := c.takeGeneral(n)
	switch {
	case n.op == constant:
		c.Ins("MOVQ $%#x, %s", n.bits, r)
	case held:
		c.Ins("VMOVQ X%d, %s", from, r)
	default:
		c.Ins("MOVQ %s, %s", c.memory(n), r)
	}
	return r
}

// memory returns a memory operand: a constant, an argument, or a word of a
// table.
func (c *call) memory(n *node) string {
	switch n.op {
	case constant:
		return fmt.Sprintf("calls<>+%d(SB)", 16*c.pool.index(n.bits))
	case argument, argBits:
		return fmt.Sprintf("%s+%d(FP)", c.names[n.n], c.frame[n.n])
	case column:
		return fmt.Sprintf("%d(%s)(%s*8)", 8*n.n, c.tables[n.table], c.general[n.args[0]])
	}
	panic(fmt.Sprintf("%v has no place", n))
}
