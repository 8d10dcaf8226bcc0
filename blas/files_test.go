package blas

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFiles compares the table of files in the package comment with the code:
// which routines reach a function of a file, and the limits. A file that
// declares a limit of size has a row.
func TestFiles(t *testing.T) {
	p := readPackage(t)
	rows := fileRows(t)
	listed := map[string]bool{}
	for _, row := range rows {
		listed[row.file] = true
		got := strings.Join(p.routines(row.of, row.file), " ")
		if want := strings.Join(p.expanded(row), " "); got != want || got == "" {
			t.Errorf("%s, %s: the code has %s\nand the table %s", row.file, row.of, got, want)
		}
	}
	for name, file := range p.limits() {
		if !listed[file] {
			t.Errorf("%s declares %s and has no row in the table of files", file, name)
		}
	}
	pairs := regexp.MustCompile(`\b(\w+) = (\d+)`).FindAllStringSubmatch(tableOfFiles(t), -1)
	if len(pairs) < 10 {
		t.Errorf("the table has %d limits", len(pairs))
	}
	for _, pair := range pairs {
		c, ok := p.types.Scope().Lookup(pair[1]).(*types.Const)
		if !ok || c.Val().Kind() != constant.Int || c.Val().ExactString() != pair[2] {
			t.Errorf("the table has %s, the code %v", pair[0], c)
		}
	}
}

// fileRow is a row of the table: the routines of some numbers that reach a
// file. One called level2 is all that reach level2.go.
type fileRow struct{ file, of, routines string }

// expanded returns the routines of a row.
func (p *sources) expanded(row fileRow) []string {
	var names []string
	for _, name := range strings.Fields(row.routines) {
		if strings.HasPrefix(name, "level") {
			names = append(names, p.routines(row.of, name+".go")...)
		} else {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func tableOfFiles(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "// # Files\n")
	if !ok {
		t.Fatal("doc.go has no heading Files")
	}
	return table
}

// fileRows returns the rows of the table.
func fileRows(t *testing.T) []fileRow {
	t.Helper()
	var rows []fileRow
	columns := regexp.MustCompile(`^//\t(\w+\.go) +(\w+) +(.*)$`)
	for line := range strings.Lines(tableOfFiles(t)) {
		if m := columns.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			rows = append(rows, fileRow{m[1], m[2], m[3]})
		}
	}
	if len(rows) < 10 {
		t.Fatalf("the table of files has %d rows", len(rows))
	}
	return rows
}

// sources is the package, type-checked without what it imports.
type sources struct {
	fset   *token.FileSet
	types  *types.Package
	info   types.Info
	bodies map[types.Object]ast.Node
	fields map[types.Object]map[string]ast.Node // values of fields, by the function that sets them
	files  map[types.Object]string
}

func readPackage(t *testing.T) *sources {
	t.Helper()
	p := &sources{
		fset: token.NewFileSet(),
		info: types.Info{
			Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		},
		bodies: map[types.Object]ast.Node{},
		fields: map[types.Object]map[string]ast.Node{},
		files:  map[types.Object]string{},
	}
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if !strings.HasSuffix(name.Name(), ".go") || strings.HasSuffix(name.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(p.fset, name.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	conf := types.Config{Error: func(error) {}, Importer: noImports{}}
	p.types, _ = conf.Check("blas", p.fset, files, &p.info)
	for _, f := range files {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				p.add(f)
			}
		}
	}
	return p
}

type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not needed") }

// add notes a function, and the fields that it sets.
func (p *sources) add(f *ast.FuncDecl) {
	o := p.info.Defs[f.Name]
	p.bodies[o], p.files[o] = f, p.fset.Position(f.Pos()).Filename
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			p.set(n.Key, f.Name.Name, n.Value)
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if s, ok := left.(*ast.SelectorExpr); ok && len(n.Rhs) == len(n.Lhs) {
					p.set(s.Sel, f.Name.Name, n.Rhs[i])
				}
			}
		}
		return true
	})
}

