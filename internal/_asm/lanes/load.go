package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
)

// A source is a package of Go, type-checked.
type source struct {
	fset  *token.FileSet
	info  *types.Info
	funcs map[types.Object]*ast.FuncDecl
	scope *types.Scope
}

// load reads the package in a folder. It reads the files of a build for wasm:
// the portable ones, without the stubs that this program writes.
func load(dir string) (*source, error) {
	context := build.Default
	context.GOARCH = "wasm"
	p, err := context.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	s := &source{
		fset:  token.NewFileSet(),
		funcs: map[types.Object]*ast.FuncDecl{},
		info: &types.Info{
			Types:      map[ast.Expr]types.TypeAndValue{},
			Defs:       map[*ast.Ident]types.Object{},
			Uses:       map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
		},
	}
	files, err := s.parse(dir, p.GoFiles)
	if err != nil {
		return nil, err
	}
	// Errors come from declarations in files that are not read. Code that needs
	// those cannot be compiled.
	config := types.Config{
		Importer: importer.ForCompiler(s.fset, "source", nil),
		Error:    func(error) {},
	}
	pkg, _ := config.Check(p.Name, s.fset, files, s.info)
	if pkg == nil {
		return nil, fmt.Errorf("%s: no package", dir)
	}
	s.scope = pkg.Scope()
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				s.funcs[s.info.Defs[fn.Name]] = fn
			}
		}
	}
	return s, nil
}

// parse parses files of a folder.
func (s *source) parse(dir string, names []string) (files []*ast.File, err error) {
	for _, name := range names {
		f, err := parser.ParseFile(s.fset, dir+"/"+name, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}
