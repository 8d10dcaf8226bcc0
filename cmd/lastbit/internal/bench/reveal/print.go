package reveal

import (
	"fmt"
	"io"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// Write prints the table and the figures. It fails when w does.
func (t *Table) Write(w io.Writer) error {
	if _, err := fmt.Fprintln(w, t.headline()); err != nil {
		return err
	}
	if len(t.Rows) > 0 {
		fmt.Fprintln(w)
		text.Table(w, "", t.cells(), 1, 3, 4, 5, 6, 7)
	}
	for _, f := range t.Figures {
		fmt.Fprintln(w)
		if err := f.Table(w); err != nil {
			return err
		}
	}
	return nil
}

// headline counts the goals that are met.
func (t *Table) headline() string {
	met, of := 0, 0
	for _, r := range t.Rows {
		if r.Missing != "" {
			continue
		}
		of++
		if r.isMet() {
			met++
		}
	}
	const proof = "lastbit reveals and proves, FPRev's algorithm reveals only"
	if len(t.Rows) == 0 {
		return "seconds; " + proof
	}
	return fmt.Sprintf("%d of %d goals met; %s", met, of, proof)
}

// isMet reports whether lastbit reached the goal of a row.
func (r *Row) isMet() bool {
	return r.Lastbit.Seconds != nil && r.Goal != nil && *r.Lastbit.Seconds <= *r.Goal
}

// cells returns the rows of the table with their head.
func (t *Table) cells() [][]string {
	cells := [][]string{{"target", "n", "format", "goal, s", "lastbit, s", "calls", "FPRev, s",
		"calls", "result"}}
	for _, r := range t.Rows {
		result := r.Lastbit.Result
		switch {
		case r.Missing != "":
			result = r.Missing
		case r.Lastbit.Seconds != nil && r.FPRev.Seconds == nil:
			result += "; FPRev: " + r.FPRev.Result
		}
		cells = append(cells, []string{r.Name, fmt.Sprint(r.N), r.DType,
			experiment.Decimals(r.Goal, 2),
			experiment.Decimals(r.Lastbit.Seconds, 3), r.Lastbit.calls(),
			experiment.Decimals(r.FPRev.Seconds, 3), r.FPRev.calls(), result})
	}
	return cells
}

// calls writes the number of calls, "" where there is none.
func (t Time) calls() string {
	if t.Seconds == nil {
		return ""
	}
	return fmt.Sprint(t.Calls)
}
