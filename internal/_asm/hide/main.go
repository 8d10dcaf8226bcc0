// Command hide writes a function that returns its argument, of which the compiler does not know that.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego")
	TEXT("hide", NOSPLIT, "func(p *byte) *byte")
	Doc("hide returns p, which does not escape by that.")
	Pragma("noescape")
	Load(Param("p"), reg.RAX)
	Store(reg.RAX, ReturnIndex(0))
	RET()
	Generate()
}
