package portable

import (
	"bytes"
	"cmp"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/vet/check"
	"github.com/lastbit/lastbit/vet/complexmul"
	"github.com/lastbit/lastbit/vet/fma"
	"github.com/lastbit/lastbit/vet/fused"
)

// work holds a module with the rewritten texts of its files.
type work struct {
	o       Options
	module  *module
	overlay map[string][]byte   // by absolute path
	now     *check.Result       // of all analyzers except fma; nil after a change
	before  map[string]previous // the files that the last round changed
	refused map[keptKind]string
	files   map[string]*file // of the packages that were read last
	loaded  []*packages.Package
}

// A keptKind is a kind of places that stays in a file, since the file does not
// compile without them.
type keptKind struct{ kind, file string }

// A previous holds the text of a file before a round, nil for the file on disk,
// and the number of places that the round rewrites in it.
type previous struct {
	text    []byte
	pkg     string
	places  int
	changed bool // an earlier round of the step changed the file
}

// A file is the syntax of a file, with its package.
type file struct {
	pkg    *packages.Package
	syntax *ast.File
}

// read runs analyzers on the files as they are now.
func (w *work) read(ctx context.Context, all []*analysis.Analyzer, targets []fused.Target) (
	*check.Result, error,
) {
	r, err := check.Run(ctx, check.Options{
		Dir: w.o.Dir, Patterns: w.patterns(), Tags: w.o.Tags, Tests: w.o.Tests,
		Analyzers: all, Targets: targets, Flags: w.module.flags, Overlay: w.overlay,
	})
	if err != nil {
		return nil, err
	}
	w.files, w.loaded = map[string]*file{}, r.Loaded
	for _, p := range r.Loaded {
		for _, f := range p.Syntax {
			name := p.Fset.PositionFor(f.Package, false).Filename
			w.files[name] = &file{p, f}
		}
	}
	r.Findings = w.atCalls(r.Findings)
	return r, nil
}

// patterns returns the packages to read, those in copies of modules too.
func (w *work) patterns() []string {
	all := slices.Clone(w.o.Patterns)
	for _, c := range w.module.copies {
		all = append(all, c.packages...)
	}
	return all
}

// text returns the text of a file as it is now.
func (w *work) text(name string) ([]byte, error) {
	if t, ok := w.overlay[name]; ok {
		return t, nil
	}
	return os.ReadFile(name)
}

// examine returns the places in the files as they are now.
func (w *work) examine(ctx context.Context) (*Report, error) {
	w.o.show("compiling for " + targetNames(w.o.Targets))
	var analyzers []*analysis.Analyzer
	for _, k := range kinds {
		// Fused operations of complex products are told apart by complexmul.
		if k.analyzer != nil && (w.o.isChosen(k) || k.analyzer == complexmul.Analyzer) {
			analyzers = append(analyzers, k.analyzer)
		}
	}
	result, err := w.read(ctx, analyzers, w.o.Targets)
	if err != nil {
		return nil, err
	}
	report := &Report{Packages: result.Packages, Failed: result.Failed}
	if report.Unread, err = w.unread(ctx, result.Failed); err != nil {
		return nil, err
	}
	if report.Skipped, err = w.skipped(ctx); err != nil {
		return nil, err
	}
	editors := map[string]*editor{}
	for _, f := range withoutRepeats(result.Findings) {
		k := kindOf(f.Analyzer)
		if !w.o.isChosen(k) {
			continue
		}
		p := Place{Package: f.Package, Kind: k.name, At: f.At, Message: f.Message,
			Targets: f.Targets}
		p.Reason = w.reason(k, f, editors)
		p.Rewritable = p.Reason == ""
		report.Places = append(report.Places, p)
	}
	if w.o.isChosen(kindNamed("foreign")) {
		report.Places = append(report.Places, w.foreign()...)
	}
	if w.o.isChosen(kindNamed("nan")) {
		report.Bits = w.bits(report.Places)
	}
	slices.SortStableFunc(report.Places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), a.At.Compare(b.At))
	})
	return report, nil
}

// ofMain lists the packages of the main module among packages and what they
// import.
const ofMain = `{{if .Module}}{{if .Module.Main}}{{.ImportPath}}{{end}}{{end}}`

