package portable

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/vet/check"
	"github.com/lastbit/lastbit/vet/internal/floats"
)

// foreign returns the functions of the module without a body that take or
// return floating-point numbers, and the files that import C.
func (w *work) foreign() []Place {
	var all []Place
	add := func(p *packages.Package, at check.Position, message, reason string) {
		if w.module.outside(at.File) == "" {
			all = append(all, Place{Package: p.PkgPath, Kind: "foreign", At: at, Message: message,
				Reason: reason})
		}
	}
	for _, f := range w.files {
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Body == nil && hasFloats(f.pkg.TypesInfo, fn) {
				at := f.pkg.Fset.PositionFor(fn.Name.Pos(), false)
				add(f.pkg, check.Position{File: at.Filename, Line: at.Line, Column: at.Column},
					fn.Name.Name+" is assembly, whose bits lastbit does not examine",
					kindNamed("foreign").why)
			}
		}
	}
	for _, p := range w.loaded {
		for _, name := range p.GoFiles {
			if w.files[name] != nil {
				continue
			}
			if text, err := w.text(name); err == nil && usesC(parseImports(name, text)) {
				add(p, check.Position{File: name, Line: 1, Column: 1},
					"the file calls C, whose bits lastbit does not examine",
					"write the functions in Go")
			}
		}
	}
	return all
}

// hasFloats reports whether the signature of a function has floating-point
// numbers, alone, in slices or arrays, or behind pointers.
func hasFloats(info *types.Info, f *ast.FuncDecl) bool {
	o, ok := info.Defs[f.Name].(*types.Func)
	if !ok {
		return false
	}
	s := o.Signature()
	for _, t := range []*types.Tuple{s.Params(), s.Results()} {
		for v := range t.Variables() {
			if holdsFloats(v.Type()) {
				return true
			}
		}
	}
	return false
}

func holdsFloats(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return holdsFloats(u.Elem())
	case *types.Slice:
		return holdsFloats(u.Elem())
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return true // what it leads to is not known
		}
	}
	return floats.Contains(t)
}
