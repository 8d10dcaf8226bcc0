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
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

//go:embed page
var pageFiles embed.FS

// WriteHTML writes a report as one page: its summary, the machine, the
// libraries, and for each operation the groups and their differences. The trees
// are folded at the end.
func WriteHTML(w io.Writer, r *Report) error {
	var part report.Part
	bodies, err := r.add(&part, "cure", "place", "tables")
	if err != nil {
		return err
	}
	part.Body = bodies
	return report.HTML(w, report.Page{
		Title: "How this machine adds", Lead: unbroken(r.Summary.sentence()),
		Parts: []report.Part{part},
	})
}

// Place returns the part of a page that describes the machine and its
// libraries.
func (r *Report) Place() (template.HTML, error) { return r.add(new(report.Part), "place") }

// AddTables adds the trees of a report to a part of a page, and returns the
// tables.
func (r *Report) AddTables(part *report.Part) (template.HTML, error) {
	return r.add(part, "cure", "tables")
}

// add adds the trees of a report to a part, and returns templates of the page.
func (r *Report) add(part *report.Part, names ...string) (template.HTML, error) {
	v := newView(r, part)
	t, err := template.New("audit.html").Funcs(template.FuncMap{
		"join": func(list []string) string { return strings.Join(list, ", ") },
	}).ParseFS(pageFiles, "page/audit.html")
	if err != nil {
		return "", err
	}
	var body bytes.Buffer
	for _, name := range names {
		if err := t.ExecuteTemplate(&body, name, v); err != nil {
			return "", err
		}
	}
	return template.HTML(body.String()), nil
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

	part *report.Part // holds the drawings
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
// Their drawings go into part.
func newView(r *Report, part *report.Part) *view {
	v := &view{
		part:      part,
		Cure:      r.Summary.Cure,
		Libraries: r.Libraries,
		Absent:    onePerLibrary(r.Absent),
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
		ID: t.id(), Name: t.name(),
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
		if anchor := v.part.Add(d); out.Finding == "" {
			out.Finding = anchor
		}
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
			p.ID = t.anchor(c)
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
	if t.Summary.Cure != "" {
		row("to agree", t.Summary.Cure)
	}
	return p
}

// id returns the anchor of a table.
func (t *Table) id() string { return fmt.Sprintf("%s-%s", t.Op, t.DType) }

// anchor returns the anchor of the smallest input of a cell.
func (t *Table) anchor(c Cell) string { return fmt.Sprintf("%s-%s-%s", t.id(), c.A, c.B) }

// onePerLibrary returns a row for each library that is not here, with the
// reason, but not all the places that were looked at.
func onePerLibrary(absent []probe.Listing) (rows [][]string) {
	seen := map[string]bool{}
	for _, row := range describe.Absences(absent) {
		if seen[row[0]] {
			continue
		}
		seen[row[0]] = true
		why, _, _ := strings.Cut(row[1], " in /")
		rows = append(rows, []string{row[0], why})
	}
	return rows
}
