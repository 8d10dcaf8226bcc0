package plots

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/svg"
)

func TestBarsSVG(t *testing.T) {
	d := &Bars{
		Title:  "a < b",
		Y:      "ratio",
		Line:   1,
		Groups: []string{"exp", "log"},
		Notes:  []string{"& so on"},
		Series: []BarSeries{
			{Name: "one", Values: []float64{0.5, 2.5}},
			{Name: "two", Values: []float64{-1, 1}, Labels: []string{"", "none & all"}},
		},
	}
	var b strings.Builder
	if err := d.SVG(&b); err != nil {
		t.Fatal(err)
	}
	rects := 0
	for x := xml.NewDecoder(strings.NewReader(b.String())); ; {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "rect" {
			rects++
		}
	}
	if want := 3 + 2; rects != want { // a bar for each value there is, and the legend
		t.Errorf("%d bars, want %d", rects, want)
	}
	for _, want := range []string{">2.50<", ">none &amp; all<", `class="line"`, ">0.5<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
	if s := b.String(); strings.Contains(s, "%!") || strings.Contains(s, "NaN") {
		t.Error(s)
	}
}

// TestBarsOfAnySize checks that every bar and its label lie inside the picture,
// and that the axis has some lines, but not too many.
func TestBarsOfAnySize(t *testing.T) {
	for _, most := range []float64{0, 5e-324, 1e-9, 0.3, 1, 1.3, 7, 99, 101, 65536, 1e300} {
		d := &Bars{
			Groups: []string{"x"},
			Series: []BarSeries{
				{Name: "s", Values: []float64{most}, Labels: []string{"a label of some length"}},
			},
		}
		var b strings.Builder
		if err := d.SVG(&b); err != nil {
			t.Fatal(err)
		}
		scale, end := d.scale()
		label := svg.TextWidth("a label of some length", barLabel)
		if edge := barLeft + scale*most + label; edge > barRight {
			t.Errorf("a bar of %g ends at %g", most, edge)
		}
		if lines := strings.Count(b.String(), `class="grid"`); most > 1e-300 &&
			(lines < 2 || lines > 10) {
			t.Errorf("an axis to %g has %d lines", end, lines)
		}
		if s := b.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Error(s)
		}
	}
}
