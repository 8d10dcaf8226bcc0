package plots

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/internal/svg"
)

// Figure is a line chart of measurements: a series for each method, over the
// same kind of x. Both axes are logarithmic; a value that is not positive lies
// on the lower edge.
type Figure struct {
	Name   string   `json:"name"` // of its file, without an ending
	Title  string   `json:"title"`
	X      string   `json:"x"` // the quantity on the axis, with its unit
	Y      string   `json:"y"`
	Series []Series `json:"series"`
	Notes  []string `json:"notes"`
}

// Series is one line of a figure.
type Series struct {
	Name   string  `json:"name"`
	Points []Point `json:"points"`
	Bound  bool    `json:"bound,omitempty"` // a bound, not a measurement: drawn dashed
}

// Point is a point of a series.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Add adds a point to the series of a name, and makes the series if it is
// missing.
func (f *Figure) Add(name string, x, y float64) {
	s := f.series(name)
	s.Points = append(s.Points, Point{x, y})
}

// AddBound adds a point to the bound of a name.
func (f *Figure) AddBound(name string, x, y float64) {
	f.Add(name, x, y)
	f.series(name).Bound = true
}

// series returns the series of a name, and makes it if it is missing.
func (f *Figure) series(name string) *Series {
	for i := range f.Series {
		if f.Series[i].Name == name {
			return &f.Series[i]
		}
	}
	f.Series = append(f.Series, Series{Name: name})
	return &f.Series[len(f.Series)-1]
}

