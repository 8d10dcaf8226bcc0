package reveal_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestMethod names the compensated summations that are known, and no others.
func TestMethod(t *testing.T) {
	names := map[string]string{"kahan": "Kahan", "neumaier": "Neumaier",
		"double-double": "double-double"}
	for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64} {
		for _, n := range []int{12, 100} {
			for _, c := range probetest.Refusals(n, dtype) {
				want, ok := names[c.Name]
				if !ok {
					continue
				}
				t.Run(fmt.Sprintf("%s/%v/%d", c.Name, dtype, n), func(t *testing.T) {
					checkMethod(t, c.Target, want)
				})
			}
		}
	}
	halves := func(x []float32) float32 {
		return neumaier(x[:len(x)/2]) + neumaier(x[len(x)/2:])
	}
	checkMethod(t, gofunc.New("halves", halves, 40), "")
	backward := func(x []float32) float32 {
		x = slices.Clone(x)
		slices.Reverse(x)
		return neumaier(x)
	}
	checkMethod(t, gofunc.New("backward", backward, 40), "")
}

// checkMethod reveals a compensated sum.
func checkMethod(t *testing.T, target probe.Target, want string) {
	t.Helper()
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f.Method != want || want != "" && f.Verdict != reveal.Compensated {
		t.Errorf("%s by %q, want %q", f.Verdict, f.Method, want)
	}
}

// neumaier is Neumaier's summation from the first summand to the last.
func neumaier(x []float32) float32 {
	var sum, lost float32
	for _, v := range x {
		t := sum + v
		if max(sum, -sum) >= max(v, -v) {
			lost += (sum - t) + v
		} else {
			lost += (v - t) + sum
		}
		sum = t
	}
	return sum + lost
}

// TestConstants names the one result of a function that does not add.
func TestConstants(t *testing.T) {
	for _, want := range []float64{0, 3, math.Inf(1), math.Inf(-1)} {
		target := gofunc.New("constant", func([]float32) float32 { return float32(want) }, 40)
		f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Verdict != reveal.NotASum || f.Constant == nil ||
			!revealtest.EqualBits((*f.Constant)[0], want) {
			t.Errorf("%v: %s, constant %v", want, f.Verdict, f.Constant)
		}
	}
	var target probe.Target
	for _, c := range probetest.Refusals(40, fp.Binary32) {
		if c.Name == "drops the last" {
			target = c.Target
		}
	}
	tiny := revealtest.Sum(40, fp.Binary16, func(x []float64) float64 { // 0 for small x only
		var s float64
		for _, v := range x {
			s = fp.Binary16.Add(s, fp.Binary16.Mul(v, v, 0), 0)
		}
		return s
	})
	for _, target := range []probe.Target{target, tiny} {
		if f := revealtest.Find(t, target, 0); f.Verdict != reveal.NotASum || f.Constant != nil {
			t.Errorf("%s: %+v", target.Key(), f)
		}
	}
}
