package portable

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	mod "golang.org/x/mod/module"

	"github.com/lastbit/lastbit/internal/gocommand"
	"github.com/lastbit/lastbit/internal/scratch"
)

// minGo is the release that lastbit is written for.
const minGo = "1.26.0"

// A module is the main module of the go command.
type module struct {
	dir     string // the working folder of the go command
	root    string // the folder of go.mod
	gomod   []byte // the text of go.mod
	file    *modfile.File
	work    string   // the file of the workspace, if there is one
	goroot  string   // the folder of the Go distribution
	command string   // its release, as go1.26.3, or "" where it has none
	flags   []string // that make the go command read the changed go.mod
	temp    string   // the folder of the changed go.mod and go.sum, or ""
	remove  func()   // removes that folder

	copies    []*Copy // of the modules that the packages import
	copiesDir string  // their folder, or ""
	copied    func()  // ends the time when an interrupt removes that folder
	vendor    *vendoring
	imported  bool // a rewritten file imports lastbit
}

// A Cause is why a module cannot be rewritten.
type Cause int

const (
	NoModule    Cause = iota // the folder is in none
	InWorkspace              // go.work shares its requirements
	OldGo                    // its go line is older than lastbit's
	NoLastbit                // lastbit cannot be required
	Vendored                 // its vendor folder does not go with lastbit
	NoTypes                  // the rewritten code does not compile
	NoCopies                 // the folder for copies cannot be made
)

// An Error is a module that cannot be rewritten.
type Error struct {
	ID                 Cause
	Thing, Cause, Cure string
}

func (e *Error) Error() string { return e.Thing + ": " + e.Cause + "; " + e.Cure }

// openModule finds the module of a folder.
func openModule(ctx context.Context, dir string) (*module, error) {
	out, err := run(ctx, dir, "env", "-json", "GOMOD", "GOWORK", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	var env struct{ GOMOD, GOWORK, GOROOT, GOVERSION string }
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, err
	}
	m := &module{dir: dir, work: env.GOWORK, goroot: env.GOROOT}
	if version.IsValid(env.GOVERSION) {
		m.command = env.GOVERSION
	}
	if env.GOMOD == "" || env.GOMOD == os.DevNull {
		return nil, &Error{NoModule, "this folder",
			"neither it nor one above it has a go.mod",
			"run lastbit in the folder of a module, or make one with go mod init"}
	}
	m.root = filepath.Dir(env.GOMOD)
	if m.gomod, err = os.ReadFile(env.GOMOD); err != nil {
		return nil, err
	}
	if m.file, err = modfile.Parse(env.GOMOD, m.gomod, nil); err != nil {
		return nil, err
	}
	m.vendor, err = openVendor(m.root)
	return m, err
}

// run runs the go command and returns its output.
func run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := gocommand.New(ctx, dir, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && ctx.Err() == nil {
		return nil, &goError{args, strings.TrimSpace(stderr.String())}
	}
	return stdout.Bytes(), errors.Join(err, ctx.Err())
}

// A goError is a failure of the go command.
type goError struct {
	args   []string
	output string
}

func (e *goError) Error() string { return "go " + e.args[0] + ": " + e.output }

// path returns the path of the module.
func (m *module) path() string {
	if m.file.Module == nil {
		return ""
	}
	return m.file.Module.Mod.Path
}

// outside returns why a file is not to be changed, or "": it is in another
// module or in the standard library.
func (m *module) outside(file string) string {
	switch {
	case m.copyWith(file) != nil:
		return ""
	case inFolder(file, filepath.Join(m.goroot, "src")):
		return "the function is in the standard library: write it without its sum"
	case !inFolder(file, m.root):
		return "the file is not in this module: rewrite a copy of that with --vendor"
	case inFolder(file, filepath.Join(m.root, "vendor")):
		return "the file is vendored: rewrite it with --vendor"
	}
	return ""
}

// Lastbit is the release of lastbit that rewritten code imports, or the folder
// of its source.
type Lastbit struct{ Version, Dir string }

// has reports whether the module is lastbit, or requires it.
func (m *module) has() bool {
	isIt := func(r *modfile.Require) bool { return r.Mod.Path == lastbit }
	return m.path() == lastbit || slices.ContainsFunc(m.file.Require, isIt)
}

