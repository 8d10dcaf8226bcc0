package arithmetic_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/clib"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// directions are the rounding modes, except to nearest even.
var directions = []fp.Mode{fp.TowardZero, fp.Up, fp.Down, fp.NearestAway}

// TestDirections reveals trees whose additions all round in one direction, or
// ties away from zero.
func TestDirections(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for name, o := range map[string]probetest.Options{
		"f32":            {},
		"f64":            {DType: fp.Binary64},
		"f16":            {DType: fp.Binary16},
		"bf16":           {DType: fp.BFloat16},
		"f16 in f32":     {DType: fp.Binary16, Acc: fp.Binary32},
		"bf16 in f32":    {DType: fp.BFloat16, Acc: fp.Binary32},
		"f16 to f32":     {DType: fp.Binary16, Acc: fp.Binary32, Out: fp.Binary32},
		"f32 in f64":     {Acc: fp.Binary64},
		"f32 to f64":     {Acc: fp.Binary64, Out: fp.Binary64},
		"dot f32":        {Products: true},
		"dot f32 fma":    {Products: true, FMA: true},
		"dot f64":        {Products: true, DType: fp.Binary64},
		"dot f16 in f32": {Products: true, DType: fp.Binary16, Acc: fp.Binary32},
		"dot f32 in f64": {Products: true, Acc: fp.Binary64},
		"ftz":            {FTZ: true},
		"daz ftz":        {FTZ: true, DAZ: true},
		"from zero":      {FromZero: true},
		"gemm":           {Op: probe.Gemm, Lanes: 20, Cols: 3},
		"axis sum 30":    {Lanes: 30},
	} {
		first := rng.IntN(2)
		for k, mode := range directions {
			if k%2 != first && !revealtest.IsWhole() {
				continue
			}
			o.Mode = mode
			sizes := []int{1, 2, 3, 8, 33, 300}
			if !revealtest.IsWhole() { // half of them
				from := rng.IntN(2)
				sizes = []int{sizes[from], sizes[2+from], sizes[4+from]}
			}
			t.Run(fmt.Sprint(name, " ", mode), func(t *testing.T) {
				for _, n := range sizes {
					shape := probetest.Shapes()[rng.IntN(3)]
					tree := probetest.RandomTree(rng, n, shape)
					target := probetest.FromTree(tree, o)
					f := revealtest.Must(t, target, reveal.Options{}, tree)
					revealtest.Replays(t, target, f, 20)
				}
			})
		}
	}
}

// TestDirectionsAtRandom reveals random trees in random formats and directions.
func TestDirectionsAtRandom(t *testing.T) {
	const seed = 331
	rng := rand.New(rand.NewPCG(seed, 332))
	for k := range revealtest.Everyday(64) {
		for _, mode := range directions {
			o := probetest.Options{Mode: mode, Products: rng.IntN(3) == 0}
			o.DType = []fp.Format{fp.Binary32, fp.Binary64, fp.Binary16, fp.BFloat16}[rng.IntN(4)]
			if o.DType != fp.Binary64 && rng.IntN(3) == 0 {
				o.Acc = []fp.Format{fp.Binary32, fp.Binary64}[rng.IntN(2)]
			}
			n := 2 + rng.IntN(60)
			tree := probetest.RandomTree(rng, n, probetest.Shapes()[rng.IntN(3)])
			target := probetest.FromTree(tree, o)
			f := revealtest.Find(t, target, k)
			what := fmt.Sprintf("seed %d, tree %d, n = %d, %+v: ", seed, k, n, o)
			switch {
			case f.Verdict == reveal.TreeVerdict && f.Verified:
				if !f.Tree.Equal(tree) {
					t.Errorf("%s%v, want %v", what, f.Tree, tree)
				}
				if err := revealtest.Mismatch(t.Context(), target, f, k, 60); err != nil {
					t.Error(what, err)
				}
			case o.DType == fp.Binary16 && o.Acc == fp.Binary64 && f.Verdict != reveal.TreeVerdict:
				// A float64 holds all sums of so few float16: it may be exact.
				if f.Verdict != reveal.Exact && f.Verdict != reveal.Unsupported {
					t.Error(what, f.Verdict)
				}
			default:
				t.Error(what)
				revealtest.Wrong(t, f)
			}
		}
	}
}

// TestSquaresInDirections holds that sums of squares that round in one
// direction are refused for that, and not for an order that depends on values.
func TestSquaresInDirections(t *testing.T) {
	rng := rand.New(rand.NewPCG(335, 336))
	for _, mode := range directions[:3] {
		for _, root := range []bool{false, true} {
			for _, n := range []int{3, 5, 20, 40} {
				tree := probetest.RandomTree(rng, n, probetest.Uniform)
				o := probetest.Options{Op: probe.SumSq, Root: root, Mode: mode}
				f := revealtest.Find(t, probetest.FromTree(tree, o), 1)
				if f.Verified || f.Verdict != reveal.Unsupported {
					t.Errorf("%v, n = %d, root %v:", mode, n, root)
					revealtest.Wrong(t, f)
				}
			}
		}
	}
}

