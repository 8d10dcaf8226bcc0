package report

import (
	"bytes"
	"fmt"
	"io"
)

// Bars is a diagram of ratios: for each group, a bar for each series, from zero.
type Bars struct {
	Name   string      `json:"name"` // of its file, without an ending
	Title  string      `json:"title"`
	Y      string      `json:"y"`
	Groups []string    `json:"groups"`
	Series []BarSeries `json:"series"`
	Notes  []string    `json:"notes"`
}

// BarSeries is the bars of one colour: a value for each group; a negative one stands
// for none.
type BarSeries struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// Measures of a bar diagram, in pixels.
const (
	barLeft   = 96.0
	barRight  = 760.0
	barTop    = 72.0
	barHeight = 9.0
	barGap    = 9.0
)

// SVG writes the diagram as a picture, with a line at 1. It fails when w does.
func (d *Bars) SVG(w io.Writer) error {
	most := 1.2
	for _, s := range d.Series {
		for _, v := range s.Values {
			most = max(most, v)
		}
	}
	group := barHeight*float64(len(d.Series)) + barGap
	bottom := barTop + group*float64(len(d.Groups))
	place := func(v float64) float64 { return barLeft + (barRight-barLeft)*v/most }
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]s %[2]s" width="%[1]s" height="%[2]s" font-family="system-ui, sans-serif" font-size="13">
<style>
text { fill: #222; } .grid { stroke: #8884; } .one { stroke: #888; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } }
</style>
<title>%[3]s</title>
<text x="%[4]s" y="28" font-size="17">%[3]s</text>
<text x="%[4]s" y="%[5]s">%[6]s</text>
`, num(figureWidth), num(bottom+56+14*float64(len(d.Notes))), escape(d.Title), num(barLeft), num(barTop-18), escape(d.Y))
	for v := 0.0; v <= most; v += 0.5 {
		class := "grid"
		if v == 1 {
			class = "one"
		}
		x := num(place(v))
		fmt.Fprintf(&b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", class, x, num(barTop-8), x, num(bottom))
		fmt.Fprintf(&b, `<text x="%s" y="%s" text-anchor="middle">%g</text>`+"\n", x, num(bottom+16), v)
	}
	for i, name := range d.Groups {
		y := barTop + group*float64(i)
		fmt.Fprintf(&b, `<text x="%s" y="%s" text-anchor="end">%s</text>`+"\n", num(barLeft-8), num(y+group/2), escape(name))
		for j, s := range d.Series {
			if v := s.Values[i]; v >= 0 {
				fmt.Fprintf(&b, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n", num(barLeft), num(y+barHeight*float64(j)), num(place(v)-barLeft), num(barHeight), colours[j%len(colours)])
			}
		}
	}
	for j, s := range d.Series {
		y := barTop + legendLine*float64(j)
		fmt.Fprintf(&b, `<rect x="%s" y="%s" width="14" height="14" fill="%s"/><text x="%s" y="%s">%s</text>`+"\n", num(barRight+20), num(y-11), colours[j%len(colours)], num(barRight+42), num(y), escape(s.Name))
	}
	for i, n := range d.Notes {
		fmt.Fprintf(&b, `<text x="%s" y="%s" font-size="11">%s</text>`+"\n", num(barLeft), num(bottom+40+14*float64(i)), escape(n))
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}
