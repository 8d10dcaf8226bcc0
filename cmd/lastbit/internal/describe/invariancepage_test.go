package describe

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// sweepOf returns a sweep over 6 values of two classes, the second unverified.
func sweepOf(t *testing.T, axis string) *reveal.Invariance {
	t.Helper()
	tree, err := sumtree.Parse("((0 1) 2)")
	if err != nil {
		t.Fatal(err)
	}
	key := probe.Key{Target: "exec:<f>", Op: probe.Sum, DType: fp.Binary32, Out: fp.Binary32, N: 3}
	finding := func(verified bool) *reveal.Finding {
		arith := sumtree.Plain(fp.Binary32)
		return &reveal.Finding{Key: key, Verdict: reveal.TreeVerdict, Verified: verified,
			Family: "chain", Tree: tree, Arithmetic: &arith}
	}
	return &reveal.Invariance{
		Axis: axis, Values: strings.Fields("1 2 3 4 5 6"), Key: key, Inputs: 9,
		Classes: []reveal.Class{
			{Members: []string{"1", "2", "5"}, Indices: []int{0, 1, 4}, Verified: true,
				Verdict: reveal.TreeVerdict, Representative: finding(true), Revealed: "1",
				Predicted: 5},
			{Members: []string{"3", "4", "6"}, Indices: []int{2, 3, 5},
				Verdict: reveal.TreeVerdict, Representative: finding(false), Revealed: "3"},
		},
		Boundaries: []reveal.Boundary{
			{From: "2", To: "3", Classes: [2]int{0, 1}, FirstNode: "here <they> part",
				Witness: &reveal.PairWitness{X: reveal.Numbers{1, 2, 0}, Summands: 2, ULPs: 1,
					Outs: reveal.Numbers{3, 4}, Bits: [2]string{"0x1", "0x2"}}},
			{From: "4", To: "5", Classes: [2]int{1, 0}},
			{From: "5", To: "6", Classes: [2]int{0, 1}},
		},
	}
}

// The bar of a page has every value once, in the colour of its class.
func TestRuns(t *testing.T) {
	a, b := markOf(0), markOf(1)
	want := []runView{{a, 2, "1 … 2", "f1"}, {b, 2, "3 … 4", "f2"}, {a, 1, "5", "f1"},
		{b, 1, "6", "f2"}}
	got := runsOf(sweepOf(t, "m"), []string{"f1", "f2"})
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	if got := runsOf(sweepOf(t, targetAxis), []string{"f1", "f2"}); len(got) != 6 {
		t.Errorf("targets: %+v", got)
	}
}

// A page shows each change between two classes once, escapes its texts, and
// links to what it holds.
func TestInvariancePage(t *testing.T) {
	var b bytes.Buffer
	if err := WriteInvariancePage(&b, sweepOf(t, "m")); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for want, times := range map[string]int{
		`<p class="lead">not invariant: 2 classes over --m 1..6: {1, 2, 5}, {3, 4, 6}</p>`: 1,
		`<li style="flex-grow:2"><a class="k0" href="#f1">A</a><span>1 … 2</span></li>`:    1,
		`between --m 2 and --m 3: 2 summands that are not zero</h3>`:                       1,
		`<div class="pair">`:               1,
		"<code>0x1  3  --m 2</code>":       1,
		"here &lt;they&gt; part":           1,
		`<p class="proof ok">verified`:     1,
		`<p class="proof no">not verified`: 1,
		"<f>":                              0,
		`on 5 inputs each`:                 1,
		`<details class="finding"><summary><b>B: --m 3</b> <span>`: 1,
	} {
		if n := strings.Count(page, want); n != times {
			t.Errorf("%q is there %d times, want %d", want, n, times)
		}
	}
	for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if strings.Count(page, `id="`+m[1]+`"`) != 1 {
			t.Errorf("the link to %s leads nowhere, or to several places", m[1])
		}
	}
}
