package portable

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/gocommand"
	"github.com/lastbit/lastbit/internal/overlay"
	"github.com/lastbit/lastbit/vet/check"
	"github.com/lastbit/lastbit/vet/fma"
)

// maxRounds bounds the rounds of a step: a rewriting may uncover another one,
// inside it or at the other operand of a sum.
const maxRounds = 40

// A Step is the rewriting of a kind.
type Step struct {
	Kind          string
	Places, Files int
}

// A Result holds the rewritten files of a module, which Write writes.
type Result struct {
	Steps []Step
	Left  *Report           // the places that remain
	Files map[string][]byte // the new texts, by absolute path
	Notes []string          // what else changes
	// Copies holds the copies of other modules, which Rewrite has made unless
	// they are vendored. Write writes their rewritten files.
	Copies []Copy
}

// Rewrite rewrites places. It writes no file.
func Rewrite(ctx context.Context, o Options) (*Result, error) {
	m, err := openModule(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	defer m.close()
	if err := m.canRaise(o.Go); err != nil {
		return nil, err
	}
	w := &work{o: o, module: m, overlay: map[string][]byte{}}
	r, err := w.rewrite(ctx)
	if err != nil && m.copiesDir != "" {
		err = errors.Join(err, os.RemoveAll(m.copiesDir))
	}
	return r, err
}

// copy makes the copies of other modules that are to be rewritten.
func (w *work) copy(ctx context.Context) error {
	if w.o.Vendor && w.module.vendor == nil && w.o.Copies == "" {
		w.o.Copies = CopiesDir
	}
	if !w.o.Vendor && w.o.Copies == "" {
		return nil
	}
	if v := w.module.vendor; v != nil && w.o.Copies != "" {
		return &Error{Vendored, v.dir, "the module builds with its vendor folder, which no " +
			"replace line changes", "rewrite the modules there, with --vendor"}
	}
	if err := w.reachModules(ctx); err != nil {
		return err
	}
	if w.o.Copies != "" {
		return w.copyModules(ctx)
	}
	if err := w.module.admits(ctx, w.o.Go); err != nil {
		return err
	}
	return w.copyVendored(ctx)
}

// rewrite takes the steps and checks the result.
func (w *work) rewrite(ctx context.Context) (*Result, error) {
	if err := w.copy(ctx); err != nil {
		return nil, err
	}
	r := &Result{Files: map[string][]byte{}}
	for _, k := range kinds {
		if !w.o.isChosen(k) || k.rewrite == nil && k.name != "fma" {
			continue
		}
		w.o.show("rewriting " + k.title)
		s, err := w.step(ctx, k)
		if err != nil {
			return nil, err
		}
		if s.Places > 0 {
			r.Steps = append(r.Steps, s)
		}
	}
	var err error
	if r.Left, err = w.examine(ctx); err != nil {
		return nil, err
	}
	if err := w.verify(ctx); err != nil {
		return nil, err
	}
	changed, err := w.module.changed()
	if err != nil {
		return nil, err
	}
	r.Notes = w.module.raised()
	if r.Copies, err = w.finishCopies(); err != nil {
		return nil, err
	}
	for file, text := range w.overlay {
		changed[file] = text
	}
	r.Files = changed
	return r, w.finishVendored(ctx, r)
}

// step rewrites the places of a kind, in rounds, until nothing changes.
func (w *work) step(ctx context.Context, k kind) (Step, error) {
	s := Step{Kind: k.name}
	files := map[string]bool{}
	for range maxRounds {
		all, err := w.findings(ctx, k)
		if failed := (*check.LoadError)(nil); errors.As(err, &failed) && w.before != nil {
			s.Places -= w.revert(k.name, failed.Package, files)
			continue
		}
		if err != nil {
			return s, err
		}
		n, err := w.round(ctx, k, withoutRepeats(all), files)
		if err != nil || n == 0 {
			s.Files = len(files)
			return s, err
		}
		s.Places += n
	}
	s.Files = len(files)
	return s, nil
}

// findings returns what the analyzer of a kind finds in the files as they are
// now. All analyzers but fma run at once, since reading the packages takes
// longer than they do.
func (w *work) findings(ctx context.Context, k kind) ([]check.Finding, error) {
	if k.analyzer == fma.Analyzer {
		r, err := w.read(ctx, []*analysis.Analyzer{k.analyzer}, w.o.Targets)
		if err != nil {
			return nil, err
		}
		return r.Findings, nil
	}
	if w.now == nil {
		var all []*analysis.Analyzer
		for _, other := range kinds {
			if other.rewrite != nil && w.o.isChosen(other) {
				all = append(all, other.analyzer)
			}
		}
		r, err := w.read(ctx, all, nil)
		if err != nil {
			return nil, err
		}
		w.now = r
	}
	if len(w.now.Failed) > 0 {
		return nil, w.now.Failed[0]
	}
	w.before = nil
	return slices.DeleteFunc(slices.Clone(w.now.Findings), func(f check.Finding) bool {
		return f.Analyzer != k.analyzer.Name
	}), nil
}

// change gives a file another text, with some rewritten places, and adds it to
// the files that a step changes.
func (w *work) change(name string, text []byte, places int, files map[string]bool) {
	if w.before == nil {
		w.before = map[string]previous{}
	}
	w.before[name] = previous{w.overlay[name], w.files[name].pkg.PkgPath, places, files[name]}
	w.overlay[name] = text
	w.now = nil
	files[name] = true
}

// revert takes back the last round in a package that does not compile since,
// and refuses the kind in its files. It does so in all packages where the round
// did not change that one. It returns the number of places that it takes back.
func (w *work) revert(kind, pkg string, files map[string]bool) (places int) {
	isIn := false
	for _, p := range w.before {
		isIn = isIn || p.pkg == pkg
	}
	for name, p := range w.before {
		if isIn && p.pkg != pkg {
			continue
		}
		w.refuse(kind, name)
		places += p.places
		if !p.changed {
			delete(files, name)
		}
		if p.text == nil {
			delete(w.overlay, name)
		} else {
			w.overlay[name] = p.text
		}
	}
	w.before, w.now = nil, nil
	return places
}

// refuse leaves a kind of places in a file.
func (w *work) refuse(kind, name string) {
	if w.refused == nil {
		w.refused = map[keptKind]string{}
	}
	w.refused[keptKind{kind, name}] = "the file does not compile without it: rewrite it by hand"
}

// round applies the edits for findings that go together, and returns their
// number. It adds the files that it changes.
func (w *work) round(ctx context.Context, k kind, found []check.Finding, files map[string]bool) (
	int, error,
) {
	editors, places := map[string]*editor{}, map[string]int{}
	for _, f := range w.outerFirst(found) {
		if w.reason(k, f, editors) != "" {
			continue
		}
		if e := editors[f.At.File]; e.later {
			e.later = false
		} else {
			places[f.At.File]++
		}
	}
	if k.rewrite == nil {
		return w.fixes(found, editors, files)
	}
	n := 0
	for name, e := range editors {
		if len(e.edits) == 0 {
			continue
		}
		text, err := e.result()
		if err != nil {
			w.refuse(k.name, name)
			continue
		}
		if err := w.admit(ctx, e); err != nil {
			return 0, err
		}
		w.change(name, text, places[name], files)
		n += places[name]
	}
	return n, nil
}

// admit makes the module require lastbit if a file imports it.
func (w *work) admit(ctx context.Context, e *editor) error {
	for of := range e.needed() {
		if of == "maps" || of == "slices" {
			continue
		}
		if err := w.module.admits(ctx, w.o.Go); err != nil {
			return err
		}
		w.module.imported = true
		if w.module.vendor != nil {
			if err := w.copyVendored(ctx); err != nil {
				return err
			}
			return w.module.agrees()
		}
		return w.module.requirement(ctx, &w.o)
	}
	return nil
}

// outerFirst returns findings ordered by the number of nodes around them, as
// edits of an outer node come first. It keeps the order of the source besides.
func (w *work) outerFirst(found []check.Finding) []check.Finding {
	depth := map[check.Position]int{}
	for _, f := range found {
		if in := w.files[f.At.File]; in != nil {
			e := &editor{pkg: in.pkg, file: in.syntax}
			if s, ok := e.spotAt(f.At, f.End); ok {
				depth[f.At] = len(s.path)
			}
		}
	}
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b check.Finding) int {
		return cmp.Compare(depth[a.At], depth[b.At])
	})
	return found
}