// Table writes the figure as a table: a row for each series, a column for each
// x. It fails when w does.
func (f *Figure) Table(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s, by %s\n\n", f.Title, f.Y, f.X)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	xs := f.abscissae()
	for _, x := range xs {
		fmt.Fprintf(t, "\t%s", short(x))
	}
	fmt.Fprintln(t)
	for _, s := range f.Series {
		fmt.Fprint(t, s.Name)
		for _, x := range xs {
			cell := ""
			for _, p := range s.Points {
				if p.X == x {
					cell = fmt.Sprintf("%.3g", p.Y)
				}
			}
			fmt.Fprint(t, "\t", cell)
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, n := range f.Notes {
		fmt.Fprintf(&b, "\n%s", n)
	}
	if len(f.Notes) > 0 {
		fmt.Fprintln(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// abscissae returns every x of the figure, in order.
func (f *Figure) abscissae() []float64 {
	var xs []float64
	for _, s := range f.Series {
		for _, p := range s.Points {
			xs = append(xs, p.X)
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}

// short writes x as a power of two if it is a large one, or with three digits.
func short(x float64) string {
	if m, e := math.Frexp(x); m == 0.5 && e > 5 {
		return fmt.Sprintf("2^%d", e-1)
	}
	return fmt.Sprintf("%.3g", x)
}

// Measures of a figure's picture, in pixels.
const (
	figureWidth  = 960.0
	figureHeight = 560.0
	plotLeft     = 84.0
	plotRight    = 640.0
	plotTop      = 64.0
	plotBottom   = 500.0
	legendLine   = 20.0
)

// colours distinguish series, on light and dark pages.
var colours = []string{
	"#4477aa", "#ee6677", "#228833", "#ccaa22", "#66ccee",
	"#aa3377", "#888888", "#ee8866", "#44bb99", "#9988dd",
}

// SVG writes the figure as a picture. It fails when w does.
func (f *Figure) SVG(w io.Writer) error {
	x := f.axis(func(p Point) float64 { return p.X })
	y := f.axis(func(p Point) float64 { return p.Y })
	x.from, x.to, y.from, y.to = plotLeft, plotRight, plotBottom, plotTop
	height := max(figureHeight, plotTop+float64(legendLine*float64(len(f.Series)))+40)
	var b bytes.Buffer
	fmt.Fprintf(
		&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%[1]s" `+
			`height="%[2]s" font-family="system-ui, sans-serif" font-size="13">
<style>
text { fill: #222; } .axis { stroke: #888; } .grid { stroke: #8884; } .series { fill: none; `+
			`stroke-width: 2; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } }
</style>
<title>%s</title>
<text x="%s" y="28" font-size="17">%[3]s</text>
`,
		svg.Num(figureWidth),
		svg.Num(height),
		svg.Escape(f.Title),
		svg.Num(plotLeft),
	)
	f.axes(&b, x, y)
	for i, s := range f.Series {
		f.line(&b, i, s, x, y)
	}
	for i, n := range f.Notes {
		fmt.Fprintf(&b, `<text x="%s" y="%s" font-size="11">%s</text>`+"\n", svg.Num(plotLeft),
			svg.Num(plotBottom+52+float64(14*float64(i))), svg.Escape(n))
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// axes draws both axes, with a line for each power of two or ten.
func (f *Figure) axes(b *bytes.Buffer, x, y axis) {
	tick := func(class string, x1, y1, x2, y2 float64) {
		fmt.Fprintf(b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", class,
			svg.Num(x1), svg.Num(y1), svg.Num(x2), svg.Num(y2))
	}
	for _, v := range x.ticks() {
		p := x.place(v)
		tick("grid", p, plotTop, p, plotBottom)
		fmt.Fprintf(b, `<text x="%s" y="%s" text-anchor="middle">%s</text>`+"\n", svg.Num(p),
			svg.Num(plotBottom+18), short(v))
	}
	for _, v := range y.ticks() {
		p := y.place(v)
		tick("grid", plotLeft, p, plotRight, p)
		fmt.Fprintf(b, `<text x="%s" y="%s" text-anchor="end">%s</text>`+"\n", svg.Num(plotLeft-6),
			svg.Num(p+4), short(v))
	}
	tick("axis", plotLeft, plotBottom, plotRight, plotBottom)
	tick("axis", plotLeft, plotTop, plotLeft, plotBottom)
	fmt.Fprintf(b, `<text x="%s" y="%s" text-anchor="middle">%s</text>`+"\n",
		svg.Num((plotLeft+plotRight)/2), svg.Num(plotBottom+36), svg.Escape(f.X))
	fmt.Fprintf(b, `<text x="%s" y="%s">%s</text>`+"\n", svg.Num(plotLeft), svg.Num(plotTop-12),
		svg.Escape(f.Y))
}

// line draws a series and its line of the legend.
func (f *Figure) line(b *bytes.Buffer, i int, s Series, x, y axis) {
	colour, dash := colours[i%len(colours)], ""
	if s.Bound || i >= len(colours) {
		dash = ` stroke-dasharray="6 4"`
	}
	var points []string
	for _, p := range s.Points {
		points = append(points, svg.Num(x.place(p.X))+","+svg.Num(y.place(p.Y)))
	}
	fmt.Fprintf(b, `<polyline class="series" stroke="%s"%s points="%s"/>`+"\n", colour, dash,
		strings.Join(points, " "))
	at := plotTop + float64(legendLine*float64(i))
	fmt.Fprintf(b, `<line class="series" stroke="%s"%s x1="%s" y1="%s" x2="%s" y2="%[4]s"/>`+"\n",
		colour, dash, svg.Num(plotRight+20), svg.Num(at), svg.Num(plotRight+48))
	fmt.Fprintf(b, `<text x="%s" y="%s">%s</text>`+"\n", svg.Num(plotRight+56), svg.Num(at+4),
		svg.Escape(s.Name))
}

// axis maps values to pixels, logarithmically.
type axis struct {
	low, high float64 // positive
	from, to  float64 // their pixels
	base      float64 // whose powers have a tick
}

// axis returns the axis for one coordinate of all points.
func (f *Figure) axis(of func(Point) float64) axis {
	a := axis{low: math.Inf(1), base: 2}
	for _, s := range f.Series {
		for _, p := range s.Points {
			v := of(p)
			if !(v > 0) || math.IsInf(v, 1) {
				continue
			}
			a.low, a.high = min(a.low, v), max(a.high, v)
			if m, _ := math.Frexp(v); m != 0.5 {
				a.base = 10
			}
		}
	}
	if a.high == 0 {
		return axis{low: 0.1, high: 10, base: 10}
	}
	if a.high/a.low < 1000 {
		a.base = 2
	}
	if a.high/a.low < 4 {
		a.low, a.high = a.low/2, a.high*2
	}
	return a
}

// place returns the pixel of v, or of the edge that it lies beyond.
func (a axis) place(v float64) float64 {
	v = min(max(v, a.low), a.high)
	return a.from + (a.to-a.from)*crmath.Log(v/a.low)/crmath.Log(a.high/a.low)
}

// ticks returns up to a dozen powers of the base.
func (a axis) ticks() (t []float64) {
	step := max(1, math.Ceil(crmath.Log(a.high/a.low)/crmath.Log(a.base)/10))
	for e := math.Ceil(crmath.Log(a.low)/crmath.Log(a.base) - 1e-9); ; e += step {
		v := crmath.Pow(a.base, e)
		if v > a.high*1.0001 {
			return t
		}
		t = append(t, v)
	}
}
