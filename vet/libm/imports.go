package libm

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"golang.org/x/tools/go/analysis"
)

const replacement = "github.com/lastbit/lastbit/crmath"

// imports edits the imports of a file.
type imports struct {
	pass     *analysis.Pass
	file     *ast.File
	possible bool   // whether the module requires package crmath
	name     string // of package crmath, if the file imports it
	math     bool   // whether the file imports package math under its own name
}

func newImports(pass *analysis.Pass, f *ast.File) *imports {
	i := &imports{pass: pass, file: f}
	for _, s := range f.Imports {
		switch path, _ := strconv.Unquote(s.Path.Value); {
		case path == replacement && s.Name == nil:
			i.name = "crmath"
		case path == replacement:
			i.name = s.Name.Name
		case path == "math" && s.Name == nil:
			i.math = true
		}
	}
	i.possible = i.name != "" || requires(pass.Fset.PositionFor(f.Package, false).Filename)
	return i
}

// module matches the line of a go.mod that names lastbit.
var module = regexp.MustCompile(
	`(?m)^\s*(module|require)?\s*"?github\.com/lastbit/lastbit"?(\s|$)`)

// requires reports whether the module of a file requires lastbit, or is it.
func requires(file string) bool {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			return module.Match(text)
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// fix returns the edits that replace a function of package math, or none.
func (i *imports) fix(s *ast.SelectorExpr) []analysis.SuggestedFix {
	id, ok := s.X.(*ast.Ident)
	if !ok || !i.possible || !i.math || i.pass.Pkg.Scope().Lookup("crmath") != nil {
		return nil
	}
	name := i.name
	edits := []analysis.TextEdit{}
	if name == "" {
		name = "crmath"
		edits = append(edits, i.add())
	}
	edits = append(edits, analysis.TextEdit{Pos: id.Pos(), End: id.End(), NewText: []byte(name)})
	return []analysis.SuggestedFix{{Message: "call package crmath", TextEdits: edits}}
}

// add returns the edit that imports package crmath.
func (i *imports) add() analysis.TextEdit {
	for _, d := range i.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if ok && g.Tok == token.IMPORT && g.Lparen.IsValid() {
			return insert(g.Rparen, "\n\t"+strconv.Quote(replacement)+"\n")
		}
	}
	return insert(i.file.Name.End(), "\n\nimport "+strconv.Quote(replacement))
}

func insert(at token.Pos, text string) analysis.TextEdit {
	return analysis.TextEdit{Pos: at, End: at, NewText: []byte(text)}
}
