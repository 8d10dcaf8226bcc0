package reveal_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// variant is a sum or a dot product of a known order that deviates from plain
// arithmetic in one way, at a random place.
type variant struct {
	name   string
	f      fp.Format
	tree   *sumtree.Tree
	other  *sumtree.Tree // the order of inputs that orders accepts
	dot    bool
	fma    bool
	node   func(v *variant, id int, a, b float64) float64 // nil for plain additions
	leaf   func(v *variant, i int, x float64) float64     // nil for the input itself
	orders func(x []float64) bool                         // nil for one order
	at     int                                            // the place
	val    []float64

	byVal bool // the result depends on values, so that this verdict is right
}

// add rounds to the format of the variant, to nearest.
func (v *variant) add(a, b float64) float64 { return v.f.Add(a, b, fp.NearestEven) }

// call computes the result for an input.
func (v *variant) call(x, y []float64) float64 {
	t := v.tree
	if v.orders != nil && v.orders(x) {
		t = v.other
	}
	n := t.Leaves()
	v.val = slices.Grow(v.val[:0], t.Nodes())[:t.Nodes()]
	in := slices.Clone(x)
	for i := range n {
		if v.leaf != nil {
			in[i] = v.leaf(v, i, x[i])
		}
		v.val[i] = in[i]
		if v.dot {
			v.val[i] = v.f.Mul(in[i], y[i], fp.NearestEven)
		}
	}
	for id := n; id < t.Nodes(); id++ {
		kids := t.Children(id)
		v.val[id] = v.sum(id, in, y, int(kids[0]), int(kids[1]), n)
	}
	return v.val[t.Root()]
}

// sum computes one node.
func (v *variant) sum(id int, x, y []float64, i, j, n int) float64 {
	if v.fma && (i < n) != (j < n) {
		if j >= n {
			i, j = j, i
		}
		if v.node == nil {
			return v.f.FMA(x[j], y[j], v.val[i], fp.NearestEven)
		}
	}
	if v.node != nil {
		return v.node(v, id, v.val[i], v.val[j])
	}
	return v.add(v.val[i], v.val[j])
}

// target returns the variant as a target.
func (v *variant) target() probe.Target {
	key := probe.Key{Target: v.name, Op: probe.Sum, DType: v.f, Out: v.f, N: v.tree.Leaves(),
		Threads: 1}
	if v.dot {
		key.Op = probe.Dot
		return revealtest.DotOf(key, v.call)
	}
	return revealtest.SumOf(key, func(x []float64) float64 { return v.call(x, nil) })
}

// nodeDeviations are deviations of one addition, which a flag extends to all.
var nodeDeviations = map[string]func(v *variant, a, b float64) float64{
	"wider":        func(v *variant, a, b float64) float64 { return a + b },
	"toward zero":  func(v *variant, a, b float64) float64 { return v.f.Add(a, b, fp.TowardZero) },
	"up":           func(v *variant, a, b float64) float64 { return v.f.Add(a, b, fp.Up) },
	"down":         func(v *variant, a, b float64) float64 { return v.f.Add(a, b, fp.Down) },
	"flushes sums": func(v *variant, a, b float64) float64 { return v.flush(v.add(a, b)) },
	"flushes operands": func(v *variant, a, b float64) float64 {
		return v.add(v.flush(a), v.flush(b))
	},
	"flushes": func(v *variant, a, b float64) float64 {
		return v.flush(v.add(v.flush(a), v.flush(b)))
	},
	"flushes negative sums": func(v *variant, a, b float64) float64 {
		s := v.add(a, b)
		if s < 0 {
			return v.flush(s)
		}
		return s
	},
	"flushes positive sums": func(v *variant, a, b float64) float64 {
		s := v.add(a, b)
		if s > 0 {
			return v.flush(s)
		}
		return s
	},
	"flushes to +0": func(v *variant, a, b float64) float64 {
		s := v.add(a, b)
		if t := v.flush(s); t != s {
			return 0
		}
		return s
	},
	"flushes its second operand": func(v *variant, a, b float64) float64 {
		return v.add(a, v.flush(b))
	},
	"corrects": func(v *variant, a, b float64) float64 {
		s := v.add(a, b)
		return v.add(s, v.add(b, -v.add(s, -a)))
	},
	"saturates": func(v *variant, a, b float64) float64 {
		if s := v.add(a, b); !math.IsInf(s, 0) || math.IsInf(a, 0) || math.IsInf(b, 0) {
			return s
		}
		return math.Copysign(v.f.Max(), a)
	},
	"drops a bit": func(v *variant, a, b float64) float64 {
		s := v.add(a, b)
		if s-s != 0 || s == 0 || v.f != fp.Binary32 {
			return s
		}
		return float64(math.Float32frombits(math.Float32bits(float32(s)) &^ 1))
	},
}

// flush makes a zero of a subnormal.
func (v *variant) flush(x float64) float64 {
	if math.Abs(x) < v.f.MinNormal() {
		return math.Copysign(0, x)
	}
	return x
}

