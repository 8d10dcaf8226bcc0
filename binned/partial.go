package binned

import "fmt"

// block is the number of values extracted at once, in a buffer that stays in
// the cache from level to level.
const block = 256

// inline is the number of levels that need no allocation.
const inline = 9

// Partial holds the partial sums T^1 … T^k of the algorithms that know the
// maximum beforehand: Algorithm 3, Algorithm 4 and the double sweep. The second
// of their two reductions carries it:
//
//  1. max := MaxAbs(part) everywhere; the largest of these, everywhere.
//  2. p := NewAlgorithm3(n, k, max), NewAlgorithm4 or NewDoubleSweep
//     everywhere, with the global n and max; p.AddSlice(part).
//  3. One Partial by Merge in any order, or by adding the vectors of
//     AppendVector element by element (MPI_SUM on MPI_DOUBLE); p.Sum().
//
// Promise: binned. The sums are integers, in units of their level, and exact,
// so that they are the same for any order, split and tree of merges.
//
// A Partial is made by a constructor, and not safe for concurrent use.
type Partial[T Float] struct {
	rule    rule
	n       int64 // bound of the number of values
	max     T     // bound of their magnitude
	k       int
	e, step int // the extractor of level f = 1 … k has the exponent e − (f−1)·step
	tally
	outside int64 // number of values larger than max
	few     [inline]int64
	many    []int64 // instead of few, when k is larger
	buf     [block]T
}

// init checks the parameters that all three algorithms share.
func (p *Partial[T]) init(n int64, k int, maxAbs T) error {
	if err := checkLevels(k); err != nil {
		return err
	}
	if err := checkCount[T](n); err != nil {
		return err
	}
	if !(maxAbs >= 0) || T(maxAbs-maxAbs) != 0 {
		return fmt.Errorf("binned: a maximum of %v: pass the largest result of MaxAbs for "+
			"each part", maxAbs)
	}
	p.n, p.k, p.max = n, k, maxAbs
	if k > inline {
		p.many = make([]int64, k)
	}
	return nil
}

// sums returns T^1 … T^k in units of their levels.
func (p *Partial[T]) sums() []int64 {
	if p.many != nil {
		return p.many
	}
	return p.few[:p.k]
}

// unit returns the exponent of the unit of level f = i + 1.
func (p *Partial[T]) unit(i int) int {
	return p.rule.unit(formatOf[T](), p.e-i*p.step)
}

// AddSlice adds the values of x. If there are more than n values, or one is
// larger than the maximum, Sum returns an error, here and after a merge.
func (p *Partial[T]) AddSlice(x []T) {
	for len(x) > 0 {
		m := copy(p.buf[:], x)
		p.addBlock(p.buf[:m])
		x = x[m:]
	}
}

// addBlock is the loop over i of every algorithm, level by level.
func (p *Partial[T]) addBlock(b []T) {
	b, top := screen(b, p.max, &p.tally)
	if top > p.max {
		for _, v := range b {
			if max(v, -v) > p.max {
				p.outside++
			}
		}
		return
	}
	t := p.sums()
	for i := range t {
		t[i] += extract(b, p.rule, p.e-i*p.step)
	}
}

// Merge adds the partial sums of q. It returns an error unless they come from
// the same algorithm with the same parameters. q does not change.
func (p *Partial[T]) Merge(q *Partial[T]) error {
	if p.rule != q.rule || p.n != q.n || p.k != q.k || p.e != q.e || p.step != q.step ||
		p.max != q.max {
		return fmt.Errorf("binned: partial sums of different algorithms or parameters cannot be "+
			"merged: n = %d and %d, k = %d and %d, maximum %v and %v",
			p.n, q.n, p.k, q.k, p.max, q.max)
	}
	p.tally.add(q.tally)
	p.outside += q.outside
	t := p.sums()
	for i, u := range q.sums() {
		t[i] += u
	}
	return nil
}

// Sum returns T = Σ T^f, added from level k up to level 1, each sum rounded to
// nearest. It returns an error if more than n values were added, or one larger
// than the maximum.
func (p *Partial[T]) Sum() (T, error) {
	switch {
	case p.count > p.n:
		return 0, fmt.Errorf("binned: %d values were added, but announced were n = %d: pass the "+
			"global n", p.count, p.n)
	case p.outside > 0:
		return 0, fmt.Errorf("binned: of the values added %d are larger than the announced "+
			"maximum %v: pass the largest MaxAbs of all parts", p.outside, p.max)
	}
	if s, ok := special[T](p.tally); ok {
		return s, nil
	}
	var s series[T]
	t := p.sums()
	for i := len(t) - 1; i >= 0; i-- {
		s.add(t[i], p.unit(i))
	}
	return s.value(), nil
}
