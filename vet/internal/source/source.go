// Package source holds questions about syntax that several analyzers ask.
package source

import (
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"strings"
)

// Doc returns the documentation of an analyzer: the comment of its package,
// whose first sentence begins with the name.
func Doc(file string) string {
	comment, _, _ := strings.Cut(file, "\npackage ")
	var b strings.Builder
	for line := range strings.Lines(comment) {
		line = strings.TrimPrefix(line, "//")
		b.WriteString(strings.TrimPrefix(line, " "))
	}
	_, text, _ := strings.Cut(b.String(), "Package ")
	name, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	title, body, _ := strings.Cut(rest, "\n\n")
	return name + ": " + strings.ReplaceAll(title, "\n", " ") + "\n\n" + body
}

// maxText bounds the characters of an expression in a message.
const maxText = 40

// Text returns an expression as source on one line.
func Text(e ast.Expr) string {
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), e); err != nil {
		return types.ExprString(e)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Short returns an expression as source, or … where it is long.
func Short(e ast.Expr) string {
	s := Text(e)
	if len([]rune(s)) <= maxText {
		return s
	}
	return string([]rune(s)[:maxText-1]) + "…"
}

// Shadowed reports whether the name of a type, as TypeName returns it, means
// something else at a position, or nothing: the file may lack its import.
func Shadowed(pkg *types.Package, at token.Pos, t types.Type, name string) bool {
	scope := pkg.Scope().Innermost(at)
	if scope == nil || strings.Contains(name, "[") {
		return true
	}
	if of, _, ok := strings.Cut(name, "."); ok {
		_, o := scope.LookupParent(of, at)
		imported, isPackage := o.(*types.PkgName)
		named, isNamed := types.Unalias(t).(*types.Named)
		return !isPackage || !isNamed || !named.Obj().Exported() ||
			imported.Imported() != named.Obj().Pkg()
	}
	_, o := scope.LookupParent(name, at)
	named, isType := o.(*types.TypeName)
	return !isType || !types.Identical(named.Type(), types.Default(t))
}

// Root returns the variable that an expression denotes a part of, or nil: x of
// x.f[i].
func Root(info *types.Info, e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := info.ObjectOf(x).(*types.Var)
			return v
		case *ast.SelectorExpr:
			if _, isPackage := info.ObjectOf(identifier(x.X)).(*types.PkgName); isPackage {
				v, _ := info.ObjectOf(x.Sel).(*types.Var)
				return v
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

func identifier(e ast.Expr) *ast.Ident {
	if i, ok := ast.Unparen(e).(*ast.Ident); ok {
		return i
	}
	return nil
}

// Callee returns the function that a call names, or nil.
func Callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	f, _ := info.Uses[id].(*types.Func)
	return f
}

// IsFunc reports whether a function is one of a package, or a method of one of
// its types.
func IsFunc(f *types.Func, path string, names ...string) bool {
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != path {
		return false
	}
	for _, name := range names {
		if f.Name() == name {
			return true
		}
	}
	return false
}

// TypeName returns the name of the type of an expression, as a package writes
// it.
func TypeName(info *types.Info, pkg *types.Package, e ast.Expr) string {
	return types.TypeString(types.Default(info.TypeOf(e)), func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		return p.Name()
	})
}
