package terminal

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// When to colour: on terminals that show colours, always, or never.
const (
	Auto   = "auto"
	Always = "always"
	Never  = "never"
)

// NewPrinter returns a printer that fits the terminal behind w, or a plain one
// where w is not a terminal. Auto colours on a terminal, unless NO_COLOR is set
// (https://no-color.org) or TERM is "dumb".
func NewPrinter(w io.Writer, when string) *text.Printer {
	p := &text.Printer{Writer: w}
	f, onTerminal := asTerminal(w)
	if onTerminal {
		p.Width = columnsOf(f)
	}
	switch when {
	case Always:
		p.Colour = true
	case Auto:
		p.Colour = onTerminal && os.Getenv("NO_COLOR") == "" && obeysSequences(f)
	}
	return p
}

// asTerminal returns the terminal behind w, and whether there is one.
func asTerminal(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// columnsOf returns the number of columns of a terminal, or 0 if it is unknown.
func columnsOf(f *os.File) int {
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns < 0 {
		return 0
	}
	return columns
}

// obeysSequences reports whether a terminal obeys ANSI sequences.
func obeysSequences(f *os.File) bool {
	return os.Getenv("TERM") != "dumb" && enableSequences(f)
}
