package sumtree

// algebra adds the values that a family is folded over: floats, or nodes of a
// tree.
type algebra[T any] struct {
	add  func(a, b T) T
	fuse func(v []T) T
	// run returns the sum of the leaves lo … hi−1 where it is the same in every
	// order. It may be nil, and is nil where the leaves are not leaves of the
	// whole sum.
	run func(lo, hi int) (T, bool)
	// next returns the first of the leaves lo … hi−1 that no run holds, or hi.
	// It is used where run is not nil.
	next func(lo, hi int) int
	// lanes returns the sums of every width-th leaf of lo … hi−1, from each of
	// the first width on, and whether these are the same in every order. It may
	// be nil, as run may.
	lanes func(lo, hi, width int) (sums []T, known []bool)
}

// laneSums returns what lanes does, or width unknown sums.
func (a algebra[T]) laneSums(lo, hi, width int) (sums []T, known []bool) {
	if a.lanes == nil {
		return make([]T, width), make([]bool, width)
	}
	return a.lanes(lo, hi, width)
}

// known returns the sum of the leaves lo … hi−1 if it needs no fold.
func (a algebra[T]) known(lo, hi int) (sum T, ok bool) {
	if a.run == nil {
		return sum, false
	}
	return a.run(lo, hi)
}

// onto adds the leaves lo … hi−1 to s one by one. A run is added at once, which
// gives the same sum: it vanishes beside a mask, and is exact without one.
func (a algebra[T]) onto(s T, lo, hi int, leaf func(int) T) T {
	for lo < hi {
		if a.run != nil {
			if end := a.next(lo, hi); end > lo+1 {
				sum, _ := a.run(lo, end)
				s, lo = a.add(s, sum), end
				continue
			}
		}
		s = a.add(s, leaf(lo))
		lo++
	}
	return s
}

// fold adds the leaves lo … hi−1 in the family's order.
func fold[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	if s, ok := alg.known(lo, hi); ok {
		return s
	}
	switch f.Kind {
	case ReverseChain:
		s := leaf(hi - 1)
		for i := hi - 2; i >= lo; i-- {
			s = alg.add(s, leaf(i))
		}
		return s
	case Pairwise:
		return foldPairwise(f, lo, hi, leaf, alg)
	case Strided:
		return foldStrided(f, lo, hi, leaf, alg)
	case Chunks:
		at := lo + f.chunk(hi-lo)
		s := fold(f.part(at == hi), lo, at, leaf, alg)
		for at < hi {
			end := at + f.chunk(hi-at)
			s = alg.add(s, fold(f.part(end == hi), at, end, leaf, alg))
			at = end
		}
		return s
	case Fused:
		var group []T
		for at := lo; at < hi; at += f.Block {
			end := min(at+f.Block, hi)
			s, ok := alg.known(at, end)
			if ok {
				group = append(group, s)
			}
			for i := at; i < end && !ok; i++ {
				group = append(group, leaf(i))
			}
			if len(group) > 1 {
				group = append(group[:0], alg.fuse(group))
			}
		}
		return group[0]
	case Interleaved:
		return foldInterleaved(f, lo, hi, leaf, alg)
	case Stepwise:
		return foldSteps(f, lo, hi, leaf, alg)
	case Cascade:
		return foldCascade(f, lo, hi, leaf, alg)
	case Halves:
		return foldHalves(f, lo, hi, leaf, alg)
	case First:
		if hi-lo == 1 {
			return leaf(lo)
		}
		return alg.add(leaf(lo), fold(*f.Of, lo+1, hi, leaf, alg))
	case Backward:
		return foldBackward(f, lo, hi, leaf, alg)
	case Windows:
		return foldWindows(f, lo, hi, leaf, alg)
	case Looped:
		return foldLoops(f, lo, hi, leaf, alg)
	}
	return alg.onto(leaf(lo), lo+1, hi, leaf)
}

// part returns the family of a chunk, maybe the last.
func (f Family) part(last bool) Family {
	of := *f.Of
	of.short = f.short && last
	return of
}

// chunk returns the size of the first chunk of n summands.
func (f Family) chunk(n int) int {
	switch {
	case f.Then > 0 && (n < f.Block || n == f.Block && f.short):
		return min(f.Then, n)
	case f.Even == 0 || n <= f.Block || n >= 2*f.Block:
		return min(f.Block, n)
	case f.Even == 1:
		return (n + 1) / 2
	}
	return min(n, (n/2+f.Even-1)/f.Even*f.Even)
}

// foldPairwise is NumPy's pairwise summation. With Block = 1 it is plain
// recursive halving.
func foldPairwise[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	if s, ok := alg.known(lo, hi); ok {
		return s
	}
	n := hi - lo
	switch {
	case n < max(2, f.Unroll):
		return fold(Family{Kind: Chain}, lo, hi, leaf, alg)
	case n <= f.Block:
		return foldStrided(Family{Lanes: f.Unroll, Unroll: 1, Join: Adjacent}, lo, hi, leaf, alg)
	}
	half := n / 2
	half -= half % f.Unroll
	return alg.add(foldPairwise(f, lo, lo+half, leaf, alg), foldPairwise(f, lo+half, hi, leaf, alg))
}

