package libm

import (
	"math"
	"slices"
)

// Thresholds are the arguments where the right results change their kind: on
// one side they are finite, normal or not zero, and on the other they overflow,
// are subnormal or vanish, or there are none. Implementations often give up
// some way before: Go's Exp is +Inf from 709.436 on, and e^709.78 is finite.

// The limits of thresholds: their number for a function of one argument, and
// the distances that arguments have from them, as powers of two in units in the
// last place.
const (
	mostThresholds = 64
	distanceStep   = 4
)

// thresholds returns arguments at the ends of the format, on both sides of
// every threshold, and at several distances from it. y is nil for a function of
// one argument.
func (f *Function[T]) thresholds() (x, y []T, err error) {
	if !f.Binary {
		x, err = f.along(func(x []T) (_, _ []T) { return x, nil })
		x = append(ends[T](), x...)
		if f.Name == "lgamma" { // -Inf in Go, and +Inf in C
			x = slices.DeleteFunc(x, func(v T) bool { return math.IsInf(float64(v), -1) })
		}
		return x, nil, err
	}
	for _, fixed := range f.fixedSeconds() {
		along, err := f.along(func(x []T) (_, _ []T) { return x, all(fixed, len(x)) })
		if err != nil {
			return nil, nil, err
		}
		x, y = append(x, along...), append(y, all(fixed, len(along))...)
	}
	if f.Whole > 0 {
		return x, y, nil
	}
	for _, fixed := range fixedFirsts[T]() {
		along, err := f.along(func(y []T) (_, _ []T) { return all(fixed, len(y)), y })
		if err != nil {
			return nil, nil, err
		}
		x, y = append(x, all(fixed, len(along))...), append(y, along...)
	}
	for _, a := range ends[T]() {
		for _, b := range ends[T]() {
			x, y = append(x, a), append(y, b)
		}
	}
	return x, y, nil
}

// all returns n times v.
func all[T Float](v T, n int) []T { return slices.Repeat([]T{v}, n) }

// ends returns the numbers at the ends of the format.
func ends[T Float]() []T {
	f := FormatOf[T]()
	var list []T
	for _, v := range []float64{0, f.Smallest(), f.NextDown(f.MinNormal()), f.MinNormal(), 1,
		f.NextDown(f.Max()), f.Max(), math.Inf(1)} {
		list = append(list, T(v), T(-v))
	}
	list[1] = T(math.Copysign(0, -1))
	return append(list, T(math.NaN()))
}

// fixedFirsts returns first arguments whose thresholds among the second ones
// are looked for.
func fixedFirsts[T Float]() []T {
	f := FormatOf[T]()
	return []T{0.5, 0.75, 1.25, 2, 3, 10, -2, -10, T(f.NextUp(1)), T(f.Max() / 2),
		T(2 * f.MinNormal())}
}

// fixedSeconds is fixedFirsts for second arguments.
func (f *Function[T]) fixedSeconds() []T {
	if f.Whole > 0 {
		return []T{-1000, -20, -3, -2, -1, 1, 2, 3, 20, 1000, 1 << 20}
	}
	format := FormatOf[T]()
	return []T{-20, -3, -1, -0.5, 0.5, 1, 2, 3, 20, T(format.Max() / 2), T(2 * format.MinNormal())}
}

// along returns arguments near the thresholds of a function of one variable:
// pair returns its arguments for values of it.
func (f *Function[T]) along(pair func(v []T) (x, y []T)) ([]T, error) {
	var list []T
	found := 0
	ranks := steps[T]()
	at, err := f.kinds(ranks, pair)
	for i := 0; i+1 < len(at) && found < mostThresholds; i++ {
		low, high, is := ranks[i], ranks[i+1], at[i]
		for is != at[i+1] && err == nil {
			if low, is, err = f.threshold(low, high, is, pair); err == nil {
				list = append(list, around[T](low-1)...)
				found++
			}
		}
	}
	return list, err
}

// threshold returns the first rank between low and high whose result is of
// another kind than the result of low, and that kind.
func (f *Function[T]) threshold(low, high int64, is kind, pair func(v []T) (x, y []T),
) (int64, kind, error) {
	other := is
	for high-low > 1 || other == is {
		middle := low + (high-low+1)/2
		k, err := f.kinds([]int64{middle}, pair)
		if err != nil {
			return 0, is, err
		}
		if k[0] == is {
			low = middle
		} else {
			high, other = middle, k[0]
		}
	}
	return high, other, nil
}

// kinds returns the kinds of results for the numbers of some ranks.
func (f *Function[T]) kinds(ranks []int64, pair func(v []T) (x, y []T)) ([]kind, error) {
	v := make([]T, len(ranks))
	for i, r := range ranks {
		v[i] = numberAt[T](r)
	}
	x, y := pair(v)
	out := make([]T, f.Results*len(v))
	if err := f.right(out, x, y); err != nil {
		return nil, err
	}
	list := make([]kind, len(v))
	for i := range list {
		list[i] = kindOf(out[i])
	}
	return list, nil
}

// around returns the numbers of the ranks low and low+1, and of ranks farther
// and farther off.
func around[T Float](low int64) []T {
	list := []T{numberAt[T](low), numberAt[T](low + 1)}
	most := rankOf(T(math.Inf(1)))
	for e := 0; e < FormatOf[T]().Precision(); e += distanceStep {
		for _, r := range []int64{low - 1<<e, low + 1 + 1<<e} {
			if -most <= r && r <= most {
				list = append(list, numberAt[T](r))
			}
		}
	}
	return list
}

// steps returns the ranks of all powers of two, of 1.5 times them, of zero and
// of the infinities, in their order.
func steps[T Float]() []int64 {
	format := FormatOf[T]()
	ranks := []int64{0}
	for e := math.Ilogb(format.Smallest()); e <= format.MaxExp(); e++ {
		for _, m := range []float64{1, 1.5} {
			r := rankOf(T(math.Ldexp(m, e)))
			ranks = append(ranks, r, -r)
		}
	}
	most := rankOf(T(math.Inf(1)))
	ranks = append(ranks, most, -most)
	slices.Sort(ranks)
	return slices.Compact(ranks)
}

// rankOf returns how many numbers of the format lie between 0 and v, negative
// for a negative v.
func rankOf[T Float](v T) int64 {
	r := int64(bitsOf(T(math.Abs(float64(v)))))
	if v < 0 {
		return -r
	}
	return r
}

// numberAt returns the number of a rank.
func numberAt[T Float](rank int64) T {
	if rank < 0 {
		return -numberAt[T](-rank)
	}
	return T(FormatOf[T]().FromBits(uint64(rank)))
}

// kind is a kind of result.
type kind int

// kindOf returns the kind of a result: zero, subnormal, normal, infinite or
// NaN. Signs do not matter.
func kindOf[T Float](v T) kind {
	size := math.Abs(float64(v))
	switch {
	case v != v:
		return 0
	case v == 0:
		return 1
	case size < FormatOf[T]().MinNormal():
		return 2
	case math.IsInf(size, 0):
		return 3
	}
	return 4
}
