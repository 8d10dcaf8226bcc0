package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/gocommand"
	"github.com/lastbit/lastbit/internal/overlay"
	"github.com/lastbit/lastbit/vet/fma"
	"github.com/lastbit/lastbit/vet/fused"
	"github.com/lastbit/lastbit/vet/nankey"
)

// Options choose packages and analyzers.
type Options struct {
	Dir       string   // the working folder of the go command; "" is the current one
	Patterns  []string // packages, as the go command names them
	Tags      []string // build tags
	Tests     bool     // read test files too
	Analyzers []*analysis.Analyzer
	Targets   []fused.Target // ask the compiler for fused operations there
	NaNKeys   bool           // let nankey report NaN as a key, too
	Flags     []string       // of the go command, besides the tags
	// Overlay holds the contents of files in the place of those on disk.
	Overlay map[string][]byte
	// Tool is a program that serves these analyzers to go vet, which keeps the
	// results of packages. Without one Run reads all packages itself, and so it
	// does with targets and where go vet fails.
	Tool string
}

// A Position is a place in a source file.
type Position = fused.Position

// A Finding is a place that computes other bits elsewhere.
type Finding struct {
	Package  string
	Analyzer string
	At, End  Position
	Message  string
	Edits    []Edit // a fix; empty where there is none
	// Targets lists those that the compiler fuses for, and Through the calls
	// that the operation was inlined through, outermost first. Copies holds
	// them for every copy of the operation that no comment leaves out.
	Targets []string
	Through []Position
	Copies  [][]Position
	// Uncompiled is set for a generic function that the compiler was not asked
	// about, since no types for it are known.
	Uncompiled bool
}

// An Edit replaces bytes of a file.
type Edit struct {
	File       string
	Start, End int
	New        string
}

// A Result holds the findings in some packages, by package and position.
type Result struct {
	Findings []Finding
	Packages int // that were asked for
	// Loaded holds the packages with their syntax, unless go vet read them.
	Loaded []*packages.Package
	// Failed holds the packages that do not compile, in part of the targets
	// perhaps, and those that import them. There are others, which do.
	Failed []*LoadError
}

// A LoadError is a package that cannot be read or does not compile.
type LoadError struct{ Package, Cause string }

func (e *LoadError) Error() string { return "vet: " + e.Package + ": " + e.Cause }

// Run analyzes packages.
func Run(ctx context.Context, o Options) (*Result, error) {
	err := nankey.Analyzer.Flags.Set(nankey.Keys, strconv.FormatBool(o.NaNKeys))
	if err != nil {
		return nil, err
	}
	if o.Tool != "" && len(o.Targets) == 0 {
		r, err := throughGo(ctx, o, o.Analyzers)
		if err == nil {
			r.sort()
		}
		if !errors.Is(err, errUnanswered) || ctx.Err() != nil {
			return r, err
		}
	}
	pkgs, failed, err := load(ctx, o)
	if err != nil {
		return nil, err
	}
	r := &Result{Packages: len(pkgs), Loaded: pkgs, Failed: failed}
	analyzers := slices.Clone(o.Analyzers)
	if len(o.Targets) > 0 && slices.Contains(analyzers, fma.Analyzer) {
		found, failed, err := ask(ctx, o, pkgs, len(r.Failed) > 0)
		if err != nil {
			return nil, err
		}
		r.Findings, r.Failed = found, append(r.Failed, failed...)
		analyzers = slices.DeleteFunc(analyzers, func(a *analysis.Analyzer) bool {
			return a == fma.Analyzer
		})
	}
	if err := r.analyze(analyzers, pkgs); err != nil {
		return nil, err
	}
	r.sort()
	return r, nil
}

// load reads packages from source, and the types of those that they import, or
// for facts about functions their source too. It fails where all of them do.
func load(ctx context.Context, o Options) (
	pkgs []*packages.Package, failed []*LoadError, err error,
) {
	config := packages.Config{
		Context: ctx, Dir: o.Dir, Tests: o.Tests, Env: gocommand.Environ(ctx),
		BuildFlags: slices.Clone(o.Flags),
		Mode:       packages.LoadSyntax | packages.NeedForTest, //nolint:staticcheck // export data
	}
	if len(o.Targets) == 0 && slices.Contains(o.Analyzers, fma.Analyzer) {
		config.Mode |= packages.NeedDeps
	}
	if len(o.Tags) > 0 {
		config.BuildFlags = append(config.BuildFlags, "-tags="+strings.Join(o.Tags, ","))
	}
	all, err := overlay.Load(config, o.Overlay, o.Patterns...)
	if err != nil {
		return nil, nil, &LoadError{strings.Join(o.Patterns, " "), err.Error()}
	}
	for _, p := range all {
		switch e := loadError(p, o.Patterns); {
		case e == nil:
			pkgs = append(pkgs, p)
		case !slices.ContainsFunc(failed, func(f *LoadError) bool { return *f == *e }):
			failed = append(failed, e)
		}
	}
	switch pkgs = withoutRepeats(pkgs); {
	case len(pkgs) == 0 && len(failed) > 0:
		return nil, nil, failed[0]
	case len(pkgs) == 0:
		return nil, nil, &LoadError{strings.Join(o.Patterns, " "), "no package matches"}
	}
	return pkgs, failed, nil
}

