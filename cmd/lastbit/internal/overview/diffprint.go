package overview

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

// Answer returns on one line whether the reports differ.
func (d *Diff) Answer() string {
	var parts []string
	for _, t := range d.Topics {
		if t.Results {
			n := 0
			for _, e := range t.Entries {
				n += 1 + len(e.Like)
			}
			parts = append(parts, fmt.Sprintf("%s (%d)", t.Title, n))
		}
	}
	switch d.Conclusion {
	case reveal.Different:
		return "different: " + strings.Join(parts, ", ")
	case reveal.Open:
		return "not told apart: no difference was found, but " + d.doubts()
	}
	return "the same: nothing differs that results depend on"
}

// doubts names what keeps the reports from being the same.
func (d *Diff) doubts() string {
	var parts []string
	if n := len(d.Unverified); n == 1 {
		parts = append(parts, "1 way to add is not proven")
	} else if n > 1 {
		parts = append(parts, fmt.Sprintf("%d ways to add are not proven", n))
	}
	if len(d.Apart) > 0 {
		parts = append(parts, "not everything could be compared")
	}
	return strings.Join(parts, ", and ")
}

// Cure returns the settings that end the differences, "" where there is nothing
// to set.
func (d *Diff) Cure() string {
	switch {
	case d.Settings == nil:
		return ""
	case d.Settings.Pin == nil:
		return d.Settings.Why
	}
	return d.Settings.Answer()
}

// WriteText writes the differences for a terminal, the answer first.
func (d *Diff) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	p := text.For(w).To(b)
	paint := map[reveal.Conclusion]func(string) string{
		reveal.Different: p.Bad, reveal.Open: p.Doubtful, reveal.Same: p.Good,
	}[d.Conclusion]
	p.Line("", paint(text.Visible(d.Answer())))
	if cure := d.Cure(); cure != "" {
		text.WriteWrapped(p, "", "Settings: "+text.Visible(cure))
	}
	for _, s := range d.Apart {
		text.WriteWrapped(p, "– ", text.Visible(s))
	}
	for _, t := range d.Topics {
		fmt.Fprintf(p, "\n%s\n", p.Heading(t.Title))
		for _, e := range t.Entries {
			text.WriteWrapped(p, "  ", text.Visible(e.Names()))
			for _, row := range append([]report.Trait{{Name: "A", Value: e.A},
				{Name: "B", Value: e.B}}, e.Evidence()...) {
				text.WriteWrapped(p, "    "+p.Faint(text.Pad(row.Name, 9))+" ",
					text.Visible(row.Value))
			}
		}
	}
	if len(d.Unverified) > 0 {
		fmt.Fprintf(p, "\n%s\n", p.Heading("Not proven in both, and not known to differ"))
		text.WriteWrapped(p, "  ", text.Visible(strings.Join(d.Unverified, ", ")))
	}
	return b.Flush()
}

// Names lists the names of an entry and of those that differ alike.
func (e *Entry) Names() string {
	return strings.Join(append([]string{e.Name}, e.Like...), ", ")
}

// Evidence returns the rows below the two sides.
func (e *Entry) Evidence() []report.Trait {
	rows := make([]report.Trait, 0, len(e.Rows))
	for _, r := range e.Rows {
		switch r.Name {
		case "A", "B":
			r.Name += " gives"
		}
		rows = append(rows, r)
	}
	return rows
}

// WriteHTML writes the differences as a page, side by side.
func (d *Diff) WriteHTML(w io.Writer) error {
	body, err := execute("diff", d)
	if err != nil {
		return err
	}
	return report.HTML(w, report.Page{Title: "Two reports", Lead: d.Answer() + ".", Body: body})
}
