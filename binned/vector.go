package binned

import (
	"errors"
	"fmt"
	"math"
)

// exactInt bounds the integers that float64 holds exactly.
const exactInt = 1 << 53

// integers converts a vector to integers, or returns an error.
func integers(v []float64) ([]int64, error) {
	n := make([]int64, len(v))
	for i, x := range v {
		if !(math.Abs(x) <= exactInt) || x != math.Trunc(x) {
			return nil, fmt.Errorf("binned: element %d of a vector is %v: only integers up to "+
				"2^53 are written there", i, x)
		}
		n[i] = int64(x) //lastbit:ignore floatconv at most 2^53, checked above
	}
	return n, nil
}

// appendFloats appends integers to a vector.
func appendFloats(v []float64, n ...int64) []float64 {
	for _, m := range n {
		v = append(v, float64(m))
	}
	return v
}

// check returns an error if no values have these counts.
func (t *tally) check() error {
	if t.count < 0 || t.nan < 0 || t.inf[0] < 0 || t.inf[1] < 0 ||
		t.nan+t.inf[0]+t.inf[1] > t.count {
		return fmt.Errorf("binned: a vector counts %d values, of them %d NaN, %d +Inf and %d "+
			"−Inf, which cannot be", t.count, t.nan, t.inf[0], t.inf[1])
	}
	return nil
}

// AppendVector appends the state to v: 5 + k integers,
//
//	number of values, of those larger than the maximum, of NaN, of +Inf, of −Inf,
//	T^1, …, T^k in units of their level.
//
// The sum of such vectors, element by element in any order, is the vector of
// all values: every sum of integers is exact as long as no more than n values
// are added. The parameters are not in the vector; all parts must use the same.
func (p *Partial[T]) AppendVector(v []float64) []float64 {
	v = appendFloats(v, p.count, p.outside, p.nan, p.inf[0], p.inf[1])
	return appendFloats(v, p.sums()...)
}

// SetVector replaces the state by the state in a vector of AppendVector, or in
// a sum of such vectors. For any other vector it returns an error and keeps the
// state.
func (p *Partial[T]) SetVector(v []float64) error {
	if len(v) != 5+p.k {
		return fmt.Errorf("binned: a vector of %d elements: partial sums with k = %d have %d",
			len(v), p.k, 5+p.k)
	}
	m, err := integers(v)
	if err != nil {
		return err
	}
	t := tally{count: m[0], nan: m[2], inf: [2]int64{m[3], m[4]}}
	if err := t.check(); err != nil {
		return err
	}
	if m[1] < 0 || m[1] > t.count {
		return fmt.Errorf("binned: a vector counts %d of %d values as larger than the maximum, "+
			"which cannot be", m[1], t.count)
	}
	limit := int64(1) << formatOf[T]().p
	for i, s := range m[5:] {
		if s < -limit || s > limit {
			return fmt.Errorf("binned: T^%d of a vector is %d units: the sum of n values is up "+
				"to 2^%d", i+1, s, formatOf[T]().p)
		}
	}
	p.tally, p.outside = t, m[1]
	copy(p.sums(), m[5:])
	return nil
}

// Kinds of windows, the first element of their vectors.
const (
	singleSweep64 = 1 + iota
	singleSweep32
	oneReduction64
	oneReduction32
	header = 8 // number of elements before the levels
)

func (w *Window[T]) kind() int64 {
	kind := int64(singleSweep64)
	if w.oneRed {
		kind = oneReduction64
	}
	if formatOf[T]().p == 24 {
		kind++
	}
	return kind
}

// AppendVector appends the state to v: integers,
//
//	1 single sweep of float64, 2 of float32, 3 one reduction of float64, 4 of float32,
//	n, k, h, number of values, of NaN, of +Inf, of −Inf,
//
// and then, of the single sweep, T^0, …, T^k in units of their level (9 + k
// elements in all), or of the one-reduction form for each of T^1, …, T^k the
// carry and the rest (8 + 2k elements). The same values give the same vector.
//
// MergeVectors merges two of them, in a user-defined reduction of MPI for
// example.
func (w *Window[T]) AppendVector(v []float64) []float64 {
	w.flush()
	v = appendFloats(v, w.kind(), w.n, int64(w.k), int64(w.h), w.count, w.nan, w.inf[0], w.inf[1])
	for _, t := range w.levels() {
		if w.oneRed {
			v = appendFloats(v, t.hi)
		}
		v = appendFloats(v, t.lo)
	}
	return v
}

