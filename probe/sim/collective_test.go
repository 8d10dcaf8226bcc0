package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

func TestSharedConformance(t *testing.T) {
	for _, c := range collectives() {
		for _, s := range []probe.Spec{
			{Op: probe.Dot, N: 37, Ranks: 3},
			{Op: probe.Sum, N: 7, M: 5, Ranks: 7, OutIndex: []int{4}},
			{Op: probe.Gemv, N: 9, M: 20, Ranks: 4, OutIndex: []int{13}},
			{Op: probe.Gemm, N: 40, M: 5, Cols: 3, OutIndex: []int{4, 2}},
			{Op: probe.Gemm, N: 2},
		} {
			for _, s.DType = range sharedFormats {
				t.Run(fmt.Sprintf("%s/%v/%s", c.name, s.DType, s.Op), func(t *testing.T) {
					probetest.Run(t, func() (probe.Target, error) {
						return Open(context.Background(), c.name, s)
					})
				})
			}
		}
	}
}

// publishedRing adds the parts of all ranks as the source of NCCL's ring does:
// each rank runs the same steps, and its messages wait for the next rank.
func publishedRing(f fp.Format, parts []float64, element, count int) float64 {
	n := len(parts)
	chunkCount := 2 << 20 / f.Bytes()
	offset := 0
	for count-offset >= n*chunkCount {
		if element < offset+n*chunkCount {
			break
		}
		offset += n * chunkCount
	}
	if left := count - offset; left < n*chunkCount {
		align := 16 / f.Bytes()
		chunkCount = ((left+n-1)/n + align - 1) / align * align
	}
	queues := make([][]float64, n) // messages to each rank
	result := math.NaN()
	for j := 1; j <= n; j++ {
		for rank := range n {
			chunk := (rank + n - j) % n
			if j == n {
				chunk = rank
			}
			mine := offset+chunk*chunkCount <= element && element < offset+(chunk+1)*chunkCount
			v := 0.0
			if mine {
				v = parts[rank]
			}
			if j > 1 {
				v = f.Add(v, queues[rank][0], fp.NearestEven)
				queues[rank] = queues[rank][1:]
			}
			if j == n && mine {
				result = v
			}
			queues[(rank+1)%n] = append(queues[(rank+1)%n], v)
		}
	}
	return result
}

// btree is ncclGetBtree: the parent of a rank, and its children.
func btree(ranks, rank int) (up int, down [2]int) {
	bit := 1
	for bit < ranks && bit&rank == 0 {
		bit <<= 1
	}
	if rank == 0 {
		if ranks > 1 {
			return -1, [2]int{-1, bit >> 1}
		}
		return -1, [2]int{-1, -1}
	}
	if up = rank ^ bit | bit<<1; up >= ranks {
		up = rank ^ bit
	}
	low := bit >> 1
	if low == 0 {
		return up, [2]int{-1, -1}
	}
	down = [2]int{rank - low, rank + low}
	for down[1] >= ranks {
		down[1] = rank + low
		if low == 0 {
			down[1] = -1
		}
		low >>= 1
	}
	return up, down
}

// publishedTree adds the parts by the first or the second of NCCL's trees.
func publishedTree(f fp.Format, parts []float64, second bool) float64 {
	n := len(parts)
	to := func(r int) int { return r }
	if second {
		to = func(r int) int { return n - 1 - r }
		if n%2 == 1 {
			to = func(r int) int { return (r + 1) % n }
		}
	}
	var sum func(node int) float64
	sum = func(node int) float64 {
		_, down := btree(n, node)
		s := parts[to(node)]
		for _, d := range down {
			if d >= 0 {
				s = f.Add(s, sum(d), fp.NearestEven)
			}
		}
		return s
	}
	return sum(0)
}

