package reveal_test

import (
	"context"
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

// deviant is a sum, or a dot product, in the order of a tree, which computes
// otherwise in one way.
type deviant struct {
	f         fp.Format
	products  bool
	fma       bool
	tree      *sumtree.Tree
	other     *sumtree.Tree          // the order where matters holds
	matters   func(v []float64) bool // of the summands; nil for never
	summand   func(i int, x float64) float64
	node      int                     // whose sum has another rounding
	round     func(s float64) float64 // the sum as it is without rounding, nil for none
	specially func(v []float64) (sum float64, ok bool)
}

// sum computes the sum of the products of x and y, or of x.
func (d *deviant) sum(x, y []float64) float64 {
	n := len(x)
	v := make([]float64, n)
	for i := range v {
		if v[i] = x[i]; d.summand != nil {
			v[i] = d.summand(i, x[i])
		}
	}
	terms := v
	if d.products {
		terms = make([]float64, n)
		for i := range terms {
			terms[i] = d.f.Round(float64(v[i]*y[i]), fp.NearestEven)
		}
	}
	if d.specially != nil {
		if s, ok := d.specially(terms); ok {
			return s
		}
	}
	t := d.tree
	if d.matters != nil && d.matters(terms) {
		t = d.other
	}
	part := make([]float64, t.Nodes())
	for id := range part {
		if t.IsLeaf(id) {
			part[id] = terms[id]
			continue
		}
		kids := t.Children(id)
		a, b := int(kids[0]), int(kids[1])
		if d.round != nil && id == d.node {
			part[id] = d.round(d.f.Add(part[a], part[b], fp.NearestEven))
			continue
		}
		switch {
		case d.fma && t.IsLeaf(b):
			part[id] = d.f.FMA(v[b], y[b], part[a], fp.NearestEven)
		case d.fma && t.IsLeaf(a):
			part[id] = d.f.FMA(v[a], y[a], part[b], fp.NearestEven)
		default:
			part[id] = d.f.Add(part[a], part[b], fp.NearestEven)
		}
	}
	return part[t.Root()]
}

// target returns a target that computes as d does.
func (d *deviant) target(name string, n int) probe.Target {
	key := probe.Key{Target: name, Op: probe.Sum, DType: d.f, Out: d.f, N: n, Threads: 1}
	if d.products {
		key.Op = probe.Dot
	}
	return revealtest.DotOf(key, d.sum)
}

// all returns a condition that holds where it does for every value.
func all(holds func(v float64) bool) func(v []float64) bool {
	return func(v []float64) bool {
		return !slices.ContainsFunc(v, func(x float64) bool { return !holds(x) })
	}
}

// conditions are properties of all summands that an order may depend on.
func conditions(f fp.Format) map[string]func(v []float64) bool {
	return map[string]func(v []float64) bool{
		"all tiny":     all(func(x float64) bool { return math.Abs(x) < 16*f.MinNormal() }),
		"all positive": all(func(x float64) bool { return x > 0 }),
		"all negative": all(func(x float64) bool { return x < 0 }),
		"all small":    all(func(x float64) bool { return math.Abs(x) < 1 }),
		"ascending":    slices.IsSorted[[]float64],
		"integers": all(func(x float64) bool {
			return x == math.Trunc(x) && math.Abs(x) < math.Ldexp(1, f.Precision())
		}),
		"largest last": func(v []float64) bool {
			last := math.Abs(v[len(v)-1])
			return all(func(x float64) bool { return math.Abs(x) <= last })(v)
		},
		"many zeros": func(v []float64) bool {
			zeros := 0
			for _, x := range v {
				if x == 0 {
					zeros++
				}
			}
			return 2*zeros > len(v)
		},
	}
}

// isNaN reports whether v is NaN.
func isNaN(v float64) bool { return v != v }

// holdsBoth reports whether some summand is +∞ and another one −∞, and none is
// NaN.
func holdsBoth(v []float64) bool {
	return slices.Contains(v, math.Inf(1)) && slices.Contains(v, math.Inf(-1)) &&
		!slices.ContainsFunc(v, isNaN)
}

// deviations returns the ways to compute otherwise than d, at random places.
func deviations(rng *rand.Rand, d deviant, n int) map[string]deviant {
	ways := map[string]deviant{}
	add := func(name string, change func(e *deviant)) {
		e := d
		change(&e)
		ways[name] = e
	}
	middle := n / 2
	add("one summand flushed", func(e *deviant) {
		e.summand = func(i int, x float64) float64 {
			if i == middle && math.Abs(x) < d.f.MinNormal() {
				return math.Copysign(0, x)
			}
			return x
		}
	})
	node := n + rng.IntN(n-1)
	add("one addition truncated", func(e *deviant) {
		e.node = node
		e.round = func(s float64) float64 { return s }
		f := e.f
		e.round = func(s float64) float64 {
			if s-s != 0 || s == 0 {
				return s
			}
			bits := f.Bits(s)
			if bits&7 == 5 { // the last place is dropped for one pattern of bits
				return f.FromBits(bits - 1)
			}
			return s
		}
	})
	add("last place dropped", func(e *deviant) {
		e.node = node
		e.round = func(s float64) float64 {
			if s-s != 0 {
				return s
			}
			return d.f.FromBits(d.f.Bits(s) &^ 1)
		}
	})
	add("skips NaN", func(e *deviant) {
		e.summand = func(_ int, x float64) float64 {
			if isNaN(x) {
				return 0
			}
			return x
		}
	})
	add("NaN is 0", func(e *deviant) {
		e.specially = func(v []float64) (float64, bool) {
			return 0, slices.ContainsFunc(v, isNaN)
		}
	})
	add("Inf − Inf is Inf", func(e *deviant) {
		e.specially = func(v []float64) (float64, bool) { return math.Inf(1), holdsBoth(v) }
	})
	if d.tree.Equal(d.other) {
		return ways
	}
	for name, holds := range conditions(d.f) {
		if name == "many zeros" && n < 7 {
			continue // two others are added in one order only
		}
		add("another order: "+name, func(e *deviant) { e.matters = holds })
	}
	return ways
}

// randomDeviant returns a plain sum or dot product, in a random order of a
// program's kinds.
func randomDeviant(rng *rand.Rand, n int) deviant {
	d := deviant{f: fp.Binary32}
	if rng.IntN(3) == 0 {
		d.f = fp.Binary64
	}
	if d.products = rng.IntN(3) == 0; d.products {
		d.fma = rng.IntN(2) == 0
	}
	trees := []*sumtree.Tree{
		probetest.Chain(n), probetest.ReverseChain(n),
		sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}.Tree(n),
		lanesTree(n, 2+rng.IntN(3)),
	}
	at := rng.IntN(len(trees))
	d.tree = trees[at]
	if at == 1 {
		at = -1
	}
	d.other = trees[(at+1+2*rng.IntN(2))%len(trees)]
	return d
}