// foldStrided sums Unroll accumulators of Lanes lanes each over full blocks.
func foldStrided[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	width := f.Lanes * f.Unroll
	end := lo + (hi-lo)/width*width
	rest := func(s T, have bool, at int) T {
		if at == hi {
			return s
		}
		if have && f.Tail != TailApart {
			for ; at < hi; at++ {
				s = alg.add(s, leaf(at))
			}
			return s
		}
		tail := fold(Family{Kind: Chain}, at, hi, leaf, alg)
		if !have {
			return tail
		}
		return alg.add(s, tail)
	}
	vectors := f.Tail == TailLanes || f.Tail == TailFirst
	if end == lo && (!vectors || hi-lo < f.Lanes) {
		var none T
		return rest(none, false, lo)
	}
	accs := fullBlocks(lo, end, width, leaf, alg)
	for ; vectors && len(accs) < f.Lanes; end++ { // not one full block
		accs = append(accs, leaf(end))
	}
	if f.Tail == TailLanes {
		for ; hi-end >= f.Lanes; end += f.Lanes {
			for l := range f.Lanes {
				accs[l] = alg.add(accs[l], leaf(end+l))
			}
		}
	}
	lanes := make([]T, f.Lanes)
	column := make([]T, 0, f.Unroll)
	for l := range lanes {
		column = column[:0]
		for u := l; u < len(accs); u += f.Lanes {
			column = append(column, accs[u])
		}
		lanes[l] = join(f.Accs, column, alg)
	}
	if f.Tail == TailFirst {
		for ; hi-end >= f.Lanes; end += f.Lanes {
			for l := range f.Lanes {
				lanes[l] = alg.add(lanes[l], leaf(end+l))
			}
		}
		for ; end < hi; end++ {
			lanes[0] = alg.add(lanes[0], leaf(end))
		}
	}
	return rest(join(f.Join, lanes, alg), true, end)
}

// fullBlocks adds every width-th of the leaves lo … end−1, whose number is a
// multiple of width and may be 0.
func fullBlocks[T any](lo, end, width int, leaf func(int) T, alg algebra[T]) []T {
	if alg.lanes != nil && lo < end {
		sums, known := alg.lanes(lo, end, width)
		for l := range sums {
			if known[l] {
				continue
			}
			sums[l] = leaf(lo + l)
			for i := lo + l + width; i < end; i += width {
				sums[l] = alg.add(sums[l], leaf(i))
			}
		}
		return sums
	}
	accs := make([]T, 0, width)
	for i := lo; i < min(lo+width, end); i++ {
		accs = append(accs, leaf(i))
	}
	for i := lo + width; i < end; i++ {
		accs[(i-lo)%width] = alg.add(accs[(i-lo)%width], leaf(i))
	}
	return accs
}

// foldInterleaved sums every lane, then adds the upper half of the lanes to the
// lower until one is left. With fewer summands than Lanes there is a lane for
// each.
func foldInterleaved[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	width := 1
	for width < f.Lanes {
		width *= 2
	}
	lanes, known := alg.laneSums(lo, hi, min(f.Lanes, hi-lo))
	for l := range lanes {
		if !known[l] {
			lanes[l] = foldLane(f, lo+l, hi, leaf, alg)
		}
	}
	for width /= 2; width > 0; width /= 2 {
		for l := width; l < len(lanes); l++ {
			lanes[l-width] = alg.add(lanes[l-width], lanes[l])
		}
		lanes = lanes[:min(width, len(lanes))]
	}
	return lanes[0]
}

// foldLane adds every Lanes-th leaf from lo on: a chain within a block,
// pairwise over the blocks. The left operand has a power of two of blocks.
func foldLane[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	if hi-lo <= f.Block {
		s := leaf(lo)
		for i := lo + f.Lanes; i < hi; i += f.Lanes {
			s = alg.add(s, leaf(i))
		}
		return s
	}
	left := f.Block
	for hi-lo > 2*left {
		left *= 2
	}
	return alg.add(foldLane(f, lo, lo+left, leaf, alg), foldLane(f, lo+left, hi, leaf, alg))
}

// join adds partial sums; v is overwritten.
func join[T any](j Join, v []T, alg algebra[T]) T {
	if j == InOrder {
		s := v[0]
		for _, t := range v[1:] {
			s = alg.add(s, t)
		}
		return s
	}
	for len(v) > 1 {
		half := (len(v) + 1) / 2
		for i := range len(v) / 2 {
			if j == Adjacent {
				v[i] = alg.add(v[2*i], v[2*i+1])
			} else {
				v[i] = alg.add(v[i], v[i+half])
			}
		}
		if j == Adjacent && len(v)%2 == 1 {
			v[half-1] = v[len(v)-1]
		}
		v = v[:half]
	}
	return v[0]
}
