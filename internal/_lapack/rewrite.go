package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/internal/edit"
)

// The paths of the packages that the output imports.
const (
	crmathPath = "github.com/lastbit/lastbit/crmath"
	kernelPath = "github.com/lastbit/lastbit/internal/kernel"
	pairPath   = "github.com/lastbit/lastbit/blas/internal/pair"
	globalBLAS = "gonum.org/v1/gonum/blas/blas64"
	gonumASM   = "gonum.org/v1/gonum/internal/asm/f64"
)

func (r *rewriter) offset(p token.Pos) int { return r.fset.Position(p).Offset }

func (r *rewriter) insert(at token.Pos, text string) {
	r.edits = append(r.edits, edit.Edit{From: r.offset(at), To: r.offset(at), Text: text})
}

// remove deletes a declaration and its comment.
func (r *rewriter) remove(d *ast.GenDecl) {
	from := r.offset(d.Pos())
	if d.Doc != nil {
		from = r.offset(d.Doc.Pos())
	}
	r.edits = append(r.edits, edit.Edit{From: from, To: r.offset(d.End())})
}

func (r *rewriter) replace(n ast.Node, text string) {
	r.edits = append(r.edits, edit.Edit{From: r.offset(n.Pos()), To: r.offset(n.End()), Text: text})
}

// walk collects the edits of a node. The parent is nil where the value of the
// node may reach an addition.
func (r *rewriter) walk(n, parent ast.Node) {
	if s, ok := n.(ast.Stmt); ok && r.passage(s) {
		return
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		r.binary(n, parent)
	case *ast.AssignStmt:
		r.assignment(n)
	case *ast.CallExpr:
		r.call(n)
	}
	for _, child := range children(n) {
		r.walk(child, n)
	}
}

// children returns the nodes directly below a node.
func children(n ast.Node) []ast.Node {
	var found []ast.Node
	ast.Inspect(n, func(c ast.Node) bool {
		if c == nil || c == n {
			return c == n
		}
		found = append(found, c)
		return false
	})
	return found
}

// binary converts a product of variables to float64, unless it is a factor
// itself, and a quotient that the compiler makes a product of. It replaces a
// quotient of complex numbers.
func (r *rewriter) binary(n *ast.BinaryExpr, parent ast.Node) {
	switch {
	case (n.Op == token.MUL || n.Op == token.QUO && r.isPowerOfTwo(n.Y)) && r.isFloat(n) &&
		!isFactor(parent):
		r.insert(n.Pos(), "float64(")
		r.insert(n.End(), ")")
	case n.Op == token.QUO && r.isComplex(n):
		r.imports[pairPath] = true
		r.insert(n.Pos(), "pair.Quotient(")
		r.edits = append(r.edits, edit.Edit{
			From: r.offset(n.X.End()), To: r.offset(n.Y.Pos()), Text: ", ",
		})
		r.insert(n.End(), ")")
	case r.isComplex(n) && n.Op != token.ADD && n.Op != token.SUB:
		r.fail(n, "a complex "+n.Op.String())
	}
}

// isPowerOfTwo reports whether the compiler multiplies by the inverse of a
// constant in place of a division by it.
func (r *rewriter) isPowerOfTwo(e ast.Expr) bool {
	v := r.info.Types[e].Value
	if v == nil {
		return false
	}
	f, _ := constant.Float64Val(constant.ToFloat(v))
	fraction, _ := math.Frexp(f)
	return math.Abs(fraction) == 0.5
}

// isFactor reports whether the operands of a node are multiplied or divided.
func isFactor(parent ast.Node) bool {
	b, ok := parent.(*ast.BinaryExpr)
	return ok && (b.Op == token.MUL || b.Op == token.QUO)
}

// isFloat reports whether an expression is a float64 that is not constant.
func (r *rewriter) isFloat(e ast.Expr) bool { return r.is(e, types.Float64) }

func (r *rewriter) isComplex(e ast.Expr) bool { return r.is(e, types.Complex128) }

