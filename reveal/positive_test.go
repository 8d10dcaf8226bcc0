package reveal_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// squareOptions returns arithmetics of sums of squares.
func squareOptions() []probetest.Options {
	all := []probetest.Options{
		{},
		{FMA: true},
		{Root: true},
		{FMA: true, Root: true, Lanes: 7},
		{FTZ: true},
		{Acc: fp.Binary64, Prod: fp.Binary64},
		{DType: fp.Binary64},
		{DType: fp.Binary64, FMA: true, Root: true},
		{DType: fp.BFloat16, Acc: fp.Binary32},
		{DType: fp.BFloat16},
		{DType: fp.BFloat16, Acc: fp.Binary32, Out: fp.Binary32, Lanes: 20},
		{DType: fp.Binary16},
		{DType: fp.Binary16, Acc: fp.Binary32},
		{DType: fp.Binary16, Acc: fp.Binary32, Out: fp.Binary32, Root: true},
	}
	for i := range all {
		all[i].Op = probe.SumSq
	}
	return all
}

// TestSquares reveals random trees from rooted triples only.
func TestSquares(t *testing.T) {
	t.Parallel()
	for k, o := range squareOptions() {
		for i, n := range []int{1, 2, 3, 4, 5, 9, 40} {
			for j, shape := range probetest.Shapes() {
				if !shape.Binary() || !revealtest.IsOfToday(k+i+j) {
					continue
				}
				t.Run(fmt.Sprintf("%d/%v/%d", k, shape, n), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(uint64(n), uint64(k)))
					tree := probetest.RandomTree(rng, n, shape)
					target := probetest.FromTree(tree, o)
					f := revealtest.Must(t, target, reveal.Options{}, tree)
					revealtest.Replays(t, target, f, 50)
				})
			}
		}
	}
}

// TestSquareRefusals names every kind of refusal where only rooted triples are
// asked.
func TestSquareRefusals(t *testing.T) {
	for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64} {
		for _, n := range []int{8, 9, 20} {
			for _, c := range probetest.Refusals(n, dtype) {
				switch c.Name {
				case "order by sign of the first", "sum of absolute values":
					continue // squares have one sign: these are trees
				case "skips small summands":
					c.Also = append(c.Also, "unsupported")
				}
				t.Run(fmt.Sprintf("%s/%v/%d", c.Name, dtype, n), func(t *testing.T) {
					c.Target = probetest.OfSquares(c.Target)
					revealtest.Refuses(t, c, reveal.Options{})
				})
			}
		}
	}
}

// TestPartlyFused reveals sums of squares, some of them fused with their
// addition and others are not, as a compiler leaves the ends of loops.
func TestPartlyFused(t *testing.T) {
	norm := func(x []float64) float64 {
		s := 0.0
		for i, v := range x {
			if i%3 == 1 {
				s = math.FMA(v, v, s)
			} else {
				s += float64(v * v)
			}
		}
		return math.Sqrt(s)
	}
	single := func(x []float32) float32 {
		var s float32
		for i, v := range x {
			if i < len(x)/2 {
				s = float32(fp.Binary32.FMA(float64(v), float64(v), float64(s), fp.NearestEven))
			} else {
				s += float32(v * v)
			}
		}
		return s
	}
	for _, n := range []int{2, 3, 20} {
		double := gofunc.NewSquares("norm", norm, n)
		f := revealtest.Must(t, double, reveal.Options{}, probetest.Chain(n))
		revealtest.Replays(t, double, f, 100)
		f = revealtest.Must(t, gofunc.NewSquares("half", single, n), reveal.Options{},
			probetest.Chain(n))
		if n == 20 && f.Traits.FMA != reveal.PartlyFused {
			t.Errorf("traits %s", f.Traits)
		}
	}
}

// TestFusedSquares holds that a sum whose nodes have more than two operands is
// not a verified tree: rooted triples do not resolve them.
func TestFusedSquares(t *testing.T) {
	for _, shape := range []probetest.Shape{probetest.Fused, probetest.FusedChain} {
		for n := 3; n < 30; n += 4 {
			tree := probetest.RandomTree(rand.New(rand.NewPCG(uint64(n), 5)), n, shape)
			if tree.MaxArity() == 2 {
				continue
			}
			o := probetest.Options{Op: probe.SumSq}
			f, err := reveal.Reveal(t.Context(), probetest.FromTree(tree, o), reveal.Options{})
			if err != nil {
				t.Fatal(err)
			}
			// All operands in one node are the exact sum, rounded once.
			if f.Verdict != reveal.Unsupported && f.Verdict != reveal.Exact {
				t.Errorf("%v, n = %d: verdict %s, verified %v", shape, n, f.Verdict, f.Verified)
			}
		}
	}
}

