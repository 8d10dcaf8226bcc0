package crosscheck

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/edit"
	"github.com/lastbit/lastbit/vet/fused"
)

// Kinds of sites.
const (
	kindFMA     = "fma"
	kindComplex = "complex"
	kindLibm    = "libm"
)

// A site is a place where platforms may compute other bits. It can be off: then
// all platforms compute the same there.
type site struct {
	kind string
	pkg  string // the package of the file, or the first that compiles it
	file string
	line int

	hash uint64   // of a fused operation, for the compiler
	pkgs []string // that compile the operation

	name       string // of a function of package math
	from, to   int    // the offsets of the name of the package
	qualifier  string // the name of the package in the file
	afterNames int    // the offset after the package clause of the file
}

// compareSites orders sites by package and place.
func compareSites(a, b site) int {
	return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.file, b.file),
		cmp.Compare(a.line, b.line), cmp.Compare(a.from, b.from), cmp.Compare(a.hash, b.hash))
}

// varying lists the functions of package math whose results depend on the
// processor.
var varying = strings.Fields(`Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Cos Cosh Erf Erfc Erfcinv
	Erfinv Exp Exp2 Expm1 Gamma Hypot J0 J1 Jn Lgamma Log Log10 Log1p Log2 Pow Sin Sincos Sinh Tan
	Tanh Y0 Y1 Yn`)

// calls returns the uses of these functions in packages.
func (s *sources) calls() []site {
	var all []site
	seen := map[string]bool{}
	for _, p := range s.pkgs {
		for _, f := range p.Syntax {
			name := p.Fset.Position(f.Package).Filename
			if seen[name] || strings.HasSuffix(p.ID, ".test") {
				continue
			}
			seen[name] = true
			ast.Inspect(f, func(n ast.Node) bool {
				if e, ok := n.(*ast.SelectorExpr); ok && isVarying(p, e) {
					all = append(all, newCall(p, f, name, e))
				}
				return true
			})
		}
	}
	return all
}

// isVarying reports whether an expression is a varying function. A name of one
// letter leaves no room for another one of the same length.
func isVarying(p *packages.Package, e *ast.SelectorExpr) bool {
	id, ok := e.X.(*ast.Ident)
	if !ok || len(id.Name) < 2 || !slices.Contains(varying, e.Sel.Name) {
		return false
	}
	imported, ok := p.TypesInfo.Uses[id].(*types.PkgName)
	return ok && imported.Imported().Path() == "math"
}

func newCall(p *packages.Package, f *ast.File, file string, e *ast.SelectorExpr) site {
	at := p.Fset.Position(e.Pos())
	id := e.X.(*ast.Ident)
	return site{
		kind: kindLibm, pkg: strings.TrimSuffix(p.PkgPath, "_test"), file: file, line: at.Line,
		name: e.Sel.Name, from: at.Offset, to: offset(p, id.End()), qualifier: id.Name,
		afterNames: offset(p, f.Name.End()),
	}
}

// other returns a name of the same length: so no column moves, and the compiler
// knows its operations by the same numbers.
func other(name string) string { return name[:1] + strings.Repeat("_", len(name)-1) }

// neutralize lets calls of package math go to the copy of it.
func neutralize(c changes, off []site) {
	tails := map[string]bool{}
	for _, s := range off {
		ch := c[s.file]
		if ch == nil {
			ch = &change{names: s.afterNames}
			c[s.file] = ch
		}
		name := other(s.qualifier)
		ch.edits = append(ch.edits, edit.Edit{From: s.from, To: s.to, Text: name})
		if key := s.file + " " + name; !tails[key] {
			tails[key] = true
			ch.imports(name, neutralPath)
			ch.tail += "\nconst _ = " + s.qualifier + ".Pi\n"
		}
	}
}

// clone returns a copy of changes that can be changed itself.
func (c changes) clone() changes {
	all := changes{}
	for name, ch := range c {
		all[name] = &change{slices.Clone(ch.edits), ch.names, ch.tail, ch.whole}
	}
	return all
}

// reached returns the packages that a package and its tests are built from,
// except the standard library.
func (o *Options) reached(ctx context.Context, p platform, pkg string) ([]string, error) {
	out, err := o.list(ctx, p, "{{if not .Standard}}{{.ImportPath}}{{end}}", "-deps", "-test", pkg)
	if err != nil {
		return nil, err
	}
	var all []string
	for line := range strings.Lines(out) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ") // p [p.test]
		if name != "" && !strings.HasSuffix(name, ".test") {
			all = append(all, strings.TrimSuffix(name, "_test"))
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// fusions returns the sites of fused operations.
func (s *sources) fusions(matches []fused.Match) []site {
	byHash := map[uint64]*site{}
	for _, m := range matches {
		pkg := strings.TrimSuffix(m.Package, "_test")
		t := byHash[m.Hash]
		if t == nil {
			t = &site{kind: kindFMA, pkg: pkg, file: m.At.File, line: m.At.Line, hash: m.Hash}
			byHash[m.Hash] = t
		}
		t.pkgs = append(t.pkgs, pkg)
	}
	complexes := s.complexLines()
	var all []site
	for _, t := range byHash {
		if complexes[fmt.Sprintf("%s:%d", t.file, t.line)] {
			t.kind = kindComplex
		}
		all = append(all, *t)
	}
	return all
}

// complexLines returns the lines with products and quotients of complex
// numbers.
func (s *sources) complexLines() map[string]bool {
	all := map[string]bool{}
	for _, p := range s.pkgs {
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				var x ast.Expr
				switch n := n.(type) {
				case *ast.BinaryExpr:
					if n.Op == token.MUL || n.Op == token.QUO {
						x = n.X
					}
				case *ast.AssignStmt:
					if n.Tok == token.MUL_ASSIGN || n.Tok == token.QUO_ASSIGN {
						x = n.Lhs[0]
					}
				}
				if x == nil || p.TypesInfo.TypeOf(x) == nil {
					return true
				}
				b, ok := p.TypesInfo.TypeOf(x).Underlying().(*types.Basic)
				if ok && b.Info()&types.IsComplex != 0 {
					at := p.Fset.Position(n.Pos())
					all[fmt.Sprintf("%s:%d", at.Filename, at.Line)] = true
				}
				return true
			})
		}
	}
	return all
}

// fusionFlags returns the flags of the go command that fuse, of all operations
// in the sites, those that are on.
func fusionFlags(all []site, on []bool) []string {
	active, count := map[string][]string{}, map[string]int{}
	for i, s := range all {
		for _, p := range s.pkgs {
			count[p]++
			if on[i] {
				active[p] = append(active[p], fmt.Sprintf("+x%010x", s.hash&(1<<40-1)))
			}
		}
	}
	var flags []string
	for p, n := range count {
		pattern := "q" + strings.Join(active[p], "")
		switch len(active[p]) {
		case 0:
			pattern = "qn"
		case n:
			pattern = "qy"
		}
		flags = append(flags, "-gcflags="+p+"=-d=fmahash="+pattern)
	}
	slices.Sort(flags)
	return flags
}
