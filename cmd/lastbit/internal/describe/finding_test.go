package describe

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// TestArithmetic checks the words for every value of a trait. An unknown trait
// gives its name.
func TestArithmetic(t *testing.T) {
	const (
		all     = "accumulator rounding subnormals initial fma"
		notFMA  = "accumulator rounding subnormals initial"
		regular = "accumulator rounding initial fma"
	)
	for _, c := range []struct {
		change func(*reveal.Traits)
		known  string
		untold string
	}{
		{func(*reveal.Traits) {}, "", all},
		{
			func(v *reveal.Traits) { v.Accumulator = "mixed: f32, f64" },
			"adds in f32 and f64, by part", "rounding subnormals initial fma",
		},
		{
			func(v *reveal.Traits) { v.FMA = reveal.Fused },
			"products fused with their addition (fma)", notFMA,
		},
		{
			func(v *reveal.Traits) { v.FMA = reveal.NotFused },
			"products rounded before they are added (no fma)", notFMA,
		},
		{
			func(v *reveal.Traits) { v.FMA = reveal.PartlyFused },
			"some products fused with their addition (fma)", notFMA,
		},
		{func(v *reveal.Traits) { v.FMA = reveal.ExactProducts }, "products exact", notFMA},
		{
			func(v *reveal.Traits) { v.Rounding, v.Initial = "rz", "-0" },
			"rounds toward zero, begins with the first summand", "accumulator subnormals fma",
		},
		{
			func(v *reveal.Traits) { v.Subnormals, v.Width, v.Align = "flushed", 5, 23 },
			"subnormals flushed, adds 5 operands at once, aligned with 23 fraction bits", regular,
		},
	} {
		f := &reveal.Finding{
			Key:    probe.Key{Op: probe.Dot, DType: fp.Binary32},
			Traits: reveal.Unknown(),
		}
		c.change(&f.Traits)
		known, untold := Arithmetic(f)
		if known != c.known || strings.Join(untold, " ") != c.untold {
			t.Errorf("%+v: %q and %q, not %q and %q", f.Traits, known, untold, c.known, c.untold)
		}
	}
}

// TestUnsupportedGivesReason checks that a refusal without outputs shows no
// input.
func TestUnsupportedGivesReason(t *testing.T) {
	f := &reveal.Finding{
		Verdict: reveal.Unsupported,
		Traits:  reveal.Unknown(),
		Key:     probe.Key{DType: fp.Binary16, Out: fp.Binary16},
		Witness: &reveal.Witness{What: "the format is too small", X: make(reveal.Numbers, 9)},
	}
	var b bytes.Buffer
	if err := WriteFinding(&b, f); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"everywhere", "seen", "evidence", "not determined"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("it has %q:\n%s", bad, b.String())
		}
	}
	if !strings.Contains(b.String(), "because    the format is too small") {
		t.Errorf("the reason is missing:\n%s", b.String())
	}
}

// TestFewSummands holds that one summand and two are not explained by an
// addition of four.
func TestFewSummands(t *testing.T) {
	f := &reveal.Finding{Verdict: reveal.TreeVerdict, Family: "chain"}
	for n, want := range map[int]string{
		1: "one summand, and nothing to add", 2: "one addition: x0 + x1",
		4: "one after the other: ((x0 + x1) + x2) + x3",
	} {
		f.Key.N = n
		if got := FamilyMeaning(f); got != want {
			t.Errorf("%d summands: %q, want %q", n, got, want)
		}
	}
}