// TestMixedSquares holds that partial sums in a wider format than others are
// not taken for a tree.
func TestMixedSquares(t *testing.T) {
	tree := probetest.Chain(12)
	o := probetest.Options{Op: probe.SumSq, NodeAcc: func(id int) fp.Format {
		if id > 17 {
			return fp.Binary64
		}
		return fp.Binary32
	}}
	f, err := reveal.Reveal(t.Context(), probetest.FromTree(tree, o), reveal.Options{})
	if err != nil || f.Verified {
		t.Errorf("verdict %s, verified %v, %v", f.Verdict, f.Verified, err)
	}
}

// TestTripleCalls bounds the calls by the bits that a tree has: log2((2n−3)!!)
// for its n leaves, without the questions that the certificate needs.
func TestTripleCalls(t *testing.T) {
	for _, shape := range probetest.Shapes() {
		if !shape.Binary() {
			continue
		}
		const n = 300
		tree := probetest.RandomTree(rand.New(rand.NewPCG(3, 4)), n, shape)
		o := probetest.Options{Op: probe.SumSq}
		calls, last := map[string]int{}, 0
		count := func(step string, done, _ int) {
			calls[step] += done - last
			last = done
		}
		f := revealtest.Must(t, probetest.FromTree(tree, o), reveal.Options{Progress: count}, tree)
		bound := 0.0
		for k := 3; k <= 2*n-3; k += 2 {
			bound += math.Log2(float64(k))
		}
		asked := calls["triples"] + calls["certificate"] - f.Evidence.CertificateCalls
		if float64(asked) > 1.05*bound || asked < int(bound)/2 {
			t.Errorf("%v: %d triples, the bound is %.0f", shape, asked, bound)
		}
	}
}

// FuzzTriples reveals random trees from rooted triples only, and names the
// fault where the implementation has one.
func FuzzTriples(f *testing.F) {
	f.Add(uint64(1), uint8(20), uint8(0), uint8(0), uint8(0))
	f.Add(uint64(2), uint8(3), uint8(1), uint8(4), uint8(0))
	f.Add(uint64(3), uint8(70), uint8(2), uint8(8), uint8(0))
	f.Add(uint64(4), uint8(9), uint8(3), uint8(10), uint8(0))
	for k := range faults() {
		for seed := range revealtest.Everyday(4) {
			f.Add(seed, uint8(12+seed), uint8(seed), uint8(0), uint8(k+1))
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, size, shape, option, fault uint8) {
		n := 1 + int(size)%80
		rng := rand.New(rand.NewPCG(seed, 7))
		tree := probetest.RandomTree(rng, n, probetest.Shape(shape%4)) // the binary ones
		opt := reveal.Options{Seed: seed}
		all := faults()
		if k := int(fault) % (len(all) + 1); k > 0 && n >= 8 {
			target := probetest.FromTree(tree, probetest.Options{Op: probe.SumSq})
			c := all[k-1]
			c.Target = spoiled{target, all[k-1].spoil(rng, n)}
			revealtest.Refuses(t, c.Case, opt)
			return
		}
		options := squareOptions()
		target := probetest.FromTree(tree, options[int(option)%len(options)])
		finding := revealtest.Must(t, target, opt, tree)
		revealtest.Replays(t, target, finding, 20)
	})
}

// fault is an implementation's fault: spoil returns a function that changes the
// summands of a call, or makes its result NaN.
type fault struct {
	probetest.Case
	spoil func(rng *rand.Rand, n int) func(x []float64) (nan bool)
}

// faults lists one fault for every kind of refusal.
func faults() []fault {
	return []fault{
		{probetest.Case{Name: "random order", Want: "nondeterministic"},
			func(rng *rand.Rand, _ int) func([]float64) bool {
				return func(x []float64) bool {
					rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
					return false
				}
			}},
		{probetest.Case{Name: "order by size", Want: "value-dependent"},
			func(*rand.Rand, int) func([]float64) bool {
				return func(x []float64) bool {
					slices.SortFunc(x, func(a, b float64) int {
						return cmp.Compare(math.Abs(a), math.Abs(b))
					})
					return false
				}
			}},
		{probetest.Case{Name: "drops one", Want: "not-a-sum"},
			func(rng *rand.Rand, n int) func([]float64) bool {
				at := rng.IntN(n)
				return func(x []float64) bool {
					x[at] = 0
					return false
				}
			}},
		{probetest.Case{Name: "NaN when huge", Want: "value-dependent"},
			func(*rand.Rand, int) func([]float64) bool {
				return func(x []float64) bool {
					huge := func(v float64) bool { return math.Abs(v) > 1e10 }
					return slices.ContainsFunc(x, huge)
				}
			}},
	}
}

