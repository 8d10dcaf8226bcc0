package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A CallSum is a call that folds numbers into what it is called with, as its
// receiver or by a pointer, or into a variable outside of the function: one of
// the package, or a literal. The function may call another one that does.
type CallSum struct {
	Call    *ast.CallExpr
	Target  ast.Expr     // the receiver, the argument or the variable
	Indexes []ast.Expr   // arguments that choose the place in the target
	Sum     Accumulation // in the function
	// IsCaptured marks a local variable that a literal captures, IsLocked a sum
	// under the lock of a mutex, and IsScattered a function that looks up the
	// place in the target, or goes over a list of places.
	IsCaptured, IsLocked, IsScattered bool

	leadsOut bool // the place is behind a pointer
}

func (c CallSum) String() string { return Short(c.Call) }

// Dependent returns the indexes, of the target too, that depend on a variable
// declared in a node: see IndexedFrom.
func (c CallSum) Dependent(info *types.Info, in ast.Node) []ast.Expr {
	return dependent(info, append(indexesOf(c.Target), c.Indexes...), in)
}

// IsOneSum is IsOneSum of the place that the call adds to.
func (c CallSum) IsOneSum(info *types.Info, loop ast.Node) bool {
	if c.IsScattered || !IsOneSum(info, c.Target, loop) {
		return false
	}
	return len(c.Indexes) == 1 && isFieldOf(info, c.Indexes[0], loop) ||
		len(dependent(info, c.Indexes, loop)) == 0
}

// maxCalls bounds the functions that are followed from a call to a sum.
const maxCalls = 3

// CallSums returns the calls in a node that fold numbers. Scope is the node
// that assigns the variables with literals.
func (b Bodies) CallSums(info *types.Info, scope, in ast.Node) []CallSum {
	return b.callSums(info, scope, in, maxCalls)
}

// Started returns the sums of a call that a goroutine begins with, and for a
// literal the sums and the calls in it, with its own indexes.
func (b Bodies) Started(info *types.Info, scope ast.Node, call *ast.CallExpr) []CallSum {
	f := b.callee(info, scope, call)
	if f == nil {
		return nil
	}
	if _, ok := f.node.(*ast.FuncLit); !ok {
		return b.callSums(info, scope, call, maxCalls)
	}
	var all []CallSum
	for _, s := range b.sumsOf(info, scope, f.node, maxCalls+1) {
		if s.Call == nil {
			s.Call, s.IsCaptured = call, true
		}
		root := Root(info, s.Target)
		if to, ok := f.passed[root]; ok && s.leadsOut {
			s.Indexes = append(indexesOf(s.Target), s.Indexes...)
			s.Target = to.value
			all = append(all, s)
		} else if root != nil && !Declared(root, f.node) {
			all = append(all, s)
		}
	}
	return all
}

func (b Bodies) callSums(info *types.Info, scope, in ast.Node, depth int) []CallSum {
	var all []CallSum
	ast.Inspect(in, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && depth > 0 {
			if f := b.callee(info, scope, call); f != nil {
				for _, s := range b.sumsOf(info, scope, f.node, depth) {
					if s, ok := f.outside(info, call, s); ok {
						all = append(all, s)
					}
				}
			}
		}
		return true
	})
	return all
}

// A sumsKey is a declaration or a literal, and a bound of calls.
type sumsKey struct {
	node  ast.Node
	depth int
}

// sumsOf returns the sums in a declaration or a literal, in terms of its own
// variables.
func (b Bodies) sumsOf(info *types.Info, scope, node ast.Node, depth int) []CallSum {
	key := sumsKey{node, depth}
	if all, ok := b.sums[key]; ok {
		return all
	}
	body := bodyOf(node)
	if d, ok := node.(*ast.FuncDecl); ok {
		scope = d.Body
	}
	var all []CallSum
	for _, a := range b.Accumulations(info, body) {
		all = append(all, CallSum{Target: a.Target, Sum: a,
			IsLocked: IsLocked(info, body, a.Pos()), leadsOut: leadsOut(info, a.Target)})
	}
	for _, s := range b.callSums(info, scope, body, depth-1) {
		s.IsLocked = s.IsLocked || IsLocked(info, body, s.Call.Pos())
		all = append(all, s)
	}
	b.sums[key] = all
	return all
}

func bodyOf(node ast.Node) *ast.BlockStmt {
	if l, ok := node.(*ast.FuncLit); ok {
		return l.Body
	}
	return node.(*ast.FuncDecl).Body
}

