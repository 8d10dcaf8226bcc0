package blas

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// routineName matches the name of a routine.
var routineName = regexp.MustCompile(`\b[DSCZI][a-z]+[0-9]?[a-z]*\b`)

// promiseName matches the first word of the name of a type.
var promiseName = regexp.MustCompile(`^[A-Z][a-z]+`)

// The words of comments that give an order of operations: formulas, sums
// that the package comment defines, or that there is nothing to add.
var (
	orderWords = []string{"fma(", "⊕", "by lanes", "package ordered",
		"correctly rounded", "operation of", "multiplies x by", "exchanges", "copies", "index of"}
	exactWords = []string{"rounded once", "operation of", "as [Ordered] does", "exchanges",
		"copies", "index of"}
)

// TestComments holds that the comment of every routine of gonum's interfaces
// gives the order of its operations, or names another routine of the same
// promise that does.
func TestComments(t *testing.T) {
	comments := routineComments(t)
	for _, face := range []reflect.Type{
		reflect.TypeFor[blas.Float64](), reflect.TypeFor[blas.Float32](),
		reflect.TypeFor[blas.Complex128](), reflect.TypeFor[blas.Complex64](),
	} {
		for i := range face.NumMethod() {
			name := face.Method(i).Name
			holdComment(t, comments["Ordered"], "Ordered", name, orderWords)
			holdComment(t, comments["Exact"], "Exact", name, exactWords)
		}
	}
}

// holdComment follows the names in a comment to a routine with the words.
func holdComment(t *testing.T, comments map[string]string, of, name string, words []string) {
	t.Helper()
	for at, seen := name, map[string]bool{}; !seen[at]; {
		seen[at] = true
		text := comments[at]
		for _, w := range words {
			if strings.Contains(text, w) {
				return
			}
		}
		for _, other := range routineName.FindAllString(text, -1) {
			if _, ok := comments[other]; ok && !seen[other] {
				at = other
				break
			}
		}
	}
	t.Errorf("the comment of %s.%s gives no order and no routine that does: %q", of, name,
		comments[name])
}

// routineComments returns the comments of the methods of each promise.
func routineComments(t *testing.T) map[string]map[string]string {
	t.Helper()
	found := map[string]map[string]string{}
	packages, err := parser.ParseDir(token.NewFileSet(), ".", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range packages["blas"].Files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Doc == nil {
				continue
			}
			of, ok := f.Recv.List[0].Type.(*ast.Ident)
			if !ok || !f.Name.IsExported() {
				continue
			}
			promise := promiseName.FindString(of.Name)
			if found[promise] == nil {
				found[promise] = map[string]string{}
			}
			found[promise][f.Name.Name] = strings.Join(strings.Fields(f.Doc.Text()), " ")
		}
	}
	return found
}
