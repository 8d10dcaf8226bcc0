package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/lastbit/lastbit/internal/svg"
)

const (
	maxSVGRows     = 44 // items without kids in a folded picture
	maxSVGExplicit = 8  // alike subtrees that are drawn one by one
	maxSVGFull     = 64 // leaves of a tree that is not folded
)

// SVG writes a picture of the tree. Up to 64 leaves it shows every addition,
// the root on top and the leaves below, in the order of a walk. Larger trees
// are folded and drawn from left to right, so that they fit one screen. A node
// shows "+", or the number of operands it adds at once. The picture is readable
// on light and dark pages. A drawing without a tree shows its facts only.
//
// SVG fails when w does, and with a *probe.Fault of ID bad-drawing when the
// drawing contradicts itself. Cost: linear in the tree; the size of the picture
// is bounded.
func SVG(w io.Writer, d Drawing) error {
	if err := d.check(); err != nil {
		return err
	}
	p := newPicture(&d)
	if d.Tree != nil {
		p.draw(newFolds(&d))
	}
	p.legend()
	_, err := w.Write(p.finish())
	return err
}

// picture collects the elements of an SVG and the room they need.
type picture struct {
	d      *Drawing
	under  bytes.Buffer // lines
	over   bytes.Buffer // everything on top of them
	width  float64
	height float64
}

const margin = 24.0

// newPicture returns a picture that begins with the facts.
func newPicture(d *Drawing) *picture {
	p := &picture{d: d, width: 360, height: margin}
	p.height += 18
	p.text(margin, p.height, "lb-title", 17, d.title())
	lines := []string{d.keyLine(), strings.Join(d.facts(), "  ·  ")}
	traits := make([]string, len(d.Traits))
	for i, t := range d.Traits {
		traits[i] = t.Name + ": " + t.Value
	}
	lines = append(lines, strings.Join(traits, "  ·  "))
	for _, s := range d.Warnings {
		lines = append(lines, "Warning: "+s)
	}
	for _, s := range lines {
		if s != "" {
			p.height += 20
			p.text(margin, p.height, "lb-sub", 12.5, s)
		}
	}
	p.height += 26
	return p
}

// text writes a line of text that begins at x and makes room for it.
func (p *picture) text(x, y float64, class string, size float64, s string) {
	fmt.Fprintf(&p.over, `<text class="%s" x="%s" y="%s">%s</text>`+"\n", class, svg.Num(x),
		svg.Num(y), svg.Escape(s))
	p.room(x+svg.TextWidth(s, size), y)
}

// centred writes text in the middle of a node.
func (p *picture) centred(x, y float64, class, s string) {
	fmt.Fprintf(&p.over, `<text class="%s" x="%s" y="%s">%s</text>`+"\n", class, svg.Num(x),
		svg.Num(y), svg.Escape(s))
}

func (p *picture) room(x, y float64) {
	p.width, p.height = max(p.width, x+margin), max(p.height, y)
}

// draw draws the tree below the present elements.
func (p *picture) draw(f *folds) {
	if p.d.Tree.Leaves() <= maxSVGFull {
		p.fullTree(f.view(viewOptions{full: true}))
		return
	}
	p.foldedTree(f.view(viewOptions{maxRows: maxSVGRows, explicit: maxSVGExplicit}))
}

// place is the position of an item in a picture.
type place struct {
	it    *item
	level int
	first int // index of the first kid's place; kids are not adjacent
	last  int
	x, y  float64
}

// places returns the items in the order of a walk, kids after their parent.
func places(root *item) []place {
	type frame struct {
		it     *item
		level  int
		parent int
	}
	var ps []place
	stack := []frame{{root, 0, -1}}
	for len(stack) > 0 {
		fr := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		at := len(ps)
		ps = append(ps, place{it: fr.it, level: fr.level, first: -1})
		if fr.parent >= 0 {
			if ps[fr.parent].first < 0 {
				ps[fr.parent].first = at
			}
			ps[fr.parent].last = at
		}
		for i := len(fr.it.kids) - 1; i >= 0; i-- {
			stack = append(stack, frame{fr.it.kids[i], fr.level + 1, at})
		}
	}
	return ps
}

