package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/sumtree"
)

func TestSVGIsWellFormed(t *testing.T) {
	each(t, func(t *testing.T, d Drawing) {
		d.Title += ` <&"'>`
		var b bytes.Buffer
		if err := SVG(&b, d); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 100_000 {
			t.Errorf("%d bytes", b.Len())
		}
		wellFormed(t, b.Bytes())
		if regexp.MustCompile(`NaN|Inf|="-`).Match(b.Bytes()) {
			t.Error("a coordinate is not a number or off the page")
		}
	})
}

func wellFormed(t *testing.T, doc []byte) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(doc))
	dec.Entity = xml.HTMLEntity
	for {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestFullPictureHasEveryLeaf counts the leaf numbers and additions of small
// pictures.
func TestFullPictureHasEveryLeaf(t *testing.T) {
	for _, tree := range []*sumtree.Tree{
		chainTree(1), chainTree(64), pairwiseTree(64), fusedTree(64, 16), randomTree(63, 5, 4),
	} {
		var b bytes.Buffer
		if err := SVG(&b, Drawing{Tree: tree}); err != nil {
			t.Fatal(err)
		}
		for leaf := range tree.Leaves() {
			if n := strings.Count(b.String(), `">`+strconv.Itoa(leaf)+`</text>`); n < 1 {
				t.Errorf("leaf %d of %d is missing", leaf, tree.Leaves())
			}
		}
		if n := strings.Count(b.String(), "<circle"); n != tree.Inner() {
			t.Errorf("%d discs for %d inner nodes", n, tree.Inner())
		}
	}
}

// TestMillion draws a tree of a million leaves of three shapes.
func TestMillion(t *testing.T) {
	const n = 1 << 20
	for _, tree := range []*sumtree.Tree{pairwiseTree(n), chainTree(n), randomTree(n, 9, 2)} {
		var b bytes.Buffer
		if err := SVG(&b, Drawing{Tree: tree}); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 100_000 {
			t.Errorf("%d bytes", b.Len())
		}
	}
}
