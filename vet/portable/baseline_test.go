package portable

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
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

// TestAnalyzers checks that the analyzers leave out what a baseline lists, as
// often as it lists it, and report the rest.
func TestAnalyzers(t *testing.T) {
	require.Program(t, "go")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/model\n\ngo 1.26\n",
		"a.go": "package model\n\nimport \"math\"\n\nfunc F(x float64) (float64, float64) {\n" +
			"\ty := math.Sin(x)\n\tz := math.Cos(x)\n\ty = math.Sin(x)\n\treturn y, z\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		baseline string
		lines    []int
	}{
		{"", []int{6, 7, 8}},
		{"a.go: libm: z := math.Cos(x)\n", []int{6, 8}},
		{"a.go: fma: z := math.Cos(x)\nb.go: libm: z := math.Cos(x)\n", []int{6, 7, 8}},
		{"a.go: libm: y := math.Sin(x)\na.go: libm: y = math.Sin(x)\n", []int{7}},
	} {
		r, err := check.Run(t.Context(), check.Options{Dir: dir, Patterns: []string{"."},
			Analyzers: Analyzers([]byte(tt.baseline), dir)})
		if err != nil {
			t.Fatal(err)
		}
		var lines []int
		for _, f := range r.Findings {
			lines = append(lines, f.At.Line)
		}
		if !slices.Equal(lines, tt.lines) {
			t.Errorf("%q: places are reported in lines %v, not %v", tt.baseline, lines, tt.lines)
		}
	}
}
