package audit

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

//go:embed page
var pageFiles embed.FS

// WriteHTML writes a report as one page: its summary, the machine, the
// libraries, and for each operation the groups and their differences. The trees
// are folded at the end.
func WriteHTML(w io.Writer, r *Report) error {
	v := newView(r)
	t, err := template.New("audit.html").Funcs(template.FuncMap{
		"join": func(list []string) string { return strings.Join(list, ", ") },
	}).ParseFS(pageFiles, "page/audit.html")
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := t.Execute(&body, v); err != nil {
		return err
	}
	style, err := pageFiles.ReadFile("page/audit.css")
	if err != nil {
		return err
	}
	return report.HTML(w, report.Page{
		Title: "How this machine adds", Lead: unbroken(r.Summary.sentence()),
		Body: template.HTML(body.String()), Style: template.CSS(style),
		Drawings: v.drawings, Folded: true,
	})
}

// unbroken keeps numbers and their unit on one line.
func unbroken(s string) string { return strings.ReplaceAll(s, " ULP", "\u00a0ULP") }

// view holds the parts of a report that the page shows.
type view struct {
	Cure      string
	Machine   []report.Trait
	Libraries []Library
	Absent    [][]string
	Tables    []*tableView

	drawings []report.Drawing
}

// tableView holds the parts of a table that the page shows.
type tableView struct {
	ID, Name, Shape, Sentence string
	Usually                   string
	Summary                   Summary
	Groups                    []groupView
	Failed                    []Failure
	Refusals                  []refusalView
	Columns                   []letter
	Rows                      []rowView
	Notes                     []string
	Pairs                     []pairView
}

// letter is the name of a group, and whether all of it is proven.
type letter struct {
	Letter string
	Proven bool
}

func letterOf(g Group) letter { return letter{g.Letter, g.Members[0].unproven() == nil} }

// groupView holds the parts of a group that the page shows.
type groupView struct {
	letter
	Words    string
	Meanings []string
	Members  []string
	Doubtful bool
	Proof    string
	Finding  string // ID of its drawing
}

// refusalView is a target that is not one fixed tree, with the reason.
type refusalView struct {
	Letter, Target, Verdict string
	Witness                 *report.Witness
}

// rowView is a row of the matrix: one group against those before it.
type rowView struct {
	letter
	Cells []cellView
}

// cellView describes the differences of two groups in words. Heat grows with
// the share.
type cellView struct {
	Share, Apart, Size string
	Heat               int
	Target             string // ID of its pairView, "" for none
}

// pairView is the smallest input that shows that two groups differ.
type pairView struct {
	ID          string
	A, B        letter
	Size, Apart string
	Values      []report.Trait
}

// newView returns the parts of a report that the page shows.
func newView(r *Report) *view {
	v := &view{
		Cure:      r.Summary.Cure,
		Libraries: r.Libraries,
		Absent:    describe.Absences(r.Absent),
		Machine: []report.Trait{
			{Name: "platform", Value: r.Machine.Platform},
			{Name: "CPU", Value: text.Or(r.Machine.CPU, "unknown")},
			{Name: "cores", Value: fmt.Sprint(r.Machine.Cores)},
			{Name: "lastbit", Value: r.Machine.Lastbit},
		},
	}
	if len(r.Machine.Settings) > 0 {
		v.Machine = append(v.Machine,
			report.Trait{Name: "settings", Value: strings.Join(r.Machine.Settings, " ")})
	}
	for _, t := range r.Tables {
		v.Tables = append(v.Tables, v.table(t))
	}
	return v
}

// table returns the view of a table, and adds its drawings.
func (v *view) table(t *Table) *tableView {
	out := &tableView{
		ID: fmt.Sprintf("%s-%s", t.Op, t.DType), Name: t.name(),
		Shape:    strings.TrimPrefix(t.title(), t.name()+" · "),
		Sentence: unbroken(t.Summary.sentence()),
		Usually:  usually(t.Summary.TypicalULPs),
		Summary:  t.Summary, Failed: t.Failed,
	}
	for _, g := range t.Groups {
		out.Groups = append(out.Groups, v.group(t, g))
		if f := g.Members[0].unproven(); f != nil && f.Witness != nil {
			out.Refusals = append(out.Refusals, refusalView{
				g.Letter, g.Members[0].address, describe.VerdictName(f), describe.Witness(f),
			})
		}
	}
	out.fillMatrix(t)
	return out
}

