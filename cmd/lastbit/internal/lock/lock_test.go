package lock

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

// surveyOf returns a survey of targets made by a function.
func surveyOf(target func(s probe.Spec) probe.Target) *Survey {
	return &Survey{
		Show: func(string, int, int) {},
		Drivers: open.Table{{
			Schemes: []string{"t"}, Options: probe.WithThreads | probe.WithAlign | probe.WithEnv,
			Open: func(_ context.Context, _ string, s probe.Spec) (probe.Target, error) {
				return target(s), nil
			},
		}},
	}
}

// TestSurvey locks a target whose tree depends on the number of threads, on the
// address, or on nothing, and finds an input that shows another tree.
func TestSurvey(t *testing.T) {
	const n = 12
	chain, pairwise := probetest.Chain(n),
		sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}.Tree(n)
	of := func(other bool) probe.Target {
		if other {
			return probetest.FromTree(pairwise, probetest.Options{})
		}
		return probetest.FromTree(chain, probetest.Options{})
	}
	request := []lockfile.Request{{Target: "t:x",
		Spec: probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: n, Threads: -1}}}
	profile := func(other func(s probe.Spec) bool) (*Survey, *lockfile.Profile) {
		s := surveyOf(func(spec probe.Spec) probe.Target { return of(other(spec)) })
		p, err := s.Profile(t.Context(), request, nil)
		if err != nil || len(p.Missing) > 0 || len(p.Operations) != 1 {
			t.Fatal(p, err)
		}
		return s, p.Profile
	}
	for _, c := range []struct {
		name             string
		other            func(s probe.Spec) bool
		threads, address lockfile.Answer
	}{
		{"neither", func(probe.Spec) bool { return false }, lockfile.No, lockfile.No},
		{"threads", func(s probe.Spec) bool { return s.Threads == 2 }, lockfile.Yes, lockfile.No},
		{"address", func(s probe.Spec) bool { return s.Align == 16 }, lockfile.No, lockfile.Yes},
	} {
		_, p := profile(c.other)
		o := p.Operations[0]
		if o.Threads != c.threads || o.Alignment != c.address || !o.Verified() {
			t.Errorf("%s: %+v", c.name, o)
		}
	}
	_, old := profile(func(probe.Spec) bool { return false })
	s, now := profile(func(probe.Spec) bool { return true })
	d := lockfile.Compare(old, now, nil)
	if len(d.Changes) != 1 {
		t.Fatalf("%+v", d)
	}
	w, err := s.Witness(t.Context(), d.Changes[0])
	if err != nil || w == nil {
		t.Fatal(w, err)
	}
	for k, tree := range []*sumtree.Tree{chain, pairwise} {
		out, err := tree.Replay(sumtree.Plain(fp.Binary32), w.Witness.X, nil)
		if err != nil || out != w.Witness.Outs[k] {
			t.Errorf("tree %d gives %v for the input, not %v (%v)", k, out, w.Witness.Outs[k], err)
		}
	}
	if w.Witness.Outs[0] == w.Witness.Outs[1] {
		t.Error("the results are the same")
	}
}

