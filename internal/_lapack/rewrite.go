package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/internal/edit"
)

// The paths of the packages that the output imports.
const (
	module     = "github.com/lastbit/lastbit/"
	crmathPath = module + "crmath"
	pairPath   = module + "blas/internal/pair"
	globalBLAS = "gonum.org/v1/gonum/blas/blas64"
	gonumASM   = "gonum.org/v1/gonum/internal/asm/f64"
)

// rewriter collects the edits of a file.
type rewriter struct {
	*pkg
	*sourceFile
	kept    map[int]bool      // lines that stay
	imports map[string]string // paths by name: the file's imports, and added ones
	edits   []edit.Edit
	problem error
}

// rewrite returns the changed source of a file.
func (p *pkg) rewrite(s *sourceFile, version string) ([]byte, error) {
	r := &rewriter{pkg: p, sourceFile: s, kept: map[int]bool{}, imports: map[string]string{}}
	for _, g := range s.syntax.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//lapack:keep ") {
				r.kept[r.line(c.Pos())] = true
			}
		}
	}
	if s.receiver != nil {
		r.remove(s.receiver)
	}
	for _, d := range s.syntax.Decls {
		r.walk(d, nil)
		if f, ok := d.(*ast.FuncDecl); ok {
			r.receiver(f)
		}
	}
	r.dropPlans()
	r.header(version)
	if r.problem != nil {
		return nil, r.problem
	}
	return r.finish()
}

func (r *rewriter) line(p token.Pos) int { return r.fset.Position(p).Line }

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
	if s, ok := n.(ast.Stmt); ok && r.kept[r.line(s.Pos())] {
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
		r.imports["pair"] = pairPath
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

// correctlyRounded are the functions of package math that functions of package
// crmath replace.
var correctlyRounded = []string{"Log", "Pow"}

// substitutes are functions of package lapack, by the functions of package math
// that they replace.
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
		r.imports["crmath"] = crmathPath
		r.replace(name.X, "crmath")
	case from == "math" && substitutes[name.Sel.Name] != "":
		r.replace(n.Fun, substitutes[name.Sel.Name])
	case from == "math" && !slices.Contains(
		[]string{"Abs", "IsInf", "IsNaN", "NaN", "Sqrt"},
		name.Sel.Name):
		r.fail(n, "math."+name.Sel.Name)
	case from == globalBLAS && name.Sel.Name == "Implementation":
		r.replace(n.Fun, "impl.blas")
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
	for _, g := range r.syntax.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "// "+planMark) {
				r.edits = append(r.edits, edit.Edit{From: r.offset(c.Pos()), To: r.offset(g.End())})
				break
			}
		}
	}
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

// header marks the file as generated, renames the package, and removes the
// imports.
func (r *rewriter) header(version string) {
	from := source + " " + version
	if r.original != nil {
		from = overlays + "/" + r.name + ", for " + from
	}
	text := fmt.Sprintf("// Code generated by internal/_lapack from %s. DO NOT EDIT.\n\n", from)
	if r.readsIntegers() {
		text += "//lastbit:ignore floatconv LAPACK keeps integers in arrays of numbers\n\n"
	}
	r.edits = append(r.edits, edit.Edit{Text: text})
	r.replace(r.syntax.Name, "lapack")
	for _, d := range r.syntax.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			r.remove(g)
		}
	}
}

// readsIntegers reports whether the file converts numbers to int.
func (r *rewriter) readsIntegers() (reads bool) {
	ast.Inspect(r.syntax, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 {
			f, ok := call.Fun.(*ast.Ident)
			reads = reads || ok && f.Name == "int" && r.isFloat(call.Args[0])
		}
		return !reads
	})
	return reads
}

// finish applies the edits, and imports what the result uses.
func (r *rewriter) finish() ([]byte, error) {
	for _, i := range r.syntax.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, err
		}
		r.imports[path.Base(p)] = p
	}
	return withImports(edit.Apply(r.text, r.edits), r.imports)
}

// withImports returns a file with those imports, given by name, that it uses.
func withImports(text []byte, imports map[string]string) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, 0)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, name := range f.Unresolved {
		if p, ok := imports[name.Name]; ok {
			used[p] = true
		}
	}
	if len(used) == 0 {
		return format.Source(text)
	}
	at := fset.Position(f.Name.End()).Offset
	block := "\n\nimport (\n" + strings.Join(groups(slices.Sorted(maps.Keys(used))), "\n") + "\n)"
	return format.Source(edit.Apply(text, []edit.Edit{{From: at, To: at, Text: block}}))
}

// groups returns the lines of imports: the standard library's, others', and
// this module's.
func groups(paths []string) []string {
	var of [3][]string
	for _, p := range paths {
		group := 0
		switch {
		case strings.HasPrefix(p, module):
			group = 2
		case strings.Contains(p, "."):
			group = 1
		}
		of[group] = append(of[group], strconv.Quote(p))
	}
	var all []string
	for _, group := range of {
		if len(group) > 0 && len(all) > 0 {
			all = append(all, "")
		}
		all = append(all, group...)
	}
	return all
}
