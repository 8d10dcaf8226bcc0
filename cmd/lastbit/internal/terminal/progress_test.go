//go:build unix

package terminal

import (
	"io"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/terminal/terminaltest"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// lastDrawn returns the last line that a terminal shows.
func lastDrawn(screen string) string {
	lines := strings.Split(screen, "\r")
	return strings.TrimSuffix(lines[len(lines)-1], "\x1b[K")
}

// draw shows a step at once.
func draw(p *Progress, step string, done, expected int) {
	p.start, p.drawn = p.start.Add(-2*patience), p.drawn.Add(-2*patience)
	p.Show(step, done, expected)
}

// TestProgressFits checks that a line of progress leaves the last column free,
// of a terminal of any width, which may change.
func TestProgressFits(t *testing.T) {
	t.Setenv("TERM", "xterm")
	tty, screen := terminaltest.Open(t, 80)
	p := NewProgress(tty)
	if p == nil {
		t.Fatal("a terminal shows no progress")
	}
	for _, columns := range []int{200, 50, 80, 30, 20, 8, 5, 2, 1, 51} {
		terminaltest.Resize(t, tty, columns)
		draw(p, "py:numpy.sum: certificate, calls", 3, 1000)
		line := lastDrawn(readScreen(t, tty, screen))
		if n := text.Width(line); n >= columns {
			t.Errorf("%d columns: %d characters, %q", columns, n, line)
		}
		if columns >= 10 && !strings.Contains(line, "(3/1000)") {
			t.Errorf("%d columns: the count is missing: %q", columns, line)
		}
		if columns >= 50 && !strings.Contains(line, "certificate, calls ") {
			t.Errorf("%d columns: it is cut: %q", columns, line)
		}
	}
}

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		done, expected, room int
		want                 string
	}{
		{5, 10, 60, "audit [===============               ] (5/10)"},
		{5, 10, 30, "audit [=======        ] (5/10)"},
		{5, 10, 20, "audit (5/10)"},
		{5, 10, 10, "au… (5/10)"},
		{5, 10, 8, "(5/10)"},
		{5, 10, 5, ""},
		{0, 0, 60, "audit [                              ] (0/0)"},
		{12, 12, 60, "audit [==============================] (12/12)"},
	} {
		if got := fitLine("audit", c.done, c.expected, c.room); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestProgressEnds checks that nothing is shown at once, nor after the end.
func TestProgressEnds(t *testing.T) {
	t.Setenv("TERM", "xterm")
	tty, screen := terminaltest.Open(t, 80)
	p := NewProgress(tty)
	p.Show("certificate", 1, 10)
	if s := readScreen(t, tty, screen); s != "" {
		t.Errorf("it is shown at once: %q", s)
	}
	draw(p, "certificate", 2, 10)
	p.End()
	if s := readScreen(t, tty, screen); !strings.HasSuffix(s, "\r\x1b[K") {
		t.Errorf("the line is not cleared: %q", s)
	}
	draw(p, "certificate", 3, 10)
	p.End()
	if s := readScreen(t, tty, screen); s != "" {
		t.Errorf("it is shown after its end: %q", s)
	}
}

func TestNoProgress(t *testing.T) {
	tty, _ := terminaltest.Open(t, 80)
	t.Setenv("TERM", "dumb")
	if NewProgress(tty) != nil {
		t.Error("a terminal that obeys no sequences is given some")
	}
	p := NewProgress(io.Discard)
	if p != nil || p.For("go:naive") != nil {
		t.Error("progress goes to a writer that is not a terminal")
	}
	p.Show("certificate", 1, 2) // does nothing
	p.End()
}