// loadError returns the error of a package, or nil.
func loadError(p *packages.Package, patterns []string) *LoadError {
	if len(p.Errors) > 0 {
		return &LoadError{cmp.Or(p.PkgPath, strings.Join(patterns, " ")), cause(p.Errors[0])}
	}
	if p.IllTyped {
		return &LoadError{p.PkgPath, "a package that it imports does not compile"}
	}
	return nil
}

// cause returns the text of an error of a package, without the line that the go
// command puts before the compiler's.
func cause(e packages.Error) string {
	text := e.Msg
	if rest, ok := strings.CutPrefix(text, "# "); ok {
		_, text, _ = strings.Cut(rest, "\n")
	}
	if e.Pos != "" && e.Pos != "-" {
		text = e.Pos + ": " + text
	}
	return strings.TrimSpace(text)
}

// withoutRepeats removes the packages whose files another one has, too: that
// with the tests in the package, and the programs that run tests.
func withoutRepeats(pkgs []*packages.Package) []*packages.Package {
	tested := map[string]bool{}
	for _, p := range pkgs {
		if p.ID != p.PkgPath && p.ForTest == p.PkgPath {
			tested[p.PkgPath] = true
		}
	}
	return slices.DeleteFunc(pkgs, func(p *packages.Package) bool {
		return p.ID == p.PkgPath && (tested[p.PkgPath] || strings.HasSuffix(p.ID, ".test"))
	})
}

// analyze runs analyzers and adds their findings.
func (r *Result) analyze(analyzers []*analysis.Analyzer, pkgs []*packages.Package) error {
	if len(analyzers) == 0 {
		return nil
	}
	graph, err := checker.Analyze(analyzers, pkgs, nil)
	if err != nil {
		return err
	}
	for _, act := range graph.Roots {
		if err := failure(act); err != nil {
			return &LoadError{act.Package.PkgPath, err.Error()}
		}
		for _, d := range act.Diagnostics {
			r.Findings = append(r.Findings, finding(act.Package, act.Analyzer.Name, d))
		}
	}
	return nil
}

// failure returns the error of an action: where it failed since another one
// did, that one's.
func failure(act *checker.Action) error {
	for _, dep := range act.Deps {
		if err := failure(dep); err != nil {
			return err
		}
	}
	return act.Err
}

// finding returns a diagnostic of an analyzer.
func finding(p *packages.Package, analyzer string, d analysis.Diagnostic) Finding {
	f := Finding{
		Package: p.PkgPath, Analyzer: analyzer, Message: d.Message,
		At: position(p, d.Pos), End: position(p, cmp.Or(d.End, d.Pos)),
	}
	if len(d.SuggestedFixes) > 0 {
		f.Edits = edits(p, d.SuggestedFixes[0])
	}
	return f
}

// edits returns the edits of a fix. Files made by cgo cannot be edited.
func edits(p *packages.Package, fix analysis.SuggestedFix) []Edit {
	var all []Edit
	for _, e := range fix.TextEdits {
		from, to := p.Fset.PositionFor(e.Pos, false), p.Fset.PositionFor(e.End, false)
		if !slices.Contains(p.GoFiles, from.Filename) {
			return nil
		}
		all = append(all, Edit{from.Filename, from.Offset, max(from.Offset, to.Offset),
			string(e.NewText)})
	}
	return all
}

// sort orders findings by package, position and analyzer.
func (r *Result) sort() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), a.At.Compare(b.At),
			cmp.Compare(a.Analyzer, b.Analyzer))
	})
}

// Counts returns the numbers of findings by analyzer, in the order of names.
func (r *Result) Counts(names []string) []string {
	var all []string
	for _, name := range names {
		n := 0
		for _, f := range r.Findings {
			if f.Analyzer == name {
				n++
			}
		}
		if n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, name))
		}
	}
	return all
}
