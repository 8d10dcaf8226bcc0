package portable

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestKeptIn finds the loops that keep a variable, with types and without.
func TestKeptIn(t *testing.T) {
	const head = `package p
type T struct{ a [2]int; n int }
func (t *T) Keep() *T { return t }
func (t T) Get() int { return t.n }
var ints []*int
var ts []*T
var fs []func() int
var slices [][]int
func g(...any) {}
func f(xs []int, all []T, pointers []*T, arrays [][2]int, m map[string]T) {
`
	for _, c := range []struct {
		body          string
		kept, untyped bool
	}{
		{"for i := range xs { fs = append(fs, func() int { return i }) }", true, true},
		{"for i := 0; i < 3; i++ { fs = append(fs, func() int { return i }) }", true, true},
		{"for i := range xs { ints = append(ints, &i) }", true, true},
		{"for _, v := range all { ints = append(ints, &v.n) }", true, true},
		{"for _, v := range all { ints = append(ints, &v.a[1]) }", true, true},
		{"for _, v := range all { ts = append(ts, v.Keep()) }", true, true},
		{"for _, v := range arrays { slices = append(slices, v[:]) }", true, true},
		{"for _, v := range all { slices = append(slices, (v.a)[:]) }", true, true},
		{"for _, v := range m { ts = append(ts, &v) }", true, true},
		{"for i := range xs { for j := range xs { g(func() int { return i + j }) } }", true, true},
		{"for i := range xs { g(i, xs[i], -i) }", false, false},
		{"for _, v := range all { g(v.Get()) }", false, true},
		{"for _, v := range pointers { ts = append(ts, v.Keep()) }", false, true},
		{"for _, v := range pointers { ints = append(ints, &v.n) }", false, true},
		{"for i, v := range pointers { slices = append(slices, v.a[:i]) }", false, true},
		{"for i := range all { ts = append(ts, &all[i]) }", false, false},
		{"var i int; for i = range xs { ints = append(ints, &i) }", false, false},
		{"for i := range xs { i := i; ints = append(ints, &i) }", false, true},
		{"g(func() { for i := range xs { g(i) } })", false, false},
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "p.go", head+c.body+"\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Defs: map[*ast.Ident]types.Object{},
			Uses:       map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
			Types:      map[ast.Expr]types.TypeAndValue{}}
		conf := types.Config{Importer: importer.Default(), Error: func(error) {}}
		if _, err := conf.Check("p", fset, []*ast.File{f}, info); err != nil &&
			!strings.Contains(err.Error(), "declared and not used") {
			t.Fatalf("%s: %v", c.body, err)
		}
		if got := keptIn(f, info).IsValid(); got != c.kept {
			t.Errorf("%s: kept %v, want %v", c.body, got, c.kept)
		}
		if got := keptIn(f, nil).IsValid(); got != c.untyped {
			t.Errorf("%s: kept %v without types, want %v", c.body, got, c.untyped)
		}
	}
}
