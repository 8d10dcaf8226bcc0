package audit

import (
	"fmt"
	"io"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/report"
	"github.com/lastbit/lastbit/reveal"
)

// WriteHTML writes a report as one page.
func WriteHTML(w io.Writer, r *Report) error {
	var all []report.Drawing
	add := func(f *reveal.Finding, title string) {
		d := describe.Drawing(f)
		d.Title = title
		if f.Verdict == reveal.TreeVerdict {
			d.Family = describe.Brief(f)
		}
		all = append(all, d)
	}
	for _, t := range r.Tables {
		for _, g := range t.Groups {
			var names []string
			for _, r := range g.Members {
				names = append(names, r.address)
			}
			title := fmt.Sprintf("%s · %s: %s", t.name(), g.Letter, strings.Join(names, ", "))
			add(g.Members[0].Finding, title)
			if s := g.Members[0].Shifted; s != nil {
				add(s, fmt.Sprintf("%s (data %d bytes past a multiple of 64)", title, s.Key.Align))
			}
		}
	}
	return report.HTML(w, all...)
}
