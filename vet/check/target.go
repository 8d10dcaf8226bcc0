package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/vet/complexmul"
	"github.com/lastbit/lastbit/vet/fma"
	"github.com/lastbit/lastbit/vet/fused"
	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/flow"
)

// ask returns the operations that the compiler fuses for the targets, each once
// for a package, and the packages that it does not compile. Where others failed
// before, it is asked about these packages alone.
func ask(ctx context.Context, o Options, pkgs []*packages.Package, others bool) (
	[]Finding, []*LoadError, error,
) {
	type key struct {
		pkg string
		at  Position
	}
	all := map[key]*Finding{}
	s := sums{comments: map[string][]comment.Ignore{}, overlay: o.Overlay}
	if err := s.index(pkgs); err != nil {
		return nil, nil, err
	}
	build := fused.Build{Dir: o.Dir, Tags: o.Tags, Tests: o.Tests, Flags: o.Flags,
		Overlay: o.Overlay}
	patterns, names := o.Patterns, paths(pkgs)
	if others {
		patterns = names
	}
	var failed brokenBuilds
	compiled := &compiled{build: build, tags: o.Tags, all: generics(pkgs)}
	for _, t := range o.Targets {
		ops, err := compiled.list(ctx, t, patterns)
		if e := (*fused.BuildError)(nil); errors.As(err, &e) && len(names) > 1 {
			failed.add(e, s.cgo)
		} else if err != nil {
			return nil, nil, err
		}
		for _, op := range ops {
			s.cgo.locate(&op)
			k := key{op.Package, op.At}
			if all[k] == nil && !s.isExact(op) && s.isHeard(&op) {
				f := s.finding(op)
				f.Copies = slices.DeleteFunc(slices.Clone(op.All), s.isAnyIgnored)
				all[k] = &f
			}
			if f := all[k]; f != nil {
				f.Targets = append(f.Targets, t.String())
			}
		}
	}
	found := s.uncompiled(compiled.missed())
	for _, f := range all {
		f.Message = s.message(f)
		found = append(found, *f)
	}
	slices.SortFunc(found, func(a, b Finding) int { return a.At.Compare(b.At) })
	return found, failed.errors(), nil
}

// uncompiled returns the findings of functions that the compiler does not
// compile.
func (s *sums) uncompiled(all []generic) []Finding {
	var found []Finding
	for _, g := range all {
		at, end := position(g.pkg, g.name.Pos()), position(g.pkg, g.name.End())
		if s.isIgnored(at) {
			continue
		}
		found = append(found, Finding{Package: g.pkg.PkgPath, Analyzer: fma.Analyzer.Name, At: at,
			End: end, Uncompiled: true,
			Message: "the compiler compiles " + g.name.Name + " for no type that is known " +
				"here, so its sums were not examined; call it in the package"})
	}
	return found
}

// paths returns the import paths of packages, without packages of tests.
func paths(pkgs []*packages.Package) []string {
	var all []string
	for _, p := range pkgs {
		path := cmp.Or(p.ForTest, p.PkgPath)
		if !slices.Contains(all, path) {
			all = append(all, path)
		}
	}
	return all
}

// sums finds the source of the compiler's positions.
type sums struct {
	found    map[Position]sum
	long     map[Position][]sum          // in the last column that the compiler counts, or behind
	comments map[string][]comment.Ignore // of the files that were looked at
	overlay  map[string][]byte
	exact    map[Position]bool // products of complex64 numbers
	cgo      cgoFiles
}

// A sum is an addition with its package.
type sum struct {
	*fma.Sum
	pkg *packages.Package
}

// index finds the additions of packages.
func (s *sums) index(pkgs []*packages.Package) error {
	s.found, s.long = map[Position]sum{}, map[Position][]sum{}
	s.exact, s.cgo = map[Position]bool{}, cgoFiles{}
	for _, p := range pkgs {
		s.cgo.add(p)
		for _, f := range p.Syntax {
			for _, at := range complexmul.Exact(p.TypesInfo, f) {
				s.exact[position(p, at)] = true
			}
		}
		graph, err := checker.Analyze([]*analysis.Analyzer{fma.Sums}, []*packages.Package{p}, nil)
		if err != nil {
			return err
		}
		act := graph.Roots[0]
		if act.Err != nil {
			return &LoadError{p.PkgPath, act.Err.Error()}
		}
		for at, found := range act.Result.(*fma.Index).At() {
			s.add(position(p, at), sum{found, p})
		}
	}
	return nil
}