// TestPublishedCollectives compares the models with the algorithms in their
// source, on arrays of every length, for each element.
func TestPublishedCollectives(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	for _, f := range sharedFormats {
		for ranks := 1; ranks <= 17; ranks++ {
			for _, rows := range []int{1, 2, ranks - 1, ranks, 3*ranks + 1, 100} {
				if rows < 1 {
					continue
				}
				s := probe.Spec{Op: probe.Sum, DType: f, N: ranks, M: rows, Ranks: ranks}
				ringed, treed := open(t, "nccl-ring", s), open(t, "nccl-tree", s)
				b := probe.NewBatch(ringed)
				for i := range b.X {
					b.X[i] = f.Round(rng.NormFloat64(), fp.NearestEven)
				}
				for _, tt := range []struct {
					target probe.Target
					want   func(parts []float64, i int) float64
				}{
					{ringed, func(parts []float64, i int) float64 {
						return publishedRing(f, parts, i, rows)
					}},
					{treed, func(parts []float64, i int) float64 {
						return publishedTree(f, parts, i >= (rows+1)/2)
					}},
				} {
					if err := tt.target.Call(t.Context(), b); err != nil {
						t.Fatal(err)
					}
					for i, got := range b.Out {
						want := tt.want(b.X[i*ranks:(i+1)*ranks], i)
						if math.Float64bits(got) != math.Float64bits(want) {
							t.Fatalf("%v, element %d of %d: %v, want %v", tt.target.Key(), i, rows,
								got, want)
						}
					}
				}
			}
		}
	}
}

// TestRingLoops checks the chunks of arrays of several loops.
func TestRingLoops(t *testing.T) {
	const chunk = 2 << 20 / 4
	for _, tt := range []struct{ ranks, i, n, want int }{
		{3, 0, 3 * chunk, 0}, {3, chunk - 1, 3 * chunk, 0}, {3, chunk, 3 * chunk, 1},
		{3, 3*chunk - 1, 3 * chunk, 2},
		{3, 3 * chunk, 3*chunk + 1, 0}, // the last loop has one element
		{3, 3*chunk + 5, 3*chunk + 6, 1},
		{8, 0, 1, 0}, {8, 3, 4, 0}, {8, 4, 5, 1}, {8, 31, 32, 7},
	} {
		if got := ringChunk(fp.Binary32, tt.ranks, tt.i, tt.n); got != tt.want {
			t.Errorf("element %d of %d on %d ranks is in chunk %d, want %d", tt.i, tt.n, tt.ranks,
				got, tt.want)
		}
	}
}

// orderOf returns the order of an element of an array as a tree over the ranks.
func orderOf(t *testing.T, name string, ranks, element, rows int) string {
	target := open(t, name, probe.Spec{Op: probe.Sum, N: ranks, M: rows, Ranks: ranks})
	s := target.(*shared)
	b := sumtree.NewBuilder(s.size)
	nodes, last := make([]int, s.size), 0
	for i := range nodes {
		nodes[i] = i
	}
	for _, m := range s.orders[s.classOf(element)] {
		nodes[m.to] = b.Node(nodes[m.to], nodes[m.from])
		last = nodes[m.to]
	}
	if s.size == 1 || last != s.size+s.size-2 {
		t.Fatalf("%s on %d ranks is no tree", name, ranks)
	}
	return b.MustTree().String()
}

// TestOrders holds the orders that the sources' comments and figures give.
func TestOrders(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		ranks, element, rows int
		want                 string
	}{
		{"nccl-ring", 4, 0, 1, "(0 ((1 2) 3))"},
		{"nccl-ring", 4, 12, 16, "(((0 1) 2) 3)"},
		{"reduce-scatter", 4, 1, 4, "((0 (2 3)) 1)"},
		{"reduce-scatter", 4, 4, 5, "(((0 3) 1) 2)"},
		{"nccl-chain", 4, 0, 1, "(0 (1 (2 3)))"},
		{"nvls", 4, 0, 1, "(((0 1) 2) 3)"},
		{"one-shot", 5, 0, 1, "((((0 1) 2) 3) 4)"},
		{"fixed-tree", 8, 0, 1, "(((0 1) (2 3)) ((4 5) (6 7)))"},
		{"nccl-tree", 4, 0, 1, "(0 ((1 2) 3))"},
		{"nccl-tree", 4, 1, 2, "((0 (1 2)) 3)"},
	} {
		if got := orderOf(t, tt.name, tt.ranks, tt.element, tt.rows); got != tt.want {
			t.Errorf("%s on %d ranks: element %d of %d is %s, want %s", tt.name, tt.ranks,
				tt.element, tt.rows, got, tt.want)
		}
	}
}