// fullTree draws every node, root on top.
func (p *picture) fullTree(root *item) {
	ps := places(root)
	high := make([]int, len(ps))
	parent := parentsOf(ps)
	for i := len(ps) - 1; i > 0; i-- {
		high[parent[i]] = max(high[parent[i]], high[i]+1)
	}
	pitch, rise := 24.0, 34.0
	if high[0] > 16 {
		rise = 24
	}
	top := p.height + 12
	base := top + float64(float64(high[0])*rise)
	leaves := 0
	for i := range ps {
		if ps[i].first < 0 {
			ps[i].x = margin + 12 + float64(float64(leaves)*pitch)
			leaves++
		}
	}
	for i := len(ps) - 1; i >= 0; i-- {
		if ps[i].first >= 0 {
			ps[i].x = (ps[ps[i].first].x + ps[ps[i].last].x) / 2
		}
		ps[i].y = base - float64(float64(high[i])*rise)
	}
	for i := 1; i < len(ps); i++ {
		from := ps[parent[i]]
		to := ps[i].y
		if ps[i].it.kind == kindLeaf {
			to -= 9
		}
		p.branch(from.x, from.y, ps[i].x, to, true)
	}
	for _, pl := range ps {
		if pl.it.kind == kindLeaf {
			p.centred(pl.x, pl.y+4, "lb-leaf", pl.it.head)
			continue
		}
		p.disc(pl.x, pl.y, pl.it)
	}
	p.room(ps[len(ps)-1].x+12, base+16)
	p.room(margin+12+float64(float64(leaves)*pitch), base)
}

func parentsOf(ps []place) []int {
	parent := make([]int, len(ps))
	var path []int
	for i := range ps {
		path = append(path[:ps[i].level], i)
		if i > 0 {
			parent[i] = path[ps[i].level-1]
		}
	}
	return parent
}

// foldedTree draws items from left to right, one row for each without kids.
func (p *picture) foldedTree(root *item) {
	const row = 27.0
	ps := places(root)
	column := columns(ps)
	top, rows := p.height+6, 0
	for i := len(ps) - 1; i >= 0; i-- {
		ps[i].x = column[ps[i].level]
	}
	for i := range ps {
		if ps[i].first < 0 {
			ps[i].y = top + float64(float64(rows)*row)
			rows++
		}
	}
	for i := len(ps) - 1; i >= 0; i-- {
		if ps[i].first >= 0 {
			ps[i].y = (ps[ps[i].first].y + ps[ps[i].last].y) / 2
		}
	}
	parent := parentsOf(ps)
	for i := 1; i < len(ps); i++ {
		from := ps[parent[i]]
		to := ps[i].x
		if ps[i].it.kind == kindSum && ps[i].first >= 0 {
			to += 4 // up to the disc
		}
		p.branch(from.x+busOf(from.it), from.y, to, ps[i].y, false)
	}
	for _, pl := range ps {
		p.item(pl)
	}
	p.room(0, top+float64(float64(rows-1)*row)+16)
}

// columns returns the x of every level: each as wide as its widest inner node.
func columns(ps []place) []float64 {
	var widths []float64
	for _, pl := range ps {
		for len(widths) <= pl.level {
			widths = append(widths, 0)
		}
		if pl.first >= 0 {
			widths[pl.level] = max(widths[pl.level], headWidth(pl.it))
		}
	}
	gap := 26.0
	if len(widths) > 24 {
		gap = 14
	}
	x := make([]float64, len(widths))
	x[0] = margin
	for i := 1; i < len(widths); i++ {
		x[i] = x[i-1] + widths[i-1] + gap
	}
	return x
}

// busOf returns the distance from an item to the line that leads to its kids:
// below a disc, next to a box.
func busOf(it *item) float64 {
	if it.kind == kindSum {
		return 11
	}
	return headWidth(it) + 8
}

// headWidth returns the width of the box around an item's head.
func headWidth(it *item) float64 {
	if it.kind == kindSum && len(it.kids) > 0 {
		return 22
	}
	return max(22, svg.TextWidth(it.head, 12)+18)
}