// unread returns the packages of the module that the packages import, and that
// were not named.
func (w *work) unread(ctx context.Context, failed []*check.LoadError) ([]string, error) {
	if slices.Equal(w.o.Patterns, []string{"./..."}) && w.module.dir == "" {
		return nil, nil
	}
	args := slices.Concat([]string{"list", "-e", "-deps", "-f", ofMain, tagFlag(w.o.Tags)},
		w.module.flags, []string{"--"}, w.o.Patterns)
	out, err := run(ctx, w.o.Dir, args...)
	if err != nil {
		return nil, err
	}
	isRead := map[string]bool{}
	for _, p := range w.loaded {
		isRead[p.PkgPath] = true
	}
	for _, e := range failed {
		isRead[e.Package] = true
	}
	var all []string
	for path := range strings.FieldsSeq(string(out)) {
		if !isRead[path] {
			all = append(all, path)
		}
	}
	return all, nil
}

func tagFlag(tags []string) string { return "-tags=" + strings.Join(tags, ",") }

func targetNames(all []fused.Target) string {
	var names []string
	for _, t := range all {
		names = append(names, t.String())
	}
	return strings.Join(names, ", ")
}

func kindOf(analyzer string) kind {
	for _, k := range kinds {
		if k.analyzer != nil && k.analyzer.Name == analyzer {
			return k
		}
	}
	return kind{}
}

func kindNamed(name string) kind {
	for _, k := range kinds {
		if k.name == name {
			return k
		}
	}
	return kind{}
}

// withoutRepeats returns findings without the fused operations of complex
// products, which are found as such. Of a function that several packages inline
// each operation is listed once.
func withoutRepeats(all []check.Finding) []check.Finding {
	type key struct {
		analyzer string
		at       check.Position
	}
	seen := map[key]bool{}
	for _, f := range all {
		if f.Analyzer == complexmul.Analyzer.Name {
			seen[key{fma.Analyzer.Name, f.At}] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(f check.Finding) bool {
		k := key{f.Analyzer, f.At}
		repeated := seen[k]
		seen[k] = true
		return repeated
	})
}

// reason returns why the place of a finding cannot be rewritten, or "".
func (w *work) reason(k kind, f check.Finding, editors map[string]*editor) string {
	if k.why != "" {
		return k.why
	}
	if reason := w.module.outside(f.At.File); reason != "" {
		return reason
	}
	text, err := w.text(f.At.File)
	switch {
	case err != nil:
		return "the file cannot be read"
	case isGenerated(text):
		return "the file is generated: change its generator"
	case bytes.Contains(text, []byte("\r\n")) || bytes.HasPrefix(text, []byte("\ufeff")):
		return "the file has the line ends of Windows, or a byte order mark: run gofmt first"
	case k.rewrite == nil && f.At.Column >= fused.MaxColumn && len(f.Edits) == 0:
		return "the line is longer than the compiler's positions: break it"
	case w.refused[keptKind{k.name, f.At.File}] != "":
		return w.refused[keptKind{k.name, f.At.File}]
	}
	e := editors[f.At.File]
	if e == nil {
		in := w.files[f.At.File]
		if in == nil && usesC(parseImports(f.At.File, text)) {
			return "the file uses cgo: write the lines by hand"
		}
		if in == nil {
			return "the file is in a package that was not named, or for another platform: name " +
				"./..., or run lastbit with GOOS and GOARCH set"
		}
		e = newEditor(f.At.File, text, in.pkg, in.syntax)
		editors[f.At.File] = e
	}
	switch {
	case k.rewrite == nil && len(f.Edits) > 0:
		return ""
	case f.Uncompiled:
		return "call it with some type in the package, outside of tests"
	case k.rewrite == nil && strings.Contains(f.Message, "; write "):
		return "the type has no name there, or a call would run twice: round it by hand"
	case k.rewrite == nil:
		return "the operation has no written product: round it by hand"
	}
	s, ok := e.spotAt(f.At, f.End)
	if !ok {
		return "the place is not found in the source"
	}
	reason := k.rewrite(s)
	if e.lost {
		e.lost = false
		return "a comment is inside what changes: rewrite the place by hand"
	}
	return reason
}

// isGenerated reports whether a file says that a program wrote it.
func isGenerated(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if bytes.HasPrefix(line, []byte("// Code generated ")) &&
			bytes.HasSuffix(line, []byte(" DO NOT EDIT.")) {
			return true
		}
		if bytes.HasPrefix(line, []byte("package ")) {
			return false
		}
	}
	return false
}

// parseImports returns the imports of a file, or nil.
func parseImports(name string, text []byte) *ast.File {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	return f
}

// usesC reports whether a file is for cgo.
func usesC(f *ast.File) bool {
	return f != nil && slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool {
		return s.Path.Value == `"C"`
	})
}

// inFolder reports whether a file is below a folder.
func inFolder(file, dir string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}