// TestRounding checks which additions are rounded to the format of the inputs.
func TestRounding(t *testing.T) {
	ulp := 0x1p-7 // of 1 in bf16
	x := []float64{1, ulp / 2, ulp / 4, ulp / 4}
	for _, tt := range []struct {
		address string
		want    float64
	}{
		{"nccl-ring:4", 1 + ulp},  // (1 + ((ulp/2 + ulp/4) + ulp/4))
		{"nccl-chain:4", 1 + ulp}, // the same
		{"nccl-chain:1", 1 + ulp},
		{"nvls:4", 1 + ulp},
		{"one-shot:4", 1 + ulp},
		{"nccl-ring:2", 1}, // (1 + ulp/2, rounded) + ulp/2
		{"nvls:2", 1},      // the parts are rounded
		{"fixed-tree:2", 1 + ulp},
		{"all-gather:2", 1 + ulp},
	} {
		target := open(t, tt.address, probe.Spec{Op: probe.Sum, DType: fp.BFloat16, N: 4})
		b := probe.NewBatch(target)
		copy(b.X, x)
		if err := target.Call(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if b.Out[0] != tt.want {
			t.Errorf("%s: %v, want %v", tt.address, b.Out[0], tt.want)
		}
	}
}

// TestRanksThatDoNotMatter compares all numbers of ranks: of the models with
// one order, no result changes, and of the others some do.
func TestRanksThatDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 2))
	for _, c := range collectives() {
		for _, f := range sharedFormats {
			for _, n := range []int{3, 8, 37, 200} {
				s := probe.Spec{DType: f, N: n, M: 9, Cols: 2, OutIndex: []int{5, 1}, Ranks: 1}
				first := open(t, c.name, s)
				b := probe.NewBatch(first)
				for i := range b.X {
					b.X[i] = f.Round(rng.NormFloat64(), fp.NearestEven)
				}
				for i := range b.Y {
					b.Y[i] = f.Round(rng.NormFloat64(), fp.NearestEven)
				}
				results := [][]float64{}
				for _, s.Ranks = range []int{1, 2, 3, 5, 8} {
					if err := open(t, c.name, s).Call(t.Context(), b); err != nil {
						t.Fatal(err)
					}
					results = append(results, slices.Clone(b.Out))
				}
				same := true
				for _, r := range results {
					same = same && slices.Equal(r, results[0])
				}
				if want := c.parts != nil; same != want && (want || n >= 37) {
					t.Errorf("%s %v n=%d: the same for all ranks: %v", c.name, f, n, same)
				}
			}
		}
	}
}