// SetVector replaces the state by the state in a vector of AppendVector, from a
// Window with the same parameters. For any other vector it returns an error and
// keeps the state.
func (w *Window[T]) SetVector(v []float64) error {
	m, err := integers(v)
	if err != nil {
		return err
	}
	per := 1
	if w.oneRed {
		per = 2
	}
	t := w.levels()
	if len(m) != header+per*len(t) || m[0] != w.kind() || m[1] != w.n || m[2] != int64(w.k) {
		return fmt.Errorf("binned: a vector of %d elements that starts with %v does not belong "+
			"to a window of kind %d with n = %d and k = %d",
			len(v), v[:min(3, len(v))], w.kind(), w.n, w.k)
	}
	f := formatOf[T]()
	top, bottom := w.supporting(ldexp(T(1), f.emax)*(2-ldexp(T(1), 1-f.p))),
		w.supporting(ldexp(T(1), f.emin))
	if m[3] < int64(top) || m[3] > int64(bottom) {
		return fmt.Errorf("binned: a vector has its first level at %d: they are from %d to %d",
			m[3], top, bottom)
	}
	c := tally{count: m[4], nan: m[5], inf: [2]int64{m[6], m[7]}}
	if err := c.check(); err != nil {
		return err
	}
	levels := make([]level, len(t))
	for i := range levels {
		l := level{lo: m[header+per*i+per-1]}
		if w.oneRed {
			l.hi = m[header+per*i]
		}
		if !w.holds(i, l, c.count) {
			return fmt.Errorf("binned: level %d of a vector is %d and %d units, which no sum of "+
				"n values is", i, l.hi, l.lo)
		}
		levels[i] = l
	}
	w.pending, w.tally, w.h = 0, c, int(m[3])
	copy(t, levels)
	return nil
}

// holds reports whether l may be the partial sum of levels()[i] of count
// values.
func (w *Window[T]) holds(i int, l level, count int64) bool {
	p := formatOf[T]().p
	limit := int64(1) << (p - 1) // M^f in units
	if w.oneRed {
		carry := count>>(p-w.step) + 1 // a value contributes at most 2^(W−1) units
		return -limit/2 <= l.lo && l.lo < limit/2 && -carry <= l.hi && l.hi <= carry
	}
	if i == 0 {
		limit = w.n // a value that M^1 supports contributes at most one unit to M^0
	}
	return -limit <= l.lo && l.lo <= limit
}

// MergeVectors adds the state in src to that in dst by MergeLevels. Both must
// be vectors of AppendVector from windows with the same parameters, which the
// vectors contain. It is the operation that MPI_Reduce needs. For any other
// vector it returns an error and keeps dst.
func MergeVectors(dst, src []float64) error {
	if len(dst) < header || len(src) < header {
		return errors.New("binned: a vector too short to be that of a window")
	}
	switch dst[0] {
	case singleSweep64, oneReduction64:
		return mergeVectors[float64](dst, src)
	case singleSweep32, oneReduction32:
		return mergeVectors[float32](dst, src)
	}
	return fmt.Errorf("binned: a vector that starts with %v is not that of a window", dst[0])
}

func mergeVectors[T Float](dst, src []float64) error {
	n, err := integers(dst[:3])
	if err != nil {
		return err
	}
	var w, v Window[T]
	for _, w := range []*Window[T]{&w, &v} {
		if n[0] >= oneReduction64 {
			err = w.oneReduction(int(min(n[2], MaxLevels+1)))
		} else {
			err = w.singleSweep(n[1], int(min(n[2], MaxLevels+1)))
		}
		if err != nil {
			return err
		}
	}
	if err := w.SetVector(dst); err != nil {
		return err
	}
	if err := v.SetVector(src); err != nil {
		return err
	}
	if err := w.MergeLevels(&v); err != nil {
		return err
	}
	w.AppendVector(dst[:0])
	return nil
}
