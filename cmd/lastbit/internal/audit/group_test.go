package audit

import (
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