// TestAudited checks that the requests of an audit's targets have their formats
// and operations, and leave out means, sums that ranks share, absent targets
// and unaudited drivers.
func TestAudited(t *testing.T) {
	list := func(listings ...probe.Listing) func(context.Context) []probe.Listing {
		return func(context.Context) []probe.Listing { return listings }
	}
	both := []fp.Format{fp.Binary16, fp.Binary32, fp.Binary64}
	s := &Survey{Drivers: open.Table{
		{Schemes: []string{"a"}, List: list(
			probe.Listing{Address: "a:x", Ops: []probe.Op{probe.Sum, probe.SumSq}, DTypes: both},
			probe.Listing{Address: "a:y", Ops: []probe.Op{probe.Gemm, probe.Dot}, DTypes: both[2:]},
			probe.Listing{Address: "a:mean", Ops: []probe.Op{probe.Sum}, DTypes: both, Mean: true},
			probe.Listing{Address: "a:ranks", Ops: []probe.Op{probe.Sum}, DTypes: both, Ranks: 8},
			probe.Listing{Address: "a:no", Ops: []probe.Op{probe.Sum}, DTypes: both, Absent: "why"},
		)},
		{Schemes: []string{"b"}, Unaudited: true, List: list(
			probe.Listing{Address: "b:x", Ops: []probe.Op{probe.Sum}, DTypes: both})},
	}}
	var got []string
	for _, r := range s.Audited(t.Context()) {
		got = append(got, fmt.Sprintf("%s %v %v %d %d×%d", r.Target, r.Spec.Op, r.Spec.DType,
			r.Spec.N, r.Spec.M, r.Spec.Cols))
	}
	want := []string{"a:x sum f32 1000 0×0", "a:x sum f64 1000 0×0", "a:y dot f64 1000 0×0",
		"a:y gemm f64 128 32×32"}
	if !slices.Equal(got, want) {
		t.Errorf("requests %q, want %q", got, want)
	}
}

