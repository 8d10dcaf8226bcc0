package audit

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// TestLetters checks that targets of one letter differ in nothing.
func TestLetters(t *testing.T) {
	finding := func(change func(*reveal.Finding)) *reveal.Finding {
		a := sumtree.Plain(fp.Binary32)
		f := &reveal.Finding{
			Verdict:    reveal.TreeVerdict,
			Verified:   true,
			Arithmetic: &a,
			Key:        probe.Key{DType: fp.Binary32, Out: fp.Binary32},
		}
		change(f)
		return f
	}
	same := func(*reveal.Finding) {}
	row := func(g, shiftedGroup int, f *reveal.Finding) *Row {
		r := &Row{Finding: f, group: [2]int{g, shiftedGroup}}
		if g != shiftedGroup {
			r.Shifted = finding(same)
		}
		return r
	}
	table := &Table{rows: []*Row{
		row(0, 0, finding(same)),
		row(0, 0, finding(same)),
		row(0, 0, finding(func(f *reveal.Finding) { f.Arithmetic.PlusZero = true })),
		row(0, 0, finding(func(f *reveal.Finding) { f.Verified = false })),
		row(1, 1, finding(same)),
		row(0, 1, finding(same)),
		row(0, 1, finding(same)),
		row(2, 2,
			finding(func(f *reveal.Finding) { f.Verdict, f.Arithmetic = reveal.Compensated, nil })),
		row(2, 2, finding(func(f *reveal.Finding) { f.Verdict, f.Arithmetic = reveal.Exact, nil })),
	}}
	table.Pairs = []Pair{
		{A: "0", B: "1", Difference: &reveal.Difference{Differ: 1, Tried: 2}},
		{A: "0", B: "2", Difference: &reveal.Difference{Differ: 2, Tried: 2}},
	}
	table.group()
	var sizes []int
	for _, g := range table.Groups {
		sizes = append(sizes, len(g.Members))
	}
	if want := []int{2, 1, 1, 1, 2, 1, 1}; !reflect.DeepEqual(sizes, want) {
		t.Fatalf("the groups have %v members, not %v", sizes, want)
	}
	notes := []string{"−0", "unverified", "", "only where data begins 4 bytes past", "", ""}
	for k, want := range notes {
		p := table.Pairs[k]
		if p.A != "A" || !strings.Contains(p.Note, want) || (want == "") != (p.Note == "") {
			t.Errorf("A and %s: the note is %q, which should speak of %q", p.B, p.Note, want)
		}
	}
}

// TestSameWords holds that rows with the same words get a reason: in the words
// where only sums that overflow distinguish them, and in a note elsewhere.
func TestSameWords(t *testing.T) {
	row := func(g int, v reveal.Verdict) *Row {
		return &Row{address: string(v), group: [2]int{g, g}, Finding: &reveal.Finding{Verdict: v,
			Key: probe.Key{DType: fp.Binary64, Out: fp.Binary64}}}
	}
	overflow := &reveal.PairWitness{X: reveal.Numbers{1e308, 1e308}, Summands: 2,
		Outs: reveal.Numbers{math.Inf(1), math.NaN()}}
	ordinary := &reveal.PairWitness{X: reveal.Numbers{1, 2, 3}, Summands: 3,
		Outs: reveal.Numbers{6, 7}, Bits: [2]string{"0x6", "0x7"}}
	table := &Table{Op: probe.Sum, DType: fp.Binary64, N: 9, rows: []*Row{
		row(0, reveal.ValueDependent), row(1, reveal.Exact), row(2, reveal.Exact),
		row(3, reveal.Compensated), row(4, reveal.Compensated),
	}}
	table.Pairs = []Pair{
		{A: "1", B: "2", Difference: &reveal.Difference{Tried: 100, Witness: overflow}},
		{A: "3", B: "4", Difference: &reveal.Difference{Tried: 100, Differ: 5, Witness: ordinary}},
	}
	table.group()
	var words []string
	for _, g := range table.Groups {
		words = append(words, g.Words)
	}
	want := []string{"value-dependent",
		"exact: order does not matter, an infinity where sums overflow",
		"exact: order does not matter, NaN where sums overflow", "compensated", "compensated"}
	if !reflect.DeepEqual(words, want) {
		t.Errorf("%q", words)
	}
	const note = "D and E differ on 5 % of random inputs: for one of 3 summands they give 0x6 " +
		"and 0x7 (--json has it): lastbit compare compensated compensated --op sum --dtype f64 -n 9"
	if len(table.Alike) != 1 || table.explainAlike(table.Alike[0]) != note {
		t.Errorf("%+v", table.Alike)
	}
}
