package audit

import (
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/reveal"
)

// WriteText writes a report for a terminal. The first line answers whether the
// targets agree. The reasons and the cure are under it.
func WriteText(w io.Writer, r *Report) error {
	var buffer strings.Builder
	b := text.For(w).To(&buffer)
	b.Line("", leadOf(b, r.Summary, len(r.Tables) > 1))
	for _, s := range []string{r.Summary.details, r.Summary.advice()} {
		if s != "" {
			text.WriteWrapped(b, "", s)
		}
	}
	fmt.Fprintln(b)
	for _, t := range r.Tables {
		t.writeText(b)
		fmt.Fprintln(b)
	}
	writeLibraries(b, r.Libraries)
	if rows := describe.Absences(r.Absent); len(rows) > 0 {
		fmt.Fprintln(b, b.Heading("not here:"))
		text.Table(b, "  ", rows)
	}
	writeWords(b, r.words())
	_, err := io.WriteString(w, buffer.String())
	return err
}

// leadOf reports on one line whether the targets agree.
func leadOf(p *text.Printer, s Summary, several bool) string {
	switch {
	case s.Ways < 2:
		return strings.TrimSuffix(s.answer, ".")
	case s.Conclusion == reveal.Open:
		why := "their trees differ"
		if len(s.Unverified) > 0 {
			why = "without proof of " + strings.Join(s.Unverified, ", ")
		}
		return fmt.Sprintf("%s: no input distinguishes these %d ways to add, %s",
			p.Doubtful("not told apart"), s.Ways, why)
	case s.Results < 2:
		const same = "%s: all %d ways to add gave the same bits on every input tried"
		return fmt.Sprintf(same, p.Good("the same"), s.Ways)
	case several:
		const most = "%s: %d ways to add give up to %d different results for one operation"
		return fmt.Sprintf(most, p.Bad("different"), s.Ways, s.Results)
	}
	return fmt.Sprintf("%s: %d ways to add give %d different results", p.Bad("different"), s.Ways,
		s.Results)
}

// writeLibraries lists the libraries, with their kernels and files.
func writeLibraries(p *text.Printer, all []Library) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(p, p.Heading("libraries:"))
	for _, l := range all {
		s := l.Name
		if len(l.Kernels) > 0 {
			s += " (" + strings.Join(l.Kernels, ", ") + ")"
		}
		if len(l.Runtimes) > 0 {
			s += ": " + strings.Join(l.Runtimes, ", ")
		}
		text.WriteWrapped(p, "  ", s)
	}
}

// writeWords explains orders and verdicts, a line each.
func writeWords(p *text.Printer, words []word) {
	if len(words) == 0 {
		return
	}
	fmt.Fprintln(p, p.Heading("meaning of the names:"))
	for _, v := range words {
		text.WriteWrapped(p, "  ", v.Name+": "+v.Meaning)
	}
}

// writeText writes a table: its groups, its failures, and the differences.
func (t *Table) writeText(p *text.Printer) {
	fmt.Fprintln(p, p.Heading(t.title()))
	if len(t.Groups) > 0 {
		groups := make([]describe.Group, len(t.Groups))
		for i, g := range t.Groups {
			groups[i] = describe.Group{Letter: g.Letter, Words: g.Words}
			for _, r := range g.Members {
				m := describe.Member{
					Target: r.address,
					Calls:  fmt.Sprint(r.calls()),
					Proof:  r.proof(),
				}
				groups[i].Members = append(groups[i].Members, m)
			}
		}
		describe.WriteGroups(p, groups)
	}
	for _, f := range t.Failed {
		text.WriteWrapped(p, "  –  ",
			f.Target+" could not be run: "+f.Error.Cause+
				" [docs/reference/errors.md#"+f.Error.ID+"]")
	}
	t.writePairs(p)
}

// explainAlike explains the difference of two groups with the same words.
func (t *Table) explainAlike(p Pair) string {
	if p.Difference == nil {
		return p.A + " and " + p.B + ": " + p.Note
	}
	d := p.Difference
	s := fmt.Sprintf("%s and %s differ on %s of random inputs", p.A, p.B, describe.Share(*d))
	if d.Differ == 0 {
		s = fmt.Sprintf("%s and %s agree on random inputs, but not on an input made for another "+
			"target here", p.A, p.B)
	}
	if v := d.Witness; v != nil {
		s += fmt.Sprintf(": for one of %s they give %s and %s (--json has it)",
			text.Count(v.Summands, describe.Input(t.Op)), v.Bits[0], v.Bits[1])
	}
	if d.Differ > 0 {
		s += ": " + t.command(p)
	}
	return s
}

// usually returns a typical distance as a cell of a table.
func usually(ulps uint64) string {
	if ulps == 0 {
		return "–"
	}
	return text.ULPs(ulps)
}

// writePairs writes the differences of the first group from the others, and the
// command that shows them.
func (t *Table) writePairs(p *text.Printer) {
	rows := [][]string{
		{
			"", "differs from A on", "usually by", "smallest input found", "A gives", "it gives",
			"apart",
		},
	}
	var notes []string
	see := ""
	for i, pair := range t.Pairs {
		d := pair.Difference
		if d == nil {
			notes = append(notes, pair.A+" and "+pair.B+": "+pair.Note)
			continue
		}
		row := []string{p.Letter(i+1, pair.B), describe.Share(*d), usually(d.TypicalULPs)}
		if v := d.Witness; v != nil {
			row = append(row, text.Count(v.Summands, describe.Input(t.Op)), v.Bits[0], v.Bits[1],
				describe.Apart(v))
		} else {
			row = append(row, "none", "", "", "")
		}
		rows = append(rows, row)
		switch {
		case pair.Note != "":
			notes = append(notes, pair.A+" and "+pair.B+" differ "+pair.Note+": "+t.command(pair))
		case see == "":
			see = t.command(pair)
		}
	}
	for _, pair := range t.Alike {
		if pair.A != t.Groups[0].Letter {
			notes = append(notes, t.explainAlike(pair))
		}
	}
	if len(rows) > 1 {
		text.Table(p, "  ", rows)
	}
	for _, s := range notes {
		text.WriteWrapped(p, "     ", s)
	}
	if see != "" {
		p.Line("     ", "see: "+see)
	}
}
