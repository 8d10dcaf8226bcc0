package procsum

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

//go:embed doc.go
var doc string

// Analyzer finds sums split by the number of processors.
var Analyzer = &analysis.Analyzer{
	Name: "procsum",
	Doc:  source.Doc(doc),
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	c := &checker{info: pass.TypesInfo, bodies: source.NewBodies(pass.TypesInfo, pass.Files),
		counts: map[types.Object]bool{}}
	c.findCounts(pass.Files)
	report := comment.Filter(pass)
	source.Functions(pass.Files, func(f *ast.FuncDecl) {
		at, text := c.partialSum(f.Body)
		if !at.IsValid() {
			return
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if e, name := c.count(n); name != "" {
				report(analysis.Diagnostic{
					Pos: e.Pos(), End: e.End(),
					Message: fmt.Sprintf("%s splits a sum (%s, line %d) by the number of "+
						"processors; split it into blocks of a fixed length", name, text,
						pass.Fset.Position(at).Line),
				})
				return false
			}
			return true
		})
	})
	return nil, nil
}

// checker holds what the checks of a package share.
type checker struct {
	info   *types.Info
	bodies source.Bodies
	// counts holds the variables and the functions of the package that hold or
	// return the number of processors.
	counts map[types.Object]bool
}

// findCounts finds variables of the package that begin with the number of
// processors, and functions that return it.
func (c *checker) findCounts(files []*ast.File) {
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && len(v.Names) == len(v.Values) {
						for i, name := range v.Names {
							c.note(name, v.Values[i])
						}
					}
				}
			case *ast.FuncDecl:
				if d.Body == nil {
					continue
				}
				for _, s := range d.Body.List {
					if r, ok := s.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
						c.note(d.Name, r.Results[0])
					}
				}
			}
		}
	}
}

// note notes a name whose value is made from the number of processors.
func (c *checker) note(name *ast.Ident, value ast.Expr) {
	t := c.info.TypeOf(value)
	if t == nil || !floats.HasInteger(t) {
		return
	}
	ast.Inspect(value, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && isCount(source.Callee(c.info, call)) {
			c.counts[c.info.Defs[name]] = true
		}
		return true
	})
}

func isCount(f *types.Func) bool { return source.IsFunc(f, "runtime", "GOMAXPROCS", "NumCPU") }

// count returns the name of the number of processors that a node is, or "": a
// call of package runtime, or a variable or a function of the package.
func (c *checker) count(n ast.Node) (e ast.Expr, name string) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if f := source.Callee(c.info, n); isCount(f) {
			return n, "runtime." + f.Name()
		}
	case *ast.Ident:
		if o := c.info.Uses[n]; o != nil && c.counts[o] {
			return n, n.Name
		}
	}
	return nil, ""
}

// partialSum returns an accumulation in a loop of a function that starts
// goroutines, or a call there that adds a list up.
func (c *checker) partialSum(body *ast.BlockStmt) (at token.Pos, text string) {
	starts := false
	found := func(pos token.Pos, s string) {
		if !at.IsValid() {
			at, text = pos, s
		}
	}
	source.WithParents(body, func(n ast.Node, parents []ast.Node) {
		switch n := n.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.CallExpr:
			f := source.Callee(c.info, n)
			starts = starts || f != nil && f.Name() == "Go" && f.Signature().Recv() != nil
			for i := range n.Args {
				if source.AddsUp(c.info, c.bodies, n, i) {
					found(n.Pos(), source.Short(n))
				}
			}
		case *ast.AssignStmt:
			if source.Loop(parents) != nil {
				for _, a := range source.Accumulations(c.info, n) {
					found(a.Pos(), a.String())
				}
			}
		}
	})
	if !starts {
		return token.NoPos, ""
	}
	return at, text
}
