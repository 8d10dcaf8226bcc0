package describe

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// TestWriteGroups checks that no line of a table is too wide and nothing is
// lost.
func TestWriteGroups(t *testing.T) {
	path := "blas:/a/path/that/is/longer/than/a/column/of/addresses.so"
	words := "strided(8×4)+pairwise+pairwise, tail apart, in f32 and f64, fma in part, " +
		"and more of the like"
	groups := []Group{
		{"A", words, []Member{
			{"py:numpy.dot", "318", "certificate, 40 replays"}, {path, "5", "witness"},
		}},
		{"AA", "chain", []Member{
			{"gonum:floats.SumCompensated", "1", "correctly rounded: 40 of 48"},
		}},
	}
	var b bytes.Buffer
	WriteGroups(&b, groups)
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > text.LineWidth {
			t.Errorf("%d characters: %q", n, line)
		}
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for _, want := range []string{
		"strided(8×4)+", path + "\n", "318  certificate, 40 replays", "  AA chain",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table does not hold %q:\n%s", want, b.String())
		}
	}
	if !strings.Contains(squeeze(b.String()), "like") {
		t.Errorf("the table cuts %q:\n%s", words, b.String())
	}
}

func TestGroupName(t *testing.T) {
	for g, want := range map[int]string{
		0: "A", 25: "Z", 26: "AA", 27: "AB", 701: "ZZ", 702: "AAA",
	} {
		if got := GroupName(g); got != want {
			t.Errorf("group %d is %s, not %s", g, got, want)
		}
	}
}
