package portable

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/vet/check"
	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
	"github.com/lastbit/lastbit/vet/nankey"
)

// A NaN that arithmetic makes has another sign and payload on another
// processor. The source seldom shows whether a number is NaN, so code that
// takes its bits gets a note and is not counted as a place.

// bits returns the lines where files of the module take the bits of numbers
// that are computed, in functions that do not look for NaN, and outside of some
// places.
func (w *work) bits(places []Place) []check.Position {
	var all []check.Position
	for name, f := range w.files {
		if w.module.outside(name) != "" {
			continue
		}
		ignored := comment.Parse(f.pkg.Fset, f.syntax)
		source.Functions([]*ast.File{f.syntax}, func(d *ast.FuncDecl) {
			for _, at := range bitsIn(f.pkg, d.Body) {
				p := f.pkg.Fset.PositionFor(at, false)
				isPlace := slices.ContainsFunc(places, func(o Place) bool {
					return o.Kind == "nan" && o.At.File == name && o.At.Line == p.Line
				})
				isIgnored := slices.ContainsFunc(ignored, func(i comment.Ignore) bool {
					return i.Covers(nankey.Analyzer.Name, p.Line)
				})
				if !isPlace && !isIgnored {
					all = append(all, check.Position{File: name, Line: p.Line, Column: p.Column})
				}
			}
		})
	}
	slices.SortFunc(all, check.Position.Compare)
	return slices.CompactFunc(all, func(a, b check.Position) bool {
		return a.File == b.File && a.Line == b.Line
	})
}

// bitsIn returns the positions of calls in a function that take or write the
// bits of a number, unless it calls math.IsNaN.
func bitsIn(p *packages.Package, body ast.Node) []token.Pos {
	var all []token.Pos
	looksForNaN := false
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		f := source.Callee(p.TypesInfo, call)
		number := call.Args[len(call.Args)-1]
		switch {
		case source.IsFunc(f, "math", "IsNaN"):
			looksForNaN = true
		case source.IsFunc(f, "math", "Float64bits", "Float32bits") && isComputed(p, number),
			source.IsFunc(f, "encoding/binary", "Write", "Append", "Encode") &&
				holdsFloats(p.TypesInfo.TypeOf(number)) && isComputed(p, number):
			all = append(all, call.Pos())
		}
		return true
	})
	if looksForNaN {
		return nil
	}
	return all
}

// isComputed reports whether a number may be a NaN that arithmetic has made.
// Constants, converted integers, and results of package math with the same bits
// everywhere are not.
func isComputed(p *packages.Package, e ast.Expr) bool {
	info := p.TypesInfo
	if floats.Constant(info, e) != nil {
		return false
	}
	if of := floats.Conversion(info, e); of != nil {
		t, ok := info.TypeOf(of).Underlying().(*types.Basic)
		return (!ok || t.Info()&types.IsInteger == 0) && isComputed(p, of)
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return !ok || !source.IsFunc(source.Callee(info, call), "math", "NaN", "Inf",
		"Float64frombits", "Float32frombits")
}
