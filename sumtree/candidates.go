package sumtree

// Candidates returns the families worth trying on n summands, the likeliest
// first. With n = 0 it returns those that do not depend on n.
func Candidates(n int) []Family {
	c := classic(n)
	simd := stridedCandidates()
	c = append(c, simd...)
	c = append(c, blockwise()...)
	c = append(c, chunked(n)...)
	for _, threads := range []int{2, 4, 8, 16} { // each thread sums one part
		block := (n + threads - 1) / threads
		for i := range simd {
			if n >= minThreaded {
				c = append(c, Family{Kind: Chunks, Block: block, Of: &simd[i]})
			}
		}
	}
	return append(append(c, libraries()...), compilers()...)
}

// Likely returns the few of Candidates that libraries are known to use, and the
// simplest ones.
func Likely(n int) []Family {
	return append(append(classic(n), blockwise()...), libraries()...)
}

// classic returns the families of loops and of recursions.
func classic(n int) []Family {
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
	return c
}

// blockwise returns recursions that end in blocks.
func blockwise() []Family {
	var c []Family
	for _, block := range []int{16, 32, 64, 256, 512, 1024} {
		for _, unroll := range []int{1, 2, 4, 8, 16} {
			if block >= 2*unroll { // with less, halving need not make progress
				c = append(c, Family{Kind: Pairwise, Block: block, Unroll: unroll})
			}
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

// Recognise returns the family that t belongs to: one of Candidates, or one
// derived from the tree. ok is false when it is of no family.
func Recognise(t *Tree) (f Family, ok bool) {
	if f, ok := firstEqual(t, Candidates(t.Leaves())); ok {
		return f, true
	}
	if found := whole(t).Guess(); len(found) > 0 {
		return found[0], true
	}
	return Family{}, false
}

// firstEqual returns the first of the families that t belongs to.
func firstEqual(t *Tree, families []Family) (f Family, ok bool) {
	m := newMatcher(whole(t))
	for _, f := range families {
		if m.fits(f) && f.Tree(t.Leaves()).Equal(t) {
			return f, true
		}
	}
	return Family{}, false
}
