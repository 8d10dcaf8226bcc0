package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// A Sum is an addition or a subtraction.
type Sum struct {
	At   Place
	Op   token.Token
	X, Y *Value
	Call Place // the outermost call that the sum is inlined at, or the zero Place

	// IsConversion marks a conversion to an unsigned integer of 64 bits. Some
	// processors only convert to signed ones, and the compiler subtracts 2^63
	// from larger numbers there.
	IsConversion bool
}

// isOpen reports whether an operand may become a product through a call.
func (s Sum) isOpen() bool { return s.X.IsOpen() || s.Y.IsOpen() }

// IsOpen reports whether a value comes from the caller: a parameter, or the
// result of calling one. Only inlining can make it a product.
func (v *Value) IsOpen() bool { return v.Kind == Parameter || v.Kind == Callback }

// isRounded reports whether a value is a product that some factors round.
func (v *Value) isRounded() bool { return v.IsProduct() && v.Exactness() != Exact }

// IsProduct reports whether an operand is a product.
func (s Sum) IsProduct() bool { return s.X.IsProduct() || s.Y.IsProduct() }

// A Store is one of an inlined function, through a parameter.
type Store struct {
	Index int
	Path  []int
	Value *Value
}

// A Summary is what a function does that the compiler inlines.
type Summary struct {
	Cost   int   // as the compiler counts it
	Sums   []Sum // those with an operand that is a parameter
	Result *Value
	Calls  []*Value // of parameters
	Stores []Store
	Hides  bool // whether it stores elsewhere, or at places that are not known
}

// AFact marks summaries as facts about functions.
func (*Summary) AFact() {}

func (s *Summary) String() string { return "summary" }

// maxSums bounds the sums of a summary.
const maxSums = 32

// summary returns the summary of a function of this package or another one, or
// nil if it is not inlined.
func (p *pkg) summary(f *ssa.Function) *Summary {
	if s := p.summarized(f); s != nil && s.Cost <= p.budget {
		return s
	}
	return nil
}

// summarized returns the summary of a function of this package, or of one of
// another that is inlined, or nil.
func (p *pkg) summarized(f *ssa.Function) *Summary {
	if f == nil {
		return nil
	}
	if f.Origin() != nil {
		f = f.Origin()
	}
	if s, ok := p.summaries[f]; ok {
		return s
	}
	p.summaries[f] = nil // a recursive function is not inlined
	switch {
	case len(f.Blocks) > 0 && f.Syntax() != nil:
		if cost := p.cost(f); cost < never {
			p.summaries[f] = p.summarize(f, cost)
		}
	case p.fact != nil:
		if o, ok := f.Object().(*types.Func); ok && o.Pkg() != p.types {
			p.summaries[f] = p.fact(o.Origin())
		}
	}
	return p.summaries[f]
}

func (p *pkg) summarize(fn *ssa.Function, cost int) *Summary {
	f := p.frame()
	_, open, calls := f.sums(fn)
	s := &Summary{Cost: cost, Sums: open, Calls: calls, Result: unknown}
	if len(s.Sums) > maxSums || len(s.Calls) > maxSums {
		s.Sums, s.Calls = nil, nil
	}
	returns := 0
	for _, b := range live(fn) {
		for _, i := range b.Instrs {
			if r, ok := i.(*ssa.Return); ok {
				returns++
				s.Result = f.returned(r)
			}
			f.note(s, fn, i)
		}
	}
	if returns != 1 { // one of several values is not fused
		s.Result = unknown
	}
	return s
}

// returned returns the value of a statement's results.
func (f *frame) returned(r *ssa.Return) *Value {
	if len(r.Results) == 1 {
		return f.value(r.Results[0], maxSteps)
	}
	v := &Value{Kind: Struct}
	for _, result := range r.Results {
		v.Parts = append(v.Parts, f.value(result, maxSteps))
	}
	return v
}

// note adds the effect of an instruction on memory to a summary.
func (f *frame) note(s *Summary, fn *ssa.Function, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Store:
		root, path := f.access(i.Addr)
		parameter, ok := root.(*ssa.Parameter)
		switch {
		case isPrivate(root):
		case !ok || len(fn.Blocks) > 1 || !isConstant(path):
			s.Hides = true
		default:
			s.Stores = append(s.Stores, Store{index(fn.Params, parameter), indices(path),
				f.value(i.Val, maxSteps)})
		}
	case *ssa.Call:
		if to := f.summary(callee(i)); !isPure(i) &&
			(to == nil || to.Hides || len(to.Stores) > 0) {
			s.Hides = true
		}
	case ssa.CallInstruction, *ssa.Send, *ssa.Select, *ssa.RunDefers, *ssa.MapUpdate:
		s.Hides = true
	}
}

func isConstant(path []step) bool {
	for _, s := range path {
		if s.by != nil {
			return false
		}
	}
	return true
}

