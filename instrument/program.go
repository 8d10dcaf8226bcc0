package instrument

import (
	"context"
	"errors"
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
	Tags    []string // build tags

	// Also has patterns of packages to rewrite beside the main module's
	// packages. Without patterns, every package that the program reaches is
	// rewritten.
	Also []string
}

// A Program is an instrumented program.
type Program struct {
	Binary  string
	Sites   []Site
	Omitted []Omission
	Files   map[string]string // the paths of the files of sites

	// Unreached has the patterns of Options.Also whose packages exist, but
	// do not belong to the program.
	Unreached []string

	// outside has the sites that call functions outside of rewritten code, and
	// the numbers of their omissions.
	outside map[int]int
}

// Build rewrites a program and builds it in the folder dir, which it fills.
// Packages of other modules that do not compile when they are rewritten are
// left out.
func Build(ctx context.Context, o Options, dir string) (*Program, error) {
	if err := checkSystem(); err != nil {
		return nil, err
	}
	pkgs, err := load(ctx, o)
	if err != nil {
		return nil, err
	}
	binary := filepath.Join(dir, "program")
	p, _, err := rewriteAndCompile(ctx, o, pkgs, dir, func(b *build) error {
		return b.compile(ctx, binary, []string{"build"}, o.Package)
	})
	if err != nil {
		return nil, err
	}
	p.Binary = binary
	return p, nil
}

func checkSystem() error {
	if supported {
		return nil
	}
	return errors.New("instrument: programs can be observed on Unix systems only: " +
		"package syscall maps no files here")
}

// rewriteAndCompile rewrites the chosen packages of a program and compiles it,
// except packages of other modules that do not compile rewritten.
func rewriteAndCompile(
	ctx context.Context, o Options, roots []*packages.Package, dir string,
	compile func(*build) error,
) (*Program, *build, error) {
	var failed []string
	for {
		p := new(Program)
		work, err := os.MkdirTemp(dir, "source")
		if err != nil {
			return nil, nil, err
		}
		b, err := p.rewriteAll(ctx, o, roots, work, failed)
		if err != nil {
			return nil, nil, err
		}
		err = compile(b)
		if err == nil {
			return p, b, nil
		}
		more := b.failures(err)
		if len(more) == 0 {
			return nil, nil, err
		}
		failed = append(failed, more...)
	}
}

// rewriteAll rewrites the chosen packages of a program, except some.
func (p *Program) rewriteAll(
	ctx context.Context, o Options, roots []*packages.Package, dir string, except []string,
) (*build, error) {
	b := &build{options: o, dir: dir, files: make(map[string]string), main: mainModule(roots)}
	env, err := readEnvironment(ctx, o)
	if err != nil {
		return nil, err
	}
	b.env = env
	c, err := b.choose(ctx, roots, except)
	if err != nil {
		return nil, err
	}
	b.all, b.rewritten = c.all, c.rewritten
	p.Omitted, p.Unreached = c.omitted, c.unreached
	names := p.nameFiles(c.rewritten)
	out := p.findOutside(c)
	p.omitBigFloats(c)
	for _, pkg := range slices.Backward(c.rewritten) {
		if err := p.rewrite(pkg, b, names, out); err != nil {
			return nil, err
		}
	}
	return b, b.addRuntime()
}

func tagFlags(tags []string) []string {
	if len(tags) == 0 {
		return nil
	}
	return []string{"-tags=" + strings.Join(tags, ",")}
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

// rewrite rewrites the files of a package. names has the names of files.
func (p *Program) rewrite(
	pkg *packages.Package, b *build, names map[string]string, out outside,
) error {
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
			pkg: pkg, src: src, file: pkg.Fset.File(f.FileStart), name: names[path],
			first: len(p.Sites), outside: out, called: make(map[int]int),
		}
		text := r.rewrite(f)
		if !r.isChanged() {
			continue
		}
		p.Sites = append(p.Sites, r.sites...)
		if p.Files == nil {
			p.Files = make(map[string]string)
		}
		p.Files[r.name] = path
		for site, k := range r.called {
			if p.outside == nil {
				p.outside = make(map[int]int)
			}
			p.outside[site] = k
		}
		if err := b.put(pkg, path, text); err != nil {
			return err
		}
	}
	return nil
}

// nameFiles names the files of packages: each by its path in the module of its
// package, after the path of the module where a file before has that name.
func (p *Program) nameFiles(pkgs []*packages.Package) map[string]string {
	names, taken := make(map[string]string), make(map[string]string)
	for _, pkg := range pkgs {
		for _, path := range pkg.GoFiles {
			name := nameOf(taken, pkg, path)
			names[path], taken[name] = name, path
		}
	}
	return names
}

// nameOf returns the name of a file, given the paths of names that are taken.
func nameOf(taken map[string]string, pkg *packages.Package, path string) string {
	name := relative(pkg, path)
	if other, isTaken := taken[name]; isTaken && other != path && pkg.Module != nil {
		return pkg.Module.Path + "/" + name
	}
	return name
}

// relative returns the path of a file in the module of its package.
func relative(pkg *packages.Package, path string) string {
	root := filepath.Dir(path)
	if folder, isIn := strings.CutSuffix(root, filepath.FromSlash("/"+pkg.PkgPath)); isIn &&
		pkg.Module == nil {
		root = folder
	}
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