// leafDeviations are deviations of one summand.
var leafDeviations = map[string]func(v *variant, x float64) float64{
	"flushes a summand": func(v *variant, x float64) float64 { return v.flush(x) },
	"flushes a negative summand": func(v *variant, x float64) float64 {
		if x < 0 {
			return v.flush(x)
		}
		return x
	},
	"makes +0 of -0": func(v *variant, x float64) float64 {
		if x == 0 {
			return 0
		}
		return x
	},
	"flushes a summand to +0": func(v *variant, x float64) float64 {
		if v.flush(x) == 0 {
			return 0
		}
		return x
	},
}

// valueDeviations choose another order for some inputs.
var valueDeviations = map[string]func(x []float64) bool{
	"all positive": func(x []float64) bool {
		return !slices.ContainsFunc(x, func(v float64) bool { return v <= 0 })
	},
	"all negative": func(x []float64) bool {
		return !slices.ContainsFunc(x, func(v float64) bool { return v >= 0 })
	},
	"all small": func(x []float64) bool {
		return !slices.ContainsFunc(x, func(v float64) bool { return math.Abs(v) > 0x1p-100 })
	},
	"one large": func(x []float64) bool {
		return slices.ContainsFunc(x, func(v float64) bool { return math.Abs(v) > 0x1p60 })
	},
	"ascending":         slices.IsSorted[[]float64],
	"first is negative": func(x []float64) bool { return x[0] < 0 },
	"first is the largest": func(x []float64) bool {
		return !slices.ContainsFunc(x, func(v float64) bool { return math.Abs(v) > math.Abs(x[0]) })
	},
	"a zero": func(x []float64) bool { return slices.Contains(x, 0) },
	"whole numbers": func(x []float64) bool {
		return !slices.ContainsFunc(x, func(v float64) bool { return v != math.Trunc(v) })
	},
}

// newVariant draws a variant.
func newVariant(seed uint64) *variant {
	rng := rand.New(rand.NewPCG(seed, 0x76617269616e74))
	n := []int{2, 3, 4, 5, 6, 8, 12, 20, 40, 100}[rng.IntN(10)]
	v := &variant{f: fp.Binary32, dot: rng.IntN(3) == 0}
	if rng.IntN(4) == 0 {
		v.f = fp.Binary64
	}
	if v.dot {
		v.fma = rng.IntN(2) == 0
	}
	shape := ""
	v.tree, shape = variantTree(rng, n)
	v.at = n + rng.IntN(n-1)
	kind := rng.IntN(10)
	what := "plain"
	switch {
	case kind == 0:
	case kind < 6 && !v.fma:
		what = pick(rng, nodeDeviations)
		f, every := nodeDeviations[what], rng.IntN(4) == 0
		if v.f == fp.Binary64 && what == "wider" {
			what = "plain"
			break
		}
		v.node = func(v *variant, id int, a, b float64) float64 {
			if every || id == v.at {
				return f(v, a, b)
			}
			return v.add(a, b)
		}
		if what += fmt.Sprintf(" in node %d", v.at); every {
			what += " and all others"
		}
	case kind < 8 && n > 2:
		what = pick(rng, valueDeviations)
		v.orders, v.byVal = valueDeviations[what], true
		v.other = probetest.ReverseChain(n)
		// In long sums an exchange of two summands shows in few results.
		if n <= 12 && (v.other.Equal(v.tree) || rng.IntN(2) == 0) {
			i := rng.IntN(n)
			v.other = swapLeaves(v.tree, i, (i+1+rng.IntN(n-1))%n)
		}
		if v.other.Equal(v.tree) {
			v.other = probetest.Chain(n)
		}
	default:
		what = pick(rng, leafDeviations)
		f, at := leafDeviations[what], rng.IntN(n)
		v.leaf = func(v *variant, i int, x float64) float64 {
			if i == at {
				return f(v, x)
			}
			return x
		}
		what += fmt.Sprintf(", number %d", at)
	}
	v.name = fmt.Sprintf("%s %s n=%d dot=%v fma=%v: %s", shape, v.f, n, v.dot, v.fma, what)
	return v
}

// pick draws a key.
func pick[T any](rng *rand.Rand, m map[string]T) string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names[rng.IntN(len(names))]
}

// variantTree draws an order that programs have.
func variantTree(rng *rand.Rand, n int) (*sumtree.Tree, string) {
	families := []sumtree.Family{
		{Kind: sumtree.Chain}, {Kind: sumtree.Chain}, {Kind: sumtree.ReverseChain},
		{Kind: sumtree.Pairwise, Block: 1, Unroll: 1},
		{Kind: sumtree.Pairwise, Block: 8, Unroll: 1},
		{Kind: sumtree.Pairwise, Block: 16, Unroll: 8},
	}
	f := families[rng.IntN(len(families))]
	if rng.IntN(6) == 0 {
		return probetest.RandomTree(rng, n, probetest.Uniform), "random"
	}
	return f.Tree(n), f.String()
}

