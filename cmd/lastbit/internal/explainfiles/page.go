package explainfiles

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/internal/svg"
	"github.com/lastbit/lastbit/report"
)

// WriteHTML writes a page of reports: the text of each, and pictures of the
// places, the distances and the bits.
func WriteHTML(w io.Writer, list []*Report, asked bool) error {
	return report.HTML(w, report.Page{
		Title: "Differences of two results", Lead: lead(list), Body: Body(list, asked),
	})
}

// lead answers on one line how much differs.
func lead(list []*Report) string {
	if len(list) == 1 {
		return Headline(list[0].Differences) + "."
	}
	differ := 0
	for _, r := range list {
		if r.Differing > 0 {
			differ++
		}
	}
	return fmt.Sprintf("%d of %s differ.", differ, text.Count(len(list), "array"))
}

// Body returns the text and the pictures of reports.
func Body(list []*Report, asked bool) template.HTML {
	var b strings.Builder
	for _, r := range list {
		if r.Name != "" {
			fmt.Fprintf(&b, "<h2>%s</h2>\n", template.HTMLEscapeString(r.Name))
		}
		fmt.Fprintf(&b, "<p class=\"sentence\"><b>%s</b></p>\n",
			template.HTMLEscapeString(Headline(r.Differences)))
		if r.Differing == 0 {
			continue
		}
		if asked {
			writeReasons(&b, r.Explanation)
		}
		places := strings.Join(r.Where.Clusters, "; ")
		if places == "" {
			places = "all over the array"
		}
		b.WriteString("<div class=\"pictures\">")
		figure(&b, "Places: "+places, gridSVG(r.Where))
		figure(&b, "Distances in ULPs", binsSVG(r.Histogram))
		figure(&b, "Bits that differ, the sign first", bitsSVG(r.Bits))
		b.WriteString("</div>\n")
	}
	return template.HTML(b.String()) // escaped above
}

// figure writes a picture under its heading.
func figure(b *strings.Builder, heading, picture string) {
	fmt.Fprintf(b, "<figure><h3>%s</h3>\n%s</figure>\n", template.HTMLEscapeString(heading),
		picture)
}

// writeReasons writes the causes.
func writeReasons(b *strings.Builder, x *explain.Explanation) {
	if !x.Explained {
		fmt.Fprintf(b, "<p>Unexplained: %s</p>\n", template.HTMLEscapeString(x.Reason))
	}
	for _, v := range x.Values {
		fmt.Fprintf(b, "<p>Cause: %s: a = %s, b = %s<br>To agree: %s</p>\n", v.Cause,
			template.HTMLEscapeString(v.A), template.HTMLEscapeString(v.B),
			template.HTMLEscapeString(v.Advice))
	}
	if x.A != nil && x.B != nil {
		fmt.Fprintf(b, "<p>%s</p>\n", template.HTMLEscapeString(closer(x)))
	}
}

// picture wraps the body of an SVG.
func picture(width, height float64, label, body string) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" `+
		`height="%s" role="img" aria-label="%s" font-family="sans-serif" font-size="12" `+
		`fill="currentColor">%s</svg>`+"\n", svg.Num(width), svg.Num(height), svg.Num(width),
		svg.Num(height), svg.Escape(label), body)
}

// gridSVG draws a square for each tile, the darker the more of its elements
// differ.
func gridSVG(w explain.Where) string {
	if len(w.Grid) == 0 {
		return ""
	}
	const size = 9.0
	var b strings.Builder
	most := int64(1)
	for _, row := range w.Grid {
		most = max(most, slices.Max(row))
	}
	for r, row := range w.Grid {
		for c, n := range row {
			opacity := 0.06
			if n > 0 {
				const faintest = 0.2
				opacity = faintest + (1-faintest)*float64(n)/float64(most)
			}
			fmt.Fprintf(&b, `<rect x="%s" y="%s" width="8" height="8" fill-opacity="%.2f">`+
				`<title>rows from %d, columns from %d: %d differ</title></rect>`,
				svg.Num(size*float64(c)), svg.Num(size*float64(r)), opacity, r*w.TileRows,
				c*w.TileColumns, n)
		}
	}
	return picture(size*float64(len(w.Grid[0])), size*float64(len(w.Grid)),
		"the places of the differences", b.String())
}

// binsSVG draws a bar for each distance.
func binsSVG(bins []explain.Bin) string {
	if len(bins) == 0 {
		return ""
	}
	const line, left, length = 18.0, 150.0, 300.0
	most := int64(1)
	for _, bin := range bins {
		most = max(most, bin.Count)
	}
	var b strings.Builder
	for i, bin := range bins {
		y := float64(line * float64(i))
		long := length * float64(bin.Count) / float64(most)
		fmt.Fprintf(&b, `<text x="%s" y="%s" text-anchor="end">%s</text>`+
			`<rect x="%s" y="%s" width="%s" height="12" fill-opacity="0.6"/>`+
			`<text x="%s" y="%s">%d</text>`,
			svg.Num(left-8), svg.Num(y+12), svg.Escape(span(bin)), svg.Num(left), svg.Num(y+2),
			svg.Num(max(long, 1)), svg.Num(left+long+6), svg.Num(y+12), bin.Count)
	}
	return picture(left+length+90, line*float64(len(bins)), "the distances", b.String())
}

// bitsSVG draws a bar for each bit.
func bitsSVG(bits []int64) string {
	const width, height = 9.0, 60.0
	most := max(slices.Max(bits), 1)
	var b strings.Builder
	for i, n := range bits {
		high := height * float64(n) / float64(most)
		fmt.Fprintf(&b, `<rect x="%s" y="%s" width="8" height="%s" fill-opacity="0.6">`+
			`<title>bit %d: %d differ</title></rect>`, svg.Num(width*float64(len(bits)-1-i)),
			svg.Num(height-high), svg.Num(max(high, 1)), i, n)
	}
	return picture(width*float64(len(bits)), height+1, "the bits that differ", b.String())
}