// spoiled is a target with a fault.
type spoiled struct {
	probe.Target
	spoil func(x []float64) (nan bool)
}

// Call spoils a copy of the summands.
func (s spoiled) Call(ctx context.Context, b *probe.Batch) error {
	x := slices.Clone(b.X)
	nan := s.spoil(x)
	err := s.Target.Call(ctx, &probe.Batch{X: x, Out: b.Out})
	if nan {
		b.Out[0] = math.NaN()
	}
	return err
}

// blocks returns the tree of chains of block summands in a chain.
func blocks(n, block int) *sumtree.Tree {
	b := sumtree.NewBuilder(n)
	acc := -1
	for at := 0; at < n; at += block {
		part := at
		for i := at + 1; i < min(at+block, n); i++ {
			part = b.Node(part, i)
		}
		if acc < 0 {
			acc = part
		} else {
			acc = b.Node(acc, part)
		}
	}
	return b.MustTree()
}

// TestModels reveals norms, softmax and attention, whose split is known.
func TestModels(t *testing.T) {
	for _, op := range []probe.Op{probe.Softmax, probe.Attention} {
		for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64} {
			for _, block := range []int{3, 8, 64} {
				for _, n := range []int{4, 5, 32, 64} {
					s := probe.Spec{Op: op, DType: dtype, N: n, M: 2}
					target, err := open(t.Context(), fmt.Sprintf("go:%s:%d", op, block), s)
					if err != nil {
						t.Fatal(err)
					}
					revealtest.Must(t, target, reveal.Options{}, blocks(n, block))
					target.Close()
				}
			}
		}
	}
}

// TestRMSNormModel reveals threads that each add every B-th square.
func TestRMSNormModel(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 31, 100} {
		for _, split := range []string{"", ":1", ":4", ":32", ":vllm"} {
			s := probe.Spec{Op: probe.RMSNorm, DType: fp.Binary32, N: n}
			target, err := open(t.Context(), "go:rmsnorm"+split, s)
			if err != nil {
				t.Fatal(err)
			}
			var want *sumtree.Tree
			if len(split) < 3 {
				if split != ":4" {
					want = probetest.Chain(n)
				}
			}
			f := revealtest.Must(t, target, reveal.Options{}, want)
			revealtest.Replays(t, target, f, 50)
			target.Close()
		}
	}
}

// TestVLLM finds the number of rows where the model of vLLM's RMSNorm changes
// its order.
func TestVLLM(t *testing.T) {
	var trees []*sumtree.Tree
	for _, m := range []int{255, 256} {
		s := probe.Spec{Op: probe.RMSNorm, DType: fp.Binary32, N: 520, M: m}
		target, err := open(t.Context(), "go:rmsnorm:vllm", s)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, revealtest.Must(t, target, reveal.Options{}, nil).Tree)
		target.Close()
	}
	if trees[0].Equal(trees[1]) {
		t.Error("the order does not change from 255 to 256 rows")
	}
}

// TestRealPositive reveals PyTorch's and NumPy's own functions.
func TestRealPositive(t *testing.T) {
	for _, tt := range []struct {
		address string
		spec    probe.Spec
	}{
		{"py:numpy.linalg.norm", probe.Spec{Axis: "1", N: 1000}},
		{"py:numpy.linalg.norm", probe.Spec{N: 64}},
		{"py:torch.linalg.vector_norm", probe.Spec{N: 100}},
		{"py:torch.linalg.vector_norm", probe.Spec{Axis: "1", N: 129, DType: fp.Binary64}},
		{"py:torch.nn.functional.softmax", probe.Spec{N: 50}},
		{"py:torch.nn.functional.softmax", probe.Spec{N: 129, M: 1, DType: fp.Binary64}},
		{"py:torch.nn.functional.rms_norm", probe.Spec{N: 100, M: 8}},
		{"py:torch.nn.functional.scaled_dot_product_attention", probe.Spec{N: 128}},
	} {
		t.Run(fmt.Sprintf("%s/%d", tt.address, tt.spec.N), func(t *testing.T) {
			if tt.spec.DType == 0 {
				tt.spec.DType = fp.Binary32
			}
			target, err := open(context.Background(), tt.address, tt.spec)
			var fault *probe.Fault
			if errors.As(err, &fault) && fault.ID == "python-missing" {
				require.Missing(t, fault.Cause)
			}
			if errors.As(err, &fault) && fault.ID == "module-missing" {
				if strings.Contains(fault.Cause, "has no") {
					t.Skip(fault.Cause) // older than the function
				}
				require.Missing(t, fault.Cause)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer target.Close()
			f := revealtest.Must(t, target, reveal.Options{}, nil)
			if op := target.Key().Op; op != probe.Softmax {
				revealtest.Replays(t, target, f, 50)
			}
		})
	}
}