// IsLocked reports whether a function locks a mutex before a position, and does
// not unlock one in between. A literal begins without a lock.
func IsLocked(info *types.Info, body *ast.BlockStmt, at token.Pos) bool {
	locked := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			return false
		case *ast.FuncLit:
			isAround := n.Pos() <= at && at < n.End()
			locked = locked && !isAround
			return isAround
		case *ast.CallExpr:
			if f := Callee(info, n); n.Pos() < at && IsFunc(f, "sync", "Lock", "Unlock") {
				locked = f.Name() == "Lock"
			}
		}
		return true
	})
	return locked
}

// A callee is the declaration or the literal that a call runs.
type callee struct {
	node   ast.Node
	passed map[*types.Var]argument
}

// An argument is an operand of a call: of a parameter, or the receiver.
type argument struct {
	value    ast.Expr // without the operator &
	leadsOut bool     // what it points to is behind a pointer here, too
}

// callee returns the function of the package or the literal that a call runs,
// also by a variable of the scope, or nil.
func (b Bodies) callee(info *types.Info, scope ast.Node, call *ast.CallExpr) *callee {
	fun := Resolve(info, scope, call.Fun)
	if l, ok := fun.(*ast.FuncLit); ok {
		f := &callee{l, map[*types.Var]argument{}}
		f.pass(info, info.TypeOf(l).(*types.Signature), call.Args, call.Ellipsis.IsValid())
		return f
	}
	d := b.Of(Callee(info, &ast.CallExpr{Fun: fun}))
	if d == nil {
		return nil
	}
	f := &callee{d, map[*types.Var]argument{}}
	s, args := info.Defs[d.Name].(*types.Func).Signature(), call.Args
	if r := s.Recv(); r != nil {
		sel, ok := fun.(*ast.SelectorExpr)
		if !ok || info.Selections[sel] == nil {
			return nil
		}
		switch info.Selections[sel].Kind() {
		case types.MethodVal:
			f.passed[r] = receiver(info, sel, r)
		case types.MethodExpr:
			if len(args) == 0 {
				return nil
			}
			f.passed[r], args = pointed(info, args[0]), args[1:]
		default:
			return nil
		}
	}
	f.pass(info, s, args, call.Ellipsis.IsValid())
	return f
}

// pass notes the arguments of parameters.
func (f *callee) pass(info *types.Info, s *types.Signature, args []ast.Expr, isSlice bool) {
	for i := range min(s.Params().Len(), len(args)) {
		if !s.Variadic() || i < s.Params().Len()-1 || isSlice {
			f.passed[s.Params().At(i)] = pointed(info, args[i])
		}
	}
}

// receiver returns what a method is called on.
func receiver(info *types.Info, sel *ast.SelectorExpr, r *types.Var) argument {
	if isPointer(r.Type()) && !isPointer(info.TypeOf(sel.X)) { // Go takes the address
		return argument{sel.X, leadsOut(info, sel.X) || info.Selections[sel].Indirect()}
	}
	return pointed(info, sel.X)
}

// pointed returns an argument as what it points to.
func pointed(info *types.Info, e ast.Expr) argument {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		return argument{u.X, leadsOut(info, u.X)}
	}
	return argument{e, true}
}

// outside returns a sum of the function in terms of its caller, if the caller
// has the place.
func (f *callee) outside(info *types.Info, call *ast.CallExpr, s CallSum) (CallSum, bool) {
	root := Root(info, s.Target)
	if root == nil {
		return s, false
	}
	indexes := append(indexesOf(s.Target), s.Indexes...)
	s.Call, s.Indexes = call, nil
	if !Declared(root, f.node) {
		s.IsCaptured = !isOfPackage(root)
	} else {
		to, ok := f.passed[root]
		if !ok || !s.leadsOut {
			return s, false
		}
		s.Target, s.leadsOut, s.IsCaptured = to.value, to.leadsOut, false
	}
	for _, index := range dependent(info, indexes, f.node) {
		if s.IsLocked && IsLookedUp(info, f.node, index) {
			s.IsScattered = true
			continue
		}
		isPassed := true
		Mentions(info, index, func(v *types.Var) bool {
			if Declared(v, f.node) {
				a, ok := f.passed[v]
				isPassed = isPassed && ok
				s.Indexes = append(s.Indexes, a.value)
			}
			return false
		})
		if !isPassed {
			return s, false
		}
	}
	return s, true
}

// isOfPackage reports whether a variable is declared outside of functions.
func isOfPackage(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// leadsOut reports whether a place is behind a pointer: *p, p.f, p.f[i].
func leadsOut(info *types.Info, e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.StarExpr:
			return true
		case *ast.SelectorExpr:
			if isPointer(info.TypeOf(x.X)) {
				return true
			}
			e = x.X
		case *ast.IndexExpr:
			switch info.TypeOf(x.X).Underlying().(type) {
			case *types.Slice, *types.Map, *types.Pointer:
				return true
			}
			e = x.X
		default:
			return false
		}
	}
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
