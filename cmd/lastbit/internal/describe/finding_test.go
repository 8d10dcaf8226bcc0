package describe

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
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

// TestMeans checks the words for the last step of a mean, and for what
// distinguishes it from a sum.
func TestMeans(t *testing.T) {
	tree, err := sumtree.Parse("((0 1) 2)")
	if err != nil {
		t.Fatal(err)
	}
	finding := func(mean bool, how string) *reveal.Finding {
		f := &reveal.Finding{Verdict: reveal.TreeVerdict, Verified: true, Tree: tree,
			Family: "chain", Traits: reveal.Unknown(),
			Key: probe.Key{Op: probe.Sum, DType: fp.Binary32, Out: fp.Binary32, Mean: mean}}
		f.Traits.Mean = how
		return f
	}
	for how, want := range map[string]string{
		"": "divides by n", "times 1/n": "multiplies by the rounded 1/n",
		"divided in f64": "divides by n, in f64",
	} {
		f := finding(true, how)
		if known, _ := Arithmetic(f); known != want {
			t.Errorf("a mean %q: %q, not %q", how, known, want)
		}
		apart := "the first: " + want + "; the second: does not divide by n"
		if got := traitsApartOf(f, finding(false, "")); got != apart {
			t.Errorf("%q, not %q", got, apart)
		}
	}
	if _, untold := Arithmetic(finding(true, unknown)); untold[len(untold)-1] !=
		"how the sum is divided by n" {
		t.Errorf("not determined: %v", untold)
	}
	known, _ := Arithmetic(finding(false, ""))
	if known != "" {
		t.Errorf("a sum: %q", known)
	}
	hidden := finding(true, "")
	hidden.Verdict, hidden.Verified, hidden.Tree = reveal.ValueDependent, false, nil
	if got := traitsApartOf(finding(false, ""), hidden); got !=
		"the first does not divide by n; the second divides by n" {
		t.Errorf("%q", got)
	}
}

// TestExtremes checks the words for results that are not ordinary numbers.
func TestExtremes(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct{ x, a, b, last float64 }{
		{1e308, inf, nan, 1}, {1, 2, 3, 0}, {inf, inf, nan, 2}, {1, 0, zero, 3},
	} {
		one, other := Extremes(&reveal.PairWitness{X: reveal.Numbers{c.x}, Outs: reveal.Numbers{
			c.a, c.b}})
		want := [][2]string{{"", ""},
			{"an infinity where sums overflow", "NaN where sums overflow"},
			{"an infinity where summands are not finite", "NaN where summands are not finite"},
			{"+0 for some sums of zero", "−0 for some sums of zero"}}[int(c.last)]
		if one != want[0] || other != want[1] {
			t.Errorf("%+v: %q and %q", c, one, other)
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

// TestEvidenceWithoutATree holds that results that were compared with correctly
// rounded sums are not called replays, whatever the verdict.
func TestEvidenceWithoutATree(t *testing.T) {
	f := &reveal.Finding{Verdict: reveal.ValueDependent,
		Evidence: reveal.Evidence{ReplayTried: 128, ReplayMatched: 78}}
	if got := BriefEvidence(f); got != "correctly rounded: 78 of 128" {
		t.Error(got)
	}
}
