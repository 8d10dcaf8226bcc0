package sumtree

// foldSteps runs the steps over the leaves lo … hi−1.
func foldSteps[T any](f Family, lo, hi int, leaf func(int) T, alg algebra[T]) T {
	alg.run = nil
	accs := openAccs[T](nil, opened(f.Steps))
	onto := func(a *accumulator[T], v T) {
		if a.full {
			v = alg.add(a.sum, v)
		}
		a.sum, a.full = v, true
	}
	var aside accumulator[T]
	at, whole := lo, hi // the loops take the leaves before whole
	for _, s := range f.Steps {
		switch s.Op {
		case Pair:
			block := s.Width * s.Count
			pairs := (hi - lo) / (2 * block) * block
			alg.lanes = nil
			leaf = paired(leaf, lo, pairs, s.Width, alg)
			whole, hi = lo+pairs, hi-pairs
		case Take, Lead:
			accs = openAccs(accs, s.Width)
			if end := at + s.blocks(whole-at)*s.Width - s.Late; end > at {
				if s.By > 0 {
					alg.lanes = nil
				}
				take(s, accs[:s.Width], at, end, turned(s, leaf, at), alg)
				at = end
			}
		case Deal:
			accs = openAccs(accs, s.Width)
			deal(s, accs[:s.Width], at, hi, leaf, alg)
			at = hi
		case Spread:
			by := max(1, s.By)
			for k := 0; at < hi; k++ {
				end := min(at+by, hi)
				for i := end - 1; i >= at; i-- {
					onto(&accs[k%len(accs)], leaf(i))
				}
				at = end
			}
		case Head:
			for end := min(at+s.Width, hi); at < end; at++ {
				onto(&accs[0], leaf(at))
			}
		case Onto:
			for ; at < hi; at++ {
				onto(&accs[0], leaf(at))
			}
		case Last:
			for ; at < hi; at++ {
				onto(&accs[len(accs)-1], leaf(at))
			}
		case Aside:
			aside, accs[0].full = accs[0], false
		case Unite:
			if aside.full && accs[0].full {
				accs[0].sum = alg.add(aside.sum, accs[0].sum)
			} else if aside.full {
				accs[0] = aside
			}
		case Apart:
			if at < hi {
				onto(&accs[0], fold(Family{Kind: Chain}, at, hi, leaf, alg))
			}
			at = hi
		default:
			accs = foldAccs(s, accs, onto)
		}
	}
	return accs[0].sum
}

// paired returns the leaves from lo on that are left when the first ones are
// added in pairs, width apart: first the sums, then the leaves left over.
func paired[T any](leaf func(int) T, lo, pairs, width int, alg algebra[T]) func(int) T {
	return func(i int) T {
		k := i - lo
		if k >= pairs {
			return leaf(i + pairs)
		}
		first := i + k/width*width
		return alg.add(leaf(first), leaf(first+width))
	}
}

// blocks returns the number of blocks that a Take or a Lead takes of n
// summands.
func (s Step) blocks(n int) int {
	full := n / s.Width
	if s.Op == Lead {
		return full % s.Count
	}
	return full - full%(s.Count*max(1, s.By))
}

// turned returns the leaves from at on in the order that a Take has them in:
// the accumulators take turns, and By neighbours go to one, the last first.
func turned[T any](s Step, leaf func(int) T, at int) func(int) T {
	if s.By == 0 {
		return leaf
	}
	return func(i int) T {
		block := s.Width * s.By
		k := (i - at) % block
		return leaf(i - k + k%s.Width*s.By + s.By - 1 - k/s.Width)
	}
}

// openAccs adds empty accumulators where there are less than width.
func openAccs[T any](accs []accumulator[T], width int) []accumulator[T] {
	for i := len(accs); i < width; i++ {
		accs = append(accs, accumulator[T]{index: i})
	}
	return accs
}

// take adds the leaves at … end−1 to the accumulators in turn.
func take[T any](
	s Step, accs []accumulator[T], at, end int, leaf func(int) T, alg algebra[T],
) {
	if s.Each == nil {
		takeEach(s.Width, accs, at, end, leaf, alg)
		return
	}
	sums, known := alg.laneSums(at, end, s.Width)
	alg.lanes = nil
	for k, v := range sums {
		if !known[k] {
			each := func(i int) T { return leaf(at + i*s.Width + k) }
			v = fold(*s.Each, 0, (end-at)/s.Width, each, alg)
		}
		if accs[k].full {
			v = alg.add(accs[k].sum, v)
		}
		accs[k].sum, accs[k].full = v, true
	}
}

// takeEach adds the leaves at … end−1 to the accumulators in turn, one by one,
// or all of an accumulator at once, as algebra.onto does.
func takeEach[T any](
	width int, accs []accumulator[T], at, end int, leaf func(int) T, alg algebra[T],
) {
	sums, known := alg.laneSums(at, end, width)
	for k := range accs[:min(width, end-at)] {
		a := &accs[k]
		i := at + k
		if v := sums[k]; known[k] {
			if a.full {
				v = alg.add(a.sum, v)
			}
			a.sum, a.full = v, true
			continue
		}
		if !a.full {
			a.sum, a.full = leaf(i), true
			i += width
		}
		for ; i < end; i += width {
			a.sum = alg.add(a.sum, leaf(i))
		}
	}
}

// deal adds all leaves at … end−1 to the accumulators in turn.
func deal[T any](
	s Step, accs []accumulator[T], at, end int, leaf func(int) T, alg algebra[T],
) {
	by := max(1, s.By)
	alg.lanes = nil
	for k := range accs {
		var own []int
		for first := at + k*by; first < end; first += s.Width * by {
			for i := min(first+by, end) - 1; i >= first; i-- {
				own = append(own, i)
			}
		}
		if len(own) == 0 {
			continue
		}
		each := *s.Each
		each.short = len(own) > (end-at)/(s.Width*by)*by
		v := fold(each, 0, len(own), func(i int) T { return leaf(own[i]) }, alg)
		if accs[k].full {
			v = alg.add(accs[k].sum, v)
		}
		accs[k].sum, accs[k].full = v, true
	}
}

// foldAccs adds accumulators as a Fold or a Mirror does, and returns those that
// are left.
func foldAccs[T any](
	s Step, accs []accumulator[T], onto func(*accumulator[T], T),
) []accumulator[T] {
	place := make(map[int]int, len(accs))
	left := accs[:0:0]
	for _, a := range accs {
		if s.target(a.index) == a.index {
			place[a.index] = len(left)
			left = append(left, a)
		}
	}
	for _, a := range accs {
		if to := s.target(a.index); to != a.index && a.full {
			onto(&left[place[to]], a.sum)
		}
	}
	return left
}
