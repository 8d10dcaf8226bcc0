package portable

import (
	"go/ast"
	"go/types"
)

// conversion rewrites int(x) to trunc.Int(x), which takes the same numbers to
// the same integers on every platform.
func conversion(s *spot) string {
	var call *ast.CallExpr
	for _, n := range s.path {
		if c, ok := n.(*ast.CallExpr); ok && c.Pos() == s.from && c.End() == s.to {
			call = c
		}
	}
	if call == nil || len(call.Args) != 1 {
		return "the conversion is not found in the source"
	}
	to := s.pkg.TypesInfo.TypeOf(call.Fun)
	b, ok := to.Underlying().(*types.Basic)
	_, fromParameter := types.Unalias(s.pkg.TypesInfo.TypeOf(call.Args[0])).(*types.TypeParam)
	if _, isParameter := types.Unalias(to).(*types.TypeParam); !ok || isParameter || fromParameter {
		return "the type is a type parameter: compare with its bounds first"
	}
	names := map[types.BasicKind]string{
		types.Int: "Int", types.Int8: "Int8", types.Int16: "Int16", types.Int32: "Int32",
		types.Int64: "Int64", types.Uint: "Uint", types.Uint8: "Uint8", types.Uint16: "Uint16",
		types.Uint32: "Uint32", types.Uint64: "Uint64", types.Uintptr: "Uintptr",
	}
	if s.done[call] {
		return ""
	}
	s.done[call] = true
	name := s.use(trunc) + "." + names[b.Kind()]
	if _, ok := types.Unalias(to).(*types.Basic); ok {
		s.add(edit{call.Fun.Pos(), call.Fun.End(), name})
		return ""
	}
	s.add(insert(call.Lparen, "("+name), insert(call.End(), ")"))
	return ""
}
