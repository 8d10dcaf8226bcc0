package check

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/vet/complexmul"
	"github.com/lastbit/lastbit/vet/fma"
	"github.com/lastbit/lastbit/vet/fused"
)

// A sample is a set of packages with the counts of the check of sources against
// the compiler. Another release of Go may fuse more or less, so the counts are
// bounds.
type sample struct {
	name, dir, pattern string
	target             string
	maxFalse           int // places that the compiler does not fuse
	maxMissed          int // fused places that the sources do not show
	maxExact           int // of them with exact products, without those that a comment marks
}

var samples = []sample{
	{"corpus", "testdata/corpus", "./...", "arm64", 3, 7, 0},
	{"corpus", "testdata/corpus", "./...", "loong64", 3, 7, 0},
	{"corpus", "testdata/corpus", "./...", "ppc64le", 3, 7, 0},
	{"corpus", "testdata/corpus", "./...", "riscv64", 3, 7, 0},
	{"corpus", "testdata/corpus", "./...", "s390x", 3, 7, 0},
	{"corpus", "testdata/corpus", "./...", "amd64/v3", 16, 5, 0},
	{"math", "", "math", "arm64", 0, 0, 0},
	{"math", "", "math", "amd64/v3", 144, 0, 0},
}

// TestCompiler compares the findings for a target with the list of the compiler
// itself, and counts where the findings from the sources alone differ from it.
func TestCompiler(t *testing.T) {
	require.Program(t, "go")
	all := samples
	if dir := os.Getenv("LASTBIT_VET_GONUM"); dir != "" {
		all = append(slices.Clone(all), sample{"gonum", dir, "./...", "arm64", 143, 502, 449},
			sample{"gonum", dir, "./...", "amd64/v3", 678, 412, 402})
	}
	for _, s := range all {
		t.Run(s.name+"/"+s.target, func(t *testing.T) { s.check(t) })
	}
}

func (s sample) check(t *testing.T) {
	target, err := fused.ParseTarget(s.target)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: s.dir, Patterns: []string{s.pattern}, Targets: []fused.Target{target},
		Analyzers: []*analysis.Analyzer{fma.Analyzer}}
	got := places(t, o, "")
	want := compilerList(t, s.dir, s.pattern, target)
	if len(want) == 0 {
		t.Fatal("the compiler fuses nothing")
	}
	left := difference(want, got)
	exact := slices.DeleteFunc(slices.Clone(left), func(p string) bool { return isExact(t, p) })
	if len(exact) > s.maxExact {
		t.Errorf("%d are missing: %v", len(exact), exact)
	}
	for _, p := range difference(got, want) {
		t.Errorf("%s: the compiler fuses nothing here", p)
	}
	o.Targets = nil
	o.Analyzers = []*analysis.Analyzer{fma.Analyzer, complexmul.Analyzer}
	name := target.Arch
	if target.Level != "" {
		name = "GOAMD64=" + target.Level
	}
	seen := places(t, o, name)
	wrong, missed := difference(seen, want), difference(want, seen)
	wrong, missed = withoutForeign(wrong, missed)
	t.Logf("the compiler fuses %d places, %d of them exact; of %d in the sources %d are not "+
		"fused, and %d are missed", len(want), len(left), len(seen), len(wrong), len(missed))
	if len(wrong) > s.maxFalse || len(missed) > s.maxMissed {
		t.Errorf("at most %d and %d are known\nnot fused: %v\nmissed: %v", s.maxFalse, s.maxMissed,
			wrong, missed)
	}
}

// isExact reports whether the line of a place has a comment that its products
// are exact.
func isExact(t *testing.T, place string) bool {
	t.Helper()
	p, ok := fused.ParsePosition(place)
	if !ok {
		t.Fatal(place)
	}
	text, err := os.ReadFile(p.File)
	if err != nil {
		t.Fatal(err)
	}
	return strings.HasSuffix(strings.Split(string(text), "\n")[p.Line-1], "// exact")
}

// withoutForeign removes the sums of other packages, which are found at the
// call that they are inlined at: "line 8 of inner.go".
func withoutForeign(wrong, missed []string) (w, m []string) {
	for _, p := range missed {
		at, _ := fused.ParsePosition(p)
		line := fmt.Sprintf("line %d of %s", at.Line, filepath.Base(at.File))
		if !slices.Contains(wrong, line) {
			m = append(m, p)
		}
	}
	for _, p := range wrong {
		if !strings.HasPrefix(p, "line ") {
			w = append(w, p)
		}
	}
	return w, m
}

// inlinedFrom matches the place of a sum that is inlined from another package.
var inlinedFrom = regexp.MustCompile(` is inlined, and its sum of (line \d+ of \S+) `)

// places returns the positions of findings, sorted: those whose messages have a
// text.
func places(t *testing.T, o Options, text string) []string {
	t.Helper()
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range r.Findings {
		switch m := inlinedFrom.FindStringSubmatch(f.Message); {
		case f.Analyzer != complexmul.Analyzer.Name && !strings.Contains(f.Message, text):
		case m != nil:
			all = append(all, m[1])
		default:
			all = append(all, f.At.String())
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// compilerList returns the innermost positions that the compiler prints.
func compilerList(t *testing.T, dir, pattern string, target fused.Target) []string {
	t.Helper()
	cmd := exec.Command("go", "build", "-gcflags=-d=fmahash=vy", pattern)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+target.Arch)
	if target.Arch == "amd64" {
		cmd.Env = append(cmd.Env, "GOAMD64="+target.Level)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	base, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	line := regexp.MustCompile(`(?m)^fmahash triggered (?:.*; )?(.*):(\d+):(\d+) [01]+$`)
	for _, m := range line.FindAllStringSubmatch(string(out), -1) {
		file := m[1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(base, file)
		}
		if _, err := strconv.Atoi(m[2]); err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.Join([]string{file, m[2], m[3]}, ":"))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// difference returns the texts of a that b lacks.
func difference(a, b []string) []string {
	var all []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			all = append(all, s)
		}
	}
	return all
}
