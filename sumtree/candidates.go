package sumtree

import (
	"math"

	"github.com/lastbit/lastbit/fp"
)

// Candidates returns the families worth trying on n summands, the likeliest
// first. With n = 0 it returns those that do not depend on n.
func Candidates(n int) []Family {
	numpy := Family{Kind: Pairwise, Block: 128, Unroll: 8}
	c := []Family{
		{Kind: Chain}, numpy,
		{Kind: Chunks, Block: 8192, Of: &numpy},
		{Kind: ReverseChain},
		{Kind: Pairwise, Block: 1, Unroll: 1},
		{Kind: Interleaved, Lanes: 64, Block: 64 * 128},
		{Kind: Interleaved, Lanes: 128, Block: 128 * 128},
	}
	for _, block := range []int{4, 8, 16, 2, 32} {
		c = append(c, Family{Kind: Fused, Block: block})
	}
	chain := Family{Kind: Chain}
	for _, block := range []int{256, 384, 320, 192, 128, 512} { // loops over K of matrix products
		if block < n {
			c = append(c, Family{Kind: Chunks, Block: block, Of: &chain})
		}
	}
	simd := stridedCandidates()
	c = append(c, simd...)
	for _, block := range []int{16, 32, 64, 256, 512, 1024} {
		for _, unroll := range []int{1, 2, 4, 8, 16} {
			if block >= 2*unroll { // with less, halving need not make progress
				c = append(c, Family{Kind: Pairwise, Block: block, Unroll: unroll})
			}
		}
	}
	c = append(c, chunked(n)...)
	if n < minThreaded {
		return c
	}
	for _, threads := range []int{2, 4, 8, 16} { // each thread sums one part
		block := (n + threads - 1) / threads
		for i := range simd {
			c = append(c, Family{Kind: Chunks, Block: block, Of: &simd[i]})
		}
	}
	return c
}

// minThreaded is the least n that libraries split among threads.
const minThreaded = 8192

// stridedCandidates returns the sums of SIMD code: lanes, accumulators, and a
// place for the rest.
func stridedCandidates() []Family {
	var c []Family
	for _, lanes := range []int{8, 4, 16, 2, 32} {
		for _, unroll := range []int{1, 4, 2, 8, 3, 5} {
			for _, accs := range []Join{InOrder, Adjacent, Halving} {
				for _, lane := range []Join{Halving, Adjacent, InOrder} {
					for _, tail := range []Tail{TailOnto, TailApart, TailLanes, TailFirst} {
						same := unroll < 3 && accs != InOrder ||
							lanes == 2 && lane != InOrder ||
							unroll == 1 && tail == TailLanes
						if same {
							continue // the same tree as another candidate
						}
						c = append(c, Family{Kind: Strided, Lanes: lanes, Unroll: unroll,
							Accs: accs, Join: lane, Tail: tail})
					}
				}
			}
		}
	}
	return c
}

// chunked returns chains over chunks: the loops over K of matrix products.
func chunked(n int) []Family {
	var c []Family
	chain := Family{Kind: Chain}
	add := func(block int) {
		if block > 1 && block < n {
			c = append(c, Family{Kind: Chunks, Block: block, Of: &chain})
		}
	}
	likely := []int{256, 384, 320, 192, 128, 512, 352, 768, 640, 448, 240, 64, 32, 16, 8, 4}
	for _, block := range likely {
		add(block)
	}
	for block := 2; block < min(n, 2048); block++ {
		if n <= 2048 || block%4 == 0 {
			add(block)
		}
	}
	return c
}

// Recognise returns the family that t belongs to; ok is false when it is none
// of Candidates.
func Recognise(t *Tree) (f Family, ok bool) {
	n := t.Leaves()
	sample := recognitionSample(n)
	a := Plain(fp.Binary64)
	if t.MaxArity() > 2 {
		a.Nodes.Align = 52
	}
	r, err := NewReplayer(t, a)
	if err != nil {
		return Family{}, false
	}
	want, _ := r.Sum(sample, nil)
	for _, f := range Candidates(n) {
		if f.Masked(sample) == want && f.Tree(n).Equal(t) {
			return f, true
		}
	}
	return Family{}, false
}

// recognitionSample returns masks ±2^200 at scattered places and various
// weights elsewhere: most orders differ in where masks cancel. It is fixed,
// so that recognition costs one pass a candidate.
func recognitionSample(n int) []float64 {
	x := make([]float64, n)
	state := uint64(0x9E3779B97F4A7C15)
	next := func() uint64 { // xorshift64
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		return state
	}
	for i := range x {
		x[i] = float64(1 + next()%1000)
	}
	for range max(1, min(n/8, 16)) {
		i, j := int(next()%uint64(n)), int(next()%uint64(n))
		if i != j && math.Abs(x[i]) < 1e4 && math.Abs(x[j]) < 1e4 {
			x[i], x[j] = math.Ldexp(1, 200), -math.Ldexp(1, 200)
		}
	}
	return x
}
