package audit

import (
	"regexp"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// target is a row of an artificial table: the finding of an address.
type target struct {
	address string
	group   int // of the comparison
	family  sumtree.Family
	change  func(*reveal.Finding)
}

// chain and pairwise are orders of verified trees.
var (
	chain    = sumtree.Family{Kind: sumtree.Chain}
	pairwise = sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}
)

// tableOf returns the table of a comparison of targets of 8 summands. Groups i
// and j differ on i+j inputs of 100, by i+j ULPs.
func tableOf(op probe.Op, targets ...target) *Table {
	t := newTable(probe.Spec{Op: op, DType: fp.Binary32, N: 8})
	groups := 0
	for _, v := range targets {
		a := sumtree.Plain(fp.Binary32)
		f := &reveal.Finding{
			Verdict: reveal.TreeVerdict, Verified: true,
			Tree: v.family.Tree(8), Family: v.family.String(), Arithmetic: &a,
			Traits: reveal.Traits{
				Accumulator: "f32", FMA: reveal.NotFused,
				Rounding: "rne", Subnormals: "kept", Initial: "+0",
			},
			Key: probe.Key{Target: v.address, Op: op, DType: fp.Binary32, Out: fp.Binary32, N: 8},
		}
		if v.change != nil {
			v.change(f)
		}
		t.rows = append(t.rows,
			&Row{address: v.address, Finding: f, group: [2]int{v.group, v.group}})
		groups = max(groups, v.group+1)
	}
	name := func(g int) string { return string(rune('0' + g)) }
	for i := range groups {
		for j := i + 1; j < groups; j++ {
			t.Pairs = append(t.Pairs, Pair{A: name(i), B: name(j), Difference: &reveal.Difference{
				Tried: 100, Differ: i + j, TypicalULPs: uint64(i + j),
				Witness: &reveal.PairWitness{
					X: make(reveal.Numbers,
						8), Outs: reveal.Numbers{1, 2}, Bits: [2]string{"0x1", "0x2"},
					ULPs: uint64(i + j), Summands: 3,
				},
			}})
		}
	}
	t.group()
	return t
}

func refuse(v reveal.Verdict) func(*reveal.Finding) {
	return func(f *reveal.Finding) {
		f.Verdict, f.Verified, f.Tree, f.Arithmetic, f.Family = v, v == reveal.Exact, nil, nil, ""
		f.Traits = reveal.Unknown()
	}
}

// Changes that make other findings of verified trees.
func fuse(f *reveal.Finding)     { f.Traits.FMA, f.Arithmetic.FMA = reveal.Fused, sumtree.FMALater }
func forget(f *reveal.Finding)   { f.Traits = reveal.Unknown() }
func unverify(f *reveal.Finding) { f.Verified = false }
func keepZero(f *reveal.Finding) { f.Traits.Initial, f.Arithmetic.PlusZero = "-0", true }

