package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		s     string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"chain", 5, []string{"chain"}},
		{"chain, fma", 10, []string{"chain, fma"}},
		{"chain, fma", 9, []string{"chain,", "fma"}},
		{"strided(8)+pairwise", 12, []string{"strided(8)+", "pairwise"}},
		{"a longword b", 4, []string{"a", "longword", "b"}},
		{"×× ×× ××", 5, []string{"×× ××", "××"}},
	} {
		if got := wrapped(c.s, c.width); !reflect.DeepEqual(got, c.want) {
			t.Errorf("wrapped(%q, %d) is %q, not %q", c.s, c.width, got, c.want)
		}
	}
}

// TestWriteGroups holds that a table is as wide as is allowed, and loses nothing.
func TestWriteGroups(t *testing.T) {
	path := "blas:/a/path/that/is/longer/than/a/column/of/addresses.so"
	groups := []group{
		{"A", "strided(8×4)+pairwise+pairwise, tail apart, in f32 and f64, fma in part, and more of the like", []member{
			{"py:numpy.dot", "318", "certificate, 40 replays"}, {path, "5", "witness"}}},
		{"AA", "chain", []member{{"gonum:floats.SumCompensated", "1", "correctly rounded: 40 of 48"}}},
	}
	var b bytes.Buffer
	writeGroups(&b, groups)
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > lineWidth {
			t.Errorf("%d characters: %q", n, line)
		}
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for _, want := range []string{"strided(8×4)+", path + "\n", "318  certificate, 40 replays", "  AA chain"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table does not hold %q:\n%s", want, b.String())
		}
	}
	if words := squeeze(groups[0].words); !strings.HasSuffix(words, "like") || !strings.Contains(squeeze(b.String()), "like") {
		t.Errorf("the table cuts %q:\n%s", words, b.String())
	}
}

// TestArithmeticWords holds what is said of every value of a trait: that of an
// unknown one is its name.
func TestArithmeticWords(t *testing.T) {
	for _, c := range []struct {
		change func(*reveal.Traits)
		known  string
		untold string
	}{
		{func(*reveal.Traits) {}, "", "accumulator rounding subnormals initial fma"},
		{func(v *reveal.Traits) { v.Accumulator = "mixed: f32, f64" }, "adds in f32 and f64, by part", "rounding subnormals initial fma"},
		{func(v *reveal.Traits) { v.FMA = reveal.Fused }, "products fused with their addition (fma)", "accumulator rounding subnormals initial"},
		{func(v *reveal.Traits) { v.FMA = reveal.NotFused }, "products rounded before they are added (no fma)", "accumulator rounding subnormals initial"},
		{func(v *reveal.Traits) { v.FMA = reveal.PartlyFused }, "some products fused with their addition (fma)", "accumulator rounding subnormals initial"},
		{func(v *reveal.Traits) { v.FMA = reveal.ExactProducts }, "products exact", "accumulator rounding subnormals initial"},
		{func(v *reveal.Traits) { v.Rounding, v.Initial = "rz", "-0" }, "rounds toward zero, begins with the first summand", "accumulator subnormals fma"},
		{func(v *reveal.Traits) { v.Subnormals, v.Width, v.Align = "flushed", 5, 23 },
			"subnormals flushed, adds 5 operands at once, aligned with 23 fraction bits", "accumulator rounding initial fma"},
	} {
		f := &reveal.Finding{Key: probe.Key{Op: probe.Dot, DType: fp.Binary32}, Traits: reveal.Unknown()}
		c.change(&f.Traits)
		known, untold := arithmeticWords(f)
		if known != c.known || strings.Join(untold, " ") != c.untold {
			t.Errorf("%+v: %q and %q, not %q and %q", f.Traits, known, untold, c.known, c.untold)
		}
	}
}

// TestUnsupportedSaysWhy holds that a refusal without outputs shows no input.
func TestUnsupportedSaysWhy(t *testing.T) {
	f := &reveal.Finding{Verdict: reveal.Unsupported, Traits: reveal.Unknown(), Key: probe.Key{DType: fp.Binary16, Out: fp.Binary16},
		Witness: &reveal.Witness{What: "the format is too small", X: make(reveal.Numbers, 9)}}
	var b bytes.Buffer
	if err := writeFinding(&b, f); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"everywhere", "seen", "evidence", "not told"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("it says %q:\n%s", bad, b.String())
		}
	}
	if !strings.Contains(b.String(), "because    the format is too small") {
		t.Errorf("it does not say why:\n%s", b.String())
	}
}

// TestMostSummands holds that the memory which is free limits n.
func TestMostSummands(t *testing.T) {
	file := filepath.Join(t.TempDir(), "meminfo")
	for text, want := range map[string]int{
		"MemTotal: 99 kB\nMemAvailable:    9000000 kB\n": 10000 << 10,
		"MemAvailable: 5 kB\n":                           1 << 20,
		"MemAvailable: 900000000000 kB\n":                mostN,
		"MemAvailable:":                                  mostN,
		"MemAvailable: much":                             mostN,
		"":                                               mostN,
	} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := mostSummands(file); got != want {
			t.Errorf("%q: %d, not %d", text, got, want)
		}
	}
	if got := mostSummands(filepath.Join(t.TempDir(), "none")); got != mostN {
		t.Errorf("without the file it is %d, not %d", got, mostN)
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestWriteFailed holds that a result which did not arrive is no success.
func TestWriteFailed(t *testing.T) {
	for _, args := range [][]string{{"reveal", "go:naive", "-n", "4"}, {"reveal", "go:naive", "-n", "4", "--json"}, {"compare", "go:naive", "go:naive"}, {"help"}} {
		var stderr bytes.Buffer
		if code := Run(t.Context(), strings.NewReader(""), full{}, &stderr, args); code != failed || !strings.Contains(stderr.String(), "#write-failed]") {
			t.Errorf("%q: exit code %d, %q", args, code, stderr.String())
		}
	}
	if code := Run(t.Context(), strings.NewReader(""), io.Discard, io.Discard, []string{"reveal", "go:naive", "-n", "4"}); code != same {
		t.Errorf("exit code %d of what could be written", code)
	}
}
