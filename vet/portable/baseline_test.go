package portable

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/vet/check"
)

// TestBaseline checks that a baseline hides the places that it lists, wherever
// their lines are now, and no others.
func TestBaseline(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "sub", "a.go")
	if err := os.Mkdir(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	report := func(source string) *Report {
		if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		r := &Report{}
		for i, line := range strings.Split(source, "\n") {
			if strings.Contains(line, "*") {
				r.Places = append(r.Places, Place{Kind: "fma",
					At: check.Position{File: file, Line: i + 1, Column: 1}})
			}
		}
		return r
	}
	entries := report("b = x*y + 1\n\ta  =  x*x + 1\na = x*x + 1").Entries(dir)
	want := []string{"sub/a.go: fma: a = x*x + 1", "sub/a.go: fma: a = x*x + 1",
		"sub/a.go: fma: b = x*y + 1"}
	if !slices.Equal(entries, want) {
		t.Fatalf("the entries are %q, not %q", entries, want)
	}
	baseline := []byte(strings.Join(entries, "\n") + "\r\n\n")
	for _, tt := range []struct {
		source                string
		places, known, absent int
	}{
		{"b = x*y + 1\n\ta  =  x*x + 1\na = x*x + 1", 0, 3, 0},
		{"package a\n\n\na = x*x + 1", 0, 1, 2},
		{"a = x*x + 1\na = x*x + 1\na = x*x + 1", 1, 2, 1},
		{"c = x*x + 1", 1, 0, 3},
	} {
		r := report(tt.source)
		known, gone := r.Known(baseline, dir)
		if len(r.Places) != tt.places || known != tt.known || gone != tt.absent {
			t.Errorf("%q: %d places are new, %d known and %d gone; not %d, %d and %d", tt.source,
				len(r.Places), known, gone, tt.places, tt.known, tt.absent)
		}
	}
}