// TestPin finds the one of several settings that a tree depends on, and reports
// a tree that no setting gives.
func TestPin(t *testing.T) {
	const n = 9
	chain, reverse := probetest.Chain(n), sumtree.Family{Kind: sumtree.ReverseChain}.Tree(n)
	s := surveyOf(func(spec probe.Spec) probe.Target {
		if slices.Contains(spec.Env, "B=2") && !slices.Contains(spec.Env, "C=3") {
			return probetest.FromTree(reverse, probetest.Options{})
		}
		return probetest.FromTree(chain, probetest.Options{})
	})
	profile := func(tree *sumtree.Tree) *lockfile.Profile {
		o := &lockfile.Operation{Target: "t:x", Verdict: "tree",
			Spec: probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: n, Threads: -1}}
		p, err := surveyOf(func(probe.Spec) probe.Target {
			return probetest.FromTree(tree, probetest.Options{})
		}).Profile(t.Context(), []lockfile.Request{{Target: o.Target, Spec: o.Spec}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Settings = []string{"A=1", "B=2", "C=3"}
		return p.Profile
	}
	pair := func(a, b *sumtree.Tree) *Pin {
		p, err := s.Pin(t.Context(), [2]*lockfile.Profile{profile(a), profile(b)},
			[2]string{"a", "b"})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := pair(chain, reverse)
	if !p.Agrees() || len(p.Ways[0].Settings) != 0 || fmt.Sprint(p.Ways[1].Settings) != "[B=2]" {
		t.Errorf("%+v", p)
	}
	other := sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}.Tree(n)
	if p = pair(chain, other); p.Agrees() || len(p.Ways[1].Left) != 1 || p.Ways[1].Tried != 8 {
		t.Errorf("%+v", p)
	}
	if p = pair(chain, chain); len(p.Differ) != 0 || p.Operations != 1 {
		t.Errorf("%+v", p)
	}
}

// TestSubsets lists all sets of up to two settings, none with two values of one
// variable.
func TestSubsets(t *testing.T) {
	var got []string
	for set := range subsets([]string{"A=1", "A=2", "B=1", "C=1"}, 2) {
		got = append(got, strings.Join(set, "+"))
	}
	want := " A=1 A=2 B=1 C=1 A=1+B=1 A=1+C=1 A=2+B=1 A=2+C=1 B=1+C=1"
	if strings.Join(got, " ") != want {
		t.Errorf("%q", got)
	}
}

// TestDescribeCPU reads /proc/cpuinfo of several processors.
func TestDescribeCPU(t *testing.T) {
	for info, want := range map[string]string{
		"vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n" +
			"flags\t: fpu fma avx2 avx512f\n\nvendor_id\t: other\n": "AuthenticAMD family 25 " +
			"model 17 fma avx2 avx512f",
		"CPU implementer\t: 0x41\nCPU part\t: 0xd40\nFeatures\t: fp asimd sve bf16\n": "" +
			"implementer 0x41 part 0xd40 sve bf16",
		"": "",
	} {
		if got := describeCPU(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if c := Class(); !strings.Contains(c, "/") || c != Class() {
		t.Errorf("this machine's class is %q", c)
	}
}

// TestNearest finds the profile to compare a machine with.
func TestNearest(t *testing.T) {
	f := &lockfile.File{}
	if nearest(f, "linux/amd64, x") != nil {
		t.Error("a file without profiles has one")
	}
	for _, class := range []string{"darwin/arm64, a", "linux/amd64, x", "linux/arm64, y"} {
		f.Put(&lockfile.Profile{Class: class})
	}
	for class, want := range map[string]string{
		"linux/amd64, x": "linux/amd64, x", "linux/amd64, z": "linux/amd64, x",
		"darwin/amd64, a": "darwin/arm64, a",
	} {
		if got := nearest(f, class).Class; got != want {
			t.Errorf("%s is compared with %s", class, got)
		}
	}
}

// TestArithmeticApart names only the phrases that changed.
func TestArithmeticApart(t *testing.T) {
	got := describePart(lockfile.Part{Name: "arithmetic", Old: "adds in f32, kept, fused",
		New: "adds in f64, kept, fused"})
	if got != "arithmetic adds in f32 → adds in f64" {
		t.Error(got)
	}
}

// TestPinFunctions names the elementary functions that differ where all
// operations are alike.
func TestPinFunctions(t *testing.T) {
	profile := func(hash string) *lockfile.Profile {
		p := &lockfile.Profile{Class: "c", Libraries: []*lockfile.Library{{Name: "c", DType: "f64",
			Version: "glibc", Functions: map[string]string{"exp": hash, "log": "0"}}}}
		o := &lockfile.Operation{Target: "t:x", Verdict: "tree",
			Spec: probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 4, Threads: -1}}
		err := o.SetTree(probetest.Chain(4), "chain", sumtree.Plain(fp.Binary32), "plain")
		if err != nil {
			t.Fatal(err)
		}
		p.Operations = append(p.Operations, o)
		return p
	}
	s := surveyOf(func(probe.Spec) probe.Target { return nil })
	for _, c := range []struct{ hash, first, second string }{
		{"1", "nothing to set: the two agree on 1 operation\n", ""},
		{"2", "nothing to set: the two agree on 1 operation, but not on 1 elementary function\n",
			"  c f64 exp\n"},
	} {
		p, err := s.Pin(t.Context(), [2]*lockfile.Profile{profile("1"), profile(c.hash)},
			[2]string{"one", "two"})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := WritePin(&out, p); err != nil || !strings.HasPrefix(out.String(), c.first) ||
			!strings.HasSuffix(out.String(), c.second) {
			t.Errorf("%s, %v", out.String(), err)
		}
	}
}

// TestTimeout asks again where a variant of an operation did not answer in
// time, and does not take it for one that the target lacks.
func TestTimeout(t *testing.T) {
	const n = 8
	late := &probe.Fault{ID: "worker-timeout", Thing: "t:x", Cause: "no answer"}
	for _, c := range []struct {
		times   int // that the variant is late
		missing int
	}{{1, 0}, {2, 1}} {
		s := surveyOf(nil)
		left := c.times
		s.Drivers[0].Open = func(
			_ context.Context, _ string, spec probe.Spec,
		) (probe.Target, error) {
			if spec.Threads == 2 && left > 0 {
				left--
				return nil, late
			}
			return probetest.FromTree(probetest.Chain(n), probetest.Options{}), nil
		}
		p, err := s.Profile(t.Context(), []lockfile.Request{{Target: "t:x",
			Spec: probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: n, Threads: -1}}}, nil)
		if err != nil || len(p.Missing) != c.missing || len(p.Operations) != 1-c.missing {
			t.Fatal(p, err)
		}
		if c.missing == 0 && p.Operations[0].Threads != lockfile.No {
			t.Errorf("%+v", p.Operations[0])
		}
	}
}