func (p *sources) set(field ast.Expr, by string, value ast.Node) {
	name, ok := field.(*ast.Ident)
	if !ok {
		return
	}
	if v, ok := p.info.Uses[name].(*types.Var); ok && v.IsField() {
		if p.fields[v.Origin()] == nil {
			p.fields[v.Origin()] = map[string]ast.Node{}
		}
		p.fields[v.Origin()][by] = value
	}
}

// families are the types whose methods are routines, the functions that choose
// their operations, and the type of those.
var families = map[string]struct {
	types  []string
	makers []string
	kit    string
}{
	"real": {[]string{"OrderedFloat64", "OrderedFloat32"}, []string{"realKit"}, "kit"},
	"complex": {
		[]string{"OrderedComplex128", "OrderedComplex64"}, []string{"complexKit"}, "kit",
	},
	"exact": {
		[]string{"ExactFloat64", "ExactFloat32", "ExactComplex128", "ExactComplex64"},
		nil, "exactKit",
	},
}

// routines returns the names, without the letter of the format, of the routines
// that reach a function of a file. A predicate does not count: others ask it.
func (p *sources) routines(of, file string) []string {
	var names []string
	for _, name := range families[of].types {
		methods := types.NewMethodSet(p.types.Scope().Lookup(name).Type())
		for method := range methods.Methods() {
			f := method.Obj().(*types.Func)
			if isRoutine(f) && p.reaches(f, of, file, map[types.Object]bool{}) {
				names = append(names, withoutFormat(f.Name()))
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func isRoutine(f *types.Func) bool { return f.Exported() && f.Name() != "Kernels" }

// ofTwoFormats matches the routines whose names have the letters of two
// formats, or of one in another place.
var ofTwoFormats = regexp.MustCompile(`^(Dz|Sc[an]|Zds|Css|Dsd|Sds|I)`)

func withoutFormat(routine string) string {
	if ofTwoFormats.MatchString(routine) {
		return routine
	}
	return routine[1:]
}

var predicate = regexp.MustCompile(`^(is|has)[A-Z]`)

// reaches reports whether an object leads to a function of a file.
func (p *sources) reaches(o types.Object, of, file string, seen map[types.Object]bool) bool {
	if seen[o] {
		return false
	}
	seen[o] = true
	if p.files[o] == file && !predicate.MatchString(o.Name()) {
		return true
	}
	for _, next := range p.next(o, of) {
		if p.reaches(next, of, file, seen) {
			return true
		}
	}
	return false
}

// next returns the functions and fields that an object uses.
func (p *sources) next(o types.Object, of string) []types.Object {
	kind := families[of]
	if f, ok := o.(*types.Func); ok && isOfInterface(f) {
		method, _, _ := types.LookupFieldOrMethod(
			types.NewPointer(p.types.Scope().Lookup(kind.kit).Type()), true, p.types, f.Name())
		if method, ok := method.(*types.Func); ok {
			return []types.Object{method.Origin()}
		}
		return nil
	}
	bodies := []ast.Node{p.bodies[o]}
	for by, value := range p.fields[o] {
		if slices.Contains(kind.makers, by) {
			bodies = append(bodies, value)
		}
	}
	var all []types.Object
	for _, body := range bodies {
		if body == nil {
			continue
		}
		ast.Inspect(body, func(n ast.Node) bool {
			name, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch o := p.info.Uses[name].(type) {
			case *types.Func:
				all = append(all, o.Origin())
			case *types.Var:
				all = append(all, o.Origin())
			}
			return true
		})
	}
	return all
}

func isOfInterface(f *types.Func) bool {
	r := f.Signature().Recv()
	return r != nil && types.IsInterface(r.Type())
}

// limits returns the constants of the package that bound sizes, with their
// files.
func (p *sources) limits() map[string]string {
	found := map[string]string{}
	for _, name := range p.types.Scope().Names() {
		c, ok := p.types.Scope().Lookup(name).(*types.Const)
		if ok && strings.HasPrefix(name, "max") {
			found[name] = p.fset.Position(c.Pos()).Filename
		}
	}
	return found
}
