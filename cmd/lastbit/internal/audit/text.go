package audit

import (
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// WriteText writes a report for a terminal. The last sentence is its summary.
func WriteText(w io.Writer, r *Report) error {
	var buffer strings.Builder
	b := text.For(w).To(&buffer)
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
	fmt.Fprintln(b)
	text.WriteWrapped(b, "", r.Summary.Text)
	_, err := io.WriteString(w, buffer.String())
	return err
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
			f.Target+" could not be run: "+f.Error.Cause+" [docs/errors.md#"+f.Error.ID+"]")
	}
	t.writePairs(p)
}

// writePairs writes the differences of the first group from the others, and the
// command that shows them.
func (t *Table) writePairs(p *text.Printer) {
	rows := [][]string{
		{"", "differs from A on", "smallest input found", "A gives", "it gives", "apart"},
	}
	var notes []string
	see := ""
	for i, pair := range t.Pairs {
		d := pair.Difference
		if d == nil {
			notes = append(notes, pair.A+" and "+pair.B+": "+pair.Note)
			continue
		}
		row := []string{p.Letter(i+1, pair.B), describe.Share(*d), "none", "", "", ""}
		if v := d.Witness; v != nil {
			row = []string{
				p.Letter(i+1, pair.B),
				describe.Share(*d),
				text.Count(v.Summands, "summand"),
				v.Bits[0],
				v.Bits[1],
				describe.Apart(v),
			}
		}
		rows = append(rows, row)
		switch {
		case pair.Note != "":
			notes = append(notes, pair.A+" and "+pair.B+" differ "+pair.Note+": "+t.command(pair))
		case see == "":
			see = t.command(pair)
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
