//go:build unix

package terminal

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/terminal/terminaltest"
)

// readScreen returns the output to the screen up to a mark, which it writes.
func readScreen(t *testing.T, tty, screen *os.File) string {
	t.Helper()
	const mark = "end of test"
	if _, err := io.WriteString(tty, mark); err != nil {
		t.Fatal(err)
	}
	var all []byte
	b := make([]byte, 1024)
	for !bytes.HasSuffix(all, []byte(mark)) {
		n, err := screen.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b[:n]...)
	}
	return string(all[:len(all)-len(mark)])
}

func TestNewPrinter(t *testing.T) {
	tty, _ := terminaltest.Open(t, 50)
	for _, c := range []struct {
		w             io.Writer
		when          string
		noColor, term string
		colour        bool
		width         int
	}{
		{tty, "auto", "", "xterm", true, 50},
		{tty, "auto", "1", "xterm", false, 50},
		{tty, "auto", "", "dumb", false, 50},
		{tty, "never", "", "xterm", false, 50},
		{tty, "always", "1", "dumb", true, 50},
		{io.Discard, "auto", "", "xterm", false, 0},
		{io.Discard, "always", "", "xterm", true, 0},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("TERM", c.term)
		p := NewPrinter(c.w, c.when)
		if p.Colour != c.colour || p.Width != c.width {
			t.Errorf("%+v: colour %v, width %d", c, p.Colour, p.Width)
		}
	}
}
