package instrument

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// rounding has the functions and methods of package math/big that round, by
// their full names. They round in integers, which no run perturbs.
var rounding = map[string]bool{
	"(*math/big.Float).Add": true, "(*math/big.Float).Sub": true,
	"(*math/big.Float).Mul": true, "(*math/big.Float).Quo": true,
	"(*math/big.Float).Sqrt": true, "(*math/big.Float).SetRat": true,
	"(*math/big.Float).SetPrec": true, "(*math/big.Float).Float64": true,
	"(*math/big.Float).Float32": true, "(*math/big.Rat).Float64": true,
	"(*math/big.Rat).Float32": true, "(*math/big.Int).Float64": true,
}

// omitBigFloats notes the rewritten packages that call functions of math/big
// which round, each with the first place that does.
func (p *Program) omitBigFloats(c *choice) {
	for _, pkg := range c.rewritten {
		if at := firstRounding(pkg); at.IsValid() {
			place := pkg.Fset.Position(at)
			p.Omitted = append(p.Omitted, Omission{
				Package: pkg.PkgPath, File: relative(pkg, place.Filename), Line: place.Line,
				Why: BigFloat, Reached: true,
			})
		}
	}
}

// firstRounding returns the first place in a package where math/big rounds.
func firstRounding(pkg *packages.Package) (at token.Pos) {
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			name, ok := n.(*ast.Ident)
			if !ok || at.IsValid() {
				return !at.IsValid()
			}
			if fn, ok := pkg.TypesInfo.Uses[name].(*types.Func); ok && rounding[fn.FullName()] {
				at = name.Pos()
			}
			return true
		})
	}
	return at
}
