package sumtree

import (
	"strings"
	"testing"
)

// TestMeaning checks that every candidate has a meaning of its own, on one line.
func TestMeaning(t *testing.T) {
	seen := map[string]string{}
	for _, f := range Candidates(10000) {
		s := f.Meaning()
		if was, ok := seen[s]; s == "" || strings.ContainsAny(s, "\n%") || ok && was != f.String() {
			t.Errorf("the meaning of %s is %q, as is that of %q", f, s, was)
		}
		seen[s] = f.String()
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 32: "32nd", 128: "128th"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d is %s, not %s", n, got, want)
		}
	}
}
