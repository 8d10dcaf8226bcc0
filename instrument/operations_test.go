package instrument

import (
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestOperationsAreDocumented compares the tables of the recipe for operations
// with the operators and functions that are rewritten, and with the functions
// of package math that are not.
func TestOperationsAreDocumented(t *testing.T) {
	recipe, err := os.ReadFile("../docs/develop/recipes/operation.md")
	if err != nil {
		t.Fatal(err)
	}
	yes, no, _ := strings.Cut(string(recipe), "| not rewritten |")
	var symbols []string
	for op := range operators {
		symbols = append(symbols, op.String())
	}
	hold := func(table, form string, want []string) {
		t.Helper()
		want = slices.Sorted(slices.Values(want))
		if got := documented(table, form); !slices.Equal(got, want) {
			t.Errorf("the row %q of the recipe has\n%q, not\n%q", form, got, want)
		}
	}
	inMath := slices.Concat(unaries, binaries, wholes, slices.Collect(maps.Keys(own)))
	hold(yes, "operators", symbols)
	hold(yes, "`math`, one argument", unaries)
	hold(yes, "`math`, two arguments", binaries)
	hold(yes, "`math`, functions of their own", slices.Collect(maps.Keys(own)))
	hold(yes, "`math`, observed", wholes)
	hold(yes, "`time.Duration`", methods(durations))
	hold(no, "`math`", without(functions(t, "math"), inMath))
}

// documented returns the words in the second column of a row, sorted.
func documented(table, form string) []string {
	row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(form) + ` \| (.*) \|$`)
	m := row.FindStringSubmatch(table)
	if m == nil {
		return nil
	}
	return slices.Sorted(slices.Values(strings.Fields(strings.ReplaceAll(m[1], "`", ""))))
}

// methods returns the last parts of names.
func methods(names []string) (last []string) {
	for _, name := range names {
		last = append(last, name[strings.LastIndexByte(name, '.')+1:])
	}
	return last
}

func without(all, some []string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return slices.Contains(some, s) })
}

// functions returns the exported functions of a package of the standard
// library.
func functions(t *testing.T, path string) []string {
	t.Helper()
	p, err := gobuild.Import(path, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
				all = append(all, f.Name.Name)
			}
		}
	}
	return all
}
