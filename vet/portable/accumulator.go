package portable

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// What to do about a sum that is left as it is.
const byHand = "use an exact.Accumulator under a lock, or one for each goroutine and Merge"

// goroutineSum rewrites a sum that goroutines or a channel fill to an
// exact.Accumulator, and one that is compared and swapped to an exact.Shared.
func goroutineSum(s *spot) string {
	if op := s.atomicAt(); op != nil {
		return s.share(op)
	}
	if s.isDecided(true) {
		return decided
	}
	return s.accumulate()
}

// A tally is a variable that becomes an exact.Accumulator: only added to, and
// read.
type tally struct {
	spot     *spot
	variable *types.Var
	local    bool
	float32  bool
	edits    []edit
	reason   string
}

// accumulate makes the variable of a sum an exact.Accumulator, or returns why
// it cannot.
func (s *spot) accumulate() string {
	sum, ok := around[*ast.AssignStmt](s)
	if !ok || s.isCall() {
		return "the sum is not a variable of this function: " + byHand
	}
	v := s.variable(s.target(sum))
	scope, reason := s.scopeOf(v)
	if reason != "" {
		return reason + ": " + byHand
	}
	b, ok := v.Type().(*types.Basic)
	if !ok || b.Info()&types.IsFloat == 0 {
		return "the sum is no float64 or float32: " + byHand
	}
	t := &tally{spot: s, variable: v, local: scope != ast.Node(s.file),
		float32: b.Kind() == types.Float32}
	source.WithParents(scope, t.visit)
	if t.reason != "" {
		return t.reason
	}
	s.once(scope, v, t.edits)
	return ""
}

// once adds the edits for one variable of a scope in each round, once. Others
// wait for the next round.
func (e *editor) once(scope ast.Node, v *types.Var, edits []edit) {
	switch e.sums[scope] {
	case nil:
		e.sums[scope] = v
		e.add(edits...)
	case v:
	default:
		e.later = true
	}
}

func (t *tally) refuse(reason string) {
	if t.reason == "" {
		t.reason = reason + ": " + byHand
	}
}

// visit adds the edits for a use of the variable.
func (t *tally) visit(n ast.Node, parents []ast.Node) {
	id, ok := n.(*ast.Ident)
	if !ok || t.spot.object(id) != t.variable || len(parents) == 0 {
		return
	}
	use, parents := whole(id, parents)
	switch p := parents[len(parents)-1].(type) {
	case *ast.Field:
		t.field(id, p, parents)
		return
	case *ast.KeyValueExpr:
		if p.Key == use {
			t.refuse("a literal sets the field")
			return
		}
	case *ast.ValueSpec:
		if t.spot.pkg.TypesInfo.Defs[id] != nil {
			t.declaration(id, p, parents[len(parents)-2])
			return
		}
	case *ast.AssignStmt:
		if len(p.Lhs) == 1 && p.Lhs[0] == use {
			t.assignment(id, p, parents)
			return
		}
		for _, l := range p.Lhs {
			if l == use {
				t.refuse("the variable is assigned with others")
				return
			}
		}
	case *ast.UnaryExpr:
		if p.Op == token.AND {
			t.refuse("the address of the variable is taken")
			return
		}
	case *ast.IncDecStmt, *ast.RangeStmt:
		t.refuse("the variable is not only added to")
		return
	}
	if t.isOwn(parents) {
		return // the x of x = x + y
	}
	if !t.spot.pkg.TypesInfo.Types[use].Addressable() {
		t.refuse("a method cannot be called on a part of a result")
		return
	}
	t.edits = append(t.edits, insert(id.End(), "."+t.result()+"()"))
}

// isOwn reports whether a use is in the right side of a sum that assignment
// rewrites.
func (t *tally) isOwn(parents []ast.Node) bool {
	if len(parents) < 2 {
		return false
	}
	s, ok1 := parents[len(parents)-2].(*ast.AssignStmt)
	b, ok2 := parents[len(parents)-1].(*ast.BinaryExpr)
	return ok1 && ok2 && t.added(s) == b
}

// result returns the method that rounds the sum.
func (t *tally) result() string {
	if t.float32 {
		return "Float32"
	}
	return "Float64"
}

// field rewrites a field of a structure.
func (t *tally) field(id *ast.Ident, f *ast.Field, parents []ast.Node) {
	if reason := t.spot.fieldReason(f, parents); reason != "" {
		t.refuse(reason)
		return
	}
	t.edits = append(t.edits, edit{f.Type.Pos(), f.Type.End(),
		t.spot.use(exact) + ".Accumulator"})
}

