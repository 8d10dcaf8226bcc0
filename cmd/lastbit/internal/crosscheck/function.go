package crosscheck

import (
	"fmt"
	"go/ast"
	"go/types"
	"hash/fnv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/crosscheck/record"
)

// A function is one whose calls are noted.
type function struct {
	name       string // with the path of the package, and the receiver
	id         uint64
	pkg        string
	file       string
	line, last int // the lines of the declaration
	inlined    bool
	object     *types.Func
	pkgName    string
	module     string // the path of the module
}

// identify returns the number of a function in logs.
func identify(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	if id := h.Sum64(); id != 0 && id != record.Trailer {
		return id
	}
	return 1
}

// nameOf returns the name of a function: path/p.F, path/p.T.F or path/p.(*T).F.
func nameOf(f *types.Func) string {
	name := f.Name()
	if r := f.Signature().Recv(); r != nil {
		t, format := r.Type(), "%s.%s"
		if p, ok := t.(*types.Pointer); ok {
			t, format = p.Elem(), "(*%s).%s"
		}
		if n, ok := t.(*types.Named); ok {
			name = fmt.Sprintf(format, n.Obj().Name(), name)
		}
	}
	if f.Pkg() == nil {
		return name
	}
	return f.Pkg().Path() + "." + name
}

// functions returns the functions of packages whose calls are noted, by name:
// exported ones, outside of test files, that have to do with floating-point
// numbers.
func (s *sources) functions() map[string]*function {
	all := map[string]*function{}
	for _, p := range s.pkgs {
		for _, f := range p.Syntax {
			file := p.Fset.Position(f.Package).Filename
			if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(p.ID, ".test") {
				continue
			}
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					s.addFunction(all, p, file, d)
				}
			}
		}
	}
	return all
}

func (s *sources) addFunction(
	all map[string]*function, p *packages.Package, file string, d *ast.FuncDecl,
) {
	f, ok := p.TypesInfo.Defs[d.Name].(*types.Func)
	if !ok || !d.Name.IsExported() || !computes(f.Signature(), p.Types) || hasBlankTypes(d) {
		return
	}
	at, end := p.Fset.Position(d.Name.Pos()), p.Fset.Position(d.End())
	name := nameOf(f)
	all[name] = &function{
		name: name, id: identify(name), pkg: p.PkgPath, file: file, line: at.Line, last: end.Line,
		inlined: s.inlined[placeOf(at)], object: f, pkgName: p.Name, module: p.PkgPath,
	}
	if p.Module != nil {
		all[name].module = p.Module.Path
	}
}

// hasBlankTypes reports whether a function has type parameters without a name,
// which a call cannot name.
func hasBlankTypes(d *ast.FuncDecl) bool {
	if d.Type.TypeParams == nil {
		return false
	}
	for _, f := range d.Type.TypeParams.List {
		for _, n := range f.Names {
			if n.Name == "_" {
				return true
			}
		}
	}
	return false
}

// computes reports whether a function has floating-point numbers among its
// parameters, in its receiver or among its results.
func computes(s *types.Signature, pkg *types.Package) bool {
	for _, list := range []*types.Tuple{s.Results(), s.Params()} {
		for v := range list.Variables() {
			if hasFloats(v.Type(), pkg, maxDepth) {
				return true
			}
		}
	}
	return s.Recv() != nil && hasFloats(s.Recv().Type(), pkg, maxDepth)
}

// maxDepth bounds the types inside of each other that are looked through.
const maxDepth = 6

// isChangeable reports whether a function can change what an argument leads to,
// as far as it is noted.
func isChangeable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice:
		return true
	}
	return false
}

// hasFloats reports whether values of a type can hold floating-point numbers.
// An interface of the module may hold some.
func hasFloats(t types.Type, pkg *types.Package, depth int) bool {
	if depth == 0 {
		return false
	}
	if p, ok := t.(*types.TypeParam); ok {
		return allowsFloats(p.Constraint())
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return isFloat(u)
	case *types.Pointer:
		return hasFloats(u.Elem(), pkg, depth-1)
	case *types.Slice:
		return hasFloats(u.Elem(), pkg, depth-1)
	case *types.Array:
		return hasFloats(u.Elem(), pkg, depth-1)
	case *types.Map:
		return hasFloats(u.Key(), pkg, depth-1) || hasFloats(u.Elem(), pkg, depth-1)
	case *types.Struct:
		for f := range u.Fields() {
			if hasFloats(f.Type(), pkg, depth-1) {
				return true
			}
		}
	case *types.Interface:
		n, ok := t.(*types.Named)
		return ok && n.Obj().Pkg() == pkg && u.NumMethods() > 0
	}
	return false
}

// isFloat reports whether a type is one of real or complex floating-point
// numbers.
func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// allowsFloats reports whether a constraint admits floating-point types.
func allowsFloats(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	if i.IsComparable() && i.NumEmbeddeds() == 0 {
		return true
	}
	for e := range i.EmbeddedTypes() {
		switch e := e.(type) {
		case *types.Union:
			for term := range e.Terms() {
				if isFloat(term.Type()) || allowsFloats(term.Type()) {
					return true
				}
			}
		default:
			if allowsFloats(e) {
				return true
			}
		}
	}
	return false
}
