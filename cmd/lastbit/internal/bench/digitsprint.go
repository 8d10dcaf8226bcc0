package bench

import (
	"fmt"
	"io"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// Write prints the table.
func (t *DigitsTable) Write(w io.Writer) {
	fmt.Fprintln(w, t.headline())
	fmt.Fprintln(w)
	rows := [][]string{{"", "plain, ms", "rewritten", "random rounding", "with a profile"}}
	for _, r := range t.Rows {
		plain := r.Plain / 1e6
		rows = append(rows, []string{r.Name, digits(&plain, 2), times(&r.Off), times(&r.On),
			times(&r.Profile)})
	}
	text.Table(w, "", rows, 1, 2, 3, 4)
	fmt.Fprintln(w)
	fmt.Fprintf(w, "rewriting and building took %.1f s\n", t.Build)
}

// headline returns the largest overheads.
func (t *DigitsTable) headline() string {
	if len(t.Rows) == 0 {
		return "nothing was measured"
	}
	off, on := 0.0, 0.0
	for _, r := range t.Rows {
		off, on = max(off, r.Off), max(on, r.On)
	}
	return fmt.Sprintf("programs with random rounding take up to %s as long as plain ones, "+
		"and %s without it", times(&on), times(&off))
}
