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
		if !floats.IsComplex(pass.TypesInfo.TypeOf(x)) || isConstant(pass.TypesInfo, whole) {
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

func isConstant(info *types.Info, e ast.Expr) bool {
	return e != nil && floats.Constant(info, e) != nil
}
