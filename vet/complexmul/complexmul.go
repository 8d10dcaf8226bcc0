package complexmul

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

// Analyzer finds complex multiplications and divisions.
var Analyzer = &analysis.Analyzer{
	Name: "complexmul",
	Doc:  source.Doc(doc),
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	report := comment.Filter(pass)
	found := func(pos token.Pos, whole, x, y ast.Expr, tok token.Token) {
		if !floats.IsComplex(pass.TypesInfo.TypeOf(x)) || isConstant(pass.TypesInfo, whole) ||
			tok != token.QUO && tok != token.QUO_ASSIGN && isSingle(pass.TypesInfo, x, y) {
			return
		}
		report(analysis.Diagnostic{
			Pos: pos, End: pos + token.Pos(len(tok.String())),
			Message: fmt.Sprintf("%s %s %s rounds differently where products are fused; "+
				"compute the real and the imaginary part with float64(x*y)",
				source.Short(x), tok, source.Short(y)),
		})
	}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.MUL || n.Op == token.QUO {
					found(n.OpPos, n, n.X, n.Y, n.Op)
				}
			case *ast.AssignStmt:
				if n.Tok == token.MUL_ASSIGN || n.Tok == token.QUO_ASSIGN {
					found(n.TokPos, nil, n.Lhs[0], n.Rhs[0], n.Tok)
				}
			}
			return true
		})
	}
	return nil, nil
}

// Exact returns the operators of complex64 products in a file: the compiler
// computes the four products in float64, where they are exact, so fusing one
// with a sum changes no bit.
func Exact(info *types.Info, f *ast.File) []token.Pos {
	var all []token.Pos
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.MUL && isSingle(info, n.X, n.Y) {
				all = append(all, n.OpPos)
			}
		case *ast.AssignStmt:
			if n.Tok == token.MUL_ASSIGN && isSingle(info, n.Lhs[0], n.Rhs[0]) {
				all = append(all, n.TokPos)
			}
		}
		return true
	})
	return all
}

// isSingle reports whether one of two operands is a complex64, and so both are.
func isSingle(info *types.Info, x, y ast.Expr) bool {
	for _, e := range []ast.Expr{x, y} {
		t := info.TypeOf(e)
		if t == nil {
			continue
		}
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Complex64 {
			return true
		}
	}
	return false
}

func isConstant(info *types.Info, e ast.Expr) bool {
	return e != nil && floats.Constant(info, e) != nil
}
