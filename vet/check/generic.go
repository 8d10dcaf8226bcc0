package check

import (
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/vet/fused"
	"github.com/lastbit/lastbit/vet/internal/floats"
)

// The compiler compiles a generic function for the types that it is called
// with. So each package gets a file that names its generic functions with some
// types, and the compiler lists what it fuses in them.

// instancesFile is the name of that file.
const instancesFile = "lastbit_instances.go"

// A generic is a generic function, or a method of a generic type, that computes
// with floating-point numbers.
type generic struct {
	pkg   *packages.Package
	name  *ast.Ident
	file  string
	texts []string // the function with types that it can have
}

// generics returns the generic functions of packages that compute, outside of
// tests.
func generics(pkgs []*packages.Package) []generic {
	var all []generic
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			file := p.Fset.PositionFor(f.Package, false).Filename
			if strings.HasSuffix(file, "_test.go") || !slices.Contains(p.GoFiles, file) {
				continue
			}
			for _, d := range f.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Body == nil || d.Name.Name == "_" || !mayFuse(p.TypesInfo, d.Body) {
					continue
				}
				if g, ok := newGeneric(p, file, d); ok {
					all = append(all, g)
				}
			}
		}
	}
	return all
}

// newGeneric returns a function with the types that it can have, if it is
// generic.
func newGeneric(p *packages.Package, file string, d *ast.FuncDecl) (generic, bool) {
	f, ok := p.TypesInfo.Defs[d.Name].(*types.Func)
	if !ok {
		return generic{}, false
	}
	g := generic{pkg: p, name: d.Name, file: file}
	i := instancer{p.Types, p.Fset}
	s := f.Signature()
	switch {
	case s.TypeParams().Len() > 0:
		for _, args := range i.instances(s, s.TypeParams()) {
			g.texts = append(g.texts, d.Name.Name+args)
		}
	case s.RecvTypeParams().Len() > 0:
		t := s.Recv().Type()
		if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
			t = pointer.Elem()
		}
		n, ok := types.Unalias(t).(*types.Named)
		if !ok {
			return g, true
		}
		for _, args := range i.instances(n.Origin(), n.Origin().TypeParams()) {
			g.texts = append(g.texts, fmt.Sprintf("(*%s%s).%s", n.Obj().Name(), args, d.Name.Name))
		}
	default:
		return generic{}, false
	}
	return g, true
}

// mayFuse reports whether a body computes with floating-point numbers, or calls
// functions that do.
func mayFuse(info *types.Info, body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || info.Types[n].Value == nil && floats.IsSummand(info.TypeOf(n))
		case *ast.AssignStmt:
			found = found || n.Tok != token.ASSIGN && n.Tok != token.DEFINE &&
				floats.IsSummand(info.TypeOf(n.Lhs[0]))
		case *ast.CallExpr:
			found = found || !info.Types[n.Fun].IsType() && floats.Contains(info.TypeOf(n))
		}
		return !found
	})
	return found
}

// instances returns the files that name generic functions for a target, by
// path.
func instances(all []generic, t fused.Target, tags []string) map[string][]byte {
	c := build.Default
	c.GOARCH, c.BuildTags, c.CgoEnabled = t.Arch, tags, false
	if t.OS != "" {
		c.GOOS = t.OS
	}
	lines, names := map[string]string{}, map[string]string{}
	for _, g := range all {
		dir := filepath.Dir(g.file)
		ok, err := c.MatchFile(dir, filepath.Base(g.file))
		if err != nil || !ok {
			continue
		}
		file := filepath.Join(dir, instancesFile)
		names[file] = g.pkg.Types.Name()
		for _, text := range g.texts {
			lines[file] += "\t" + text + ",\n"
		}
	}
	files := map[string][]byte{}
	for file, list := range lines {
		files[file] = fmt.Appendf(nil, "package %s\n\nvar lastbitInstances = []interface{}{\n%s}\n",
			names[file], list)
	}
	return files
}

// compiled lists what the compiler fuses in packages, generic functions too.
type compiled struct {
	build   fused.Build
	tags    []string
	all     []generic
	without bool // the compiler refuses the files with instances
}

// list returns the operations for a target.
func (c *compiled) list(ctx context.Context, t fused.Target, patterns []string) (
	[]fused.Op, error,
) {
	files := instances(c.all, t, c.tags)
	if len(files) == 0 || c.without {
		return fused.List(ctx, c.build, t, patterns...)
	}
	b := c.build
	b.Overlay = maps.Clone(b.Overlay)
	if b.Overlay == nil {
		b.Overlay = map[string][]byte{}
	}
	maps.Copy(b.Overlay, files)
	ops, err := fused.List(ctx, b, t, patterns...)
	if err != nil && ctx.Err() == nil {
		ops, again := fused.List(ctx, c.build, t, patterns...)
		c.without = c.without || again == nil
		return ops, again
	}
	for i := range ops {
		ops[i] = withoutInstances(ops[i])
	}
	return ops, err
}

// missed returns the generic functions that the compiler may not have compiled.
func (c *compiled) missed() []generic {
	var all []generic
	for _, g := range c.all {
		if len(g.texts) == 0 || c.without {
			all = append(all, g)
		}
	}
	return all
}

// withoutInstances removes the calls through the file of a package that names
// generic functions.
func withoutInstances(op fused.Op) fused.Op {
	isIn := func(p Position) bool { return filepath.Base(p.File) == instancesFile }
	op.Through = slices.DeleteFunc(slices.Clone(op.Through), isIn)
	op.All = slices.Clone(op.All)
	for i, calls := range op.All {
		op.All[i] = slices.DeleteFunc(slices.Clone(calls), isIn)
	}
	return op
}

