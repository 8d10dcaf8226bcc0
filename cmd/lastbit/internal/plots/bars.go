package plots

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/internal/svg"
)

// Bars is a bar chart from zero on: each group has a bar for each series.
type Bars struct {
	Name   string      `json:"name"` // of its file, without an ending
	Title  string      `json:"title"`
	Y      string      `json:"y"`              // the quantity on the axis, with its unit
	Line   float64     `json:"line,omitempty"` // a value to mark, such as a ratio of 1; 0 for none
	Groups []string    `json:"groups"`
	Series []BarSeries `json:"series"`
	Notes  []string    `json:"notes"`
}

// BarSeries holds the bars of one colour: a value for each group, negative for
// no bar.
type BarSeries struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
	Labels []string  `json:"labels,omitempty"` // at the ends of the bars; the values if nil
}

// label returns the text at the end of a bar.
func (s *BarSeries) label(i int) string {
	if s.Labels != nil {
		return s.Labels[i]
	}
	return strconv.FormatFloat(s.Values[i], 'f', 2, 64)
}

// Measures of a bar diagram, in pixels.
const (
	barLeft   = 84.0
	barRight  = 920.0
	barTop    = 96.0
	barHeight = 11.0
	barGap    = 9.0
	barLabel  = 10.0 // font size
)

// SVG writes the diagram as a picture. It fails when w does.
func (d *Bars) SVG(w io.Writer) error {
	group := float64(barHeight*float64(len(d.Series))) + barGap
	bottom := barTop + float64(group*float64(len(d.Groups)))
	scale, most := d.scale()
	var b bytes.Buffer
	fmt.Fprintf(
		&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]s %[2]s" width="%[1]s" `+
			`height="%[2]s" font-family="system-ui, sans-serif" font-size="13">
<style>
text { fill: #222; } .grid { stroke: #8884; } .axis { stroke: #888; } .line { stroke: #888; `+
			`stroke-dasharray: 5 3; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } }
</style>
<title>%[3]s</title>
<text x="%[4]s" y="28" font-size="17">%[3]s</text>
`,
		svg.Num(figureWidth),
		svg.Num(bottom+56+float64(15*float64(len(d.Notes)))),
		svg.Escape(d.Title),
		svg.Num(barLeft),
	)
	d.legend(&b)
	place := func(v float64) string { return svg.Num(barLeft + float64(scale*v)) }
	vertical := func(class string, v float64) {
		x := place(v)
		fmt.Fprintf(&b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", class, x,
			svg.Num(barTop-8), x, svg.Num(bottom))
	}
	for i, step := 0, barStep(most); float64(i)*step <= most; i++ {
		v := float64(i) * step
		vertical("grid", v)
		fmt.Fprintf(&b, `<text x="%s" y="%s" text-anchor="middle">%s</text>`+"\n",
			place(v), svg.Num(bottom+16), strconv.FormatFloat(v, 'g', 6, 64))
	}
	if d.Line > 0 {
		vertical("line", d.Line)
	}
	fmt.Fprintf(&b, `<text x="%s" y="%s" text-anchor="end">%s</text>`+"\n", svg.Num(barRight),
		svg.Num(bottom+34), svg.Escape(d.Y))
	d.bars(&b, group, scale)
	vertical("axis", 0)
	for i, n := range d.Notes {
		fmt.Fprintf(&b, `<text x="%s" y="%s" font-size="11">%s</text>`+"\n", svg.Num(barLeft),
			svg.Num(bottom+50+float64(15*float64(i))), svg.Escape(n))
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// scale returns the pixels of a unit, so that all bars and their labels fit,
// and the end of the axis.
func (d *Bars) scale() (scale, most float64) {
	scale = (barRight - barLeft) / max(1.2*d.Line, math.SmallestNonzeroFloat64)
	for _, s := range d.Series {
		for i, v := range s.Values {
			if v > 0 {
				scale = min(scale, (barRight-barLeft-8-svg.TextWidth(s.label(i), barLabel))/v)
			}
		}
	}
	if math.IsInf(scale, 1) {
		scale = barRight - barLeft // every bar is 0
	}
	return scale, (barRight - barLeft) / scale
}

// barStep returns the distance of the grid lines, at most ten of them.
func barStep(most float64) float64 {
	step := crmath.Pow(10, math.Floor(crmath.Log10(most))-1)
	for _, factor := range []float64{2, 2.5, 2, 2, 2.5} { // 1, 2, 5, 10, 20, 50
		if most/step <= 10 {
			break
		}
		step *= factor
	}
	return step
}

// legend writes the names of the series on one line above the bars.
func (d *Bars) legend(b *bytes.Buffer) {
	x := barLeft
	for j, s := range d.Series {
		fmt.Fprintf(b, `<rect x="%s" y="45" width="14" height="14" fill="%s"/><text x="%s" y="57">`+
			`%s</text>`+"\n", svg.Num(x), colours[j%len(colours)], svg.Num(x+20),
			svg.Escape(s.Name))
		x += 20 + svg.TextWidth(s.Name, 13) + 28
	}
}

func (d *Bars) bars(b *bytes.Buffer, group, scale float64) {
	for i, name := range d.Groups {
		y := barTop + float64(group*float64(i))
		fmt.Fprintf(b, `<text x="%s" y="%s" text-anchor="end">%s</text>`+"\n", svg.Num(barLeft-8),
			svg.Num(y+float64((group-barGap)/2)+4.5), svg.Escape(name))
		for j, s := range d.Series {
			v := s.Values[i]
			if v < 0 {
				continue
			}
			top := y + float64(barHeight*float64(j))
			fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n",
				svg.Num(barLeft), svg.Num(top), svg.Num(scale*v), svg.Num(barHeight-1),
				colours[j%len(colours)])
			x := barLeft + float64(scale*v) + 4
			if line := barLeft + float64(scale*d.Line); x < line &&
				line < x+svg.TextWidth(s.label(i), barLabel) {
				x = line + 4
			}
			fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s">%s</text>`+"\n", svg.Num(x),
				svg.Num(top+barHeight-2), svg.Num(barLabel), svg.Escape(s.label(i)))
		}
	}
}
