package layering

import (
	_ "embed"
	"fmt"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

//go:embed rules.txt
var rulesText string

//go:embed outside.txt
var outsideText string

const root = "../.."

// TestLayering checks the imports of every Go file of the module against the
// rules, for every platform, except the imports of tests.
func TestLayering(t *testing.T) {
	rules, err := parse(rulesText)
	if err != nil {
		t.Fatal("rules.txt: ", err)
	}
	house, err := closure(rules)
	if err != nil {
		t.Fatal("rules.txt: ", err)
	}
	outside, err := parse(outsideText)
	if err != nil {
		t.Fatal("outside.txt: ", err)
	}
	c := checker{module: modulePath(t), house: house, outside: direct(outside)}
	for _, names := range c.outside {
		for _, name := range names {
			if house[name] == nil {
				t.Errorf("outside.txt names %s, but rules.txt has no rule for it", name)
			}
		}
	}
	imports := moduleImports(t)
	if len(imports["fp"]) == 0 || len(imports["sumtree"]) == 0 {
		t.Fatalf("the packages of the module were not found: %v", slices.Sorted(maps.Keys(imports)))
	}
	for name := range house {
		if imports[strings.TrimSuffix(strings.TrimSuffix(name, "/..."), "/*")] == nil {
			t.Errorf("rules.txt names %s, which has no Go file", name)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		for _, complaint := range c.check(pkg, imports[pkg]) {
			t.Error(complaint)
		}
	}
}

// checker holds the rules.
type checker struct {
	module  string
	house   order
	outside map[string][]string
}

// check returns a complaint for each import that the rules forbid. The map
// holds the file of each import. Packages of this module are named without the
// module.
func (c checker) check(pkg string, imports map[string]string) []string {
	self := ruleFor(pkg, func(name string) bool { return c.house[name] != nil })
	if self == "" {
		return []string{
			fmt.Sprintf("%s has no rule: give it its place in internal/layering/rules.txt", pkg),
		}
	}
	var wrong []string
	for _, imp := range slices.Sorted(maps.Keys(imports)) {
		if why := c.forbids(self, imp); why != "" {
			wrong = append(
				wrong,
				fmt.Sprintf("%s: %s may not import %s: %s", imports[imp], pkg, imp, why),
			)
		}
	}
	return wrong
}

// sharedLibraries are the only packages that need a C compiler: their symbols
// are C.
var sharedLibraries = []string{"cmd/liblastbit", "cmd/liblastbit_blas",
	"engines/duckdb"}

// forbids returns the reason why the packages of a rule may not import a path,
// or "" where they may.
func (c checker) forbids(self, imp string) string {
	if imp == "C" {
		if slices.Contains(sharedLibraries, self) {
			return ""
		}
		return "this module builds without cgo"
	}
	if inner, ok := strings.CutPrefix(imp, c.module+"/"); ok {
		if isFoundation(self) && !isFoundation(inner) && inner != "fp" {
			return "packages under internal import only each other, and fp"
		}
		name := ruleFor(inner, func(name string) bool { return c.house[name] != nil })
		if strings.HasSuffix(name, "/...") && name == self || c.house[self][name] {
			return ""
		}
		return "rules.txt does not put it above"
	}
	for name := imp; name != "."; name = path.Dir(name) {
		if by, ok := c.outside[name]; ok {
			if slices.Contains(by, self) {
				return ""
			}
			return fmt.Sprintf("outside.txt leaves it to %s", strings.Join(by, ", "))
		}
	}
	if first, _, _ := strings.Cut(imp, "/"); strings.Contains(first, ".") {
		return "it is not of the standard library, and outside.txt does not name it"
	}
	return ""
}

// isFoundation reports whether a package lies in the module's own internal
// folder. Such a package imports only its neighbours and fp, so that no import
// runs upward.
func isFoundation(pkg string) bool {
	return strings.HasPrefix(pkg, "internal/")
}

func modulePath(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if m, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(m)
		}
	}
	t.Fatal("go.mod names no module")
	return ""
}

