package reveal_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// chainWith returns a target that adds one after the other, except where
// special gives the result.
func chainWith(n int, special func(x []float64) (float64, bool)) probe.Target {
	d := deviant{f: fp.Binary32, tree: probetest.Chain(n), specially: special}
	return d.target("x", n)
}

// TestConclusions compares two targets of each kind, and looks at the answer,
// the reasons and the witness.
func TestConclusions(t *testing.T) {
	const n = 20
	plain := func() probe.Target { return chainWith(n, nil) }
	refusal := func(name string) probe.Target {
		for _, c := range probetest.Refusals(n, fp.Binary32) {
			if strings.Contains(c.Name, name) {
				return c.Target
			}
		}
		t.Fatalf("there is no refusal %s", name)
		return nil
	}
	dropsNaN := func(x []float64) (float64, bool) { return 0, slices.ContainsFunc(x, isNaN) }
	keepsInf := func(x []float64) (float64, bool) { return math.Inf(1), holdsBoth(x) }
	saturates := func(x []float64) (float64, bool) {
		return fp.Binary32.Max(), x[0] == fp.Binary32.Max() && x[1] == x[0] && x[2] == -x[0]
	}
	for _, c := range []struct {
		name string
		a, b probe.Target
		want reveal.Conclusion
		why  string
	}{
		{"equal", plain(), plain(), reveal.Same, ""},
		{"other order", plain(), probetest.FromTree(probetest.ReverseChain(n), probetest.Options{}),
			reveal.Different, ""},
		{"NaN is 0", plain(), chainWith(n, dropsNaN), reveal.Different, ""},
		{"Inf − Inf is Inf", plain(), chainWith(n, keepsInf), reveal.Different, ""},
		{"overflow saturates", plain(), chainWith(n, saturates), reveal.Different, ""},
		{"unverified", chainWith(n, oddZero), chainWith(n, oddZero), reveal.Open, "x is "},
		{"compensated", refusal("neumaier"), refusal("neumaier"), reveal.Open, "compensated"},
		{"errors", plain(), infiniteFault{plain()}, reveal.Open, "differ in"},
		{"both end in errors", infiniteFault{plain()}, infiniteFault{plain()}, reveal.Same, ""},
	} {
		got, err := reveal.Compare(context.Background(), []probe.Target{c.a, c.b},
			reveal.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var whys []string
		for _, d := range got.Doubts {
			whys = append(whys, d.Why)
		}
		why := strings.Join(whys, "; ")
		if got.Conclusion != c.want || !strings.Contains(why, c.why) ||
			(why == "") != (c.want != reveal.Open) {
			t.Errorf("%s: %s, %q", c.name, got.Conclusion, why)
		}
		if c.want == reveal.Different && got.Differences[0].Witness == nil {
			t.Errorf("%s: no witness", c.name)
		}
		if got.Exchanged.Asked > got.Exchanged.Of {
			t.Errorf("%s: %d of %d questions", c.name, got.Exchanged.Asked, got.Exchanged.Of)
		}
		if strings.Contains(c.name, "errors") != (got.Refused > 0) {
			t.Errorf("%s: %d inputs refused", c.name, got.Refused)
		}
	}
}

// oddZero gives another result for one pattern of bits in ten.
func oddZero(x []float64) (float64, bool) {
	s := revealtest.By(probetest.Chain(len(x)), fp.Binary32, x)
	b := fp.Binary32.Bits(s)
	if s-s != 0 || s == 0 || b%16 != 11 {
		return 0, false
	}
	return fp.Binary32.FromBits(b - 1), true
}

// TestNaN reveals sums that treat NaN, or infinities of both signs, in another
// way: the trees are verified, and the traits and the meaning tell it.
func TestNaN(t *testing.T) {
	for _, n := range []int{1, 2, 3, 9, 40} {
		skips := deviant{f: fp.Binary32, tree: probetest.Chain(n),
			summand: func(_ int, x float64) float64 {
				if isNaN(x) {
					return 0
				}
				return x
			}}
		first := deviant{f: fp.Binary32, tree: probetest.Chain(n),
			summand: func(i int, x float64) float64 {
				if isNaN(x) && i == 0 {
					return 0
				}
				return x
			}}
		for _, c := range []struct {
			name         string
			target       probe.Target
			nan, special string
		}{
			{"plain", chainWith(n, nil), reveal.NaNKept, ""},
			{"skips", skips.target("x", n), reveal.NaNSkipped, ""},
			{"skips the first", first.target("x", n), reveal.NaNOther, "1 of"},
			{"NaN is −7", chainWith(n, func(x []float64) (float64, bool) {
				return -7, slices.ContainsFunc(x, isNaN)
			}), reveal.NaNOther, "gives -7"},
			{"Inf − Inf is Inf", chainWith(n, func(x []float64) (float64, bool) {
				return math.Inf(1), holdsBoth(x)
			}), reveal.NaNKept, "+Inf − Inf gives +Inf"},
			{"refuses NaN", nanFault{chainWith(n, nil)}, "unknown", "ends in an error"},
			{"panics", chainWith(n, func(x []float64) (float64, bool) {
				if slices.ContainsFunc(x, isNaN) {
					panic("NaN")
				}
				return 0, false
			}), "unknown", "ends in an error"},
		} {
			if n == 1 && (c.name == "Inf − Inf is Inf" || c.name == "skips the first") {
				continue
			}
			f := revealtest.Find(t, c.target, 1)
			if c.name == "Inf − Inf is Inf" && n == 2 {
				continue // it shows in the edges
			}
			if !f.Verified || f.Traits.NaN != c.nan ||
				!strings.Contains(f.Traits.Special, c.special) ||
				c.special == "" && f.Traits.Special != "" {
				t.Errorf("n = %d, %s: %v, NaN %s, %q", n, c.name, f.Verified, f.Traits.NaN,
					f.Traits.Special)
			}
			kept := c.nan == reveal.NaNKept && c.special == ""
			if strings.Contains(f.Meaning(), "except where") == kept {
				t.Errorf("n = %d, %s: %s", n, c.name, f.Meaning())
			}
		}
	}
}

// nanFault is a target that cannot be called with NaN.
type nanFault struct{ probe.Target }

func (t nanFault) Call(ctx context.Context, b *probe.Batch) error {
	if slices.ContainsFunc(b.X, isNaN) {
		return &probe.Fault{ID: "callable-raised", Thing: "x", Cause: "it is NaN"}
	}
	return t.Target.Call(ctx, b)
}

// TestDeviantsAreNotInvariant puts one sum that computes otherwise for rare
// inputs among plain ones: the answer is never that all compute alike.
func TestDeviantsAreNotInvariant(t *testing.T) {
	const n = 24
	plain := deviant{f: fp.Binary32, tree: probetest.Chain(n)}
	flushes := plain
	flushes.summand = func(i int, x float64) float64 {
		if i == n/2 && math.Abs(x) < fp.Binary32.MinNormal() {
			return 0
		}
		return x
	}
	turns := plain
	turns.other, turns.matters = probetest.ReverseChain(n), conditions(fp.Binary32)["all tiny"]
	skips := plain
	skips.specially = func(x []float64) (float64, bool) {
		return 1, slices.ContainsFunc(x, isNaN)
	}
	for name, d := range map[string]deviant{"flushes": flushes, "turns": turns, "skips": skips} {
		for at := range 3 {
			s := reveal.Sweep{Axis: "target"}
			for i := range 3 {
				s.Values = append(s.Values, fmt.Sprint(i))
			}
			s.Open = func(_ context.Context, i int) (probe.Target, error) {
				if i == at {
					return d.target("x", n), nil
				}
				return plain.target("x", n), nil
			}
			inv, err := reveal.Invariant(context.Background(), s, reveal.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if inv.Invariant || inv.Conclusion == reveal.Same {
				t.Errorf("%s at %d: %d classes, %s", name, at, len(inv.Classes), inv.Conclusion)
			}
		}
	}
}