// position returns a position as the compiler prints it.
func position(p *packages.Package, at token.Pos) Position {
	pos := p.Fset.PositionFor(at, false)
	if !slices.Contains(p.GoFiles, pos.Filename) { // made by cgo
		pos = p.Fset.Position(at)
	}
	return Position{File: pos.Filename, Line: pos.Line, Column: pos.Column}
}

// finding returns a fused operation as a finding without its message.
func (s *sums) finding(op fused.Op) Finding {
	if len(s.long[op.At]) > 0 {
		return s.longLine(op)
	}
	f := Finding{Package: op.Package, Analyzer: fma.Analyzer.Name, At: op.At, End: op.At,
		Through: op.Through}
	found, ok := s.found[op.At]
	if !ok {
		return f
	}
	f.End.Column += len(found.Op.String())
	if fix, ok := found.Fix(); ok {
		f.Edits = edits(found.pkg, fix)
	}
	return f
}

// message describes a fused operation and its cure.
func (s *sums) message(f *Finding) string {
	text, verb := "a multiplication and an addition", " fuse on "
	cure := "round the product with float64(…)"
	if found, ok := s.found[f.At]; ok {
		text, verb = found.Text(), " fuses on "
		cure = found.Cure(place(f.At), place(f.Through...))
	}
	text += verb + strings.Join(f.Targets, " and ")
	if len(s.long[f.At]) > 0 {
		cure = fmt.Sprintf("round the products of the line from column %d on", fused.MaxColumn)
	}
	if n := len(f.Through); n > 0 {
		text += ", inlined at " + place(f.Through[n-1]).From(f.At.File)
	}
	return text + "; " + cure
}

// isHeard reports whether no comment makes fma silent at an operation, or at a
// call of each of its copies. It leaves the first other copy.
func (s *sums) isHeard(op *fused.Op) bool {
	if s.isIgnored(op.At) {
		return false
	}
	for _, calls := range append([][]Position{op.Through}, op.All...) {
		if !s.isAnyIgnored(calls) {
			op.Through = calls
			return true
		}
	}
	return false
}

// isAnyIgnored reports whether a comment makes fma silent at one of some calls.
func (s *sums) isAnyIgnored(calls []Position) bool {
	return slices.ContainsFunc(calls, s.isIgnored)
}

// place returns the first of positions.
func place(all ...Position) flow.Place {
	if len(all) == 0 {
		return flow.Place{}
	}
	return flow.Place{File: all[0].File, Line: all[0].Line}
}

// isExact reports whether the products that an operation adds are exact: then
// the sum has the same bits everywhere.
func (s *sums) isExact(op fused.Op) bool {
	if len(s.long[op.At]) > 0 {
		return len(s.inLongLine(op)) == 0
	}
	found, ok := s.found[op.At]
	return ok && found.IsExact(isInlined(op)) || s.exact[op.At]
}

// isInlined reports whether a copy of an operation is in another function.
func isInlined(op fused.Op) bool {
	return slices.ContainsFunc(op.All, func(calls []Position) bool { return len(calls) > 0 })
}

// isIgnored reports whether a comment makes fma silent at a position.
func (s *sums) isIgnored(at Position) bool {
	all, known := s.comments[at.File]
	if !known {
		fset := token.NewFileSet()
		var text any
		if t, ok := s.overlay[at.File]; ok {
			text = t
		}
		f, err := parser.ParseFile(fset, at.File, text, parser.ParseComments)
		if err == nil {
			all = comment.Parse(fset, f)
		}
		s.comments[at.File] = all
	}
	return slices.ContainsFunc(all, func(i comment.Ignore) bool {
		return i.Covers(fma.Analyzer.Name, at.Line)
	})
}
