package portable

import (
	"go/types"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// sign rewrites a function that takes the sign of a number: math.Signbit
// becomes signs.Signbit. Other bits of a NaN stay: they may be what the program
// is about.
func sign(s *spot) string {
	fun, name := s.function()
	if fun != nil {
		f, _ := s.pkg.TypesInfo.Uses[name].(*types.Func)
		if source.IsFunc(f, "math", "Signbit", "Copysign") {
			if !s.done[fun] {
				s.done[fun] = true
				s.add(s.qualify(fun, signs))
			}
			return ""
		}
	}
	return "test for NaN first, and write one NaN for all"
}
