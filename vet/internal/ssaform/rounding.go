package ssaform

import (
	"go/ast"
	"go/types"
	"maps"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// withRounding returns the information about a package with a type of its own
// for each conversion of a floating-point or complex number to the type that it
// has. Package ssa leaves such a conversion out, and the language rounds there:
// so it is an ssa.ChangeType, or an ssa.MultiConvert for a type parameter.
func withRounding(pkg *types.Package, files []*ast.File, info *types.Info) *types.Info {
	changed := map[ast.Expr]types.TypeAndValue{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			to, of := info.Types[call.Fun], info.Types[call.Args[0]]
			if to.IsType() && of.Value == nil && floats.IsSummand(to.Type) &&
				types.Identical(to.Type, of.Type) {
				result := info.Types[call]
				result.Type = alike(pkg, to.Type)
				changed[call] = result
			}
			return true
		})
	}
	if len(changed) == 0 {
		return info
	}
	all := *info
	all.Types = maps.Clone(info.Types)
	maps.Copy(all.Types, changed)
	return &all
}

// alike returns another type with the values of a floating-point type.
func alike(pkg *types.Package, t types.Type) types.Type {
	name := types.NewTypeName(0, pkg, "rounded", nil)
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return types.NewTypeParam(name, p.Constraint())
	}
	return types.NewNamed(name, t.Underlying(), nil)
}
