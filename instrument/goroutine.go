package instrument

import "go/ast"

// starts has the functions of the standard library that start a goroutine for a
// function, and the place of that argument, from 1.
var starts = map[string]int{
	"(*sync.WaitGroup).Go": 1, "time.AfterFunc": 2, "context.AfterFunc": 2,
}

// fork rewrites a go statement so that the new goroutine is known.
func (r *rewriter) fork(n *ast.GoStmt) ast.Visitor {
	r.forks++
	r.insert(n.Pos(), "{ "+alias+"Labels := "+alias+".Fork(); ")
	ast.Walk(r, n.Call)
	r.insert(n.End(), "; "+alias+".Forked("+alias+"Labels) }")
	return nil
}

// started rewrites a call of a function that starts a goroutine.
func (r *rewriter) started(n *ast.CallExpr, f ast.Expr) ast.Visitor {
	ast.Walk(r, n.Fun)
	for _, a := range n.Args {
		if a == f {
			r.insert(a.Pos(), alias+".Started(")
		}
		ast.Walk(r, a)
		if a == f {
			r.insert(a.End(), ")")
			r.forks++
		}
	}
	return nil
}

// fullName returns the name of a function with its package, or "".
func (r *rewriter) fullName(f ast.Expr) string {
	if fn := r.function(f); fn != nil {
		return fn.FullName()
	}
	return ""
}