// fixes applies the fixes that an analyzer has made, of the files that editors
// were made for.
func (w *work) fixes(found []check.Finding, editors map[string]*editor, files map[string]bool) (
	int, error,
) {
	done, edits := check.Choose(slices.DeleteFunc(slices.Clone(found), func(f check.Finding) bool {
		return editors[f.At.File] == nil
	}))
	places := map[string]int{}
	for _, f := range done {
		places[f.At.File]++
	}
	for name, all := range edits {
		if editors[name] == nil {
			continue
		}
		text, err := check.Apply(editors[name].text, all)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		w.change(name, text, places[name], files)
	}
	return len(done), nil
}

// verify checks the types of the rewritten packages and of their tests.
func (w *work) verify(ctx context.Context) error {
	if len(w.overlay) == 0 {
		return nil
	}
	w.o.show("checking the types")
	after, err := w.faults(ctx, w.overlay, w.module.flags)
	for _, c := range w.module.copies {
		if err == nil && len(c.packages) > 0 {
			after, err = w.faultsOf(ctx, w.overlay, w.module.flags, c.packages, false, after)
		}
	}
	if err != nil || len(after) == 0 {
		return err
	}
	before, err := w.faults(ctx, nil, nil)
	if err != nil {
		return err
	}
	for _, f := range after {
		isOld := func(b packages.Error) bool { return b.Msg == f.Msg }
		if !slices.ContainsFunc(before, isOld) {
			return &Error{NoTypes, cmp.Or(f.Pos, "the rewritten code"), f.Msg,
				"no file was changed; leave the place out with //lastbit:ignore, or the " +
					"kind with --only"}
		}
	}
	return nil
}

// faults returns the errors of packages and their tests.
func (w *work) faults(ctx context.Context, files map[string][]byte, flags []string) (
	[]packages.Error, error,
) {
	return w.faultsOf(ctx, files, flags, w.o.Patterns, true, nil)
}

// faultsOf adds the errors of packages to others.
func (w *work) faultsOf(ctx context.Context, files map[string][]byte, flags, patterns []string,
	tests bool, faults []packages.Error,
) ([]packages.Error, error) {
	config := packages.Config{
		Context: ctx, Dir: w.o.Dir, Tests: tests, Env: gocommand.Environ(ctx),
		BuildFlags: slices.Clone(flags),
		Mode:       packages.LoadSyntax, //nolint:staticcheck // export data
	}
	if len(w.o.Tags) > 0 {
		config.BuildFlags = append(config.BuildFlags, tagFlag(w.o.Tags))
	}
	all, err := overlay.Load(config, files, patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		faults = append(faults, p.Errors...)
	}
	return faults, nil
}

// Write writes the files: all of them, or none where one cannot be written.
func (r *Result) Write() error { return check.WriteFiles(r.Files) }
