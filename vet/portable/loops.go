package portable

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/gocommand"
)

// From Go 1.22 on, the variables of a for loop are new in each pass. Only a
// program that keeps one beyond its pass, in a closure or by its address, can
// tell.

// keptLoopVariable returns the place of a loop variable of the module that is
// kept, outside of tests, or "". Files for other platforms are read without
// types: there a method may keep the variable that it is called on.
func (m *module) keptLoopVariable(ctx context.Context) (string, error) {
	fset := token.NewFileSet()
	read := map[string]bool{}
	all, err := packages.Load(&packages.Config{Context: ctx, Dir: m.root, Fset: fset,
		Env: gocommand.Environ(ctx),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
			packages.NeedImports | packages.NeedTypes | packages.NeedSyntax |
			packages.NeedTypesInfo}, "./...")
	if err != nil {
		return "", err
	}
	for _, p := range all {
		if len(p.Errors) > 0 {
			continue // its files are read without types
		}
		for _, f := range p.Syntax {
			read[fset.Position(f.Package).Filename] = true
			if at := keptIn(f, p.TypesInfo); at.IsValid() {
				return fset.Position(at).String(), nil
			}
		}
	}
	kept := ""
	err = filepath.WalkDir(m.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != m.root && m.isElsewhere(path):
			return fs.SkipDir
		case d.IsDir() || read[path] || filepath.Ext(path) != ".go" ||
			strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // no build reads it
		}
		if at := keptIn(f, nil); at.IsValid() {
			kept = fset.Position(at).String()
			return fs.SkipAll
		}
		return nil
	})
	return kept, err
}

// isElsewhere reports whether a folder of the module has no package of it.
func (m *module) isElsewhere(dir string) bool {
	name := filepath.Base(dir)
	if name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") ||
		strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// keptIn returns the place where a file keeps a variable of a loop. Without
// types, names stand for variables.
func keptIn(f *ast.File, info *types.Info) token.Pos {
	at := token.NoPos
	inspect := inspector.New([]*ast.File{f})
	loops := []ast.Node{(*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)}
	for loop := range inspect.Root().Preorder(loops...) {
		variables := loopVariables(loop.Node())
		if len(variables) == 0 {
			continue
		}
		for use := range loop.Preorder((*ast.Ident)(nil)) {
			id := use.Node().(*ast.Ident)
			if isOf(variables, id, info) && isKept(use, loop, info) {
				return id.Pos()
			}
		}
	}
	return at
}

// loopVariables returns the variables that a loop declares.
func loopVariables(loop ast.Node) (all []*ast.Ident) {
	add := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			all = append(all, id)
		}
	}
	switch l := loop.(type) {
	case *ast.RangeStmt:
		if l.Tok == token.DEFINE {
			add(l.Key)
			add(l.Value)
		}
	case *ast.ForStmt:
		if a, ok := l.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, e := range a.Lhs {
				add(e)
			}
		}
	}
	return all
}

// isOf reports whether an identifier is one of some variables.
func isOf(variables []*ast.Ident, id *ast.Ident, info *types.Info) bool {
	for _, v := range variables {
		if info == nil && v.Name == id.Name || info != nil && info.Defs[v] != nil &&
			info.Uses[id] == info.Defs[v] {
			return true
		}
	}
	return false
}

// isKept reports whether a use of a variable may keep it beyond its pass: in a
// closure, by its address, or as an array that is sliced.
func isKept(use, loop inspector.Cursor, info *types.Info) bool {
	for c := range use.Enclosing((*ast.FuncLit)(nil)) {
		if loop.Contains(c) {
			return true
		}
	}
	for {
		operand := use.Node()
		use = use.Parent()
		switch e := use.Node().(type) {
		case *ast.ParenExpr:
		case *ast.UnaryExpr:
			return e.Op == token.AND
		case *ast.SliceExpr:
			return e.X == operand && isA[*types.Array](operand, info)
		case *ast.IndexExpr:
			if e.X != operand || !isA[*types.Array](operand, info) {
				return false
			}
		case *ast.SelectorExpr:
			if takesAddress(e, use, info) {
				return true
			}
			if isA[*types.Pointer](operand, info) && info != nil {
				return false
			}
		default:
			return false
		}
	}
}

// takesAddress reports whether a selection is a method whose receiver is the
// address of the operand.
func takesAddress(e *ast.SelectorExpr, at inspector.Cursor, info *types.Info) bool {
	if info == nil {
		call, ok := at.Parent().Node().(*ast.CallExpr)
		return ok && call.Fun == e
	}
	s := info.Selections[e]
	if s == nil || s.Kind() != types.MethodVal || s.Indirect() {
		return false
	}
	_, pointer := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
	return pointer && !isA[*types.Pointer](e.X, info)
}

// isA reports whether the type of an expression is a T below its name. Without
// types any may be.
func isA[T types.Type](e ast.Node, info *types.Info) bool {
	if info == nil {
		return true
	}
	t := info.TypeOf(e.(ast.Expr))
	if t == nil {
		return true
	}
	_, ok := t.Underlying().(T)
	return ok
}