// moduleImports maps every package of the module to its imports, and each
// import to a file that has it.
func moduleImports(t *testing.T) map[string]map[string]string {
	t.Helper()
	all := map[string]map[string]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel != "." && isIgnored(file, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") ||
			d.Name()[0] == '_' ||
			d.Name()[0] == '.' {
			return nil
		}
		imports, err := fileImports(file)
		if err != nil {
			return err
		}
		pkg := path.Dir(rel)
		if all[pkg] == nil {
			all[pkg] = map[string]string{}
		}
		for _, imp := range imports {
			all[pkg][imp] = rel
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// isIgnored reports whether the go command skips a directory, or treats it as
// another module.
func isIgnored(dir, name string) bool {
	if name == "testdata" || name == "vendor" || name[0] == '_' || name[0] == '.' {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// fileImports returns the imports of a file, none for a file that no build
// includes.
func fileImports(file string) ([]string, error) {
	f, err := parser.ParseFile(
		token.NewFileSet(),
		file,
		nil,
		parser.ImportsOnly|parser.ParseComments,
	)
	if err != nil {
		return nil, err
	}
	for _, group := range f.Comments {
		for _, line := range group.List {
			if group.Pos() > f.Package || !constraint.IsGoBuild(line.Text) {
				continue
			}
			if x, err := constraint.Parse(line.Text); err == nil && x.String() == "ignore" {
				return nil, nil
			}
		}
	}
	var imports []string
	for _, spec := range f.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		imports = append(imports, imp)
	}
	return imports, nil
}

func TestParse(t *testing.T) {
	rules, err := parse("# comment\nNONE < a, b;\na < c # and so on\n< d/...;\nb !< c;")
	if err != nil {
		t.Fatal(err)
	}
	want := "[{[NONE] < [a b]} {[a] < [c]} {[c] < [d/...]} {[b] !< [c]}]"
	if got := fmt.Sprint(rules); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	o, err := closure(rules)
	if err != nil {
		t.Fatal(err)
	}
	if !o["d/..."]["a"] || !o["d/..."]["c"] || o["d/..."]["b"] || o["a"]["d/..."] {
		t.Errorf("%v", o)
	}
	for _, bad := range []string{
		"a", "a, < b;", "a b;", "< a;", "a <;", "a < b; ; c < d;", "a < b,;",
	} {
		if rules, err := parse(bad); err == nil {
			t.Errorf("%q is %v", bad, rules)
		}
	}
	for _, bad := range []string{
		"a < b;", "NONE < a; NONE < a;", "NONE < a < b; a !< b;", "NONE < a < NONE;",
		"NONE < a; b !< a;",
	} {
		rules, err := parse(bad)
		if err != nil {
			t.Fatal(err)
		}
		if o, err := closure(rules); err == nil {
			t.Errorf("%q is %v", bad, o)
		}
	}
}

// TestCheckFails runs the checker on imports that it has to refuse.
func TestCheckFails(t *testing.T) {
	rules, err := parse(
		"NONE < internal/other, low < internal/base, high;" +
			"NONE < side, lint, lint/..., lint/own; side < drive, drive/*;",
	)
	if err != nil {
		t.Fatal(err)
	}
	house, err := closure(rules)
	if err != nil {
		t.Fatal(err)
	}
	c := checker{
		"ex.org/m",
		house,
		map[string][]string{"unsafe": {"low"}, "gonum.org/v1/gonum": {"high"}},
	}
	for _, tt := range []struct {
		pkg, imp string
		ok       bool
	}{
		{"high", "ex.org/m/low", true},
		{"low", "ex.org/m/high", false},
		{"low", "ex.org/m/low", false},
		{"high", "ex.org/m/side", false},
		{"high", "ex.org/m/nowhere", false},
		{"high", "ex.org/m/high/below", false},
		{"lint/a", "ex.org/m/lint/b", true},
		{"lint/own", "ex.org/m/lint/b", false},
		{"drive/a", "ex.org/m/side", true},
		{"drive/a", "ex.org/m/drive/b", false},
		{"drive/a/inner", "fmt", false},
		{"nowhere", "fmt", false},
		{"low", "fmt", true},
		{"low", "C", false},
		{"low", "unsafe", true},
		{"high", "unsafe", false},
		{"high", "gonum.org/v1/gonum", true},
		{"high", "gonum.org/v1/gonum/blas", true},
		{"low", "gonum.org/v1/gonum/blas", false},
		{"high", "gonum.org/v1/gonumetry", false},
		{"high", "github.com/else/where", false},
		{"internal/base", "ex.org/m/internal/other", true},
		{"internal/base", "ex.org/m/low", false},
	} {
		complaints := c.check(tt.pkg, map[string]string{tt.imp: "file.go"})
		if (len(complaints) == 0) != tt.ok {
			t.Errorf("%s imports %s: %q", tt.pkg, tt.imp, complaints)
		}
	}
}
