package terminal

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// When names the values of --color.
var When = []string{"auto", "always", "never"}

// Printer returns a printer that fits the terminal behind w, or a plain one
// where w is not a terminal. when is one of When. "auto" colours on a terminal,
// unless NO_COLOR is set or TERM is "dumb" (https://no-color.org).
func Printer(w io.Writer, when string) *text.Printer {
	p := &text.Printer{Writer: w}
	f, onTerminal := file(w)
	if onTerminal {
		p.Width = width(f)
	}
	switch when {
	case "always":
		p.Colour = true
	case "auto":
		p.Colour = onTerminal && os.Getenv("NO_COLOR") == "" && moves(f)
	}
	return p
}

// file returns the terminal behind w.
func file(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// width returns the number of columns of a terminal, or 0 where it does not
// say.
func width(f *os.File) int {
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns < 0 {
		return 0
	}
	return columns
}

// moves reports whether a terminal obeys ANSI sequences.
func moves(f *os.File) bool {
	return os.Getenv("TERM") != "dumb" && enableSequences(f)
}