// isPure reports whether a call is one of a function that stores nothing that
// its caller sees.
func isPure(c *ssa.Call) bool {
	switch fn := c.Call.Value.(type) {
	case *ssa.Builtin:
		switch fn.Name() {
		case "len", "cap", "min", "max", "real", "imag", "complex", "panic":
			return true
		}
	case *ssa.Function:
		return fn.Pkg != nil && fn.Pkg.Pkg.Path() == "math"
	}
	return false
}

// An effect is one of a call on a part of a variable.
type effect int

const (
	hides  effect = iota // the value after it is not known
	leaves               // it does not change
	stores               // it is a value
)

// effect returns what an inlined call does to a part of a variable.
func (f *frame) effect(c *ssa.Call, root ssa.Value, path []step, steps int) (*Value, effect) {
	if isPure(c) {
		return nil, leaves
	}
	s := f.summary(callee(c))
	if s == nil || s.Hides {
		return nil, hides
	}
	for k := len(s.Stores) - 1; k >= 0; k-- {
		store := s.Stores[k]
		to, part, ok := f.target(c, store.Index, store.Path)
		if !ok {
			return nil, hides
		}
		switch relate(root, path, to, part) {
		case same, within:
			v := store.Value.substitute(f.arguments(c, steps-1))
			return v.parts(indices(path[len(part):])), stores
		case perhaps:
			return nil, hides
		}
	}
	return nil, leaves
}

// target returns the place that a parameter of a call points to a part of.
func (f *frame) target(c *ssa.Call, index int, path []int) (ssa.Value, []step, bool) {
	a := argument(c, index)
	if a == nil {
		return nil, nil, false
	}
	more, _, ok := walk(a.Type(), path)
	root, before := f.access(a)
	return root, append(before, more...), ok
}

// callee returns the function that a call calls, or nil: also a method of an
// interface where the value in it is known.
func callee(c *ssa.Call) *ssa.Function {
	if !c.Call.IsInvoke() {
		return c.Call.StaticCallee()
	}
	if boxed, ok := c.Call.Value.(*ssa.MakeInterface); ok {
		m := c.Call.Method
		if f := c.Parent().Prog.LookupMethod(boxed.X.Type(), m.Pkg(), m.Name()); f != nil &&
			f.Synthetic == "" {
			return f
		}
	}
	return nil
}

// argument returns the argument for a parameter of a call, or the variable that
// a closure captures.
func argument(c *ssa.Call, index int) ssa.Value {
	if boxed, ok := c.Call.Value.(*ssa.MakeInterface); ok && c.Call.IsInvoke() {
		if index == 0 {
			return boxed.X
		}
		index--
	}
	if index >= 0 {
		if index < len(c.Call.Args) {
			return c.Call.Args[index]
		}
		return nil
	}
	closure, ok := c.Call.Value.(*ssa.MakeClosure)
	if !ok || -1-index >= len(closure.Bindings) {
		return nil
	}
	return closure.Bindings[-1-index]
}

// walk returns the steps to a part of what a pointer points to, or a slice has,
// and the type of the part.
func walk(pointer types.Type, path []int) ([]step, types.Type, bool) {
	var all []step
	t := pointer
	if p, ok := pointer.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	} else if _, ok := pointer.Underlying().(*types.Slice); !ok {
		return nil, nil, false
	}
	for _, i := range path {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if i >= u.NumFields() {
				return nil, nil, false
			}
			all, t = append(all, step{index: i}), u.Field(i).Type()
		case *types.Array:
			all, t = append(all, step{index: i, array: true}), u.Elem()
		case *types.Slice:
			all, t = append(all, step{index: i, array: true}), u.Elem()
		case *types.Basic: // a part of a complex number
			if u.Info()&types.IsComplex == 0 {
				return nil, nil, false
			}
			all, t = append(all, step{index: i}), types.Typ[types.Float64]
			if u.Kind() == types.Complex64 {
				t = types.Typ[types.Float32]
			}
		default:
			return nil, nil, false
		}
	}
	return all, t, true
}

// arguments returns a function that replaces the parameters of a call.
func (f *frame) arguments(c *ssa.Call, steps int) func(*Value) *Value {
	return func(p *Value) *Value {
		if p.Kind == Callback {
			return f.called(c, p, steps-1)
		}
		a := argument(c, p.Index)
		if a == nil || steps <= 0 {
			return unknown
		}
		return f.part(a, p, c, steps)
	}
}

// result returns what an inlined call returns.
func (f *frame) result(c *ssa.Call, steps int) *Value {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return f.builtin(b, c.Call.Args, steps)
	}
	if p, ok := c.Call.Value.(*ssa.Parameter); ok && !c.Call.IsInvoke() {
		return f.callback(c, p, steps)
	}
	if v := random(c.Call.StaticCallee()); v != nil {
		return v
	}
	if v := f.foldedCall(c, steps); v != nil {
		return v
	}
	s := f.summarized(callee(c))
	switch {
	case s == nil:
		return unknown
	case s.Cost > f.budget: // the result is rounded
		return s.Result.substitute(f.arguments(c, steps)).rounded()
	}
	return s.Result.substitute(f.arguments(c, steps))
}

