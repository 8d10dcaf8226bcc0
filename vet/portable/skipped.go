package portable

import (
	"context"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// skipped returns the files with floating-point numbers that the build leaves
// out: for other platforms, or with other tags.
func (w *work) skipped(ctx context.Context) ([]string, error) {
	var all []string
	isLoaded := map[string]bool{}
	for _, p := range w.loaded {
		isLoaded[p.Dir] = true
		all = append(all, p.IgnoredFiles...)
	}
	empty, err := w.emptyFolders(ctx, isLoaded)
	if err != nil {
		return nil, err
	}
	for _, dir := range empty {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return nil, err
		}
		all = append(all, names...)
	}
	all = slices.DeleteFunc(all, func(name string) bool { return !w.computes(name) })
	slices.Sort(all)
	return slices.Compact(all), nil
}

// emptyFolders returns the folders below patterns such as ./... whose files are
// all left out, so that the go command lists no package.
func (w *work) emptyFolders(ctx context.Context, isLoaded map[string]bool) ([]string, error) {
	var all []string
	for _, p := range w.o.Patterns {
		base, below := strings.CutSuffix(p, "...")
		if !below || !strings.HasPrefix(p, ".") {
			continue
		}
		root, err := filepath.Abs(filepath.Join(w.o.Dir, filepath.FromSlash(base)))
		if err != nil {
			return nil, err
		}
		all = append(all, foldersOfGo(root)...)
	}
	all = slices.DeleteFunc(all, func(dir string) bool { return isLoaded[dir] })
	if len(all) == 0 {
		return nil, nil
	}
	args := slices.Concat([]string{"list", "-e", "-f", "{{.Dir}}", tagFlag(w.o.Tags)},
		w.module.flags, []string{"--"}, w.o.Patterns)
	out, err := run(ctx, w.o.Dir, args...)
	if err != nil {
		return nil, err
	}
	listed := strings.Split(string(out), "\n")
	isListed := func(dir string) bool { return slices.Contains(listed, dir) }
	return slices.DeleteFunc(all, isListed), nil
}

// foldersOfGo returns the folders of a module below one of them that have Go
// files, as the go command looks for packages.
func foldersOfGo(root string) []string {
	var all []string
	root += string(filepath.Separator) // it may be a link
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is in no package
		case d.IsDir() && name != root && isOutside(name, d.Name()):
			return filepath.SkipDir
		case !d.IsDir() && filepath.Ext(name) == ".go":
			if dir := filepath.Dir(name); !slices.Contains(all, dir) {
				all = append(all, dir)
			}
		}
		return nil
	})
	return all
}

// isOutside reports whether no package of the module is in a folder or below.
func isOutside(dir, name string) bool {
	if name == "vendor" || name == "testdata" || name[0] == '.' || name[0] == '_' {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// computes reports whether a file of a package may compute with floating-point
// numbers: it names a type of them, imports package math, or multiplies.
func (w *work) computes(name string) bool {
	base := filepath.Base(name)
	if filepath.Ext(name) != ".go" || base[0] == '_' || base[0] == '.' ||
		strings.HasSuffix(name, "_test.go") && !w.o.Tests || w.module.outside(name) != "" {
		return false
	}
	text, err := w.text(name)
	if err != nil {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, text,
		parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || isOfNoPackage(f) {
		return false
	}
	for _, s := range f.Imports {
		if strings.HasPrefix(s.Path.Value, `"math`) {
			return true
		}
	}
	return multiplies(f) || namesFloats(f)
}

// isOfNoPackage reports whether a file has the tag ignore, which no build sets.
func isOfNoPackage(f *ast.File) bool {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if c.Pos() > f.Package {
				continue
			}
			e, err := constraint.Parse(c.Text)
			if tag, ok := e.(*constraint.TagExpr); err == nil && ok && tag.Tag == "ignore" {
				return true
			}
		}
	}
	return false
}

// namesFloats reports whether a file has a floating-point literal or names a
// type of the language for real or complex numbers.
func namesFloats(f *ast.File) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			switch n.Name {
			case "float32", "float64", "complex64", "complex128":
				found = true
			}
		case *ast.BasicLit:
			found = found || n.Kind == token.FLOAT || n.Kind == token.IMAG
		}
		return !found
	})
	return found
}