// TestSummary checks the sentence of an audit against its findings.
func TestSummary(t *testing.T) {
	naive := target{"go:naive", 0, chain, nil}
	for name, c := range map[string]struct {
		op      probe.Op
		targets []target
		want    []string
		not     []string
	}{
		"one": {probe.Sum, []target{naive}, []string{
			"One way to add was found here, so there is nothing to compare it with. None is a bug.",
		}, []string{"To make"}},
		"the same": {probe.Sum, []target{naive, {"go:loop", 0, chain, nil}}, []string{
			"These 2 ways to add gave the same bits here on every input tried. None is a bug.",
		}, []string{"To make"}},
		"orders": {probe.Sum, []target{
			naive, {"go:pairwise", 1, pairwise, nil}, {"go:loop", 0, chain, nil},
		}, []string{
			"These 3 ways to add give 2 different results here. They differ because they add in " +
				"different orders; usually by 1 ULP (the median over all pairs of letters). " +
				"None is a bug. To make them agree: lastbit sum,",
			"such as go:naive and go:loop for sum · float32.",
		}, []string{"FMA", "exact)"}},
		"fma": {probe.Gemm, []target{naive, {"b:x", 1, chain, fuse}}, []string{
			"because some fuse a product with its addition (FMA); usually by 1 ULP",
			"None is a bug.",
			"exact.Dot in Go, called for each result",
		}, []string{"different orders", "under one letter"}},
		"unknown arithmetic is not a reason": {probe.Sum, []target{
			naive, {"go:x", 1, pairwise, forget},
		}, []string{
			"2 different results here. They differ because they add in different orders; usually " +
				"by 1 ULP",
		}, nil},
		"minus zero": {probe.Sum, []target{naive, {"py:sum", 0, chain, keepZero}}, []string{
			"2 different results here. They differ because a sum of −0 is +0 in some. " +
				"None is a bug.",
		}, []string{"usually"}},
		"exact agrees with a chain": {probe.Sum, []target{
			naive, {"py:fsum", 0, chain, refuse(reveal.Exact)},
		}, []string{
			"These 2 ways to add gave the same bits here on every input tried. None is a bug.",
		}, nil},
		"doubts": {probe.Dot, []target{
			naive, {"go:race", 1, chain, refuse(reveal.Nondeterministic)},
			{"go:dice", 1, chain, refuse(reveal.Nondeterministic)},
			{"go:other", 2, chain, refuse(reveal.ValueDependent)},
		}, []string{
			"4 ways to add give 3 different results",
			"One is not a bug, but look at go:race and go:dice (nondeterministic: " +
				"the same input gave different results in one run) and go:other (value-dependent: ",
			"lastbit sum --op dot",
		}, []string{"None is a bug"}},
		"compensated": {probe.Sum, []target{
			naive, {"go:kahan", 1, chain, refuse(reveal.Compensated)},
		}, []string{
			"some carry rounding errors along (compensated); usually by 1 ULP",
			"None is a bug.",
		}, []string{"look at"}},
		"nothing proven": {probe.Sum, []target{
			{"go:a", 0, chain, unverify}, {"go:b", 1, chain, refuse(reveal.NotASum)},
		}, []string{
			"None is proven: go:a (unverified: the masks see one order",
			"go:b (not-a-sum: a summand is dropped",
		}, []string{"bug"}},
	} {
		table := tableOf(c.op, c.targets...)
		report := &Report{Tables: []*Table{table}}
		report.summarise()
		if table.Summary.Text != report.Summary.Text {
			t.Errorf("%s: the table has %q and the report %q", name, table.Summary.Text,
				report.Summary.Text)
		}
		for _, want := range c.want {
			if !strings.Contains(report.Summary.Text, want) {
				t.Errorf("%s: %q does not contain %q", name, report.Summary.Text, want)
			}
		}
		for _, not := range c.not {
			if strings.Contains(report.Summary.Text, not) {
				t.Errorf("%s: %q contains %q", name, report.Summary.Text, not)
			}
		}
	}
}

// TestSummaryOfSeveral checks the sentence of a report of several operations.
func TestSummaryOfSeveral(t *testing.T) {
	r := &Report{Tables: []*Table{
		tableOf(probe.Sum, target{"go:naive", 0, chain, nil},
			target{"go:pairwise", 1, pairwise, nil},
			target{"go:exact", 2, chain, refuse(reveal.Exact)}),
		tableOf(probe.Dot, target{"go:naive", 0, chain, nil}, target{"blas:x", 1, pairwise, nil}),
	}}
	r.Tables[1].Failed = append(r.Tables[1].Failed, Failure{"py:x", faultOf(nil)})
	r.summarise()
	want := "These 4 ways to add give up to 3 different results for one operation here. They " +
		"differ because they add in different orders and some round only once (exact); " +
		"usually by 2 ULPs (the median over all pairs of letters). None is a bug. 1 more target " +
		"could not be run."
	if got := r.Summary.sentence(); got != want {
		t.Errorf("the sentence is\n%q, not\n%q", got, want)
	}
	if r.Summary.Ways != 4 || r.Summary.Results != 3 || r.Summary.Failed != 1 {
		t.Errorf("%+v", r.Summary)
	}
}

// TestAdviceIsUnderTheAnswer checks that the cure comes before the tables, and
// that each row has the distance whose median the summary names.
func TestAdviceIsUnderTheAnswer(t *testing.T) {
	table := tableOf(probe.Sum, target{"go:naive", 0, chain, nil},
		target{"go:pairwise", 3, pairwise, nil}, target{"go:loop", 0, chain, nil})
	report := &Report{Tables: []*Table{table}}
	report.summarise()
	var b strings.Builder
	if err := WriteText(&b, report); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	for i, want := range []string{
		"different: 3 ways to add give 2 different results",
		"They differ because they add in different orders; usually by 3 ULPs (the median over",
	} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d is %q, not %q", i+1, lines[i], want)
		}
	}
	before, after, found := strings.Cut(b.String(), "\n\n")
	if !found || !strings.Contains(before, "\nTo make them agree: ") ||
		strings.Contains(after, "To make them agree") {
		t.Errorf("the advice is not under the answer:\n%s", b.String())
	}
	if !regexp.MustCompile(`(?m)^  B +3 % +3 ULPs +3 summands`).MatchString(after) {
		t.Errorf("the table lacks the typical distance:\n%s", after)
	}
}