// admits returns an error if the module cannot require lastbit.
func (m *module) admits(ctx context.Context, goLine string) error {
	if m.path() == lastbit || m.temp != "" {
		return nil
	}
	if m.work != "" && m.work != "off" {
		return &Error{InWorkspace, m.work, "the module is in a workspace, whose modules " +
			"share their requirements", "run lastbit with GOWORK=off in the environment"}
	}
	if goLine != "" || version.Compare("go"+m.goVersion(), newLoops) >= 0 {
		return nil
	}
	kept, err := m.keptLoopVariable(ctx)
	if err != nil || kept == "" {
		return err
	}
	return &Error{OldGo, filepath.Join(m.root, "go.mod"), fmt.Sprintf(
		"it is written for Go %s, and rewritten code imports lastbit, which needs Go %s; from Go "+
			"1.22 on the variables of a for loop are new in each pass, and %s keeps one",
		m.goVersion(), lang(minGo), kept),
		"raise the line with --go " + lang(minGo) + ", or rewrite with --only fma alone"}
}

// newLoops is the release from which on loop variables are new in each pass.
const newLoops = "go1.22"

// canRaise returns an error if the go command here is older than a go line that
// is asked for.
func (m *module) canRaise(goLine string) error {
	if goLine == "" || m.command == "" || version.Compare("go"+goLine, m.command) <= 0 {
		return nil
	}
	return &Error{OldGo, "--go " + goLine, "the go command here is " + m.command +
		", which builds no module with a newer go line",
		"name " + strings.TrimPrefix(m.command, "go") + " or an older release, or install that one"}
}

// goVersion returns the release that the module is written for.
func (m *module) goVersion() string {
	if m.file.Go == nil {
		return "1.16"
	}
	return m.file.Go.Version
}

// isOlder reports whether the go line is older than lastbit's.
func (m *module) isOlder() bool {
	return version.Compare("go"+m.goVersion(), "go"+minGo) < 0
}

// lang returns the language version of a release: 1.26 of 1.26.3.
func lang(release string) string {
	return strings.TrimPrefix(version.Lang("go"+release), "go")
}

// IsNewEnough reports whether a go line of a release admits lastbit.
func IsNewEnough(release string) bool {
	v := "go" + release
	return version.IsValid(v) && version.Compare(v, version.Lang("go"+minGo)) >= 0
}

// requirement makes a changed go.mod and go.sum in a temporary folder, which
// the go command reads from then on.
func (m *module) requirement(ctx context.Context, o *Options) error {
	l, goLine := o.Lastbit, o.Go
	if m.temp != "" || m.path() == lastbit {
		return nil
	}
	f, err := modfile.Parse("go.mod", m.gomod, nil)
	if err != nil {
		return err
	}
	if m.isOlder() {
		if version.Compare("go"+goLine, "go"+minGo) < 0 {
			goLine = minGo
		}
		if err := f.AddGoStmt(goLine); err != nil {
			return err
		}
	}
	if err := m.require(f, l); err != nil {
		return err
	}
	if err := m.replaceCopies(f); err != nil {
		return err
	}
	if m.temp, m.remove, err = scratch.Dir(ctx, "", "lastbit-portable-"); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(m.root, "go.sum"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(filepath.Join(m.temp, "go.sum"), sums, 0o666); err != nil {
		return err
	}
	return m.resolveAt(ctx, o, f)
}

// maxExcluded bounds the rounds of exclusions: one may uncover another.
const maxExcluded = 4

// resolveAt resolves a changed go.mod, and excludes the newer versions of
// modules that lastbit requires for packages that rewritten code does not
// import: so this module keeps its own.
func (m *module) resolveAt(ctx context.Context, o *Options, f *modfile.File) error {
	for range maxExcluded {
		f.Cleanup()
		text, err := f.Format()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(m.temp, "go.mod"), text, 0o666); err != nil {
			return err
		}
		if err := m.resolve(ctx, o, text); err != nil {
			return err
		}
		resolved, err := m.required()
		if err != nil {
			return err
		}
		all := m.newerModules(resolved)
		if len(all) == 0 {
			return nil
		}
		for _, r := range all {
			if err := f.AddExclude(r.to.Path, r.to.Version); err != nil {
				return err
			}
		}
	}
	return nil
}