// sums returns the sums in a function, inlined ones too: those with products,
// and those that may meet a rounded one only through a call of the function. It
// returns the calls of parameters, too.
func (f *frame) sums(fn *ssa.Function) (found, open []Sum, calls []*Value) {
	add := func(s Sum) {
		if s.IsProduct() {
			found = append(found, s)
		}
		if s.isOpen() && !s.X.isRounded() && !s.Y.isRounded() {
			open = append(open, s)
		}
	}
	for _, b := range live(fn) {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.BinOp:
				for _, s := range f.written(i) {
					add(s)
				}
			case *ssa.Convert:
				if isWide(i.X, i) {
					add(f.subtraction(i, i.X))
				}
			case *ssa.MultiConvert:
				if isWide(i.X, i) {
					add(f.subtraction(i, i.X))
				}
			case *ssa.Call:
				if p, ok := i.Call.Value.(*ssa.Parameter); ok && !i.Call.IsInvoke() {
					calls = append(calls, f.callback(i, p, maxSteps))
				}
				inlined, more := f.inlined(i)
				for _, s := range inlined {
					add(s)
				}
				calls = append(calls, more...)
			}
		}
	}
	return found, open, calls
}

// inlined returns the sums of a function that a call inlines, and of functions
// among the arguments that it calls, and its calls of parameters of this one.
func (f *frame) inlined(c *ssa.Call) (all []Sum, calls []*Value) {
	s := f.summary(callee(c))
	if s == nil {
		return nil, nil
	}
	add := func(sums []Sum, of func(*Value) *Value) {
		for _, sum := range sums {
			sum.X, sum.Y = sum.X.substitute(of), sum.Y.substitute(of)
			sum.Call = f.place(c.Pos())
			all = append(all, sum)
		}
	}
	of := f.arguments(c, maxSteps)
	add(s.Sums, of)
	for _, call := range s.Calls {
		to, given := f.given(c, call, maxSteps)
		if p, ok := to.(*ssa.Parameter); ok {
			calls = append(calls, &Value{Kind: Callback, Index: index(c.Parent().Params, p),
				Parts: given})
		} else if s := f.summary(function(to)); s != nil {
			add(s.Sums, f.handed(c, to, given, maxSteps))
		}
	}
	return all, calls
}

// written returns the sums that an operation computes: one, two for the parts
// of a complex sum, or x + x for 2·x, which the compiler compiles as an
// addition.
func (f *frame) written(b *ssa.BinOp) []Sum {
	isSum := b.Op == token.ADD || b.Op == token.SUB
	s := Sum{At: f.place(b.Pos()), Op: b.Op}
	switch {
	case floats.Is(b.Type()) && (isSum || b.Op == token.MUL):
		s.X, s.Y = f.value(b.X, maxSteps), f.value(b.Y, maxSteps)
	case floats.IsComplex(b.Type()) && isSum:
		x, y := f.value(b.X, maxSteps), f.value(b.Y, maxSteps)
		re, im := s, s
		re.X, re.Y = x.part(0), y.part(0)
		im.X, im.Y = x.part(1), y.part(1)
		return []Sum{re, im}
	default:
		return nil
	}
	switch {
	case isSum:
	case s.X.Kind == Constant && s.X.Constant == 2:
		s.Op, s.X = token.ADD, s.Y
	case s.Y.Kind == Constant && s.Y.Constant == 2:
		s.Op, s.Y = token.ADD, s.X
	default:
		return nil
	}
	return []Sum{s}
}

// live returns the blocks of a function that run for some arguments: those
// behind a constant condition may not.
func live(fn *ssa.Function) []*ssa.BasicBlock {
	reached := map[*ssa.BasicBlock]bool{}
	var reach func(b *ssa.BasicBlock)
	reach = func(b *ssa.BasicBlock) {
		if reached[b] {
			return
		}
		reached[b] = true
		next := b.Succs
		if i, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			if c, ok := i.Cond.(*ssa.Const); ok && c.Value != nil {
				next = next[:1]
				if !constant.BoolVal(c.Value) {
					next = b.Succs[1:]
				}
			}
		}
		for _, s := range next {
			reach(s)
		}
	}
	if len(fn.Blocks) > 0 {
		reach(fn.Blocks[0])
	}
	var all []*ssa.BasicBlock
	for _, b := range fn.Blocks {
		if reached[b] {
			all = append(all, b)
		}
	}
	return all
}

// random returns the result of Float64 and Float32 of math/rand: an integer
// times a power of two, exactly.
func random(f *ssa.Function) *Value {
	if f == nil || f.Object() == nil || f.Object().Pkg() == nil {
		return nil
	}
	path, to := f.Object().Pkg().Path(), double
	switch {
	case path != "math/rand" && path != "math/rand/v2":
		return nil
	case f.Name() == "Float32":
		to = single
	case f.Name() != "Float64":
		return nil
	}
	n := to.Precision
	integer := &Value{Digits: Digits{true, n, 0, n}}
	scale := math.Ldexp(1, -n)
	return multiply(integer, &Value{Kind: Constant, Constant: scale, Digits: constantDigits(scale)},
		to, Place{Package: path})
}
