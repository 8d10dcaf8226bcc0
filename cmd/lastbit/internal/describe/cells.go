package describe

import (
	"fmt"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/reveal"
)

// Cells reports on one line whether the cells of a matrix are computed alike,
// in the colours of a printer.
func Cells(p *text.Printer, m *reveal.CellMap) string {
	if n := len(m.Representative); n > 1 {
		return fmt.Sprintf("%s, which differ in their order or arithmetic, in %s",
			p.Bad(fmt.Sprintf("cells of %d kinds", n)), text.Count(m.Calls, "call"))
	}
	return fmt.Sprintf("%s, in %s", p.Good("all cells agreed"), text.Count(m.Calls, "call"))
}
