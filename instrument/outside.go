package instrument

import (
	"go/ast"
	"go/build/constraint"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// outside has the functions that are not rewritten and take or return
// floating-point numbers, by their full names, and the numbers of their
// omissions.
type outside map[string]int

// findOutside notes the files of rewritten packages that are not rewritten
// themselves, and returns the functions of theirs that Go code calls.
func (p *Program) findOutside(c *choice) outside {
	out := make(outside)
	for _, pkg := range c.rewritten {
		first := len(p.Omitted)
		p.omitFiles(pkg)
		for i, f := range pkg.Syntax {
			if !slices.Contains(pkg.GoFiles, pkg.CompiledGoFiles[i]) {
				p.reachCgo(pkg, f, first)
				continue
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body != nil {
					continue
				}
				object, ok := pkg.TypesInfo.Defs[fn.Name].(*types.Func)
				if ok && carriesFloats(object.Signature(), make(map[types.Type]bool)) {
					out[object.FullName()] = p.omissionOf(pkg, fn, pkg.CompiledGoFiles[i], first)
				}
			}
		}
	}
	return out
}

// omitFiles notes the files of a package that are not Go.
func (p *Program) omitFiles(pkg *packages.Package) {
	omit := func(file, why string) {
		p.Omitted = append(p.Omitted, Omission{
			Package: pkg.PkgPath, File: relative(pkg, file), Why: why, Tag: tagWithout(file),
		})
	}
	for _, f := range pkg.OtherFiles {
		switch filepath.Ext(f) {
		case ".s", ".S", ".syso":
			omit(f, Assembly)
		case ".c", ".cc", ".cpp", ".cxx", ".m", ".f", ".F", ".for", ".f90":
			omit(f, NotGo)
		}
	}
	for _, f := range pkg.GoFiles {
		if !slices.Contains(pkg.CompiledGoFiles, f) {
			omit(f, Cgo)
		}
	}
}

// reachCgo marks the file of a package that cgo has made another file of, if it
// has floating-point numbers. A directive in that file names the first one.
func (p *Program) reachCgo(pkg *packages.Package, f *ast.File, first int) {
	name := filepath.Base(pkg.Fset.Position(f.Package).Filename)
	hasFloats := false
	ast.Inspect(f, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			if t := pkg.TypesInfo.TypeOf(x); t != nil {
				c := classOf(t)
				hasFloats = hasFloats || c == real || c == complex_
			}
		}
		return !hasFloats
	})
	for i, o := range p.Omitted[first:] {
		if o.Why == Cgo && path.Base(o.File) == name {
			p.Omitted[first+i].Reached = hasFloats
		}
	}
}

var symbol = regexp.MustCompile(`(?m)^\s*TEXT\s+(?:[\w∕]*)·(\w+)`)

// omissionOf returns the number of the omission that holds a function without a
// body, which is declared in a file of a package whose omissions begin at
// first: a file of assembly, or one that is new.
func (p *Program) omissionOf(
	pkg *packages.Package, fn *ast.FuncDecl, file string, first int,
) int {
	files := slices.DeleteFunc(slices.Clone(pkg.OtherFiles), func(f string) bool {
		return !strings.EqualFold(filepath.Ext(f), ".s")
	})
	in := ""
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		for _, m := range symbol.FindAllSubmatch(src, -1) {
			if string(m[1]) == fn.Name.Name {
				in = relative(pkg, f)
			}
		}
	}
	why := Assembly
	switch {
	case in != "":
	case isLinked(fn):
		in, why = relative(pkg, file), Linkname
	case len(files) > 0: // by a macro
		in = relative(pkg, files[0])
	default:
		in, why = relative(pkg, file), Linkname
	}
	for i, o := range p.Omitted[first:] {
		if o.File == in && o.Why == why {
			return first + i
		}
	}
	p.Omitted = append(p.Omitted, Omission{
		Package: pkg.PkgPath, File: in, Line: pkg.Fset.Position(fn.Pos()).Line, Why: why,
	})
	return len(p.Omitted) - 1
}

// isLinked reports whether a function is one of another package.
func isLinked(fn *ast.FuncDecl) bool {
	return fn.Doc != nil && slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:linkname "+fn.Name.Name+" ")
	})
}

// carriesFloats reports whether values of a type can hold floating-point
// numbers, or lead to some: those behind an unsafe.Pointer may. seen has the
// types that are being examined.
func carriesFloats(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	elements := []types.Type{}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) != 0 || u.Kind() == types.UnsafePointer
	case *types.Signature:
		elements = append(elements, u.Params(), u.Results())
		if u.Recv() != nil {
			elements = append(elements, u.Recv().Type())
		}
	case *types.Tuple:
		for i := range u.Len() {
			elements = append(elements, u.At(i).Type())
		}
	case *types.Struct:
		for i := range u.NumFields() {
			elements = append(elements, u.Field(i).Type())
		}
	case *types.Map:
		elements = append(elements, u.Key(), u.Elem())
	case interface{ Elem() types.Type }:
		elements = append(elements, u.Elem())
	}
	return slices.ContainsFunc(elements, func(t types.Type) bool { return carriesFloats(t, seen) })
}

// tagWithout returns a build tag that leaves a file out, or "": noasm, purego
// and appengine before others.
func tagWithout(file string) string {
	src, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	found := ""
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "/*") &&
			!strings.HasPrefix(line, "*") {
			break
		}
		x, err := constraint.Parse(line)
		if err != nil || !constraint.IsGoBuild(line) && !constraint.IsPlusBuild(line) {
			continue
		}
		for _, tag := range negated(x) {
			if found == "" || slices.Index(usualTags, tag) > slices.Index(usualTags, found) {
				found = tag
			}
		}
	}
	return found
}

// usualTags are the tags that leave assembly out, the commonest last.
var usualTags = []string{"nosimd", "appengine", "purego", "noasm"}

// negated returns the tags that make a constraint false where they are set,
// except those that name a compiler or a system.
func negated(x constraint.Expr) []string {
	switch x := x.(type) {
	case *constraint.AndExpr:
		return append(negated(x.X), negated(x.Y)...)
	case *constraint.NotExpr:
		if tag, ok := x.X.(*constraint.TagExpr); ok && !isSystem(tag.Tag) {
			return []string{tag.Tag}
		}
		if or, ok := x.X.(*constraint.OrExpr); ok {
			return append(negated(&constraint.NotExpr{X: or.X}),
				negated(&constraint.NotExpr{X: or.Y})...)
		}
	}
	return nil
}

// isSystem reports whether a build tag is set by the go command.
func isSystem(tag string) bool {
	return slices.Contains([]string{"tinygo", "gccgo", "gc", "race", "msan", "asan", "cgo", "js",
		"wasm", "amd64", "arm64", "386", "arm", "ppc64", "ppc64le", "s390x", "riscv64", "loong64",
		"mips", "mipsle", "mips64", "mips64le", "linux", "darwin", "windows", "freebsd", "netbsd",
		"openbsd", "plan9", "solaris", "aix", "android", "ios", "dragonfly", "illumos", "wasip1",
		"unix", "ignore"}, tag) || strings.HasPrefix(tag, "go1.")
}
