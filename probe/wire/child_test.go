package wire

import (
	"bytes"
	"strings"
	"testing"
)

// A process's last words are the report of its crash, or else its last line.
func TestLastWords(t *testing.T) {
	const python = "Fatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent " +
		"call first):\n  File \"a.py\", line 3 in f\n  File \"b.py\", line 9 in g\n\nmore\n"
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"one\ntwo\n\n", "two"},
		{"panic: no\n\ngoroutine 1\n", "panic: no"},
		{python, `Fatal Python error: Segmentation fault, File "a.py", line 3 in f`},
		{"Fatal Python error: Aborted\nmore\n", "Fatal Python error: Aborted"},
		{strings.Repeat("a", 300), strings.Repeat("a", 300)},
		{strings.Repeat("ä", 300) + "\abc", strings.Repeat("ä", 200) + " … " +
			strings.Repeat("ä", 98) + "bc"},
	} {
		words := tail{kept: []byte(c.text)}
		if got := words.last(); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// A program's output is passed on up to the limit, and a line names the end.
func TestEcho(t *testing.T) {
	const note = "\nlastbit: more of this output is not shown\n"
	for _, c := range []struct {
		writes, size int
		want         int
	}{
		{1, 10, 10}, {3, 1 << 14, 3 << 14}, {4, 1 << 14, 4<<14 + len(note)},
		{5, 1 << 20, maxEchoed + len(note)}, {66, 1000, maxEchoed + len(note)},
	} {
		var got bytes.Buffer
		w := (&Program{Stderr: &got}).echo()
		for range c.writes {
			if n, err := w.Write(bytes.Repeat([]byte("y"), c.size)); n != c.size || err != nil {
				t.Fatalf("%d, %v", n, err)
			}
		}
		if got.Len() != c.want || c.want > maxEchoed != strings.HasSuffix(got.String(), note) {
			t.Errorf("%+v: %d bytes", c, got.Len())
		}
	}
}
