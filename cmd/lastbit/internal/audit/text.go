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
	b := &strings.Builder{}
	for _, t := range r.Tables {
		t.writeText(b)
		fmt.Fprintln(b)
	}
	writeLibraries(b, r.Libraries)
	if rows := absences(r); len(rows) > 0 {
		fmt.Fprintln(b, "not here:")
		text.Table(b, "  ", rows)
	}
	writeWords(b, r.words())
	fmt.Fprintln(b)
	text.WriteWrapped(b, "", r.Summary.Text)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeLibraries lists the libraries, with their kernels and files.
func writeLibraries(w io.Writer, all []Library) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(w, "libraries:")
	for _, l := range all {
		s := l.Name
		if len(l.Kernels) > 0 {
			s += " (" + strings.Join(l.Kernels, ", ") + ")"
		}
		if len(l.Runtimes) > 0 {
			s += ": " + strings.Join(l.Runtimes, ", ")
		}
		text.WriteWrapped(w, "  ", s)
	}
}

// maxName bounds the column of names of orders and verdicts. A longer name gets a
// line of its own.
const maxName = 28

// writeWords explains orders and verdicts, a line each.
func writeWords(w io.Writer, words []word) {
	if len(words) == 0 {
		return
	}
	width := 0
	for _, v := range words {
		if n := text.Width(v.Name); n <= maxName {
			width = max(width, n)
		}
	}
	fmt.Fprintln(w, "what the names mean:")
	for _, v := range words {
		name := v.Name
		if text.Width(name) > width {
			fmt.Fprintln(w, "  "+name)
			name = ""
		}
		text.WriteWrapped(w, "  "+text.Pad(name, width)+"  ", v.Meaning)
	}
}

// maxReason bounds the reason of an absence, in characters. JSON has all of it.
const maxReason = 90

// absences returns one row for each library that is not here, with the reason.
func absences(r *Report) (rows [][]string) {
	seen := map[[2]string]bool{}
	for _, l := range r.Absent {
		if !seen[[2]string{l.Library, l.Absent}] {
			seen[[2]string{l.Library, l.Absent}] = true
			rows = append(rows, []string{l.Library, text.Shorten(l.Absent, maxReason)})
		}
	}
	return rows
}

// writeText writes a table: its groups, what failed, and how groups differ.
func (t *Table) writeText(w io.Writer) {
	fmt.Fprintln(w, t.title())
	if len(t.Groups) > 0 {
		groups := make([]describe.Group, len(t.Groups))
		for i, g := range t.Groups {
			groups[i] = describe.Group{Letter: g.Letter, Words: g.Words}
			for _, r := range g.Members {
				m := describe.Member{Target: r.address, Calls: fmt.Sprint(r.calls()), Proof: r.proof()}
				groups[i].Members = append(groups[i].Members, m)
			}
		}
		describe.WriteGroups(w, groups)
	}
	for _, f := range t.Failed {
		text.WriteWrapped(w, "  –  ", f.Target+" could not be run: "+f.Error.Cause+" [docs/errors.md#"+f.Error.ID+"]")
	}
	t.writePairs(w)
}

// writePairs writes how the first group differs from the others, and the command
// that shows it.
func (t *Table) writePairs(w io.Writer) {
	rows := [][]string{{"", "differs from A on", "smallest input found", "A gives", "it gives", "apart"}}
	var notes []string
	see := ""
	for _, p := range t.Pairs {
		d := p.Difference
		if d == nil {
			notes = append(notes, p.A+" and "+p.B+": "+p.Note)
			continue
		}
		row := []string{p.B, describe.Share(*d), "none", "", "", ""}
		if v := d.Witness; v != nil {
			row = []string{p.B, describe.Share(*d), text.Count(v.Summands, "summand"), v.Bits[0], v.Bits[1], text.ULPs(v.ULPs)}
		}
		rows = append(rows, row)
		switch {
		case p.Note != "":
			notes = append(notes, p.A+" and "+p.B+" differ "+p.Note+": "+t.command(p))
		case see == "":
			see = t.command(p)
		}
	}
	if len(rows) > 1 {
		text.Table(w, "  ", rows)
	}
	for _, s := range notes {
		text.WriteWrapped(w, "     ", s)
	}
	if see != "" {
		fmt.Fprintln(w, "     see: "+see)
	}
}
