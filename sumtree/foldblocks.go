package sumtree

// foldCascade adds chains of Block leaves, and keeps one sum for each level.
func foldCascade[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	type level struct {
		count int // what was added since the level was emptied
		sum   T
	}
	var levels []level
	put := func(k int, v T) {
		if k == len(levels) {
			levels = append(levels, level{})
		}
		if l := &levels[k]; l.count > 0 {
			v = alg.add(l.sum, v)
		}
		levels[k].sum = v
		levels[k].count++
	}
	for i := lo; i < hi; i++ {
		put(0, leaf(i))
		for k, full := 0, f.Block; levels[k].count == full && k+1 != f.Levels; full = f.Base {
			levels[k].count = 0
			put(k+1, levels[k].sum)
			k++
		}
	}
	var s T
	have := false
	for _, l := range levels {
		switch {
		case l.count == 0:
			continue
		case have:
			s = alg.add(s, l.sum)
		default:
			s, have = l.sum, true
		}
	}
	return s
}

// foldHalves adds blocks of Block leaves by halves of their number.
func foldHalves[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	if s, ok := alg.known(lo, hi); ok {
		return s
	}
	if head := (hi - lo) % f.Block; f.Head && head > 0 {
		s := fold(Family{Kind: Chain}, lo, lo+head, leaf, alg)
		if lo+head == hi {
			return s
		}
		return alg.add(s, foldHalves(f, lo+head, hi, leaf, alg))
	}
	if hi-lo <= f.Block {
		return fold(*f.Of, lo, hi, leaf, alg)
	}
	blocks := (hi - lo + f.Block - 1) / f.Block
	mid := lo + blocks/2*f.Block
	return alg.add(foldHalves(f, lo, mid, leaf, alg), foldHalves(f, mid, hi, leaf, alg))
}

// foldBackward adds each block of Block leaves to the sum so far, its last leaf
// first.
func foldBackward[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	end := min(lo+f.Block, hi)
	s := leaf(end - 1)
	for i := end - 2; i >= lo; i-- {
		s = alg.add(s, leaf(i))
	}
	for at := end; at < hi; at += f.Block {
		for i := min(at+f.Block, hi) - 1; i >= at; i-- {
			s = alg.add(s, leaf(i))
		}
	}
	return s
}

// foldWindows adds windows of leaves, then windows of their sums, until one is
// left.
func foldWindows[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	for hi-lo > f.Block {
		count := (hi - lo + f.Block - 1) / f.Block
		end := lo + f.Block - (count*f.Block-(hi-lo))/2 // of the first window
		sums := make([]T, 0, count)
		for at := lo; at < hi; at, end = end, end+f.Block {
			sums = append(sums, fold(Family{Kind: Chain}, at, min(end, hi), leaf, alg))
		}
		leaf = func(i int) T { return sums[i] }
		alg.run, alg.lanes = nil, nil
		lo, hi = 0, len(sums)
	}
	return fold(Family{Kind: Chain}, lo, hi, leaf, alg)
}