// judge reveals a variant, and returns what is false about the finding.
func (v *variant) judge(t *testing.T, seed uint64) (f *reveal.Finding, fault string) {
	target := v.target()
	f = revealtest.Find(t, target, seed)
	switch {
	case f.Verdict == reveal.TreeVerdict && f.Verified:
		return f, v.misses(f, seed)
	case f.Verdict == reveal.TreeVerdict:
		if f.Verified || v.node == nil && v.leaf == nil && !v.byVal {
			return f, "a plain sum is not verified"
		}
		return f, ""
	case f.Verdict == reveal.ValueDependent && v.byVal,
		f.Verdict == reveal.Unsupported && v.directed():
		return f, ""
	}
	return f, "it is not " + string(f.Verdict)
}

// misses returns an input that the replay of a verified finding gives another
// result for.
func (v *variant) misses(f *reveal.Finding, seed uint64) string {
	rng := rand.New(rand.NewPCG(seed, 3))
	n := v.tree.Leaves()
	x, y := make([]float64, n), make([]float64, n)
	if !v.dot {
		y = nil
	}
	for k := range 3000 {
		v.provoke(rng, k, x, y)
		got, err := f.Tree.Replay(*f.Arithmetic, x, y)
		if want := v.call(x, y); err != nil || !revealtest.EqualBits(got, want) {
			return fmt.Sprintf("verified, but %v %v gives %v, not %v", x, y, want, got)
		}
	}
	return ""
}

// provoke fills in an input that may show the deviation.
func (v *variant) provoke(rng *rand.Rand, k int, x, y []float64) {
	least := v.f.MinNormal()
	for i := range y {
		y[i] = []float64{1, 1, -1, 0.5, 2, 1.25}[rng.IntN(6)]
	}
	switch k % 8 {
	case 0: // zeros, and a few critical numbers
		zero := math.Copysign(0, float64(rng.IntN(2))-0.5)
		for i := range x {
			x[i] = zero
		}
		for range 1 + rng.IntN(3) {
			x[rng.IntN(len(x))] = v.critical(rng)
		}
	case 1: // subnormals
		for i := range x {
			x[i] = math.Copysign(float64(1+rng.IntN(40))*v.f.Smallest(), rng.Float64()-0.5)
		}
	case 2: // about the least normal number
		for i := range x {
			x[i] = math.Copysign(least*float64(1+rng.IntN(8))/4, rng.Float64()-0.5)
		}
	case 3: // one sign
		sign := rng.Float64() - 0.5
		for i := range x {
			x[i] = math.Copysign(v.f.Round(rng.Float64()+1, fp.NearestEven), sign)
		}
	case 4:
		for i := range x {
			x[i] = v.f.Round(math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20), fp.NearestEven)
		}
	case 5: // small
		for i := range x {
			x[i] = v.f.Round(math.Ldexp(rng.NormFloat64(), -105-rng.IntN(10)), fp.NearestEven)
		}
	case 6: // ascending, or the first is the largest
		for i := range x {
			x[i] = v.f.Round(rng.NormFloat64(), fp.NearestEven)
		}
		slices.Sort(x)
		if rng.IntN(2) == 0 {
			x[0] = 10
		}
	case 7: // critical numbers all over
		for i := range x {
			x[i] = v.critical(rng)
		}
	}
}

// critical draws a number that shows how sums round and flush.
func (v *variant) critical(rng *rand.Rand) float64 {
	least := v.f.MinNormal()
	half := math.Ldexp(1, -v.f.Precision())
	c := []float64{0, v.f.Smallest(), least / 2, least, 1.25 * least, 1.5 * least, 2 * least, 1,
		1 + v.f.ULP(1), half, 1.5 * half, v.f.Max(), v.f.Max() / 2, 3}[rng.IntN(14)]
	return math.Copysign(c, rng.Float64()-0.5)
}

// TestVariants reveals random variants: no verdict is false.
func TestVariants(t *testing.T) {
	count, first := 20, uint64(1)
	if s := os.Getenv("LASTBIT_VARIANTS"); s != "" {
		count, _ = strconv.Atoi(s)
	}
	verdicts := map[string]int{}
	for seed := first; seed < first+uint64(count); seed++ {
		v := newVariant(seed)
		f, fault := v.judge(t, seed)
		verdicts[fmt.Sprintf("%s, verified %v", f.Verdict, f.Verified)]++
		if fault != "" {
			t.Errorf("seed %d, %s: %s", seed, v.name, fault)
		}
	}
	t.Log(verdicts)
}

// FuzzVariants is TestVariants for any seed.
func FuzzVariants(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		v := newVariant(seed)
		if _, fault := v.judge(t, seed); fault != "" {
			t.Errorf("%s: %s", v.name, fault)
		}
	})
}

// directed reports whether some addition rounds in one direction.
func (v *variant) directed() bool {
	for _, a := range [][2]float64{{1, 0x1p-60}, {1, -0x1p-60}, {-1, 0x1p-60}} {
		if v.node != nil && v.node(v, v.at, a[0], a[1]) != a[0] {
			return true
		}
	}
	return false
}
