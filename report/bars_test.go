package report

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestBarsSVG(t *testing.T) {
	d := &Bars{Title: "a < b", Y: "ratio", Groups: []string{"exp", "log"}, Notes: []string{"& so on"},
		Series: []BarSeries{{"one", []float64{0.5, 2.5}}, {"two", []float64{-1, 1}}}}
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
	if s := b.String(); strings.Contains(s, "%!") || strings.Contains(s, "NaN") {
		t.Error(s)
	}
}
