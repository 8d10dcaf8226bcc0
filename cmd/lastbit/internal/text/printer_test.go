package text

import (
	"bytes"
	"strings"
	"testing"
)

// TestColoursTakeNoRoom checks that colours do not change where columns begin.
func TestColoursTakeNoRoom(t *testing.T) {
	layout := func(p *Printer, b *bytes.Buffer) string {
		rows := [][]string{
			{p.Faint("name"), p.Faint("n")},
			{p.Letter(7, "AH"), "128"},
			{"µ", p.Bad("4")},
		}
		Table(p, "  ", rows, 1)
		WriteWrapped(p, p.Good("good")+": ", strings.Repeat(p.Doubtful("so so")+" ", 30))
		p.Line("    "+p.Heading("one"), strings.Repeat(" more", 50))
		return b.String()
	}
	var plain, coloured bytes.Buffer
	want := layout(&Printer{Writer: &plain, Width: 60}, &plain)
	got := layout(&Printer{Writer: &coloured, Width: 60, Colour: true}, &coloured)
	if strings.Contains(want, "\x1b") || !strings.Contains(got, "\x1b[1;31m4\x1b[0m") {
		t.Errorf("the colours are wrong:\n%q\n%q", want, got)
	}
	if s := stripColours(got); s != want {
		t.Errorf("colours move columns:\n%s\n%s", s, want)
	}
	for line := range strings.Lines(got) {
		if Width(strings.TrimSuffix(line, "\n")) > 60 {
			t.Errorf("%q is too wide", line)
		}
	}
}

// stripColours removes the colour sequences from s.
func stripColours(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, s, _ = strings.Cut(rest, "m")
	}
}

func TestLineWidth(t *testing.T) {
	for width, want := range map[int]int{0: 100, 200: 100, 80: 80, 50: 50, 3: minWidth} {
		if got := (&Printer{Width: width}).LineWidth(); got != want {
			t.Errorf("a terminal of %d columns has lines of %d, not %d", width, got, want)
		}
	}
	var b bytes.Buffer
	For(&b).Line("  ", strings.Repeat("word ", 50))
	if n := strings.Count(b.String(), "\n"); n != 1 {
		t.Errorf("a line of a file is on %d", n)
	}
}

// TestTableInNarrowTerminal checks that a table that is far too wide keeps its
// cells apart and in the terminal.
func TestTableInNarrowTerminal(t *testing.T) {
	rows := [][]string{
		{"py:numpy.sum", "sum", "f64 f32", "NumPy 1.24.2", "/usr/bin/python3"},
		{"go:naive", "", "f64", "Go", ""},
	}
	want := `  py:numpy.sum  sum  f64 f32  NumPy 1.24.2
      /usr/bin/python3
  go:naive  f64  Go
`
	var b bytes.Buffer
	Table(&Printer{Writer: &b, Width: 45}, "  ", rows)
	if b.String() != want {
		t.Errorf("it is\n%s\nand not\n%s", b.String(), want)
	}
}

func TestLists(t *testing.T) {
	for want, names := range map[string][]string{
		"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"},
	} {
		if got := List(names); got != want {
			t.Errorf("%q: %q", names, got)
		}
	}
	counts := []string{Count(1, "call"), Count(2, "call"), Count(0, "call")}
	if got := strings.Join(counts, ", "); got != "1 call, 2 calls, 0 calls" {
		t.Error(got)
	}
	if got := Shorten("µµµµ", 3) + Shorten("µµµ", 3); got != "µµ…µµµ" {
		t.Error(got)
	}
	if got := Visible("a\x1b[1m\n\xff\u202eé"); got != `a\x1b[1m\n\xff\u202eé` {
		t.Error(got)
	}
}