// lanesTree adds in k interleaved chains, and then their sums.
func lanesTree(n, k int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	var ends []int
	for first := range min(k, n) {
		at := first
		for i := first + k; i < n; i += k {
			at = b.Node(at, i)
		}
		ends = append(ends, at)
	}
	at := ends[0]
	for _, end := range ends[1:] {
		at = b.Node(at, end)
	}
	return b.MustTree()
}

// settings returns the number of tries and the seed: LASTBIT_PAIRS, or ordinary
// where it is not set, and LASTBIT_PAIRS_SEED, or 1.
func settings(t *testing.T, ordinary int) (tries int, seed uint64) {
	tries, seed = ordinary, 1
	number := func(name string, set func(v int)) {
		if s := os.Getenv(name); s != "" {
			v, err := strconv.Atoi(s)
			if err != nil {
				t.Fatal(err)
			}
			set(v)
		}
	}
	number("LASTBIT_PAIRS", func(v int) { tries = v })
	number("LASTBIT_PAIRS_SEED", func(v int) { seed = uint64(v) })
	t.Logf("seed %d", seed)
	return tries, seed
}

// TestPairsAreNotCalledTheSame compares sums with others that compute otherwise
// in one way, for rare inputs. LASTBIT_PAIRS is the number of pairs.
func TestPairsAreNotCalledTheSame(t *testing.T) {
	pairs, seed := settings(t, 40)
	rng := rand.New(rand.NewPCG(seed, 0))
	names := []string{}
	tally := map[string]int{}
	for k := range pairs {
		n := 3 + rng.IntN(38)
		d := randomDeviant(rng, n)
		ways := deviations(rng, d, n)
		if names = names[:0]; len(names) == 0 {
			for name := range ways {
				names = append(names, name)
			}
			slices.Sort(names)
		}
		name := names[rng.IntN(len(names))]
		e := ways[name]
		c, err := reveal.Compare(context.Background(),
			[]probe.Target{d.target("plain", n), e.target("deviant", n)},
			reveal.Options{Seed: uint64(k)})
		if err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("pair %d, n = %d, %v, products %v, fma %v: %s: %s %v", k, n, d.f,
			d.products, d.fma, name, c.Findings[1].Verdict, c.Findings[1].Verified)
		concluded := string(c.Conclusion)
		tally[concluded]++
		tally[name+" "+concluded]++
		tally[name+" "+string(c.Findings[1].Verdict)+fmt.Sprint(c.Findings[1].Verified)]++
		if concluded == "same" {
			t.Errorf("%s: the same", what)
		}
		if v := c.Findings[1].Verdict; v == reveal.ValueDependent && isArithmetic[name] {
			t.Errorf("%s: %s", what, c.Findings[1].Witness.What)
		}
	}
	var lines []string
	for name, count := range tally {
		lines = append(lines, fmt.Sprintf("%s: %d", name, count))
	}
	slices.Sort(lines)
	for _, l := range lines {
		t.Log(l)
	}
}

// isArithmetic names the deviations that leave the order as it is.
var isArithmetic = map[string]bool{"one summand flushed": true, "one addition truncated": true,
	"last place dropped": true, "skips NaN": true, "NaN is 0": true, "Inf − Inf is Inf": true}

// TestOrdersOfProperties reveals sums whose order depends on a property of all
// summands: none is a verified tree, and each is value-dependent.
func TestOrdersOfProperties(t *testing.T) {
	count, seed := settings(t, 1)
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, n := range []int{3, 5, 8, 12, 20, 40, 100} {
		for range count {
			d := randomDeviant(rng, n)
			if d.tree.Equal(d.other) {
				continue
			}
			for name, holds := range conditions(d.f) {
				if name == "many zeros" && n < 7 {
					continue // two others are added in one order only
				}
				e := d
				e.matters = holds
				f := revealtest.Find(t, e.target("x", n), uint64(n))
				if f.Verdict != reveal.ValueDependent {
					t.Errorf("n = %d, %v, products %v, fma %v: %s: %s %v, %v", n, d.f, d.products,
						d.fma, name, f.Verdict, f.Verified, f.Warnings)
				}
			}
		}
	}
}
