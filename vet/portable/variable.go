package portable

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// object returns the variable that an identifier names, for a field of a
// generic type the one of its declaration, or nil.
func (e *editor) object(id *ast.Ident) *types.Var {
	v, ok := e.pkg.TypesInfo.ObjectOf(id).(*types.Var)
	if !ok {
		return nil
	}
	return v.Origin()
}

// variable returns the variable or the field that an expression is, or nil.
func (e *editor) variable(x ast.Expr) *types.Var {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return e.object(x)
	case *ast.SelectorExpr:
		return e.object(x.Sel)
	}
	return nil
}

// whole returns the expression that ends in an identifier, s.x for x, and the
// nodes around it.
func whole(id *ast.Ident, parents []ast.Node) (ast.Expr, []ast.Node) {
	last := len(parents) - 1
	if s, ok := parents[last].(*ast.SelectorExpr); ok && s.Sel == id && last > 0 {
		return s, parents[:last]
	}
	return id, parents
}

// scopeOf returns the node that holds all uses of a variable whose type is to
// change: the body of a function, or the file. Otherwise it returns why there
// is none.
func (e *editor) scopeOf(v *types.Var) (ast.Node, string) {
	switch {
	case v == nil || v.Pkg() != e.pkg.Types:
		return nil, "the sum is not a variable of this package"
	case !v.IsField() && v.Parent() != e.pkg.Types.Scope():
		for _, d := range e.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && source.Declared(v, f.Body) {
				return f.Body, ""
			}
		}
		return nil, "the sum is a parameter or a result"
	case v.Exported():
		return nil, "other packages may use the variable"
	}
	isIt := func(o *types.Var) bool { return o.Origin() == v }
	for _, f := range e.pkg.Syntax {
		if f != e.file && source.Mentions(e.pkg.TypesInfo, f, isIt) {
			return nil, "another file uses the variable"
		}
		if v.IsField() && e.comparesOrFills(f, v) {
			return nil, "a structure with the field is compared, or made without names"
		}
	}
	return e.file, ""
}

// comparesOrFills reports whether a file compares structures that have a field,
// or makes one in a literal without the names of fields.
func (e *editor) comparesOrFills(f *ast.File, v *types.Var) bool {
	found := false
	has := func(x ast.Expr) bool { return hasField(e.pkg.TypesInfo.TypeOf(x), v) }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || (n.Op == token.EQL || n.Op == token.NEQ) && has(n.X)
		case *ast.MapType:
			found = found || has(n.Key)
		case *ast.CompositeLit:
			if len(n.Elts) > 0 && has(n) {
				_, isNamed := n.Elts[0].(*ast.KeyValueExpr)
				found = found || !isNamed
			}
		}
		return !found
	})
	return found
}

// hasField reports whether a structure has a field, or holds one that has.
func hasField(t types.Type, v *types.Var) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return hasField(u.Elem(), v)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Origin() == v || hasField(f.Type(), v) {
				return true
			}
		}
	}
	return false
}

// fieldReason returns why the declaration of a field, which nodes surround,
// cannot get another type, or "".
func fieldReason(f *ast.Field, parents []ast.Node) string {
	inStruct := false
	if n := len(parents); n > 2 {
		_, inStruct = parents[n-3].(*ast.StructType)
	}
	switch {
	case !inStruct:
		return "the sum is a parameter or a result"
	case len(f.Names) != 1:
		return "the field is declared with others"
	case f.Tag != nil:
		return "the field has a tag"
	}
	return ""
}
