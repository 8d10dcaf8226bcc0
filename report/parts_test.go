package report

import (
	"bytes"
	"strings"
	"testing"
)

// TestParts checks the anchors of parts, that a tree comes once, and that the
// headings of a part with a title are lower.
func TestParts(t *testing.T) {
	d := gallery()["chain1000"]
	first, second := Part{ID: "a", Title: "First <part>", Body: "<h2>x</h2><h3>y</h3>"}, Part{}
	anchors := []string{first.Add(d), first.Add(d), second.Add(d)}
	var b bytes.Buffer
	if err := HTML(&b, Page{Lead: "Parts.", Parts: []Part{first, second}}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, id := range anchors {
		if strings.Count(page, `id="`+id+`"`) != 1 {
			t.Errorf("the anchor %s is not there once", id)
		}
	}
	if anchors[0] != "a-f1" || anchors[2] != "f1" {
		t.Errorf("anchors %v", anchors)
	}
	if strings.Count(page, "data-tree=") != 1 || strings.Count(page, `data-like="a-f1"`) != 2 {
		t.Error("the tree is not there once")
	}
	if !strings.Contains(page, "<h3>x</h3><h4>y</h4>") ||
		!strings.Contains(page, "First &lt;part&gt;") {
		t.Error("the body or the title of the part is wrong")
	}
}
