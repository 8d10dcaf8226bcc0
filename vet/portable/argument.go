package portable

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/lastbit/lastbit/vet/check"
	"github.com/lastbit/lastbit/vet/fma"
	"github.com/lastbit/lastbit/vet/internal/floats"
)

// atCalls moves operations that the compiler fuses in an inlined function of
// another module to the calls, if they add to a parameter: a product that is
// the argument fuses, so the argument is rounded. math.Modf(x*y) is one.
func (w *work) atCalls(all []check.Finding) []check.Finding {
	var moved []check.Finding
	for _, f := range all {
		added := []int(nil)
		if f.Analyzer == fma.Analyzer.Name && len(f.Edits) == 0 && w.files[f.At.File] == nil {
			added = addedParameters(f.At)
		}
		calls := 0
		for _, through := range f.Copies {
			if g, ok := w.atCall(f, through, added); ok {
				calls++
				moved = append(moved, g)
			}
		}
		if calls == 0 {
			moved = append(moved, f)
		}
	}
	return moved
}

// atCall returns a finding at the call that its operation was inlined through
// last, with the edits that round arguments.
func (w *work) atCall(f check.Finding, through []check.Position, added []int) (
	check.Finding, bool,
) {
	if len(through) == 0 {
		return f, false
	}
	at := through[len(through)-1]
	in := w.files[at.File]
	if in == nil {
		return f, false
	}
	text, err := w.text(at.File)
	if err != nil {
		return f, false
	}
	e := newEditor(at.File, text, in.pkg, in.syntax)
	s, ok := e.spotAt(at, at)
	if !ok {
		return f, false
	}
	path, _ := astutil.PathEnclosingInterval(in.syntax, s.from, s.from+1)
	s.path = path
	call, ok := around[*ast.CallExpr](s)
	if !ok || call.Lparen != s.from {
		return f, false
	}
	f.Edits = roundArguments(e, call, added)
	f.At, f.End, f.Through, f.Copies = at, at, through[:len(through)-1], nil
	f.Message = "an argument fuses with a sum in the function; round it with float64(…)"
	return f, len(f.Edits) > 0
}

// roundArguments returns the edits that convert arguments of a call to their
// own types, which rounds them.
func roundArguments(e *editor, call *ast.CallExpr, which []int) []check.Edit {
	var all []check.Edit
	insert := func(at token.Pos, text string) {
		all = append(all, check.Edit{File: e.name, Start: e.offset(at), End: e.offset(at),
			New: text})
	}
	for _, i := range which {
		if i >= len(call.Args) {
			return nil
		}
		a := call.Args[i]
		b, ok := e.pkg.TypesInfo.TypeOf(a).(*types.Basic)
		if !ok || b.Info()&types.IsFloat == 0 || floats.Constant(e.pkg.TypesInfo, a) != nil ||
			floats.Conversion(e.pkg.TypesInfo, a) != nil {
			continue
		}
		insert(a.Pos(), b.Name()+"(")
		insert(a.End(), ")")
	}
	return all
}

// addedParameters returns the numbers of the parameters that the sum at a
// position adds or subtracts, of the function around it. A function that
// multiplies has none: its own product may be the one that fuses.
func addedParameters(at check.Position) []int {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, at.File, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var found []int
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || multiplies(fn.Body) {
			continue
		}
		parameters := parameterNames(fn)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			if !ok {
				return true
			}
			p := fset.PositionFor(b.OpPos, false)
			if cmp.Or(cmp.Compare(p.Line, at.Line), cmp.Compare(p.Column, at.Column)) != 0 {
				return true
			}
			for _, x := range []ast.Expr{b.X, b.Y} {
				if id, ok := ast.Unparen(x).(*ast.Ident); ok {
					if i := slices.Index(parameters, id.Name); i >= 0 {
						found = append(found, i)
					}
				}
			}
			return false
		})
	}
	return found
}

// multiplies reports whether a product is computed in a node.
func multiplies(in ast.Node) bool {
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || n.Op == token.MUL
		case *ast.AssignStmt:
			found = found || n.Tok == token.MUL_ASSIGN
		}
		return !found
	})
	return found
}

// parameterNames returns the names of the parameters of a function.
func parameterNames(f *ast.FuncDecl) []string {
	var all []string
	for _, p := range f.Type.Params.List {
		for _, name := range p.Names {
			all = append(all, name.Name)
		}
		if len(p.Names) == 0 {
			all = append(all, "_")
		}
	}
	return all
}
