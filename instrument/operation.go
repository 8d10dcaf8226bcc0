package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// binary rewrites x op y to F(x, y, site).
func (r *rewriter) binary(n *ast.BinaryExpr) ast.Visitor {
	op, ok := operators[n.Op]
	if !ok {
		return r
	}
	c := r.operandClass(n)
	name := op.name
	switch {
	case c == other:
		return r
	case op.kind == Comparison:
		if c != real || !r.isPlainBool(n) {
			return r
		}
	case c == complex_:
		name += "Complex"
	case c == mixed:
		return r.either(n, op.kind, op.name)
	}
	site := r.site(op.kind, n.OpPos, n)
	r.insert(n.Pos(), alias+"."+name+"(")
	ast.Walk(r, n.X)
	r.replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), ",")
	ast.Walk(r, n.Y)
	r.insert(n.End(), ", "+site+")")
	return nil
}

// operandClass returns the class of the operands of n, which have one type
// unless one of them is a constant without a type.
func (r *rewriter) operandClass(n *ast.BinaryExpr) class {
	for _, x := range []ast.Expr{n.X, n.Y} {
		t := r.pkg.TypesInfo.TypeOf(x)
		if t == nil {
			return other
		}
		if b, ok := t.(*types.Basic); !ok || b.Info()&types.IsUntyped == 0 {
			return classOf(t)
		}
	}
	return other
}

// isPlainBool reports whether a comparison has type bool: that of the functions
// of package perturb. Elsewhere the context has given it another one.
func (r *rewriter) isPlainBool(n ast.Expr) bool {
	b, ok := types.Unalias(r.pkg.TypesInfo.TypeOf(n)).(*types.Basic)
	return ok && (b.Kind() == types.Bool || b.Kind() == types.UntypedBool)
}

// either rewrites x op y of a type parameter that may be real to
// Either(x, y, x op y, site). The operands inside stay as they are.
func (r *rewriter) either(n *ast.BinaryExpr, kind Kind, name string) ast.Visitor {
	if hasEffects(n) {
		r.omit(n.OpPos, "an operation of a type parameter whose operands have side effects")
		return r
	}
	r.insert(n.Pos(), alias+".Either"+name+"("+oneLine(r.text(n.X))+", "+oneLine(r.text(n.Y))+", ")
	r.insert(n.End(), ", "+r.site(kind, n.OpPos, n)+")")
	return nil
}

// hasEffects reports whether evaluating an expression twice may differ from
// evaluating it once: it contains a call or a receive operation.
func hasEffects(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.FuncLit:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// assign rewrites x op= y.
func (r *rewriter) assign(n *ast.AssignStmt) ast.Visitor {
	op, ok := operators[arithmetic(n.Tok)]
	if !ok || len(n.Lhs) != 1 {
		return r
	}
	c := classOf(r.pkg.TypesInfo.TypeOf(n.Lhs[0]))
	name := op.name
	switch c {
	case other:
		return r
	case mixed:
		r.omit(n.TokPos, "an assignment with an operation on a type parameter")
		return r
	case complex_:
		name += "Complex"
	}
	site := r.site(op.kind, n.TokPos, n)
	r.update(n.Lhs[0], name, n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), "")
	ast.Walk(r, n.Rhs[0])
	r.insert(n.Rhs[0].End(), ", "+site+")")
	return nil
}

// arithmetic returns the operator of an assignment, or ILLEGAL.
func arithmetic(t token.Token) token.Token {
	switch t {
	case token.ADD_ASSIGN:
		return token.ADD
	case token.SUB_ASSIGN:
		return token.SUB
	case token.MUL_ASSIGN:
		return token.MUL
	case token.QUO_ASSIGN:
		return token.QUO
	}
	return token.ILLEGAL
}

// incDec rewrites x++ and x--.
func (r *rewriter) incDec(n *ast.IncDecStmt) ast.Visitor {
	c := classOf(r.pkg.TypesInfo.TypeOf(n.X))
	name := map[token.Token]string{token.INC: "Add", token.DEC: "Sub"}[n.Tok]
	switch c {
	case other:
		return r
	case mixed:
		r.omit(n.TokPos, "an assignment with an operation on a type parameter")
		return r
	case complex_:
		name += "Complex"
	}
	r.update(n.X, name, n.TokPos, n.TokPos+2, "1, "+r.site(Sum, n.TokPos, n)+")")
	return nil
}

// update rewrites the left side of an assignment and its token, which lies in
// [from, to), so that the other operand follows; rest ends the call where there
// is none.
//
//	x += y       x = Add(x, y, site)
//	m[k] += y    AddKey(m, k, y, site)
//	x[i] += y    AddAssign(&x[i], y, site)
func (r *rewriter) update(x ast.Expr, name string, from, to token.Pos, rest string) {
	switch index, ok := ast.Unparen(x).(*ast.IndexExpr); {
	case ok && r.isMap(index.X):
		r.replace(x.Pos(), index.Pos(), alias+"."+name+"Key(") // drops parentheses
		ast.Walk(r, index.X)
		r.replace(index.Lbrack, index.Lbrack+1, ", ")
		ast.Walk(r, index.Index)
		r.replace(index.Rbrack, to, ", "+rest)
	default:
		if id, ok := ast.Unparen(x).(*ast.Ident); ok {
			r.replace(from, to, "= "+alias+"."+name+"("+id.Name+", "+rest)
			return
		}
		r.insert(x.Pos(), alias+"."+name+"Assign(&")
		ast.Walk(r, x)
		r.replace(from, to, ", "+rest)
	}
}

func (r *rewriter) isMap(x ast.Expr) bool {
	_, ok := r.pkg.TypesInfo.TypeOf(x).Underlying().(*types.Map)
	return ok
}
