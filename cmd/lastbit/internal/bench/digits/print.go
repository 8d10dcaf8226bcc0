package digits

import (
	"fmt"
	"io"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// Write prints the table, and the machine. It fails when w does.
func (t *Table) Write(w io.Writer) error {
	if _, err := fmt.Fprintln(w, t.headline()); err != nil {
		return err
	}
	fmt.Fprintln(w)
	rows := [][]string{{"", "plain, ms", "rewritten", "random rounding", "with a profile"}}
	for _, r := range t.Rows {
		plain := r.Plain / 1e6
		rows = append(rows, []string{r.Name, experiment.Decimals(&plain, 2),
			experiment.Times(&r.Off), experiment.Times(&r.On), experiment.Times(&r.Profile)})
	}
	text.Table(w, "", rows, 1, 2, 3, 4)
	fmt.Fprintln(w)
	fmt.Fprintf(w, "rewriting and building took %.1f s\n", t.Build)
	fmt.Fprintln(w, libm.ThisMachine())
	return nil
}

// headline returns the largest overheads.
func (t *Table) headline() string {
	if len(t.Rows) == 0 {
		return "nothing was measured"
	}
	off, on := 0.0, 0.0
	for _, r := range t.Rows {
		off, on = max(off, r.Off), max(on, r.On)
	}
	return fmt.Sprintf("programs with random rounding take up to %s as long as plain ones, "+
		"and %s without it", experiment.Times(&on), experiment.Times(&off))
}
