package ask_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestStreamsHaveTheirOwnNames holds that every stream of random numbers has a
// name of its own: two steps with one name would ask the same inputs.
func TestStreamsHaveTheirOwnNames(t *testing.T) {
	at := map[string]string{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !opensStream(call.Fun) {
				return true
			}
			place := set.Position(call.Pos()).String()
			name, ok := call.Args[1].(*ast.BasicLit)
			if !ok {
				if _, isParameter := call.Args[1].(*ast.Ident); !isParameter {
					t.Errorf("%s: the name of the stream is no literal", place)
				}
				return true
			}
			s, err := strconv.Unquote(name.Value)
			if err != nil || s == "" || len(s) > 8 {
				t.Errorf("%s: %s is no name of 1 to 8 letters", place, name.Value)
			}
			if other, taken := at[s]; taken {
				t.Errorf("%s: the stream %s is that of %s", place, s, other)
			}
			at[s] = place
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(at) < 30 {
		t.Errorf("only %d streams were found", len(at))
	}
}

// opensStream reports whether a function is RandApart or InputsApart.
func opensStream(fun ast.Expr) bool {
	name := ""
	switch f := fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	return name == "RandApart" || name == "InputsApart"
}
