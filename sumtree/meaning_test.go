package sumtree

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestMeaning checks that every candidate has a meaning of its own, on one
// line.
func TestMeaning(t *testing.T) {
	seen := map[string]string{}
	for _, f := range Candidates(10000) {
		s := f.Meaning()
		fits := s != "" && utf8.RuneCountInString(s) <= 180 && !strings.ContainsAny(s, "\n%")
		if was, ok := seen[s]; !fits || ok && was != f.String() {
			t.Fatalf("the meaning of %s is %q, as is that of %q", f, s, was)
		}
		seen[s] = f.String()
	}
}
