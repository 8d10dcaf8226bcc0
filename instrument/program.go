package instrument

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// RuntimePath is the import path of package perturb in an instrumented program:
// like the standard library, it belongs to no module.
const RuntimePath = "lastbit/perturb"

// Options choose a program and the packages that are rewritten.
type Options struct {
	Dir     string   // the working folder of the go command; "" is the current one
	Package string   // the program: a package path, a folder or a file
	Also    []string // patterns of packages to rewrite beside those of the main module
	Tags    []string // build tags
}

// A Program is an instrumented program.
type Program struct {
	Binary  string
	Sites   []Site
	Omitted []Omission
	Files   map[string]string // the paths of the files of sites
}

// Build rewrites a program and builds it in the folder dir, which it fills.
func Build(ctx context.Context, o Options, dir string) (*Program, error) {
	if err := checkSystem(); err != nil {
		return nil, err
	}
	pkgs, err := load(ctx, o)
	if err != nil {
		return nil, err
	}
	p := &Program{Binary: filepath.Join(dir, "program")}
	b, err := p.rewriteAll(ctx, o, pkgs, dir)
	if err != nil {
		return nil, err
	}
	return p, b.compile(ctx, p.Binary, []string{"build"}, o.Package)
}

func checkSystem() error {
	if supported {
		return nil
	}
	return errors.New("instrument: programs can be observed on Unix systems only: " +
		"package syscall maps no files here")
}

// rewriteAll rewrites the chosen packages of a program.
func (p *Program) rewriteAll(
	ctx context.Context, o Options, roots []*packages.Package, dir string,
) (*build, error) {
	chosen, err := selected(ctx, o, roots)
	if err != nil {
		return nil, err
	}
	b := &build{options: o, dir: dir, files: make(map[string]string), main: mainModule(roots)}
	if err := b.readEnvironment(ctx); err != nil {
		return nil, err
	}
	slices.SortStableFunc(chosen, func(x, y *packages.Package) int {
		return cmp.Compare(b.foreign(x), b.foreign(y))
	})
	for _, pkg := range chosen {
		if err := p.rewrite(pkg, b); err != nil {
			return nil, err
		}
	}
	return b, b.addRuntime()
}

// load reads and checks a program and its dependencies.
func load(ctx context.Context, o Options) ([]*packages.Package, error) {
	pkgs, err := loadAll(ctx, o, false, o.Package)
	switch {
	case err != nil:
		return nil, err
	case len(pkgs) != 1:
		return nil, fmt.Errorf("instrument: %s names %d packages, not one", o.Package, len(pkgs))
	case pkgs[0].Name != "main":
		return nil, fmt.Errorf("instrument: %s is package %s, not a program", o.Package,
			pkgs[0].Name)
	}
	return pkgs, nil
}

// loadAll reads and checks packages, with their tests if those are asked for,
// and their dependencies.
func loadAll(
	ctx context.Context, o Options, tests bool, patterns ...string,
) ([]*packages.Package, error) {
	config := &packages.Config{
		Context: ctx, Dir: o.Dir, Env: os.Environ(), BuildFlags: tagFlags(o.Tags), Tests: tests,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
			packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes,
	}
	names := strings.Join(patterns, " ")
	pkgs, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, fmt.Errorf("instrument: %s: %w", names, err)
	}
	var all []error
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			all = append(all, withoutPlace(e))
		}
	})
	if len(all) > 0 {
		return nil, fmt.Errorf("instrument: %s does not compile: %w", names, errors.Join(all...))
	}
	return pkgs, nil
}

func tagFlags(tags []string) []string {
	if len(tags) == 0 {
		return nil
	}
	return []string{"-tags=" + strings.Join(tags, ",")}
}

// selected returns the packages that are rewritten, by path: those of the main
// module, and those of Options.Also.
func selected(
	ctx context.Context, o Options, roots []*packages.Package,
) ([]*packages.Package, error) {
	also, err := matching(ctx, o)
	if err != nil {
		return nil, err
	}
	var all []*packages.Package
	packages.Visit(roots, nil, func(p *packages.Package) {
		if strings.HasSuffix(p.ID, ".test") { // made by the go command
			return
		}
		if p.Module != nil && p.Module.Main || p.Module == nil && slices.Contains(roots, p) ||
			slices.Contains(also, p.PkgPath) {
			all = append(all, p)
		}
	})
	return withoutCopies(all), nil
}