// An instancer finds types for type parameters.
type instancer struct {
	pkg  *types.Package
	fset *token.FileSet
}

// maxTried bounds the types that are tried for one function.
const maxTried = 64

// instances returns lists of types, as [float64, int], that a generic type or
// the signature of a generic function admits. If basic types do not do, it
// tries the types of the package.
func (i instancer) instances(of types.Type, params *types.TypeParamList) []string {
	if all := i.instancesOf(of, params, false); len(all) > 0 {
		return all
	}
	return i.instancesOf(of, params, true)
}

func (i instancer) instancesOf(of types.Type, params *types.TypeParamList, own bool) []string {
	choices := make([][]types.Type, params.Len())
	most := 1
	for k := range choices {
		choices[k] = i.candidates(params.At(k), own)
		if len(choices[k]) == 0 {
			return nil
		}
		most = max(most, len(choices[k]))
	}
	var all []string
	for n := range min(most, maxTried) {
		args := make([]types.Type, len(choices))
		for k, list := range choices {
			args[k] = list[n%len(list)]
		}
		if text := i.text(of, params, args); text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// text returns types for parameters as source, or "" if they are not admitted.
func (i instancer) text(of types.Type, params *types.TypeParamList, args []types.Type) string {
	given := map[*types.TypeParam]types.Type{}
	for k := range args {
		given[params.At(k)] = args[k]
	}
	for k := range args { // []E where E is float64
		var ok bool
		if args[k], ok = substitute(args[k], given, params.Len()); !ok {
			return ""
		}
	}
	if _, err := types.Instantiate(nil, of, args, true); err != nil {
		return ""
	}
	var names []string
	for _, a := range args {
		names = append(names, types.TypeString(a, types.RelativeTo(i.pkg)))
	}
	text := "[" + strings.Join(names, ", ") + "]"
	if strings.ContainsAny(text, ".") || i.hidesBasic(text) { // of another package
		return ""
	}
	return text
}

// hidesBasic reports whether the package has its own meaning for a name of the
// language.
func (i instancer) hidesBasic(text string) bool {
	for _, name := range i.pkg.Scope().Names() {
		if types.Universe.Lookup(name) != nil && strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// candidates returns types that a type parameter may have, perhaps: basic ones,
// or with own the types of the package.
func (i instancer) candidates(p *types.TypeParam, own bool) []types.Type {
	constraint, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	all := chosen(terms(constraint))
	switch {
	case len(all) > 0:
	case own:
		all = i.implementing(constraint)
	case constraint.NumMethods() == 0:
		all = []types.Type{types.Typ[types.Float64]}
	case !constraint.IsComparable():
		all = []types.Type{p.Constraint()}
	}
	return all
}

// chosen returns the floating-point types among others, and two of the others:
// the code for more of them is the same.
func chosen(all []types.Type) []types.Type {
	const most = 2
	var numbers, others []types.Type
	for _, t := range all {
		if floats.IsSummand(t) {
			numbers = append(numbers, t)
		} else {
			others = append(others, t)
		}
	}
	return append(numbers, others[:min(len(others), most)]...)
}

// implementing returns types of the package, and pointers to them, that have
// the methods of an interface by name.
func (i instancer) implementing(constraint *types.Interface) []types.Type {
	var all []types.Type
	for _, name := range i.pkg.Scope().Names() {
		n, ok := i.pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || n.IsAlias() ||
			strings.HasSuffix(i.fset.PositionFor(n.Pos(), false).Filename, "_test.go") {
			continue
		}
		named, ok := n.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 || types.IsInterface(named) {
			continue
		}
		for _, t := range []types.Type{named, types.NewPointer(named)} {
			if hasMethods(t, constraint) {
				all = append(all, t)
				break
			}
		}
	}
	return all
}

// hasMethods reports whether a type has methods with the names of an
// interface's.
func hasMethods(t types.Type, constraint *types.Interface) bool {
	set := types.NewMethodSet(t)
	for m := range constraint.Methods() {
		if set.Lookup(m.Pkg(), m.Name()) == nil {
			return false
		}
	}
	return true
}

// terms returns the types that a constraint lists.
func terms(constraint *types.Interface) []types.Type {
	var all []types.Type
	add := func(t types.Type) {
		if i, ok := t.Underlying().(*types.Interface); ok {
			all = append(all, terms(i)...)
		} else {
			all = append(all, t)
		}
	}
	for e := range constraint.EmbeddedTypes() {
		if u, ok := types.Unalias(e).(*types.Union); ok {
			for t := range u.Terms() {
				add(t.Type())
			}
		} else {
			add(e)
		}
	}
	return all
}

// substitute returns a type with other types in the place of type parameters,
// which may hold some themselves, and false if it cannot.
func substitute(t types.Type, given map[*types.TypeParam]types.Type, depth int) (types.Type, bool) {
	switch u := types.Unalias(t).(type) {
	case *types.TypeParam:
		to, ok := given[u]
		if !ok || depth == 0 {
			return nil, false
		}
		return substitute(to, given, depth-1)
	case *types.Slice:
		e, ok := substitute(u.Elem(), given, depth)
		return types.NewSlice(e), ok
	case *types.Array:
		e, ok := substitute(u.Elem(), given, depth)
		return types.NewArray(e, u.Len()), ok
	case *types.Pointer:
		e, ok := substitute(u.Elem(), given, depth)
		return types.NewPointer(e), ok
	case *types.Map:
		k, ok1 := substitute(u.Key(), given, depth)
		e, ok2 := substitute(u.Elem(), given, depth)
		return types.NewMap(k, e), ok1 && ok2
	}
	return t, true
}
