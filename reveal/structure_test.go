package reveal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// TestTypesStaySmall holds that no type of reveal, or below it, has more than
// 24 methods.
func TestTypesStaySmall(t *testing.T) {
	const maxMethods = 24
	methods := map[string]int{} // of "directory.Type"
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[filepath.Dir(path)+"."+receiver(f.Recv.List[0].Type)]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(methods) < 10 {
		t.Fatalf("only %d types with methods were found", len(methods))
	}
	for name, n := range methods {
		if n > maxMethods {
			t.Errorf("%s has %d methods, more than %d", name, n, maxMethods)
		}
	}
}

// receiver returns the name of a receiver's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return "?"
}

// TestEveryVerdictIsPublic holds the verdicts of the table against the
// constants of this package.
func TestEveryVerdictIsPublic(t *testing.T) {
	public := []reveal.Verdict{reveal.TreeVerdict, reveal.Exact, reveal.Compensated,
		reveal.Nondeterministic, reveal.ValueDependent, reveal.NotASum, reveal.Unsupported}
	used := map[reveal.Verdict]bool{}
	for _, row := range verdict.Table() {
		used[reveal.Verdict(row.Verdict)] = true
	}
	for _, v := range public {
		if !used[v] {
			t.Errorf("no row of the table gives %q", v)
		}
		delete(used, v)
	}
	for v := range used {
		t.Errorf("the table gives %q, which is not public", v)
	}
}
