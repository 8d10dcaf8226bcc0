package binned

import "fmt"

// Window holds the partial sums of the algorithms that need one reduction,
// because their extractors do not depend on the data: the single sweep and
// Demmel and Nguyen's one-reduction form. Of a fixed grid of extractors N^f it
// keeps the k levels from the largest that the values so far need, and moves up
// when a larger value comes.
//
// A value v contributes to level f of the grid d_f(v) = R_f(v) − R_{f−1}(v),
// where R_f rounds to the nearest multiple of ε·N^f, ties to even. Since
// ε·N^(f−1) is an even multiple of ε·N^f, rounding the remainder v − R_{f−1}(v)
// gives the same, and so the level that v meets first does not matter. The sums
// over all values are therefore one fixed sequence, and the window shows a part
// of it.
//
// Promise: binned. The same values give the same window for any order, split
// and tree of merges.
//
// A Window is made by a constructor, and not safe for concurrent use.
type Window[T Float] struct {
	n       int64 // bound of the number of values
	oneRed  bool  // one-reduction form, else single sweep
	k       int
	alpha   int // N^f supports values up to N^f/2^alpha
	step    int // N^f = 2^step·N^(f+1)
	h       int // M^1 = N^h
	tally       // of the values no longer pending
	few     [inline]level
	many    []level // instead of few, when there are more
	pending int     // number of values that wait in buf
	buf     [block]T
}

// level is a partial sum in units of its level: hi·2^(p−1) + lo. The single
// sweep has no need for hi; the one-reduction form keeps lo in [−2^(p−2),
// 2^(p−2)).
type level struct{ hi, lo int64 }

func (w *Window[T]) init(k, levels int) error {
	if err := checkLevels(k); err != nil {
		return err
	}
	w.k = k
	if levels > inline {
		w.many = make([]level, levels)
	}
	w.h = w.supporting(ldexp(T(1), formatOf[T]().emin))
	return nil
}

// zeroth returns 1 if there is a level M^0 above M^1, else 0.
func (w *Window[T]) zeroth() int {
	if w.oneRed {
		return 0
	}
	return 1
}

// levels returns the partial sums from the largest level of the window on.
func (w *Window[T]) levels() []level {
	if w.many != nil {
		return w.many
	}
	return w.few[:w.k+w.zeroth()]
}

// extractor returns the exponent of the extractor of levels()[i].
func (w *Window[T]) extractor(i int) int {
	return formatOf[T]().emax - (w.h-w.zeroth()+i-1)*w.step
}

// supporting returns the largest h such that N^h supports the value x > 0: N^h
// ≥ α·2^⌈log2 x⌉. It is below 1 when the format has no number large enough for
// an extractor.
func (w *Window[T]) supporting(x T) int {
	room := formatOf[T]().emax - w.alpha - ceilLog2(x)
	h := room / w.step
	if room%w.step < 0 {
		h-- // rounded down
	}
	return h + 1
}

// Add adds one value.
func (w *Window[T]) Add(v T) {
	if w.pending == block {
		w.flush()
	}
	w.buf[w.pending] = v
	w.pending++
}

// AddSlice adds the values of x.
func (w *Window[T]) AddSlice(x []T) {
	for len(x) > 0 {
		if w.pending == block {
			w.flush()
		}
		m := copy(w.buf[w.pending:], x)
		w.pending += m
		x = x[m:]
	}
}

// flush extracts the pending values: the loop over i of Algorithm 2, with the
// extractors moved up at most once a block, and taken level by level.
func (w *Window[T]) flush() {
	supported := ldexp(T(1), min(w.extractor(w.zeroth())-w.alpha, formatOf[T]().emax))
	b, top := screen(w.buf[:w.pending], supported, &w.tally)
	w.pending = 0
	if h := w.supporting(top); h < w.h {
		w.raise(h)
	}
	t := w.levels()
	for i := range t {
		t[i].lo += extract(b, toNearest, w.extractor(i))
		w.carry(&t[i])
	}
}

// raise moves the window up to M^1 = N^h: larger levels enter empty, and the
// smallest are discarded.
func (w *Window[T]) raise(h int) {
	t := w.levels()
	shift := min(w.h-h, len(t))
	copy(t[shift:], t)
	clear(t[:shift])
	w.h = h
}

// carry moves the high bits of the lower part of a level to its upper part.
func (w *Window[T]) carry(t *level) {
	if !w.oneRed {
		return
	}
	p := formatOf[T]().p
	c := (t.lo + 1<<(p-2)) >> (p - 1)
	t.hi += c
	t.lo -= c << (p - 1)
}

// MergeLevels adds the partial sums of v by Algorithm 1 of Arteaga2014
// (MergeLevels, section III.B). It returns an error unless v comes from the
// same algorithm with the same n and k. The sums of v do not change.
//
// In the text as printed h_max grows with the extractors, while the h of
// Algorithm 2 falls; and where the windows are more than k levels apart, the
// second branch would copy from beyond T^k. Here h falls, and levels outside of
// a window are zero above it and discarded below.
func (w *Window[T]) MergeLevels(v *Window[T]) error {
	if w.oneRed != v.oneRed || w.n != v.n || w.k != v.k {
		return fmt.Errorf("binned: windows of different algorithms or parameters cannot be "+
			"merged: n = %d and %d, k = %d and %d", w.n, v.n, w.k, v.k)
	}
	w.flush()
	v.flush()
	if v.h < w.h {
		w.raise(v.h)
	}
	t, u := w.levels(), v.levels()
	for i := v.h - w.h; i < len(t); i++ {
		o := u[i-(v.h-w.h)]
		t[i].hi += o.hi
		t[i].lo += o.lo
		w.carry(&t[i])
	}
	w.tally.add(v.tally)
	return nil
}

// Sum returns the sum of the partial sums, added from the smallest level to the
// largest, each sum rounded to nearest. It may be called at any time. It
// returns an error if more than n values were added.
//
// In the single sweep T^0 + T^1 is a multiple of the unit of level 1 and at
// most M^1, and so it is exact. Added first, and last to the rest, it keeps T^0
// out of the rounding errors and equation (2) of Arteaga2014 true. The order as
// printed rounds T^k + … + T^1 first, which can be large where T is not.
func (w *Window[T]) Sum() (T, error) {
	w.flush()
	if w.count > w.n {
		return 0, fmt.Errorf("binned: %d values were added, but at most n = %d may be: pass the "+
			"global n", w.count, w.n)
	}
	if s, ok := special[T](w.tally); ok {
		return s, nil
	}
	f := formatOf[T]()
	t := w.levels()
	var s series[T]
	for i := len(t) - 1; i >= w.zeroth(); i-- {
		m, unit := t[i], toNearest.unit(f, w.extractor(i))
		if !w.oneRed && i == 1 {
			m.lo += t[0].lo << w.step
		}
		s.add(m.lo, unit)
		s.add(m.hi, unit+f.p-1)
	}
	return s.value(), nil
}