// declaration rewrites var x float64 = 0.
func (t *tally) declaration(id *ast.Ident, spec *ast.ValueSpec, of ast.Node) {
	if _, ok := of.(*ast.GenDecl); !ok || len(spec.Names) != 1 || len(spec.Values) > 1 {
		t.refuse("the variable is declared with others")
		return
	}
	if len(spec.Values) == 1 && !t.isZero(spec.Values[0]) {
		t.refuse("the variable does not begin with 0")
		return
	}
	t.edits = append(t.edits, edit{id.End(), spec.End(), " " + t.spot.use(exact) + ".Accumulator"})
}

func (t *tally) isZero(e ast.Expr) bool {
	v := floats.Constant(t.spot.pkg.TypesInfo, e)
	return v != nil && constant.Sign(v) == 0
}

// assignment rewrites x := 0.0, x += y, x -= y and x = x + y.
func (t *tally) assignment(id *ast.Ident, s *ast.AssignStmt, parents []ast.Node) {
	if s.Tok == token.DEFINE {
		if !t.isZero(s.Rhs[0]) || len(parents) < 2 || !isInBlock(parents[len(parents)-2]) {
			t.refuse("the variable does not begin with 0")
			return
		}
		t.edits = append(t.edits, edit{s.Pos(), s.End(),
			"var " + id.Name + " " + t.spot.use(exact) + ".Accumulator"})
		return
	}
	if source.Mentions(t.spot.pkg.TypesInfo, s.Rhs[0], t.isIt) && t.added(s) == nil {
		t.refuse("the variable is not only added to")
		return
	}
	if t.inGoroutine(parents) && !isLocked(s, parents) {
		t.refuse("no lock is seen to be held")
		return
	}
	opening, closing := ".Add(", ")"
	end := s.TokPos + token.Pos(len(s.Tok.String()))
	value, negative := s.Rhs[0], false
	switch b := t.added(s); {
	case b != nil:
		end, value = b.OpPos+1, b.Y
		negative = b.Op == token.SUB
	case s.Tok == token.SUB_ASSIGN:
		negative = true
	case s.Tok != token.ADD_ASSIGN:
		t.refuse("the variable is not only added to")
		return
	}
	switch {
	case t.float32 && floats.Constant(t.spot.pkg.TypesInfo, value) != nil:
		opening, closing = ".Add(float64(float32(", ")))" // a constant has its own precision
	case t.float32:
		opening, closing = ".Add(float64(", "))"
	}
	if needsParentheses(value) && negative {
		opening, closing = opening+"-(", closing+")"
	} else if negative {
		opening += "-"
	}
	t.edits = append(t.edits, edit{id.End(), end, opening})
	if gap := t.spot.source(end, value.Pos()); gap == " " {
		t.edits[len(t.edits)-1].to = value.Pos()
	}
	for range closing {
		t.edits = append(t.edits, insert(s.End(), ")"))
	}
}

// needsParentheses reports whether a sign cannot be put before an expression.
func needsParentheses(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.SUB || e.Op == token.ADD
	}
	return false
}

// added returns the sum of x = x + y, or nil.
func (t *tally) added(s *ast.AssignStmt) *ast.BinaryExpr {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 {
		return nil
	}
	b, ok := s.Rhs[0].(*ast.BinaryExpr)
	if !ok || b.Op != token.ADD && b.Op != token.SUB {
		return nil
	}
	if t.spot.variable(b.X) != t.variable || source.Text(b.X) != source.Text(s.Lhs[0]) ||
		source.Mentions(t.spot.pkg.TypesInfo, b.Y, t.isIt) {
		return nil
	}
	return b
}

func (t *tally) isIt(v *types.Var) bool { return v.Origin() == t.variable }

// isInBlock reports whether a statement below a node may be a declaration.
func isInBlock(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// inGoroutine reports whether a statement may run in a goroutine: it is in a
// function literal that the variable is declared outside of, except one that a
// sync.Map ranges by, or the variable is not local.
func (t *tally) inGoroutine(parents []ast.Node) bool {
	if !t.local {
		return true
	}
	for i, p := range parents {
		f, ok := p.(*ast.FuncLit)
		if !ok || source.Declared(t.variable, f) {
			continue
		}
		call, ok := parents[max(i-1, 0)].(*ast.CallExpr)
		if !ok || !source.IsFunc(source.Callee(t.spot.pkg.TypesInfo, call), "sync", "Range") {
			return true
		}
	}
	return false
}

// isLocked reports whether a statement of the innermost function before
// another locks something, and none in between unlocks.
func isLocked(s ast.Stmt, parents []ast.Node) bool {
	for i := len(parents) - 1; i >= 0; i-- {
		switch p := parents[i].(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			locked := false
			for _, before := range p.List {
				if before.Pos() >= s.Pos() || before.End() > s.Pos() {
					break
				}
				switch method(before) {
				case "Lock":
					locked = true
				case "Unlock":
					locked = false
				}
			}
			if locked {
				return true
			}
		}
	}
	return false
}

// method returns the name of the method that a statement calls without
// arguments.
func method(s ast.Stmt) string {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return ""
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	return sel.Sel.Name
}