// item draws one item of a folded picture: box or disc, and its words.
func (p *picture) item(pl place) {
	it, x, y := pl.it, pl.x, pl.y
	if it.kind == kindSum && len(it.kids) > 0 {
		p.disc(x+11, y, it)
		return
	}
	w := headWidth(it)
	if len(it.kids) > 0 {
		fmt.Fprintf(&p.under, `<path class="lb-line" d="M%s %sh8"/>`+"\n", svg.Num(x+w), svg.Num(y))
	}
	switch it.kind {
	case kindLeaf, kindLeaves, kindRest:
		p.centred(x+float64(w/2), y+4, "lb-leaf", it.head)
	case kindAlike:
		if it.count > 1 {
			p.box(x+4, y-8, w, 22, "lb-alike", it)
		}
		p.box(x, y-11, w, 22, "lb-alike", it)
		p.centred(x+float64(w/2), y+4, "lb-head", it.head)
		w += 4
	case kindFolded:
		p.box(x, y-11, w, 22, "lb-folded", it)
		p.centred(x+float64(w/2), y+4, "lb-head", it.head)
	default:
		p.box(x, y-11, w, 22, "lb-box", it)
		p.centred(x+float64(w/2), y+4, "lb-head", it.head)
	}
	if len(it.kids) == 0 && it.detail != "" {
		p.text(x+w+8, y+4, "lb-detail", 12, it.detail)
	}
	p.room(x+w, y)
}

// box draws a rounded box with the item's words as its title.
func (p *picture) box(x, y, w, h float64, class string, it *item) {
	fmt.Fprintf(&p.over,
		`<rect class="%s lb-c%d" x="%s" y="%s" width="%s" height="%s" rx="11"><title>%s</title>`+
			`</rect>`+"\n", class, it.class%palette, svg.Num(x), svg.Num(y), svg.Num(w), svg.Num(h),
		svg.Escape(it.line()))
}

// disc draws an addition.
func (p *picture) disc(x, y float64, it *item) {
	fmt.Fprintf(&p.over, `<circle class="lb-node lb-c%d" cx="%s" cy="%s" r="9.5">`,
		it.class%palette, svg.Num(x), svg.Num(y))
	if it.detail != "" {
		fmt.Fprintf(&p.over, `<title>%s</title>`, svg.Escape(it.detail))
	}
	fmt.Fprintln(&p.over, `</circle>`)
	if it.head == "+" {
		fmt.Fprintf(&p.over, `<path class="lb-plus" d="M%s %sh8m-4-4v8"/>`+"\n", svg.Num(x-4),
			svg.Num(y))
		return
	}
	p.centred(x, y+4, "lb-arity", it.head)
}

// branch draws the line from a node to an operand of it: along the node's bus,
// then a rounded corner.
func (p *picture) branch(x0, y0, x1, y1 float64, down bool) {
	a, b := x1-x0, y1-y0
	var d string
	switch {
	case down && a == 0 || !down && b == 0:
		d = fmt.Sprintf("M%s %sL%s %s", svg.Num(x0), svg.Num(y0), svg.Num(x1), svg.Num(y1))
	case down:
		r := min(8, math.Abs(a), math.Abs(b))
		s := math.Copysign(r, a)
		d = fmt.Sprintf("M%s %sH%sq%s 0 %s %sV%s", svg.Num(x0), svg.Num(y0), svg.Num(x1-s),
			svg.Num(s), svg.Num(s), svg.Num(r), svg.Num(y1))
	default:
		r := min(8, math.Abs(a), math.Abs(b))
		s := math.Copysign(r, b)
		d = fmt.Sprintf("M%s %sV%sq0 %s %s %sH%s", svg.Num(x0), svg.Num(y0), svg.Num(y1-s),
			svg.Num(s), svg.Num(r), svg.Num(s), svg.Num(x1))
	}
	fmt.Fprintf(&p.under, `<path class="lb-line" d="%s"/>`+"\n", d)
}

// legend names the colours of the classes, where there are several.
func (p *picture) legend() {
	if len(p.d.Classes) < 2 {
		return
	}
	y, x := p.height+28, margin
	for i, name := range p.d.Classes {
		fmt.Fprintf(&p.over, `<circle class="lb-node lb-c%d" cx="%s" cy="%s" r="6"/>`+"\n",
			i%palette, svg.Num(x+6), svg.Num(y-4))
		p.text(x+18, y, "lb-sub", 12.5, name)
		x += 18 + svg.TextWidth(name, 12.5) + 22
	}
}