// mixed returns a sum in the order of a tree whose additions each round in a
// direction of their own.
func mixed(tree *sumtree.Tree, f fp.Format, modes []fp.Mode) probe.Target {
	return revealtest.Sum(tree.Leaves(), f, func(x []float64) float64 {
		part := make([]float64, tree.Nodes())
		copy(part, x)
		for k := range tree.Inner() {
			kids := tree.Children(tree.Leaves() + k)
			part[tree.Leaves()+k] = f.Add(part[kids[0]], part[kids[1]], modes[k])
		}
		return part[tree.Root()]
	})
}

// TestMixedDirections holds that no sum of additions in several directions is
// verified in a tree or an arithmetic that it does not have.
func TestMixedDirections(t *testing.T) {
	const seed = 333
	rng := rand.New(rand.NewPCG(seed, 334))
	tally := map[string]int{}
	for k := range revealtest.Everyday(120) {
		n := 2 + rng.IntN(20)
		if k%8 == 0 {
			n *= 10
		}
		tree := probetest.RandomTree(rng, n, probetest.Shapes()[rng.IntN(3)])
		modes := make([]fp.Mode, tree.Inner())
		for i := range modes {
			modes[i] = fp.Mode(rng.IntN(4))
		}
		formats := []fp.Format{fp.Binary32, fp.Binary64, fp.Binary16, fp.BFloat16}
		f := formats[rng.IntN(len(formats))]
		target := mixed(tree, f, modes)
		found := revealtest.Find(t, target, k)
		what := fmt.Sprintf("seed %d, tree %d, n = %d, %v: ", seed, k, n, modes)
		tally[fmt.Sprint(found.Verdict, " verified ", found.Verified)]++
		switch {
		case found.Verified && !found.Tree.Equal(tree):
			t.Errorf("%s%v, want %v", what, found.Tree, tree)
		case found.Verified:
			if err := revealtest.Mismatch(t.Context(), target, found, k, 60); err != nil {
				t.Error(what, err)
			}
		case found.Verdict != reveal.TreeVerdict && found.Verdict != reveal.Unsupported:
			t.Error(what)
			revealtest.Wrong(t, found)
		}
	}
	t.Log(tally)
}

// directedC has sums and dot products whose additions round in the direction
// MODE. NEAREST ends the mode before the result is converted.
const directedC = `#include <fenv.h>
#include <stddef.h>
#define ENDS(name, T, A) \
	T name(const T *x, size_t n) { int old = fegetround(); fesetround(MODE); \
		volatile A s = name##_a(x, 0, n); volatile T r = 0; if (!NEAREST) r = (T)s; \
		fesetround(old); if (NEAREST) r = (T)s; return r; } \
	T dot##name(const T *x, const T *y, size_t n) { int old = fegetround(); fesetround(MODE); \
		volatile A s = name##_a(x, y, n); volatile T r = 0; if (!NEAREST) r = (T)s; \
		fesetround(old); if (NEAREST) r = (T)s; return r; }
#define V(A, i) (y ? (A)x[i] * (A)y[i] : (A)x[i])
#define ORDERS(p, T, A) \
	static A p##chain_a(const T *x, const T *y, size_t n) { \
		A s = 0; for (size_t i = 0; i < n; i++) s += V(A, i); return s; } \
	static A p##reverse_a(const T *x, const T *y, size_t n) { \
		A s = 0; for (size_t i = n; i-- > 0;) s += V(A, i); return s; } \
	static A p##lanes_a(const T *x, const T *y, size_t n) { \
		A a[4] = {0}; for (size_t i = 0; i < n; i++) a[i % 4] += V(A, i); \
		return (a[0] + a[1]) + (a[2] + a[3]); } \
	static A p##halves_a(const T *x, const T *y, size_t n) { if (n == 1) return V(A, 0); \
		return p##halves_a(x, y, n / 2) + p##halves_a(x + n / 2, y ? y + n / 2 : y, n - n / 2); } \
	static A p##blocks_a(const T *x, const T *y, size_t n) { A s = 0; \
		for (size_t k = 0; k < n; k += 8) { A b = 0; \
			for (size_t i = k; i < n && i < k + 8; i++) b += V(A, i); s += b; } return s; } \
	ENDS(p##chain, T, A) ENDS(p##reverse, T, A) ENDS(p##lanes, T, A) \
	ENDS(p##halves, T, A) ENDS(p##blocks, T, A)
ORDERS(f32, float, float) ORDERS(f64, double, double) ORDERS(wide, float, double)
ORDERS(x87, float, long double) ORDERS(long, double, long double)
`

