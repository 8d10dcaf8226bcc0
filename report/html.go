package report

import (
	"bytes"
	"embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed page
var pageFiles embed.FS

// HTML writes one page that shows the drawings, with a table of contents when
// there are several. The page loads nothing: style, script and trees are in it.
// Its trees can be zoomed, moved, folded and searched; without script, and on
// paper, it shows the pictures of SVG. It fails when w does, and with a
// *probe.Fault of ID bad-drawing when a drawing contradicts itself. Cost: linear
// in the trees, some twelve bytes of page a leaf.
func HTML(w io.Writer, drawings ...Drawing) error {
	page := pageData{Title: "Summation trees", Many: len(drawings) > 1}
	if len(drawings) == 1 {
		page.Title = drawings[0].title()
	}
	for i := range drawings {
		f, err := findingOf(&drawings[i], fmt.Sprintf("f%d", i+1))
		if err != nil {
			return err
		}
		page.Findings = append(page.Findings, f)
		if f.Tree != "" {
			page.Script = template.JS(pageFile("page.js"))
		}
	}
	page.Style = template.CSS(pageFile("page.css"))
	t, err := template.New("page").Parse(pageFile("page.html"))
	if err != nil {
		return err
	}
	return t.Execute(w, page)
}

// pageData is what page.html shows.
type pageData struct {
	Title    string
	Many     bool
	Findings []findingData
	Style    template.CSS
	Script   template.JS
}

// Class tells by its colour whether a verdict is proven.
func (pageData) Class(verdict string) string {
	if strings.HasSuffix(verdict, ", verified") || verdict == "exact" {
		return "ok"
	}
	return "no"
}

type findingData struct {
	ID, Title, Key, Line, Verdict string
	Facts                         []string
	Traits                        []Trait
	Warnings                      []string
	Legend                        []swatch
	Picture                       template.HTML
	Tree, Classes, Words          string
	LastLeaf, Height, Depth       int
}

type swatch struct {
	Name   string
	Colour int
}

func findingOf(d *Drawing, id string) (findingData, error) {
	if err := d.check(); err != nil {
		return findingData{}, err
	}
	f := findingData{ID: id, Title: d.title(), Key: d.keyLine(), Verdict: d.verdict(), Traits: d.Traits, Warnings: d.Warnings}
	f.Facts = d.facts()
	f.Line = strings.Join(f.Facts, " · ")
	if f.Verdict != "" {
		f.Facts = f.Facts[1:]
	}
	if d.Tree == nil {
		return f, nil
	}
	if len(d.Classes) > 1 {
		for i, name := range d.Classes {
			f.Legend = append(f.Legend, swatch{name, i % palette})
		}
	}
	classes, err := json.Marshal(append([]string{}, d.Classes...))
	if err != nil {
		return findingData{}, err
	}
	f.Classes = string(classes)
	folds := newFolds(d)
	f.Tree = base64.StdEncoding.EncodeToString(folds.encode())
	f.LastLeaf, f.Height = d.Tree.Leaves()-1, int(folds.high[d.Tree.Root()])
	f.Depth = min(3, f.Height)
	var words bytes.Buffer
	d.writeTree(&words)
	f.Words = strings.TrimRight(words.String(), "\n")
	// The section has title, facts and legend already.
	p := &picture{d: d, width: 360, height: margin}
	p.draw(folds)
	f.Picture = template.HTML(p.finish())
	return f, nil
}

// encode writes the tree and what is regular in it as varints: the numbers of
// leaves and inner nodes, then the nodes in post-order. A leaf is 0 and its
// distance from the leaf before; an inner node is its number of operands, class,
// shape, length of its chain and, unless that is 0, the operand along which the
// chain runs, and its levels of balanced combination.
func (f *folds) encode() []byte {
	t := f.t
	b := binary.AppendUvarint(nil, uint64(t.Leaves()))
	b = binary.AppendUvarint(b, uint64(t.Inner()))
	last, at := 0, 0
	leavesTo := func(end int) {
		for ; at < end; at++ {
			leaf := int(f.order[at])
			b = append(b, 0)
			b = binary.AppendVarint(b, int64(leaf-last))
			last = leaf
		}
	}
	// Inner ids are in post-order, and all leaves of a node come before it.
	for v := t.Leaves(); v < t.Nodes(); v++ {
		leavesTo(int(f.hi[v]))
		b = binary.AppendUvarint(b, uint64(len(t.Children(v))))
		b = binary.AppendUvarint(b, uint64(f.d.class(v)))
		b = binary.AppendUvarint(b, uint64(f.shape[v]))
		b = binary.AppendUvarint(b, uint64(f.run[v]))
		if f.run[v] > 0 {
			b = binary.AppendUvarint(b, uint64(f.link[v]))
		}
		b = binary.AppendUvarint(b, uint64(f.levels[v]))
	}
	leavesTo(t.Leaves())
	return b
}

// pageFile returns an embedded file; they are part of the program.
func pageFile(name string) string {
	b, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err)
	}
	return string(b)
}