func (r *rewriter) is(e ast.Expr, kind types.BasicKind) bool {
	tv := r.info.Types[e]
	if tv.Type == nil || tv.Value != nil {
		return false
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	return ok && b.Kind() == kind
}

// assignment replaces x *= y by x = float64(x * y), and x /= 2 likewise.
func (r *rewriter) assignment(n *ast.AssignStmt) {
	op := " * "
	if n.Tok == token.QUO_ASSIGN && r.isPowerOfTwo(n.Rhs[0]) {
		op = " / "
	} else if n.Tok != token.MUL_ASSIGN {
		return
	}
	if !r.isFloat(n.Lhs[0]) {
		return
	}
	left := string(r.text[r.offset(n.Lhs[0].Pos()):r.offset(n.Lhs[0].End())])
	ast.Inspect(n.Lhs[0], func(c ast.Node) bool {
		if _, ok := c.(*ast.CallExpr); ok {
			r.fail(n, "a call left of *=")
		}
		return true
	})
	from, to := r.offset(n.Lhs[0].End()), r.offset(n.Rhs[0].Pos())
	open, end := "", ""
	if _, simple := n.Rhs[0].(*ast.BinaryExpr); simple {
		open, end = "(", ")"
	}
	r.edits = append(r.edits, edit.Edit{
		From: from, To: to, Text: " = float64(" + left + op + open,
	})
	r.insert(n.Rhs[0].End(), end+")")
}

// correctlyRounded are the functions of package math whose place those of
// package crmath take.
var correctlyRounded = []string{"Log", "Pow"}

// substitutes are the functions of package lapack that take the place of those
// of package math.
var substitutes = map[string]string{
	"Copysign": "copySign", "Hypot": "hypot", "Max": "larger", "Min": "smaller",
	"Signbit": "isNegative",
}

// call replaces functions whose bits depend on the platform.
func (r *rewriter) call(n *ast.CallExpr) {
	name, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	from, ok := r.packageOf(name)
	if !ok {
		return
	}
	switch {
	case from == "math" && slices.Contains(correctlyRounded, name.Sel.Name):
		r.imports[crmathPath] = true
		r.replace(name.X, "crmath")
	case from == "math" && substitutes[name.Sel.Name] != "":
		r.replace(n.Fun, substitutes[name.Sel.Name])
	case from == "math" && !slices.Contains(
		[]string{"Abs", "IsInf", "IsNaN", "NaN", "Sqrt"},
		name.Sel.Name):
		r.fail(n, "math."+name.Sel.Name)
	case from == globalBLAS && name.Sel.Name == "Implementation":
		r.replace(n.Fun, "impl.blas")
		r.callDirect(n)
	case from == globalBLAS:
		r.fail(n, "blas64."+name.Sel.Name)
	case from == gonumASM && name.Sel.Name == "L1Norm":
		r.replace(n.Fun, "impl.norm1")
	case from == gonumASM && name.Sel.Name == "L1NormInc":
		r.replace(n.Fun, "impl.norm1Inc")
	case from == gonumASM:
		r.fail(n, "f64."+name.Sel.Name)
	}
}

// directCalls are the calls of the routines of package lapack that take the
// place of the rest of a function, from its first use of the BLAS on, and the
// number of elements of their matrix.
var directCalls = map[string]struct{ elements, call string }{
	"Dgetf2": {"m*n", "return d.getf2(m, n, a, lda, ipiv)"},
	"Dlarfg": {"n", "return d.larfg(n, alpha, x, incX)"},
	"Dpotf2": {"n*n", "return d.potf2(ul, n, a, lda)"},
	"Dlarf": {"(lastv+1)*(lastc+1)",
		"d.larf(applyleft, lastv+1, lastc+1, v, incv, tau, c, ldc, work)\n\t\treturn"},
}

// checkedCalls are the calls of functions of package lapack that take the place
// of the rest of a function, if they report so, once its arguments are checked.
var checkedCalls = map[string]string{
	"Dlasr": "pivot == lapack.Variable && impl.rotatePlanes(side == blas.Left, " +
		"direct == lapack.Forward, m, n, c, s, a, lda)",
}

// callChecked puts the call of checkedCalls behind the last check of a
// function.
func (r *rewriter) callChecked(f *ast.FuncDecl) {
	checked, ok := checkedCalls[f.Name.Name]
	if !ok {
		return
	}
	var last ast.Node
	for _, statement := range f.Body.List {
		if strings.Contains(string(r.text[r.offset(statement.Pos()):r.offset(statement.End())]),
			"panic(") {
			last = statement
		}
	}
	r.insert(last.End(), fmt.Sprintf("\n\n\tif %s {\n\t\treturn\n\t}", checked))
}

// callDirect puts the direct call of a function before the statement that a
// node is at the end of.
func (r *rewriter) callDirect(n *ast.CallExpr) {
	for _, decl := range r.file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || n.Pos() < f.Pos() || n.End() > f.End() {
			continue
		}
		if direct, ok := directCalls[f.Name.Name]; ok {
			line := r.fset.File(n.Pos()).LineStart(r.fset.Position(n.Pos()).Line)
			r.insert(line, fmt.Sprintf("\tif d, ok := impl.direct(%s); ok {\n\t\t%s\n\t}\n\n",
				direct.elements, direct.call))
		}
	}
}