// TestDirectionsOfC reveals C code that rounds in a direction of the processor,
// to formats and to its 80-bit format.
func TestDirectionsOfC(t *testing.T) {
	orders := []struct {
		name string
		tree func(n int) *sumtree.Tree
	}{
		{"chain", probetest.Chain}, {"reverse", probetest.ReverseChain},
		{"lanes", lanesInHalves}, {"blocks", blocksOf8},
		{"halves", sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}.Tree},
	}
	turn := 0
	for k, macro := range []string{"FE_TOWARDZERO", "FE_UPWARD", "FE_DOWNWARD", "FE_TONEAREST"} {
		mode := []string{"rz", "ru", "rd", "rne"}[k]
		for _, nearest := range []string{"0", "1"} {
			library := require.Library(t, directedC, "-DMODE="+macro, "-DNEAREST="+nearest,
				"-frounding-math", "-lm")
			for _, p := range []struct {
				prefix string
				f      fp.Format
				wide   bool // than the result
				held   string
			}{
				{"f32", fp.Binary32, false, "f32"}, {"f64", fp.Binary64, false, "f64"},
				{"wide", fp.Binary32, true, "f64"},
				{"x87", fp.Binary32, true, "x87 (64 bits)"},
				{"long", fp.Binary64, true, "x87 (64 bits)"},
			} {
				if strings.HasPrefix(p.held, "x87") && runtime.GOARCH != "amd64" {
					continue
				}
				for _, order := range orders {
					if turn++; turn%7 != 0 && !revealtest.IsWhole() {
						continue
					}
					name := p.prefix + order.name
					s := probe.Spec{DType: p.f, Op: probe.Sum}
					if turn%2 == 1 {
						name, s.Op = "dot"+name, probe.Dot
					}
					s.N = []int{4, 9, 40, 200}[turn/7%4]
					is := func(f *reveal.Finding) bool {
						r := f.Traits.Result == "rounded to nearest even"
						return f.Traits.Rounding == mode && f.Traits.Accumulator == p.held &&
							r == (p.wide && nearest == "1" && mode != "rne")
					}
					checkDirected(t, library+":"+name, s, order.tree(s.N), is)
				}
			}
		}
	}
}

// checkDirected demands a verified tree, and that the arithmetic is as it
// should be.
func checkDirected(
	t *testing.T, address string, s probe.Spec, tree *sumtree.Tree, is func(*reveal.Finding) bool,
) {
	t.Helper()
	target, err := clib.Open(t.Context(), address, s)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	f := revealtest.Must(t, target, reveal.Options{}, tree)
	revealtest.Replays(t, target, f, 40)
	if !is(f) {
		t.Errorf("%s: %s", f.Key, f.Traits)
	}
}

// lanesInHalves adds in four chains that take turns, and then their sums.
func lanesInHalves(n int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	var ends [4]int
	for first := range ends {
		at := first
		for i := first + 4; i < n; i += 4 {
			at = b.Node(at, i)
		}
		ends[first] = at
	}
	b.Node(b.Node(ends[0], ends[1]), b.Node(ends[2], ends[3]))
	return b.MustTree()
}

// blocksOf8 adds chains of eight, one after the other.
func blocksOf8(n int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	all := -1
	for first := 0; first < n; first += 8 {
		at := first
		for i := first + 1; i < min(n, first+8); i++ {
			at = b.Node(at, i)
		}
		if all >= 0 {
			at = b.Node(all, at)
		}
		all = at
	}
	return b.MustTree()
}

// TestNegatedWideSum holds that a dot product in x87's format whose result is
// negated, and −0 for zeros, is not said to round down: products of float32
// numbers seldom fill its 64 bits, so the sign of zero alone would decide.
func TestNegatedWideSum(t *testing.T) {
	t.Parallel()
	for _, n := range []int{64, 256} {
		revealtest.NeverVerified(t, 3, func() probe.Target {
			chain := probetest.Chain(n)
			wide := sumtree.Arithmetic{In: fp.Binary32, Out: fp.Binary32, PlusZero: true,
				Products: true, Significand: 64, Nodes: sumtree.NodeArith{Acc: fp.Binary64}}
			return revealtest.Dot(n, fp.Binary32, func(x, y []float64) float64 {
				v := make([]float64, n)
				for i := range v {
					v[i] = -x[i]
				}
				s, _ := chain.Replay(wide, v, y)
				return -s
			})
		})
	}
}