// matching returns the paths of the packages of Options.Also.
func matching(ctx context.Context, o Options) ([]string, error) {
	if len(o.Also) == 0 {
		return nil, nil
	}
	config := &packages.Config{
		Context: ctx, Dir: o.Dir, BuildFlags: tagFlags(o.Tags),
		Mode: packages.NeedName | packages.NeedModule,
	}
	pkgs, err := packages.Load(config, o.Also...)
	if err != nil {
		return nil, fmt.Errorf("instrument: %s: %w", strings.Join(o.Also, " "), err)
	}
	var paths []string
	for _, p := range pkgs {
		switch {
		case len(p.Errors) > 0:
			return nil, &AlsoError{p.PkgPath, withoutPlace(p.Errors[0])}
		case p.Module == nil:
			return nil, &AlsoError{p.PkgPath, errors.New("it belongs to the standard library: " +
				"only packages of modules can be rewritten")}
		}
		paths = append(paths, p.PkgPath)
	}
	return paths, nil
}

// An AlsoError reports that a package of Options.Also cannot be rewritten.
type AlsoError struct {
	Package string
	Err     error
}

func (e *AlsoError) Error() string { return fmt.Sprintf("instrument: %s: %v", e.Package, e.Err) }

func (e *AlsoError) Unwrap() error { return e.Err }

// withoutPlace returns an error of a package without its place, if that is not
// known.
func withoutPlace(e packages.Error) error {
	if e.Pos == "" || e.Pos == "-" {
		return errors.New(e.Msg)
	}
	return e
}

// mainModule returns the main module, or nil for a file outside of modules.
func mainModule(roots []*packages.Package) *packages.Module {
	for _, p := range roots {
		if p.Module != nil && p.Module.Main {
			return p.Module
		}
	}
	return nil
}

// rewrite rewrites the files of a package.
func (p *Program) rewrite(pkg *packages.Package, b *build) error {
	p.omitFiles(pkg)
	for i, f := range pkg.Syntax {
		path := pkg.CompiledGoFiles[i]
		if !slices.Contains(pkg.GoFiles, path) {
			continue // made by cgo
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r := &rewriter{
			pkg: pkg, src: src, file: pkg.Fset.File(f.FileStart), name: p.nameOf(pkg, path),
			first: len(p.Sites),
		}
		out := r.rewrite(f)
		p.Omitted = append(p.Omitted, r.omitted...)
		if len(r.sites) == 0 {
			continue
		}
		p.Sites = append(p.Sites, r.sites...)
		if p.Files == nil {
			p.Files = make(map[string]string)
		}
		p.Files[r.name] = path
		if err := b.put(pkg, path, out); err != nil {
			return err
		}
	}
	return nil
}

// omitFiles lists the files of a package that are not rewritten.
func (p *Program) omitFiles(pkg *packages.Package) {
	omit := func(file, why string) {
		p.Omitted = append(p.Omitted, Omission{
			Package: pkg.PkgPath, File: relative(pkg, file), Why: why,
		})
	}
	for _, f := range pkg.OtherFiles {
		switch filepath.Ext(f) {
		case ".s", ".S", ".syso":
			omit(f, "assembly")
		case ".c", ".cc", ".cpp", ".cxx", ".m", ".f", ".F", ".for", ".f90":
			omit(f, "not Go")
		}
	}
	for _, f := range pkg.GoFiles {
		if !slices.Contains(pkg.CompiledGoFiles, f) {
			omit(f, "cgo")
		}
	}
}

// nameOf returns the name of a file: its path in the module of its package,
// after the path of the module where another file has that name.
func (p *Program) nameOf(pkg *packages.Package, path string) string {
	name := relative(pkg, path)
	if other, taken := p.Files[name]; taken && other != path && pkg.Module != nil {
		return pkg.Module.Path + "/" + name
	}
	return name
}

// relative returns the path of a file in the module of its package.
func relative(pkg *packages.Package, path string) string {
	root := filepath.Dir(path)
	if m := pkg.Module; m != nil {
		root = m.Dir
		vendored := filepath.FromSlash("/vendor/" + m.Path)
		if i := strings.Index(path, vendored); root == "" && i >= 0 {
			root = path[:i+len(vendored)]
		}
	}
	if rel, err := filepath.Rel(root, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}
