package crosscheck

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// constructors returns the imports and the statements that name constructors to
// generated calls, from the package of a function and from the packages of the
// module that it imports. It adds their numbers to names.
func constructors(f *function, names map[uint64]string) (imports, statements string) {
	own := f.object.Pkg()
	all := slices.Clone(own.Imports())
	slices.SortFunc(all, func(a, b *types.Package) int { return cmp.Compare(a.Path(), b.Path()) })
	statements = makeStatements(own, "", names)
	for i, p := range all {
		if p.Path() != f.module && !strings.HasPrefix(p.Path(), f.module+"/") {
			continue
		}
		name := fmt.Sprintf("lastbit%d", i)
		if s := makeStatements(p, name+".", names); s != "" {
			imports += fmt.Sprintf("\t%s %q\n", name, p.Path())
			statements += s
		}
	}
	return imports, statements
}

// makeStatements returns a statement for each constructor of a package, sorted.
func makeStatements(p *types.Package, qualifier string, names map[uint64]string) string {
	var b strings.Builder
	for _, name := range p.Scope().Names() {
		f, ok := p.Scope().Lookup(name).(*types.Func)
		if ok && isConstructor(f) {
			role := nameOf(f) + " for arguments"
			id := identify(role)
			names[id] = role
			fmt.Fprintf(&b, "\tg.Make(%#x, %s%s)\n", id, qualifier, name)
		}
	}
	return b.String()
}

// isConstructor reports whether a function is named New… and returns a struct
// of its package, or is named XFrom… and returns an X of any kind except an
// interface, or a pointer to one, and perhaps an error.
func isConstructor(f *types.Func) bool {
	s := f.Signature()
	n := s.Results().Len()
	failure := types.Universe.Lookup("error").Type()
	if s.TypeParams().Len() > 0 || n < 1 || n > 2 ||
		n == 2 && !types.Identical(s.Results().At(1).Type(), failure) {
		return false
	}
	t := s.Results().At(0).Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := t.(*types.Named)
	if !ok || named.TypeArgs().Len() > 0 || named.Obj().Pkg() != f.Pkg() ||
		!named.Obj().Exported() {
		return false
	}
	switch named.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Struct:
		if strings.HasPrefix(f.Name(), "New") {
			return true
		}
	}
	return strings.HasPrefix(f.Name(), named.Obj().Name()+"From")
}