// TestSharedCells compares the results of all cells with the result of each.
func TestSharedCells(t *testing.T) {
	s := probe.Spec{N: 16, M: 3, Cols: 11, Ranks: 4, OutIndex: []int{1, 7}}
	target := open(t, "nccl-ring", s)
	b := probe.NewBatch(target)
	rng := rand.New(rand.NewPCG(33, 3))
	for i := range b.X {
		b.X[i] = fp.Binary32.Round(rng.NormFloat64(), fp.NearestEven)
	}
	all := make([]float64, 33)
	if err := target.(probe.CellTarget).CallCells(t.Context(), b, all); err != nil {
		t.Fatal(err)
	}
	for i, want := range all {
		s.OutIndex = []int{i / 11, i % 11}
		if err := open(t, "nccl-ring", s).Call(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if got := b.Out[i/11]; got != want {
			t.Errorf("cell %v is %v, and %v among all", s.OutIndex, got, want)
		}
	}
	if all[0] == all[10] && all[11] == all[21] && all[22] == all[32] {
		t.Error("no row shows that its ends are added in different orders")
	}
}

func TestSharedKeys(t *testing.T) {
	k := open(t, "NCCL-Ring:5", probe.Spec{N: 7}).Key()
	if k.Target != "sim:nccl-ring" || k.Ranks != 5 || k.Op != probe.Gemm || k.Out != fp.Binary32 ||
		k.M != 1 || k.Cols != 1 {
		t.Errorf("%+v", k)
	}
	if k := open(t, "nvls", probe.Spec{N: 7, DType: fp.BFloat16}).Key(); k.Ranks != 8 ||
		k.Out != fp.BFloat16 {
		t.Errorf("%+v", k)
	}
}

func TestSharedRefused(t *testing.T) {
	for _, tt := range []struct {
		address, id string
		s           probe.Spec
	}{
		{"nccl-ring:0", "bad-spec", probe.Spec{N: 4}},
		{"nccl-ring:", "", probe.Spec{N: 4}},
		{"nccl-ring:x", "bad-spec", probe.Spec{N: 4}},
		{"nccl-ring:4:4", "bad-spec", probe.Spec{N: 4}},
		{"nccl-ring:4", "bad-spec", probe.Spec{N: 4, Ranks: 8}},
		{"nccl-ring:4", "", probe.Spec{N: 4, Ranks: 4}},
		{"nccl-ring", "bad-spec", probe.Spec{N: 4, Ranks: -1}},
		{"nccl-ring", "bad-spec", probe.Spec{N: 4, Ranks: 1025}},
		{"fixed-tree", "bad-spec", probe.Spec{N: 4, Ranks: 9}},
		{"h100:8", "unknown-target", probe.Spec{N: 4}},
		{"h100", "unsupported-option", probe.Spec{N: 4, Ranks: 8}},
		{"nccl-ring", "bad-n", probe.Spec{}},
		{"nccl-ring", "unsupported-op", probe.Spec{N: 4, Op: probe.Softmax}},
		{"nccl-ring", "unsupported-dtype", probe.Spec{N: 4, DType: fp.E4M3FN}},
		{"nccl-ring", "unsupported-option", probe.Spec{N: 4, Threads: 2}},
		{"nccl-ring", "unsupported-option", probe.Spec{N: 4, Acc: fp.Binary64}},
		{"nccl-ring", "bad-shape", probe.Spec{N: 4, Op: probe.Dot, M: 2}},
		{"nccl-ring", "bad-shape", probe.Spec{N: 4, Op: probe.Gemv, Cols: 2}},
		{"nccl-ring", "bad-shape", probe.Spec{N: 4, M: -1}},
		{"nccl-ring", "bad-shape", probe.Spec{N: math.MaxInt}},
		{"nccl-ring", "bad-shape", probe.Spec{N: math.MaxInt, Op: probe.Dot}},
		{"nccl-ring", "bad-out-index", probe.Spec{N: 4, OutIndex: []int{0}}},
		{"nccl-ring", "bad-out-index", probe.Spec{N: 4, M: 2, OutIndex: []int{2, 0}}},
	} {
		_, err := Open(t.Context(), tt.address, tt.s)
		if tt.id == "" {
			if err != nil {
				t.Errorf("%s %+v: %v", tt.address, tt.s, err)
			}
			continue
		}
		var f *probe.Fault
		if !errors.As(err, &f) || f.ID != tt.id || f.Cause == "" || f.Cure == "" {
			t.Errorf("%s %+v: %v, want a fault %s", tt.address, tt.s, err, tt.id)
		}
	}
}
