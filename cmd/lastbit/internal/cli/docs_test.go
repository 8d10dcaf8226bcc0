package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestErrorsDocumented compares docs/reference/errors.md with the faults in the
// sources: each fault has a heading, and each heading has a fault.
func TestErrorsDocumented(t *testing.T) {
	used := map[string]string{}
	eachSource(t, func(path string, f *ast.File, consts map[string]ast.Expr) {
		faultIDs(f, func(e ast.Expr) {
			id, ok := stringValue(e, consts)
			if name, param := e.(*ast.Ident); !ok && param && name.Name == "id" {
				return // passed on by a function, whose callers are checked
			}
			if !ok {
				t.Errorf("%s: the ID of a fault is neither a string nor a constant", path)
			}
			used[id] = path
		})
	})
	pythonErrors(t, used)
	if len(used) < 30 {
		t.Fatalf("only %d faults were found in the sources", len(used))
	}
	page, err := os.ReadFile("../../../../docs/reference/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^### ([a-z-]+)\n\n[\\w`]").FindAllSubmatch(page, -1) {
		documented[string(m[1])] = true
	}
	for _, id := range slices.Sorted(maps.Keys(used)) {
		if !documented[id] {
			t.Errorf("docs/reference/errors.md has no paragraph on %s, of %s", id, used[id])
		}
	}
	for _, id := range slices.Sorted(maps.Keys(documented)) {
		if used[id] == "" {
			t.Errorf("docs/reference/errors.md has a paragraph on %s, which nothing reports", id)
		}
	}
}

// pythonErrors adds the IDs of the errors that the Python package raises.
func pythonErrors(t *testing.T, used map[string]string) {
	t.Helper()
	var paths []string
	for _, pattern := range []string{"*.py", "*/*.py"} {
		found, err := filepath.Glob("../../../../python/lastbit/" + pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("the Python package lacks %s: %v", pattern, err)
		}
		paths = append(paths, found...)
	}
	raised := regexp.MustCompile(`\bError\(\s*"([a-z-]+)"`)
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range raised.FindAllSubmatch(source, -1) {
			used[string(m[1])] = path
		}
	}
}

// TestFaultsHaveCures checks that every fault written in one place names its
// thing, its cause and its cure.
func TestFaultsHaveCures(t *testing.T) {
	incurable := []string{"cancelled", "target-cancelled", "failed"}
	eachSource(t, func(path string, f *ast.File, consts map[string]ast.Expr) {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || lastName(lit.Type) != "Fault" {
				return true
			}
			parts := map[string]ast.Expr{}
			for _, e := range lit.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					parts[lastName(kv.Key)] = kv.Value
				}
			}
			id, _ := stringValue(parts["ID"], consts)
			if parts["Thing"] == nil || parts["Cause"] == nil || slices.Contains(incurable, id) {
				return true // completed elsewhere
			}
			if cure, ok := stringValue(parts["Cure"], consts); parts["Cure"] == nil ||
				ok && cure == "" {
				t.Errorf("%s: a fault %s has no cure", path, id)
			}
			return true
		})
	})
}

// eachSource parses every Go file of the module that is not for tests, and
// gives the constants of its package.
func eachSource(t *testing.T, do func(path string, f *ast.File, consts map[string]ast.Expr)) {
	t.Helper()
	packages := map[string][]*ast.File{}
	names := map[*ast.File]string{}
	eachFile(t, func(path string, f *ast.File) {
		packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], f)
		names[f] = path
	})
	for _, files := range packages {
		consts := stringConsts(files)
		for _, f := range files {
			do(names[f], f, consts)
		}
	}
}

// eachFile parses every Go file of the module that is not for tests.
func eachFile(t *testing.T, do func(path string, f *ast.File)) {
	t.Helper()
	const root = "../../../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			forTests := []string{"testdata", "probetest", "revealtest"}
			hidden := path != root && strings.HasPrefix(d.Name(), ".")
			if hidden || slices.Contains(forTests, d.Name()) {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err == nil {
			do(path, f)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// faultIDs calls found with every ID in a file: of a Fault, of a call of a
// function called fault, and of a refusal that becomes a Fault.
func faultIDs(f *ast.File, found func(ast.Expr)) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			switch name := lastName(n.Type); {
			case name == "refusal" && len(n.Elts) > 0:
				found(n.Elts[0])
			case name == "Fault":
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok && lastName(kv.Key) == "ID" {
						found(kv.Value)
					}
				}
			}
		case *ast.CallExpr:
			if lastName(n.Fun) == "fault" && len(n.Args) > 1 {
				found(n.Args[0])
			}
		}
		return true
	})
}

// lastName is Fault for probe.Fault.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// stringConsts are the constants of a package that are strings.
func stringConsts(files []*ast.File) map[string]ast.Expr {
	consts := map[string]ast.Expr{}
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				for i, name := range v.Names {
					if i < len(v.Values) {
						consts[name.Name] = v.Values[i]
					}
				}
			}
		}
	}
	return consts
}

// text is the value of a string literal or of a constant.
func stringValue(e ast.Expr, consts map[string]ast.Expr) (string, bool) {
	if name, ok := e.(*ast.Ident); ok && consts[name.Name] != nil {
		e = consts[name.Name]
	}
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// TestReadmeVerbs compares README's table of verbs with the command: each verb
// of lastbit --help has a row.
func TestReadmeVerbs(t *testing.T) {
	readme, err := os.ReadFile("../../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	row := regexp.MustCompile("(?m)^\\| [^|]+\\? \\| `lastbit ([a-z]+)` \\|")
	for _, m := range row.FindAllSubmatch(readme, -1) {
		if rows[string(m[1])] {
			t.Errorf("README.md has two rows of lastbit %s", m[1])
		}
		rows[string(m[1])] = true
	}
	root := (&app{drivers: drivers(io.Discard)}).root()
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() || cmd.Name() == "help" {
			if !rows[cmd.Name()] {
				t.Errorf("README.md has no row of lastbit %s", cmd.Name())
			}
			delete(rows, cmd.Name())
		}
	}
	for name := range rows {
		t.Errorf("README.md has a row of lastbit %s, which does not exist", name)
	}
}