// finish returns the document.
func (p *picture) finish() []byte {
	var b bytes.Buffer
	w, h := math.Ceil(p.width), math.Ceil(p.height+margin)
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" `+
			`role="img" class="lb" aria-label="%s">`+"\n", svg.Num(w), svg.Num(h), svg.Num(w),
		svg.Num(h),
		svg.Escape(strings.TrimSuffix(p.d.title()+": "+strings.Join(p.d.facts(), ", "), ": ")))
	fmt.Fprintf(&b, "<title>%s</title>\n%s", svg.Escape(p.d.title()), svgStyleElement)
	fmt.Fprintf(&b, `<rect class="lb-page" width="%s" height="%s"/>`+"\n", svg.Num(w), svg.Num(h))
	b.Write(p.under.Bytes())
	b.Write(p.over.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// palette is the number of colours for classes; further classes begin anew.
const palette = 6

// svgStyleElement is the element of a picture that stands alone.
const svgStyleElement = "<style>" + svgStyle + "</style>\n"

// svgStyle is the style sheet. The colours are Okabe and Ito's, which differ
// without colour vision too, dimmed to carry the text of either page.
const svgStyle = `
.lb{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",` +
	`sans-serif;--lb-bg:#fbfaf7;--lb-ink:#23262b;--lb-mute:#676c75;--lb-line:#b3b6bc;` +
	`--lb-paper:#fff}
.lb{--lb-k0:#2f6f9f;--lb-k1:#b4540a;--lb-k2:#2c7a5b;--lb-k3:#8f4a86;--lb-k4:#8a6d00;--lb-k5:#6b6f76}
@media screen and (prefers-color-scheme:dark){.lb{--lb-bg:#16181c;--lb-ink:#e6e4df;` +
	`--lb-mute:#9a9fa8;--lb-line:#50555e;--lb-paper:#1e2126}
.lb{--lb-k0:#6fb2e0;--lb-k1:#f0a05a;--lb-k2:#66c39d;--lb-k3:#d795cd;--lb-k4:#dcbf4f;` +
	`--lb-k5:#a9adb5}}
@media print{.lb{--lb-bg:#fff}}
.lb-page{fill:var(--lb-bg)}
.lb text{fill:var(--lb-ink)}
.lb .lb-title{font-size:17px;font-weight:600}
.lb .lb-sub{font-size:12.5px;fill:var(--lb-mute)}
.lb .lb-leaf{font-size:11.5px;text-anchor:middle;font-variant-numeric:tabular-nums}
.lb .lb-head{font-size:12px;text-anchor:middle}
.lb .lb-arity{font-size:10.5px;text-anchor:middle;font-weight:600;fill:var(--lb-bg)}
.lb .lb-detail{font-size:12px;fill:var(--lb-mute);font-variant-numeric:tabular-nums}
.lb-line{fill:none;stroke:var(--lb-line);stroke-width:1.4}
.lb-node{fill:var(--lb-c)}
.lb-plus{stroke:var(--lb-bg);stroke-width:1.7;fill:none}
.lb-box,.lb-alike,.lb-folded{fill:var(--lb-paper);stroke:var(--lb-c);stroke-width:1.4}
.lb-alike{stroke-dasharray:3 2.5}
.lb-folded{stroke-width:2.4;stroke-opacity:.55}
.lb-cell{fill:var(--lb-c);stroke:var(--lb-bg);stroke-width:.8}
.lb-unknown{fill:var(--lb-line)}
.lb .lb-on{font-size:12px;font-weight:600;text-anchor:middle;fill:var(--lb-bg)}
.lb .lb-end{text-anchor:end}
.lb-c0{--lb-c:var(--lb-k0)}.lb-c1{--lb-c:var(--lb-k1)}.lb-c2{--lb-c:var(--lb-k2)}` +
	`.lb-c3{--lb-c:var(--lb-k3)}.lb-c4{--lb-c:var(--lb-k4)}.lb-c5{--lb-c:var(--lb-k5)}
`
