package instrument

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/overlay"
)

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
	env, err := readEnvironment(ctx, o)
	if err != nil {
		return nil, err
	}
	pkgs, err := loadWith(ctx, o, env.parseHeaders, tests, patterns...)
	if err == nil && slices.ContainsFunc(pkgs, func(p *packages.Package) bool {
		return len(p.GoFiles) > 0 && env.isStandard(p.GoFiles[0])
	}) { // these are rewritten themselves
		pkgs, err = loadWith(ctx, o, nil, tests, patterns...)
	}
	names := strings.Join(patterns, " ")
	if err != nil {
		return nil, fmt.Errorf("instrument: %s: %w", names, err)
	}
	var all []error
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if len(p.GoFiles) > 0 && env.isStandard(p.GoFiles[0]) {
			return // without the bodies of its functions, it has unused imports
		}
		for _, e := range p.Errors {
			all = append(all, withoutPlace(e))
		}
	})
	if len(all) > 0 {
		return nil, fmt.Errorf("instrument: %s does not compile: %w", names, errors.Join(all...))
	}
	return pkgs, nil
}

// loadWith is loadAll with a parser, or nil for the usual one, and leaves
// errors in the packages.
func loadWith(
	ctx context.Context, o Options, parse parseFunc, tests bool, patterns ...string,
) ([]*packages.Package, error) {
	config := &packages.Config{
		Context: ctx, Dir: o.Dir, ParseFile: parse, Env: os.Environ(),
		BuildFlags: tagFlags(o.Tags), Tests: tests,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
			packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes |
			packages.NeedEmbedFiles,
	}
	pkgs, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, overlay.Plain(err)
	}
	return pkgs, nil
}

// parseFunc is the type of packages.Config.ParseFile.
type parseFunc = func(*token.FileSet, string, []byte) (*ast.File, error)

// parseHeaders parses a file. Functions of the standard library have no
// bodies, except in the packages that are rewritten: to check them all takes
// longer than everything else.
func (e environment) parseHeaders(
	fset *token.FileSet, path string, src []byte,
) (*ast.File, error) {
	mode := parser.AllErrors | parser.SkipObjectResolution
	if !e.isStandard(path) || numeric[e.standardPath(path)] {
		return parser.ParseFile(fset, path, src, mode|parser.ParseComments)
	}
	f, err := parser.ParseFile(fset, path, src, mode)
	if err != nil {
		return f, err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
	}
	return f, nil
}

// isStandard reports whether a file belongs to the standard library.
func (e environment) isStandard(path string) bool {
	rel, err := filepath.Rel(filepath.Join(e.GOROOT, "src"), path)
	return err == nil && filepath.IsLocal(rel)
}

// standardPath returns the import path of the package that a file of the
// standard library belongs to.
func (e environment) standardPath(path string) string {
	rel, err := filepath.Rel(filepath.Join(e.GOROOT, "src"), filepath.Dir(path))
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

// withoutPlace returns an error of a package without its place, if that is not
// known.
func withoutPlace(e packages.Error) error {
	if e.Pos == "" || e.Pos == "-" {
		return errors.New(e.Msg)
	}
	return e
}
