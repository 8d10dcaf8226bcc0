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

// Page is the content of an HTML page.
type Page struct {
	Title string        // "Summation trees" where empty; of one drawing, its own
	Lead  string        // the first paragraph, "" for none
	Body  template.HTML // comes between lead and drawings; not escaped
	Style template.CSS  // of Body, added to the page's own

	Drawings []Drawing
	Folded   bool // each drawing opens at a click on its title
}

// HTML writes a page: lead and body, the drawings and the glossary. Several
// drawings that are not folded have a table of contents. The page loads
// nothing: style, script and trees are in it. Its trees can be zoomed, moved,
// folded and searched; without script, and on paper, it shows the pictures of
// SVG. HTML fails when w does, and with a *probe.Fault of ID bad-drawing when a
// drawing contradicts itself. Cost: linear in the trees, some twelve bytes of
// page a leaf.
func HTML(w io.Writer, p Page) error {
	data := pageData{
		Title: p.Title, Lead: p.Lead, Body: p.Body, Folded: p.Folded,
		Header: p.Lead != "" || len(p.Drawings) != 1, Index: !p.Folded && len(p.Drawings) > 1,
		Style: template.CSS(pageFile("page.css")) + p.Style, Glossary: Glossary(),
	}
	if data.Title == "" && len(p.Drawings) == 1 {
		data.Title = p.Drawings[0].title()
	}
	if data.Title == "" {
		data.Title = "Summation trees"
	}
	section := ""
	for i := range p.Drawings {
		f, err := findingOf(&p.Drawings[i], fmt.Sprintf("f%d", i+1))
		if err != nil {
			return err
		}
		if f.Section == section {
			f.Section = ""
		} else {
			section = f.Section
		}
		data.Findings = append(data.Findings, f)
		if f.Tree != "" {
			data.Script = template.JS(pageScript())
		}
	}
	t, err := template.New("page").Parse(pageFile("page.html"))
	if err != nil {
		return err
	}
	return t.Execute(w, data)
}

// pageData holds the fields of page.html.
type pageData struct {
	Title, Lead           string
	Body                  template.HTML
	Header, Index, Folded bool
	Findings              []findingData
	Glossary              []Term
	Style                 template.CSS
	Script                template.JS
}

// Class returns the class of a verdict: proven or not.
func (pageData) Class(verdict string) string {
	if strings.HasSuffix(verdict, ", verified") || verdict == "exact" {
		return "ok"
	}
	return "no"
}

type findingData struct {
	ID, Section, Title, Key, Line string
	Verdict                       string
	Facts                         []string
	Meanings, Traits              []Trait
	Warnings                      []string
	Witness                       *Witness
	Legend                        []swatch
	Picture                       template.HTML
	Tree, Classes, Labels, Words  string
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
	f := findingData{
		ID: id, Section: d.Section, Title: d.title(), Key: d.keyLine(), Verdict: d.verdict(),
		Meanings: d.meanings(), Traits: d.Traits, Warnings: d.Warnings, Witness: d.Witness,
	}
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
	if f.Labels, err = folds.encodeLabels(); err != nil {
		return findingData{}, err
	}
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

// encode writes the tree and its regular parts as varints: the numbers of
// leaves and inner nodes, then the nodes in post-order. A leaf is 0 and its
// distance from the leaf before. An inner node is its number of operands, its
// class, its shape, the length of its chain, the operand that continues the
// chain (unless the length is 0), and its levels of balanced combination.
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

// pageScript returns the viewer's files joined inside one function, so that the
// page has no global names. A class comes after the one it extends.
func pageScript() string {
	var b strings.Builder
	b.WriteString("'use strict';\n(() => {\n")
	for _, name := range []string{"tree.js", "layout.js", "canvas.js", "viewer.js"} {
		b.WriteString(pageFile(name))
	}
	b.WriteString("})();\n")
	return b.String()
}

// pageFile returns an embedded file.
func pageFile(name string) string {
	b, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err)
	}
	return string(b)
}
