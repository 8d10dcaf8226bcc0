package lock

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/open"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

// library is a target of a library that reports its settings.
type library struct {
	probe.Target
	name, settings string
}

func (l library) Key() probe.Key {
	k := l.Target.Key()
	k.Library, k.Settings, k.Threads = l.name, l.settings, 2
	return k
}

// TestAgree finds the fewest settings that make two targets agree: none of
// those that change nothing, none that break the other target, and none where
// no tree is common.
func TestAgree(t *testing.T) {
	const n = 12
	chain := probetest.Chain(n)
	pairwise := sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}.Tree(n)
	reverse := sumtree.Family{Kind: sumtree.ReverseChain}.Tree(n)
	const capability, threads, features = "ATEN_CPU_CAPABILITY=default", "OMP_NUM_THREADS=1",
		disableFeatures + "=AVX2 FMA3"
	when := func(s probe.Spec, all ...string) bool {
		for _, set := range all {
			if !slices.Contains(s.Env, set) {
				return false
			}
		}
		return true
	}
	is := func(condition bool, a, b *sumtree.Tree) *sumtree.Tree {
		if condition {
			return a
		}
		return b
	}
	for _, c := range []struct {
		name  string
		torch func(s probe.Spec) *sumtree.Tree
		numpy func(s probe.Spec) *sumtree.Tree
		want  string
	}{
		{"neither", func(probe.Spec) *sumtree.Tree { return chain },
			func(probe.Spec) *sumtree.Tree { return reverse }, "false []"},
		{"first", func(s probe.Spec) *sumtree.Tree { return is(when(s, threads), reverse, chain) },
			func(probe.Spec) *sumtree.Tree { return reverse }, "true [" + threads + "]"},
		{"both", func(s probe.Spec) *sumtree.Tree {
			return is(when(s, capability), reverse, chain)
		}, func(s probe.Spec) *sumtree.Tree { return is(when(s, features), reverse, pairwise) },
			"true [" + capability + " " + features + "]"},
		{"two", func(s probe.Spec) *sumtree.Tree {
			if when(s, capability, threads) {
				return reverse
			}
			return is(when(s, capability) || when(s, threads), pairwise, chain)
		}, func(probe.Spec) *sumtree.Tree { return reverse },
			"true [" + capability + " " + threads + "]"},
		{"breaks", func(s probe.Spec) *sumtree.Tree { return is(when(s, threads), reverse, chain) },
			func(s probe.Spec) *sumtree.Tree { return is(when(s, threads), pairwise, reverse) },
			"false []"},
	} {
		s := &Survey{Show: func(string, int, int) {}, Drivers: open.Table{{
			Schemes: []string{"t"}, Options: probe.WithEnv,
			Open: func(_ context.Context, name string, s probe.Spec) (probe.Target, error) {
				if name == "t:torch" {
					return library{probetest.FromTree(c.torch(s), probetest.Options{}),
						"PyTorch", "avx2"}, nil
				}
				return library{probetest.FromTree(c.numpy(s), probetest.Options{}),
					"NumPy", "AVX2 FMA3"}, nil
			},
		}}}
		a, err := s.Agree(t.Context(), "t:torch", "t:numpy",
			probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: n, Threads: -1})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(a.Found, a.Settings); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
