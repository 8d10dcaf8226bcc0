package report

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/probe"
)

var update = flag.Bool("update", false, "write the golden files again")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update writes it again); got\n%s", path, got)
	}
}

func each(t *testing.T, f func(t *testing.T, d Drawing)) {
	g := gallery()
	for _, name := range slices.Sorted(maps.Keys(g)) {
		t.Run(name, func(t *testing.T) { f(t, g[name]) })
	}
}

func TestGoldenText(t *testing.T) {
	var all bytes.Buffer
	g := gallery()
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if err := Text(&all, g[name]); err != nil {
			t.Fatal(err)
		}
		all.WriteString("\n")
	}
	golden(t, "trees.txt", all.Bytes())
}

func TestGoldenPictures(t *testing.T) {
	for _, name := range []string{"numpy32", "numpy1024", "dot1000", "fused9"} {
		var svg, dot bytes.Buffer
		d := gallery()[name]
		if err := errors.Join(SVG(&svg, d), DOT(&dot, d)); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".svg", svg.Bytes())
		if d.Tree.Leaves() <= 32 {
			golden(t, name+".dot", dot.Bytes())
		}
	}
}

func TestTextIsShort(t *testing.T) {
	each(t, func(t *testing.T, d Drawing) {
		var b bytes.Buffer
		if err := Tree(&b, d); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "\n"); n < 1 || n > 40 {
			t.Errorf("%d lines", n)
		}
	})
}

// onPage writes a page of one drawing.
func onPage(w io.Writer, d Drawing) error { return HTML(w, Page{Drawings: []Drawing{d}}) }

func TestBadDrawings(t *testing.T) {
	tree := chainTree(3)
	for name, d := range map[string]Drawing{
		"too few classes":     {Tree: tree, Class: []int{0}, Classes: []string{"a"}},
		"nameless class":      {Tree: tree, Class: []int{0, 1}, Classes: []string{"a"}},
		"negative class":      {Tree: tree, Class: []int{0, -1}, Classes: []string{"a"}},
		"classes and no tree": {Class: []int{0}, Classes: []string{"a"}},
	} {
		for _, f := range []func(io.Writer, Drawing) error{Text, Tree, SVG, DOT, onPage} {
			var fault *probe.Fault
			if err := f(io.Discard, d); !errors.As(err, &fault) || fault.ID != "bad-drawing" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestWriteErrors holds that an error of the writer comes back.
func TestWriteErrors(t *testing.T) {
	d := gallery()["numpy1024"]
	for name, f := range map[string]func(io.Writer) error{
		"Text":     func(w io.Writer) error { return Text(w, d) },
		"Tree":     func(w io.Writer) error { return Tree(w, d) },
		"SVG":      func(w io.Writer) error { return SVG(w, d) },
		"DOT":      func(w io.Writer) error { return DOT(w, d) },
		"HTML":     func(w io.Writer) error { return onPage(w, d) },
		"CellText": func(w io.Writer) error { return CellText(w, tiles(1, 1, 1, 1)) },
		"CellSVG":  func(w io.Writer) error { return CellSVG(w, tiles(1, 1, 1, 1)) },
	} {
		if err := f(failing{}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var errFull = errors.New("disk full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
