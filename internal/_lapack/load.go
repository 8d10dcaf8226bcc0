package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// pkg is the type-checked source: gonum's files, or overlays in their place,
// and the files of the target that are written by hand.
type pkg struct {
	fset    *token.FileSet
	files   []*sourceFile
	hand    []*ast.File
	types   *types.Package
	info    types.Info
	overlay string // the folder
}

// sourceFile is a file to rewrite.
type sourceFile struct {
	name     string
	text     []byte
	syntax   *ast.File
	receiver *ast.GenDecl // the type with the methods, which the target declares itself

	original *sourceFile // gonum's, of an overlay
}

// load reads gonum's files, the overlays, and the target.
func load(gonum, overlay, target string) (*pkg, error) {
	p := &pkg{fset: token.NewFileSet(), overlay: overlay, info: types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Uses:  map[*ast.Ident]types.Object{},
		Defs:  map[*ast.Ident]types.Object{},
	}}
	var err error
	if p.files, err = p.parse(gonum, nothing); err != nil {
		return nil, err
	}
	changed, err := p.parse(overlay, isRest)
	if err != nil {
		return nil, err
	}
	for _, c := range changed {
		i := slices.IndexFunc(p.files, func(s *sourceFile) bool { return s.name == c.name })
		if i < 0 {
			return nil, fmt.Errorf("%s is not the name of a file of gonum's",
				filepath.Join(overlay, c.name))
		}
		c.original, p.files[i] = p.files[i], c
	}
	hand, err := p.parse(target, isGenerated)
	if err != nil {
		return nil, err
	}
	for _, h := range hand {
		p.hand = append(p.hand, h.syntax)
	}
	return p, p.check()
}

// What parse leaves out of a folder: files that the generator wrote.
func nothing(string) bool          { return false }
func isRest(name string) bool      { return name == filepath.Base(restFile) }
func isGenerated(name string) bool { return strings.HasPrefix(name, prefix) }

// parse reads the files of a folder, except tests, package comments, and what
// else is left out.
func (p *pkg) parse(dir string, isLeftOut func(name string) bool) ([]*sourceFile, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*sourceFile
	for _, name := range names {
		if strings.HasSuffix(name, testSuffix) || isLeftOut(filepath.Base(name)) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(p.fset, name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if len(f.Decls) > 0 {
			files = append(files, &sourceFile{name: filepath.Base(name), text: text, syntax: f})
		}
	}
	if len(files) == 0 {
		return nil, errors.New("no files in " + dir)
	}
	return files, nil
}

// check finds the types of all files, as of one package.
func (p *pkg) check() error {
	all := slices.Clone(p.hand)
	for _, s := range p.files {
		s.syntax.Decls = slices.DeleteFunc(s.syntax.Decls, func(d ast.Decl) bool {
			g, ok := d.(*ast.GenDecl)
			if ok = ok && isReceiverType(g); ok {
				s.receiver = g
			}
			return ok
		})
		all = append(all, s.syntax)
	}
	for _, f := range p.hand {
		f.Name.Name = p.files[0].syntax.Name.Name // one package
	}
	exports, err := exportFiles(all)
	if err != nil {
		return err
	}
	conf := types.Config{Importer: importer.ForCompiler(p.fset, "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	p.types, err = conf.Check(source, p.fset, all, &p.info)
	return err
}

// isReceiverType reports whether a declaration declares the type with the
// methods.
func isReceiverType(g *ast.GenDecl) bool {
	if g.Tok != token.TYPE {
		return false
	}
	s, ok := g.Specs[0].(*ast.TypeSpec)
	return ok && s.Name.Name == "Implementation"
}

// exportFiles returns the files with the types of the packages that files
// import, by path.
func exportFiles(files []*ast.File) (map[string]string, error) {
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, f := range files {
		for _, i := range f.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return nil, err
			}
			args = append(args, path)
		}
	}
	slices.Sort(args[5:])
	cmd := exec.Command("go", slices.Compact(args)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w", err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	return exports, nil
}
