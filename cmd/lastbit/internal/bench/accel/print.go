package accel

import (
	"fmt"
	"io"
	"strconv"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// Write prints the table, and the machine. It fails when w does.
func (t *Table) Write(w io.Writer) error {
	if _, err := fmt.Fprintln(w, t.headline()); err != nil {
		return err
	}
	fmt.Fprintln(w)
	rows := [][]string{{"unit", "inputs", "scales", "group", "added", "keeps", "result",
		"Mmac/s", "instruction", "source"}}
	for _, r := range t.Rows {
		rows = append(rows, r.cells())
	}
	text.Table(w, "", rows, 3, 5, 6, 7)
	fmt.Fprintln(w)
	_, err := fmt.Fprintln(w, libm.ThisMachine())
	return err
}

// cells returns the columns of a unit.
func (r Row) cells() []string {
	a, scales, keeps := r.Arithmetic, "", ""
	if a.Block > 0 {
		scales = fmt.Sprintf("%v of %d", a.Scale, a.Block)
	}
	if a.Bits > 0 {
		keeps = strconv.Itoa(a.Bits)
	}
	return []string{r.Unit, r.In.String(), scales, strconv.Itoa(a.Terms), a.Structure.String(),
		keeps, strconv.Itoa(a.Precision), strconv.FormatFloat(r.Rate, 'f', 0, 64), r.Instruction,
		r.Source}
}

// headline returns the range of the rates, and the units that miss the goal.
func (t *Table) headline() string {
	low, high, below := t.Rows[0].Rate, t.Rows[0].Rate, 0
	for _, r := range t.Rows {
		low, high = min(low, r.Rate), max(high, r.Rate)
		if r.Rate < t.Goal {
			below++
		}
	}
	s := fmt.Sprintf("%.0f to %.0f million multiply-adds a second on one core; ", low, high)
	if below == 0 {
		return s + fmt.Sprintf("all %d units reach the goal of %.0f", len(t.Rows), t.Goal)
	}
	return s + fmt.Sprintf("%d of %d units miss the goal of %.0f", below, len(t.Rows), t.Goal)
}