// packageOf returns the path of the package that a qualified name is of.
func (r *rewriter) packageOf(name *ast.SelectorExpr) (string, bool) {
	x, ok := name.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	p, ok := r.info.Uses[x].(*types.PkgName)
	if !ok {
		return "", false
	}
	return p.Imported().Path(), true
}

// planMark begins a comment about work to be done. It is in two parts, because
// searches for such comments are to find none here.
const planMark = "TO" + "DO"

// dropPlans removes comments about work to be done, to the end of their group.
func (r *rewriter) dropPlans() {
	for _, g := range r.file.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "// "+planMark) {
				r.edits = append(r.edits, edit.Edit{From: r.offset(c.Pos()), To: r.offset(g.End())})
				break
			}
		}
	}
}

// isReceiverType reports whether a declaration is that of the type with the
// methods, which package lapack declares itself.
func isReceiverType(g *ast.GenDecl) bool {
	if g.Tok != token.TYPE {
		return false
	}
	s, ok := g.Specs[0].(*ast.TypeSpec)
	return ok && s.Name.Name == "Implementation"
}

// receiver names the receiver of a method that has none.
func (r *rewriter) receiver(f *ast.FuncDecl) {
	if f.Recv != nil && len(f.Recv.List[0].Names) == 0 {
		r.insert(f.Recv.List[0].Type.Pos(), "impl ")
	}
}

func (r *rewriter) fail(n ast.Node, reason string) {
	if r.problem == nil {
		r.problem = fmt.Errorf("%v: no rule for %s", r.fset.Position(n.Pos()), reason)
	}
}

// header marks the file as generated, renames the package, and changes the
// imports.
func (r *rewriter) header(version string) {
	r.edits = append(r.edits, edit.Edit{Text: fmt.Sprintf(
		"// Code generated by internal/_lapack from %s %s. DO NOT EDIT.\n\n", source, version)})
	if r.readsIntegers() {
		r.edits = append(r.edits, edit.Edit{
			Text: "//lastbit:ignore floatconv LAPACK keeps integers in arrays of numbers\n\n"})
	}
	r.replace(r.file.Name, "lapack")
	for _, d := range r.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			r.remove(g)
		}
	}
	if paths := r.paths(); len(paths) > 0 {
		r.insert(r.file.Name.End(), "\n\nimport (\n"+strings.Join(paths, "\n")+"\n)")
	}
}

// readsIntegers reports whether the file converts numbers to int.
func (r *rewriter) readsIntegers() (reads bool) {
	ast.Inspect(r.file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 {
			f, ok := call.Fun.(*ast.Ident)
			reads = reads || ok && f.Name == "int" && r.isFloat(call.Args[0])
		}
		return !reads
	})
	return reads
}

// paths returns the imports of the output, quoted and in groups.
func (r *rewriter) paths() []string {
	var standard, outside, own []string
	for _, i := range r.file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		switch {
		case path == globalBLAS || path == gonumASM || path == "math" && !r.usesMath():
		case strings.Contains(path, "."):
			outside = append(outside, i.Path.Value)
		default:
			standard = append(standard, i.Path.Value)
		}
	}
	for _, path := range []string{pairPath, crmathPath, kernelPath} {
		if r.imports[path] {
			own = append(own, strconv.Quote(path))
		}
	}
	var all []string
	for _, group := range [][]string{standard, outside, own} {
		if len(group) > 0 && len(all) > 0 {
			all = append(all, "")
		}
		all = append(all, group...)
	}
	return all
}

// usesMath reports whether package math is still used.
func (r *rewriter) usesMath() (uses bool) {
	ast.Inspect(r.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			from, _ := r.packageOf(s)
			isReplaced := slices.Contains(correctlyRounded, s.Sel.Name) ||
				substitutes[s.Sel.Name] != ""
			uses = uses || from == "math" && !isReplaced
		}
		return !uses
	})
	return uses
}

// finish applies the edits.
func (r *rewriter) finish() ([]byte, error) {
	return format.Source(edit.Apply(r.text, r.edits))
}
