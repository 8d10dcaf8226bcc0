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
	switch {
	case c == other, op.kind == Comparison && !r.isPlainBool(n):
		return r
	}
	site := r.site(op.kind, n.OpPos, n)
	name := op.name + c.suffix()
	x, y := r.product(n.X, op.kind), r.product(n.Y, op.kind)
	switch {
	case x != nil && y != nil &&
		types.Identical(r.pkg.TypesInfo.TypeOf(n.X), types.Typ[types.Float64]):
		name = "Mul" + op.name + "Mul"
		r.site(Product, x.OpPos, x)
		r.site(Product, y.OpPos, y)
	case x != nil:
		name, y = "Mul"+op.name, nil
		r.site(Product, x.OpPos, x)
	case y != nil:
		name = op.name + "Mul"
		r.site(Product, y.OpPos, y)
	}
	r.insert(n.Pos(), alias+"."+name+"(")
	if op.kind == Comparison {
		r.nested++
		defer func() { r.nested-- }()
	}
	r.operand(n.X, x)
	r.comma(n)
	r.operand(n.Y, y)
	r.insert(n.End(), ", "+site+")")
	return nil
}

// product returns an operand of an operation if it is a product of real
// numbers, and the operation a sum: one call does both, and the sites of
// products follow the site of the sum.
func (r *rewriter) product(x ast.Expr, of Kind) *ast.BinaryExpr {
	m, ok := x.(*ast.BinaryExpr)
	if of != Sum || !ok || m.Op != token.MUL || r.operandClass(m) != real ||
		r.pkg.TypesInfo.Types[x].Value != nil {
		return nil
	}
	return m
}

// operand rewrites an operand, which may be a product of the same call.
func (r *rewriter) operand(x ast.Expr, product *ast.BinaryExpr) {
	if product == nil {
		ast.Walk(r, x)
		return
	}
	ast.Walk(r, product.X)
	r.comma(product)
	ast.Walk(r, product.Y)
}

// comma puts a comma in the place of an operator.
func (r *rewriter) comma(n *ast.BinaryExpr) {
	r.replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), ",")
}

// operandClass returns the class of the operands of n, which have one type
// unless one of them is a constant without a type, or an interface.
func (r *rewriter) operandClass(n *ast.BinaryExpr) class {
	c := other
	for _, x := range []ast.Expr{n.X, n.Y} {
		t := r.pkg.TypesInfo.TypeOf(x)
		_, isParameter := types.Unalias(t).(*types.TypeParam)
		if t == nil || types.IsInterface(t) && !isParameter {
			return other
		}
		if b, ok := t.(*types.Basic); !ok || b.Info()&types.IsUntyped == 0 {
			c = classOf(t)
		}
	}
	return c
}

// isPlainBool reports whether a comparison has type bool, the type that the
// functions of package perturb return. Elsewhere the context has given it
// another one.
func (r *rewriter) isPlainBool(n ast.Expr) bool {
	b, ok := types.Unalias(r.pkg.TypesInfo.TypeOf(n)).(*types.Basic)
	return ok && (b.Kind() == types.Bool || b.Kind() == types.UntypedBool)
}

// assign rewrites x op= y.
func (r *rewriter) assign(n *ast.AssignStmt) ast.Visitor {
	op, ok := operators[arithmetic(n.Tok)]
	if !ok || len(n.Lhs) != 1 {
		return r
	}
	c := classOf(r.pkg.TypesInfo.TypeOf(n.Lhs[0]))
	if c == other {
		return r
	}
	site := r.site(op.kind, n.TokPos, n)
	u := update{n.Lhs[0], op.name + c.suffix(), n.TokPos, len(n.Tok.String()), ""}
	quiet := r.isQuiet(n.Rhs[0])
	y := r.product(n.Rhs[0], op.kind)
	switch {
	case y != nil && c == real && r.isPlace(n.Lhs[0]) && quiet:
		u.name += "Mul"
		r.site(Product, y.OpPos, y)
	default:
		y = nil
	}
	r.update(u, quiet)
	r.operand(n.Rhs[0], y)
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
	if c == other {
		return r
	}
	name := map[token.Token]string{token.INC: "Add", token.DEC: "Sub"}[n.Tok] + c.suffix()
	r.update(update{n.X, name, n.TokPos, 2, "1, " + r.site(Sum, n.TokPos, n) + ")"}, true)
	return nil
}

// An update is the left side of an assignment with an operation, and its token.
type update struct {
	x      ast.Expr
	name   string    // of the function of package perturb
	token  token.Pos // op=
	length int       // of the token
	rest   string    // ends the call where no operand follows
}

// update rewrites the left side of an assignment and its token so that the
// other operand follows, which may be evaluated after the left side if it is
// quiet.
//
//	x += y       x = Add(x, y, site)
//	m[k] += y    AddKey(m, k, y, site)
//	f().x += y   AddAssign(&f().x, y, site)
func (r *rewriter) update(u update, quiet bool) {
	end := u.token + token.Pos(u.length)
	index, ok := ast.Unparen(u.x).(*ast.IndexExpr)
	_, isName := ast.Unparen(u.x).(*ast.Ident)
	switch {
	case ok && r.isMap(index.X):
		r.replace(u.x.Pos(), index.Pos(), alias+"."+u.name+"Key(") // drops parentheses
		ast.Walk(r, index.X)
		r.replace(index.Lbrack, index.Lbrack+1, ", ")
		ast.Walk(r, index.Index)
		r.replace(index.Rbrack, end, ", "+u.rest)
	case isName || quiet && r.isPlace(u.x):
		r.replace(u.token, end, "= "+alias+"."+u.name+"("+oneLine(r.text(u.x))+", "+u.rest)
	default:
		r.insert(u.x.Pos(), alias+"."+u.name+"Assign(&")
		ast.Walk(r, u.x)
		r.replace(u.token, end, ", "+u.rest)
	}
}

func (r *rewriter) isMap(x ast.Expr) bool {
	t := r.pkg.TypesInfo.TypeOf(x)
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		t = coreType(p)
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// isQuiet reports whether an expression changes nothing: it has no calls and no
// channels.
func (r *rewriter) isQuiet(x ast.Expr) bool {
	quiet := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := r.pkg.TypesInfo.Types[n.Fun]
			quiet = quiet && (tv.IsType() || tv.IsBuiltin())
		case *ast.FuncLit:
			quiet = false
		case *ast.UnaryExpr:
			quiet = quiet && n.Op != token.ARROW
		}
		return quiet
	})
	return quiet
}

// isPlace reports whether the operand on the left of an assignment may be
// written twice: it has no calls, no maps and no operations that are rewritten.
func (r *rewriter) isPlace(x ast.Expr) bool {
	place := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			place = place && r.operandClass(n) == other
		case *ast.IndexExpr:
			place = place && !r.isMap(n.X)
		case *ast.CallExpr, *ast.UnaryExpr, *ast.FuncLit, *ast.CompositeLit:
			place = false
		}
		return place
	})
	return place
}
