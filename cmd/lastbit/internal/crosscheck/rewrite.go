package crosscheck

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/edit"
)

// Names in rewritten files.
const (
	suffix     = "__lastbit"      // of functions that note calls
	recordName = "lastbitrecord"  // package record
	recordPath = "lastbit/record" // like the standard library, it is in no module
)

// A change holds the edits of a file.
type change struct {
	edits []edit.Edit
	names int    // the offset after the name of the package, where imports go
	tail  string // is appended
	whole []byte // the text of a new file
}

// changes holds what is changed, by file.
type changes map[string]*change

// of returns the change of a file.
func (c changes) of(p *packages.Package, f *ast.File) *change {
	name := p.Fset.Position(f.Package).Filename
	if c[name] == nil {
		c[name] = &change{names: offset(p, f.Name.End())}
	}
	return c[name]
}

// imports adds an import beside the name of the package: no line moves.
func (c *change) imports(name, path string) {
	c.edits = append(c.edits, edit.Edit{From: c.names, To: c.names,
		Text: fmt.Sprintf("; import %s %q", name, path)})
}

// texts returns the changed files.
func (c changes) texts() (map[string][]byte, error) {
	all := map[string][]byte{}
	for name, ch := range c {
		if ch.whole != nil {
			all[name] = ch.whole
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all[name] = append(edit.Apply(src, ch.edits), ch.tail...)
	}
	return all, nil
}

func offset(p *packages.Package, pos token.Pos) int { return p.Fset.Position(pos).Offset }

// record adds to the files of packages the functions that note calls, and lets
// calls go to these.
func (s *sources) record(c changes, functions map[string]*function) error {
	wrapped := map[string]bool{}
	seen := map[string]bool{}
	for _, p := range s.pkgs {
		if strings.HasSuffix(p.ID, ".test") {
			continue
		}
		for _, f := range p.Syntax {
			name := p.Fset.Position(f.Package).Filename
			if seen[name] {
				continue
			}
			seen[name] = true
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			redirect(c, p, f, functions)
			addWrappers(c, p, f, src, functions, wrapped)
		}
	}
	return nil
}

// redirect lets the calls in a file go to the functions that note them, except
// calls that the compiler inlines outside of tests.
func redirect(c changes, p *packages.Package, f *ast.File, functions map[string]*function) {
	isTest := strings.HasSuffix(p.Fset.Position(f.Package).Filename, "_test.go")
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		used, ok := p.TypesInfo.Uses[id].(*types.Func)
		if !ok {
			return true
		}
		called := functions[nameOf(used.Origin())]
		if called == nil || called.inlined && !isTest {
			return true
		}
		ch, at := c.of(p, f), offset(p, id.End())
		ch.edits = append(ch.edits, edit.Edit{From: at, To: at, Text: suffix})
		return true
	})
}

// addWrappers appends to a file the functions that note the calls of those in
// it.
func addWrappers(
	c changes, p *packages.Package, f *ast.File, src []byte, functions map[string]*function,
	wrapped map[string]bool,
) {
	var text strings.Builder
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		defined, ok := p.TypesInfo.Defs[d.Name].(*types.Func)
		if !ok {
			continue
		}
		fn := functions[nameOf(defined)]
		if fn == nil || wrapped[fn.name] ||
			fn.file != p.Fset.Position(d.Pos()).Filename {
			continue
		}
		wrapped[fn.name] = true
		w := wrapper{d: d, signature: defined.Signature(), text: func(n ast.Node) string {
			return string(src[offset(p, n.Pos()):offset(p, n.End())])
		}}
		text.WriteString("\n" + w.String(fn.id))
	}
	if text.Len() > 0 {
		ch := c.of(p, f)
		ch.imports(recordName, recordPath)
		ch.tail += text.String()
	}
}

// A wrapper writes the function that notes the calls of another.
type wrapper struct {
	d         *ast.FuncDecl
	signature *types.Signature
	text      func(ast.Node) string

	args, changed, results []string // names
}

// String returns the declaration.
func (w *wrapper) String(id uint64) string {
	called := w.d.Name.Name + w.typeArguments()
	receiver := ""
	if w.d.Recv != nil {
		receiver = "(lbr " + w.text(w.d.Recv.List[0].Type) + ") "
		called = "lbr." + called
		w.add("lbr", w.signature.Recv().Type())
	}
	params, passed := w.params()
	call := called + "(" + passed + ")"
	results := ""
	if w.signature.Results().Len() > 0 {
		results = "(" + w.resultList() + ") "
		call = strings.Join(w.results, ", ") + " = " + call
	}
	return fmt.Sprintf(`var lb%[1]x = %[2]s.New(%#[1]x)

func %[3]s%[4]s%[5]s%[6]s(%[7]s) %[8]s{
	if lb%[1]x.IsFull() {
		%[9]s
		return
	}
	lbc := lb%[1]x.Begin(%[10]s)
	%[9]s
	lbc.End([]interface{}{%[11]s}, []interface{}{%[12]s})
	return
}
`, id, recordName, receiver, w.d.Name.Name, suffix, w.typeParams(), params, results, call,
		strings.Join(w.args, ", "), strings.Join(w.results, ", "), strings.Join(w.changed, ", "))
}

// add adds an argument.
func (w *wrapper) add(name string, t types.Type) {
	w.args = append(w.args, name)
	if isChangeable(t) {
		w.changed = append(w.changed, name)
	}
}

// params returns the parameters as they are declared and as they are passed on.
func (w *wrapper) params() (declared, passed string) {
	var all, names []string
	for _, f := range w.d.Type.Params.List {
		for range max(len(f.Names), 1) {
			name := fmt.Sprintf("lb%d", len(names))
			all = append(all, name+" "+w.text(f.Type))
			w.add(name, w.signature.Params().At(len(names)).Type())
			names = append(names, name)
		}
	}
	passed = strings.Join(names, ", ")
	if w.signature.Variadic() {
		passed += "..."
	}
	return strings.Join(all, ", "), passed
}

// resultList returns the results as they are declared.
func (w *wrapper) resultList() string {
	var all []string
	for _, f := range w.d.Type.Results.List {
		for range max(len(f.Names), 1) {
			name := fmt.Sprintf("lbx%d", len(w.results))
			w.results = append(w.results, name)
			all = append(all, name+" "+w.text(f.Type))
		}
	}
	return strings.Join(all, ", ")
}

// typeParams returns the type parameters as they are declared.
func (w *wrapper) typeParams() string {
	if w.d.Type.TypeParams == nil {
		return ""
	}
	return w.text(w.d.Type.TypeParams)
}

// typeArguments returns the type parameters as they are passed on.
func (w *wrapper) typeArguments() string {
	if w.d.Type.TypeParams == nil {
		return ""
	}
	var names []string
	for _, f := range w.d.Type.TypeParams.List {
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
	}
	return "[" + strings.Join(names, ", ") + "]"
}
