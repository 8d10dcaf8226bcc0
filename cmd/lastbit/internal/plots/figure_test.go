package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func figure() *Figure {
	return &Figure{
		Title: "Sums & times", X: "n", Y: "ns", Notes: []string{"a < b"},
		Series: []Series{
			{Name: "loop", Points: []Point{{1024, 0.5}, {4096, 0.25}}},
			{Name: "exact", Points: []Point{{1024, 0.125}, {65536, 0}}},
			{Name: "bound", Bound: true, Points: []Point{{4096, 1e-20}}},
		},
	}
}

func TestFigureTable(t *testing.T) {
	var b strings.Builder
	if err := figure().Table(&b); err != nil {
		t.Fatal(err)
	}
	want := `Sums & times
ns, by n

       2^10   2^12   2^16
loop   0.5    0.25   
exact  0.125         0
bound         1e-20  

a < b
`
	if b.String() != want {
		t.Errorf("got\n%q\nwant\n%q", b.String(), want)
	}
}

func TestFigureSVG(t *testing.T) {
	for name, f := range map[string]*Figure{
		"figure": figure(), "empty": {Title: "nothing"},
		"zero": {Series: []Series{{Points: []Point{{1, 0}}}}},
	} {
		var b bytes.Buffer
		if err := f.SVG(&b); err != nil {
			t.Fatal(err)
		}
		lines := 0
		for d := xml.NewDecoder(&b); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "polyline" {
				lines++
			}
		}
		if lines != len(f.Series) {
			t.Errorf("%s: %d lines for %d series", name, lines, len(f.Series))
		}
		if strings.Contains(b.String(), "NaN") {
			t.Errorf("%s: a place is not a number", name)
		}
	}
}
