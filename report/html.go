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

	Parts []Part // come after the drawings
}

// Part is a part of a page with drawings of its own, which are folded.
type Part struct {
	ID    string        // anchor; "" for a part without a heading
	Title string        // heading
	Body  template.HTML // comes before the drawings; not escaped

	Drawings []Drawing
}

// Add adds a drawing and returns its anchor.
func (p *Part) Add(d Drawing) string {
	p.Drawings = append(p.Drawings, d)
	return p.anchor(len(p.Drawings))
}

// anchor returns the anchor of drawing n, from 1.
func (p *Part) anchor(n int) string {
	if p.ID == "" {
		return fmt.Sprintf("f%d", n)
	}
	return fmt.Sprintf("%s-f%d", p.ID, n)
}

// lower replaces headings by the ones a level lower.
var lower = strings.NewReplacer("<h3", "<h4", "</h3>", "</h4>", "<h2", "<h3", "</h2>", "</h3>")

// body returns the body. The headings of a part with a title are one level
// lower.
func (p *Part) body() template.HTML {
	if p.Title == "" {
		return p.Body
	}
	return template.HTML(lower.Replace(string(p.Body)))
}

// HTML writes a page: lead and body, the drawings, the parts and the glossary.
// Several drawings that are not folded have a table of contents. The words of
// the glossary are explained where they first appear. The page loads nothing:
// style, script and trees are in it. Its trees can be zoomed, moved, folded and
// searched; without script, and on paper, it shows the pictures of SVG. HTML
// fails when w does, and with a *probe.Fault of ID bad-drawing when a drawing
// contradicts itself. Cost: linear in the trees, some twelve bytes of page a
// leaf.
func HTML(w io.Writer, p Page) error {
	data := pageData{
		Title: p.Title, Lead: p.Lead, Body: p.Body, Folded: p.Folded,
		Header: p.Lead != "" || len(p.Drawings) != 1, Index: !p.Folded && len(p.Drawings) > 1,
		Style:    template.CSS(pageFile("page.css")+pageFile("sections.css")+svgStyle) + p.Style,
		Script:   template.JS(script("glossary.js")),
		Glossary: Glossary(),
	}
	if data.Title == "" && len(p.Drawings) == 1 {
		data.Title = p.Drawings[0].title()
	}
	if data.Title == "" {
		data.Title = "Summation trees"
	}
	trees := map[string]string{}
	var err error
	top := Part{Drawings: p.Drawings}
	if data.Findings, err = top.findings(trees); err != nil {
		return err
	}
	for _, part := range p.Parts {
		list, err := part.findings(trees)
		if err != nil {
			return err
		}
		data.Parts = append(data.Parts, partData{part.ID, part.Title, part.body(), list})
	}
	if len(trees) > 0 {
		data.Script = template.JS(
			script("tree.js", "layout.js", "canvas.js", "viewer.js", "glossary.js"))
	}
	t, err := template.New("page").Parse(pageFile("page.html") + pageFile("finding.html"))
	if err != nil {
		return err
	}
	return t.Execute(w, data)
}

// findings returns the drawings of a part. trees holds the anchors of the trees
// that the page has already: a tree is written once.
func (p *Part) findings(trees map[string]string) ([]findingData, error) {
	var list []findingData
	section := ""
	for i := range p.Drawings {
		f, err := findingOf(&p.Drawings[i], p.anchor(i+1))
		if err != nil {
			return nil, err
		}
		if f.Section == section {
			f.Section = ""
		} else {
			section = f.Section
		}
		if f.Tree != "" {
			content := f.Tree + " " + f.Labels
			if f.Like = trees[content]; f.Like == "" {
				trees[content] = f.ID
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// pageData holds the fields of page.html.
type pageData struct {
	Title, Lead           string
	Body                  template.HTML
	Header, Index, Folded bool
	Findings              []findingData
	Parts                 []partData
	Glossary              []Term
	Style                 template.CSS
	Script                template.JS
}

// partData holds the fields of a Part.
type partData struct {
	ID, Title string
	Body      template.HTML
	Findings  []findingData
}

// Class returns the class of a verdict: proven or not.
func (findingData) Class(verdict string) string {
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
	Like                          string // anchor of the finding with the same tree; "" for none
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
	// The section has title, facts and legend already, and the page the style.
	p := &picture{d: d, width: 360, height: margin}
	p.draw(folds)
	f.Picture = template.HTML(strings.Replace(string(p.finish()), svgStyleElement, "", 1))
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

// script returns files joined inside one function, so that the page has no
// global names. A class comes after the one it extends.
func script(names ...string) string {
	var b strings.Builder
	b.WriteString("'use strict';\n(() => {\n")
	for _, name := range names {
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
