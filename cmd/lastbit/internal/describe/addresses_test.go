package describe

import (
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// TestAddresses holds the words of findings that depend on the address of their
// data, or do not.
func TestAddresses(t *testing.T) {
	chain, err := sumtree.ParseFamily("chain")
	if err != nil {
		t.Fatal(err)
	}
	finding := func(family string, op probe.Op) *reveal.Finding {
		f, err := sumtree.ParseFamily(family)
		if err != nil {
			t.Fatal(err)
		}
		return &reveal.Finding{Verdict: reveal.TreeVerdict, Verified: true, Family: family,
			Tree: f.Tree(8), Traits: reveal.Unknown(),
			Key: probe.Key{Op: op, DType: fp.Binary32, Out: fp.Binary32, N: 8, Threads: 1}}
	}
	other := finding("pairwise", probe.Sum)
	other.Tree = chain.Tree(8)
	nameless := finding("pairwise", probe.Sum)
	nameless.Family = ""
	same := finding("chain", probe.Sum)
	for _, c := range []struct {
		op   probe.Op
		a    *reveal.Addresses
		want string // "" for nothing
	}{
		{probe.Sum, nil, ""},
		{probe.Sum, &reveal.Addresses{Tried: 12}, ""},
		{probe.Sum, &reveal.Addresses{Tried: 12, Depends: true, Differ: []probe.Placement{{X: 8}},
			Other: finding("pairwise", probe.Sum)}, "depends on the address: other bits at 1 of " +
			"12 other addresses tried; with the data 8 bytes further on the order is pairwise"},
		{probe.Dot, &reveal.Addresses{Tried: 9, Depends: true,
			Differ: []probe.Placement{{X: 4, Y: 4}, {Y: 4}}, Other: nameless},
			"other bits at 2 of 9 other addresses tried; with x and y 4 bytes further on the " +
				"order is another one"},
		{probe.Gemm, &reveal.Addresses{Tried: 9, Depends: true, Differ: []probe.Placement{{Y: 16}}},
			"with b 16 bytes further on it is not revealed"},
		{probe.Gemv, &reveal.Addresses{Tried: 9, Depends: true, Differ: []probe.Placement{{X: 16}},
			Other: same}, "with a 16 bytes further on the order is the same"},
	} {
		f := finding("chain", c.op)
		f.Addresses = c.a
		got := Addresses(f)
		if got == "" && c.want != "" || !strings.Contains(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
		if c.a == nil || c.a.Depends {
			if s := Evidence(f); strings.Contains(s, "other address") {
				t.Errorf("evidence %q", s)
			}
		}
	}
	f := finding("chain", probe.Sum)
	f.Addresses, f.Evidence.Repeated, f.Key.Threads = &reveal.Addresses{Tried: 12}, 200, 2
	if s, want := Evidence(f), "the same bits at 12 other addresses, the same in 200 calls with "+
		"2 threads"; s != want {
		t.Errorf("evidence %q, want %q", s, want)
	}
}
