package functions

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// declarers are the packages that declare each function, and whether a slice
// function as well.
var declarers = []struct {
	folder string
	slices bool
}{
	{"internal/f64", true}, {"f32", true}, {".", true}, {"directed", false}, {"f16", false},
	{"bf16", false}, {"deviation", false},
}

// TestEverywhere compares what packages declare, and the lists of hard
// arguments, with the tables, so that a function exists in every format and in
// every list.
func TestEverywhere(t *testing.T) {
	for _, gap := range missing(t, crmath) {
		t.Errorf("%s is missing", gap)
	}
	double, single := names(t, "internal/f64"), names(t, "f32")
	for i, name := range double {
		if i >= len(single) || single[i] != name {
			t.Fatalf("the tables have other functions, or another order: %v and %v", double, single)
		}
	}
	if len(single) != len(double) || len(double) < 42 {
		t.Errorf("%d and %d functions", len(double), len(single))
	}
}

// names returns the functions of a package's table.
func names(t *testing.T, folder string) (list []string) {
	t.Helper()
	rows, err := Read(filepath.Join(crmath, folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		list = append(list, r["function"])
	}
	return list
}

// missing returns what packages lack of the functions of the table in a copy of
// crmath. Packages that the copy lacks are those here.
func missing(t *testing.T, copied string) (gaps []string) {
	t.Helper()
	rows, err := Read(filepath.Join(copied, "internal/f64"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range declarers {
		folder := filepath.Join(copied, d.folder)
		if _, err := os.Stat(filepath.Join(folder, "functions.txt")); err != nil {
			folder = filepath.Join(crmath, d.folder)
		}
		has := declared(t, folder)
		for _, r := range rows {
			if !has[r.Name()] {
				gaps = append(gaps, d.folder+"/*.go: "+r.Name())
			}
			if d.slices && !has[r.Name()+"Slice"] {
				gaps = append(gaps, d.folder+"/*.go: "+r.Name()+"Slice")
			}
		}
	}
	const measured = "cmd/lastbit/internal/libm/functions.go"
	text, err := os.ReadFile(filepath.Join(crmath, "..", measured))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if !strings.Contains(string(text), "deviation."+r.Name()+",") {
			gaps = append(gaps, measured+": "+r.Name())
		}
	}
	return append(gaps, missingLists(rows)...)
}

// missingLists returns the lists of hard arguments that functions lack.
// Functions of an integer have no list for tests of kernels.
func missingLists(rows []Row) (gaps []string) {
	for _, r := range rows {
		lists := []string{"internal/hardest/" + r["mpfr"] + ".txt"}
		if r["shape"] != "integer" {
			lists = append(lists, "crmath/internal/args/hard/"+r["mpfr"]+".txt")
		}
		for _, list := range lists {
			if _, err := os.Stat(filepath.Join(crmath, "..", list)); err != nil {
				gaps = append(gaps, list)
			}
		}
	}
	return gaps
}

// declared returns the names that the package in a folder declares, without its
// tests.
func declared(t *testing.T, folder string) map[string]bool {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				has[d.Name.Name] = has[d.Name.Name] || d.Recv == nil
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok {
						for _, n := range v.Names {
							has[n.Name] = true
						}
					}
				}
			}
		}
	}
	return has
}