// resolve lets the go command complete the changed go.mod and go.sum. It keeps
// the text of go.mod where that suffices.
func (m *module) resolve(ctx context.Context, o *Options, text []byte) error {
	file := filepath.Join(m.temp, "go.mod")
	packages := []string{crmath, singles, exact, complexes, trunc}
	list := func(mode string) error {
		m.flags = []string{"-mod=" + mode, "-modfile=" + file}
		_, err := run(ctx, m.dir, slices.Concat([]string{"list"}, m.flags, packages)...)
		return err
	}
	err := list("mod")
	if failure := (*goError)(nil); errors.As(err, &failure) {
		return &Error{NoLastbit, lastbit + " " + o.Lastbit.Version, failure.output,
			"name a release or a folder with its source: --lastbit VERSION|DIR"}
	}
	if err != nil {
		return err
	}
	completed, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return err
	}
	packages = append(packages, o.Patterns...)
	if err := list("readonly"); err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	m.flags[0] = "-mod=mod"
	return os.WriteFile(file, completed, 0o666)
}

// unreleased is the version of a module that a folder replaces.
const unreleased = "v0.0.0-00010101000000-000000000000"

// require adds the requirement of lastbit to a go.mod that has none.
func (m *module) require(f *modfile.File, l Lastbit) error {
	if m.has() {
		return nil
	}
	if l.Dir == "" {
		return f.AddRequire(lastbit, l.Version)
	}
	if err := f.AddRequire(lastbit, unreleased); err != nil {
		return err
	}
	return f.AddReplace(lastbit, "", l.Dir, "")
}

// changed returns the files of the module that a requirement changes.
func (m *module) changed() (map[string][]byte, error) {
	all := map[string][]byte{}
	if m.temp == "" || !m.imported {
		return all, nil
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(m.temp, name))
		if err != nil {
			return nil, err
		}
		if name == "go.mod" {
			if text, err = m.withoutCopies(text); err != nil {
				return nil, err
			}
		}
		old, err := os.ReadFile(filepath.Join(m.root, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if !bytes.Equal(old, text) {
			all[filepath.Join(m.root, name)] = text
		}
	}
	return all, nil
}

// raised returns a line for each requirement of the module that is newer now.
func (m *module) raised() []string {
	f, err := m.required()
	if err != nil || m.temp == "" {
		return nil
	}
	var all []string
	if f.Go != nil && f.Go.Version != m.goVersion() {
		all = append(all, fmt.Sprintf("the go line of go.mod is raised from %s to %s, "+
			"which lastbit needs", m.goVersion(), f.Go.Version))
	}
	for _, x := range f.Exclude {
		if kept := m.kept(x); kept != "" {
			all = append(all, fmt.Sprintf("go.mod excludes %s %s, which lastbit requires for "+
				"other packages: so %s stays", x.Mod.Path, x.Mod.Version, kept))
		}
	}
	for _, r := range m.newerModules(f) {
		all = append(all, fmt.Sprintf("%s is raised from %s to %s, which lastbit requires",
			r.to.Path, r.from.Version, r.to.Version))
	}
	return all
}

// kept returns the version of a module that an exclusion keeps, or "" if the
// module itself has the exclusion.
func (m *module) kept(x *modfile.Exclude) string {
	isIt := func(o *modfile.Exclude) bool { return o.Mod == x.Mod }
	if slices.ContainsFunc(m.file.Exclude, isIt) {
		return ""
	}
	for _, r := range m.file.Require {
		if r.Mod.Path == x.Mod.Path {
			return r.Mod.Version
		}
	}
	return ""
}

// required returns the changed go.mod.
func (m *module) required() (*modfile.File, error) {
	text, err := os.ReadFile(filepath.Join(m.temp, "go.mod"))
	if err != nil {
		return nil, err
	}
	return modfile.Parse("go.mod", text, nil)
}

// A newer module is one that lastbit requires in another version.
type newer struct{ from, to mod.Version }

// newerModules returns the requirements of the module that another go.mod has
// in another version.
func (m *module) newerModules(f *modfile.File) []newer {
	var all []newer
	for _, old := range m.file.Require {
		for _, r := range f.Require {
			if r.Mod.Path == old.Mod.Path && r.Mod.Version != old.Mod.Version {
				all = append(all, newer{old.Mod, r.Mod})
			}
		}
	}
	return all
}

// close removes the temporary folders.
func (m *module) close() {
	if m.temp != "" {
		m.remove()
	}
	if m.copied != nil {
		m.copied()
	}
	m.vendor.close()
}
