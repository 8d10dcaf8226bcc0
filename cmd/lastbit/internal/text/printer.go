package text

import (
	"fmt"
	"io"
	"strings"
)

// LineWidth is the width of the lines in a file or a pipe. It does not depend
// on the terminal, so that a file is the same wherever it was written.
const LineWidth = 100

// minWidth bounds the width that lines are fitted to: in a narrower terminal
// they wrap.
const minWidth = 40

// Printer is a writer with the width and the colours of a terminal. The
// functions of this package that write ask their writer for them. The zero
// values suit a file: LineWidth, and no colours.
type Printer struct {
	io.Writer
	Width  int  // of the terminal, in characters; 0 where there is none
	Colour bool // whether the terminal shows colours
}

// For returns w itself if it is a printer, and otherwise one for a file.
func For(w io.Writer) *Printer {
	if p, ok := w.(*Printer); ok {
		return p
	}
	return &Printer{Writer: w}
}

// To returns a printer of the same style that writes to w.
func (p *Printer) To(w io.Writer) *Printer {
	q := *p
	q.Writer = w
	return &q
}

// LineWidth returns the width that lines are fitted to. A single word may be
// wider.
func (p *Printer) LineWidth() int {
	if p.Width == 0 {
		return LineWidth
	}
	return min(max(p.Width, minWidth), LineWidth)
}

// Line writes s after indent on one line of a file, and wraps it on a terminal,
// where the lines after the first begin with as many spaces.
func (p *Printer) Line(indent, s string) {
	if p.Width == 0 {
		fmt.Fprintln(p, indent+s)
		return
	}
	writeWrapped(p, max(p.Width, minWidth), indent, s)
}

// Good, Doubtful and Bad colour a verdict, or a word of one.
func (p *Printer) Good(s string) string     { return p.paint("1;32", s) }
func (p *Printer) Doubtful(s string) string { return p.paint("1;33", s) }
func (p *Printer) Bad(s string) string      { return p.paint("1;31", s) }

// Heading is for the headings of sections.
func (p *Printer) Heading(s string) string { return p.paint("1", s) }

// Faint is for headings of columns and names of rows, which guide the eye and
// no more.
func (p *Printer) Faint(s string) string { return p.paint("2", s) }

// letterColours are cyan, magenta, yellow, blue and green: the groups of a
// table take turns.
var letterColours = [...]string{"36", "35", "33", "34", "32"}

// Letter colours the letter of group g, and other text of the group.
func (p *Printer) Letter(g int, s string) string {
	return p.paint("1;"+letterColours[g%len(letterColours)], s)
}

// paint wraps s in the ANSI sequence of a rendition.
func (p *Printer) paint(rendition, s string) string {
	if !p.Colour || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + rendition + "m" + s + "\x1b[0m"
}