// group returns the view of a group, and adds its drawings.
func (v *view) group(t *Table, g Group) groupView {
	first := g.Members[0]
	out := groupView{
		letter: letterOf(g), Words: g.Words, Proof: first.proof(),
		Finding:  fmt.Sprintf("f%d", len(v.drawings)+1),
		Doubtful: first.doubtful() != nil,
	}
	for _, m := range g.Members {
		out.Members = append(out.Members, m.address)
	}
	for _, f := range first.findings() {
		meaning := text.Or(describe.FamilyMeaning(f), f.Meaning())
		out.Meanings = addOnce(out.Meanings, meaning)
		d := describe.Drawing(f)
		d.Section, d.Title = t.name(), g.Letter+": "+strings.Join(out.Members, ", ")
		if f == first.Shifted {
			d.Title += fmt.Sprintf(" (data %d bytes past a multiple of 64)", f.Key.Align)
		}
		if f.Verdict == reveal.TreeVerdict {
			d.Family = describe.Brief(f)
		}
		v.drawings = append(v.drawings, d)
	}
	return out
}

// fillMatrix fills the matrix of a table, its notes and its pairs.
func (v *tableView) fillMatrix(t *Table) {
	if len(t.Groups) < 2 {
		return
	}
	index := map[string]int{}
	for i, g := range t.Groups {
		index[g.Letter] = i
		v.Rows = append(v.Rows, rowView{letterOf(g), make([]cellView, i)})
		v.Columns = append(v.Columns, letterOf(g))
	}
	for _, c := range t.Matrix {
		a, b := index[c.A], index[c.B]
		cell := describeCell(c)
		if c.pair.Difference != nil && c.pair.Difference.Witness != nil {
			p := describePair(t, c, t.Groups[a], t.Groups[b])
			p.ID = fmt.Sprintf("%s-%s-%s", v.ID, c.A, c.B)
			cell.Target = p.ID
			v.Pairs = append(v.Pairs, p)
		}
		v.Rows[b].Cells[a] = cell
		if c.Note != "" {
			v.Notes = append(v.Notes, noteOf(c))
		}
	}
	v.Rows = v.Rows[1:]
	v.Columns = v.Columns[:len(v.Columns)-1]
}

// noteOf returns the note of a cell as a sentence.
func noteOf(c Cell) string {
	if c.pair.Difference != nil {
		return fmt.Sprintf("%s and %s differ %s.", c.A, c.B, c.Note)
	}
	return fmt.Sprintf("%s and %s: %s.", c.A, c.B, c.Note)
}

// describeCell returns the words of a cell of the matrix.
func describeCell(c Cell) cellView {
	d := c.pair.Difference
	switch {
	case d == nil && c.Formats:
		return cellView{Share: "–", Apart: "other format"}
	case d == nil:
		return cellView{Share: "agree", Apart: "see below"}
	}
	v := cellView{Share: describe.Share(*d)}
	switch share := 100 * d.Differ / max(d.Tried, 1); {
	case share >= 67:
		v.Heat = 3
	case share >= 34:
		v.Heat = 2
	case d.Differ > 0:
		v.Heat = 1
	}
	if c.TypicalULPs > 0 {
		v.Apart = text.ULPs(c.TypicalULPs)
	}
	if c.Summands > 0 {
		v.Size = text.Count(c.Summands, "summand")
	}
	return v
}

// describePair describes the smallest input that distinguishes groups a and b.
func describePair(t *Table, c Cell, a, b Group) pairView {
	w := c.pair.Difference.Witness
	x, y := a.Members[0], b.Members[0]
	p := pairView{
		A:     letterOf(a),
		B:     letterOf(b),
		Size:  text.Count(w.Summands, "summand"),
		Apart: describe.Apart(w),
	}
	row := func(name, value string) {
		p.Values = append(p.Values, report.Trait{Name: name, Value: value})
	}
	row("x", text.Sparse(w.X, t.DType))
	if len(w.Y) > 0 {
		row("y", text.Sparse(w.Y, t.DType))
	}
	for k, r := range []*Row{x, y} {
		row(r.address, text.Decimal(w.Outs[k], r.Finding.Key.Out)+" ("+w.Bits[k]+")")
	}
	if first := c.pair.Difference.FirstNode; first != "" {
		row("trees", first)
	}
	row("see", t.command(c.pair))
	return p
}
