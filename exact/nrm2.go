package exact

import (
	"math"
	"math/bits"
)

// Nrm2 returns √(Σ x[i]²), rounded once, to nearest, ties to even: the sum
// under the root is exact, so no element needs scaling.
//
// It keeps the promise exact. It is NaN if an element is NaN; otherwise +Inf if
// one is infinite; and +0 for no elements and for zeros. Cost: as much as Dot.
func Nrm2[T Float](x []T) T {
	if norm, ok := quick(len(x), x, 1); ok {
		return norm
	}
	o := over(products, x, x)
	if o.len() >= minParallel {
		var a long
		if addParallel(&o, &a) {
			return rootOf[T](&a)
		}
	}
	var s stream
	s.add(&o)
	return norm[T](&s)
}

// quick is quickNorm for few elements of float64.
func quick[T Float](n int, x []T, inc int) (norm T, ok bool) {
	if n == 0 || n > maxQuickApart || n > maxQuick && inc == 1 {
		return 0, false
	}
	doubles, ok := any(x).([]float64)
	if !ok {
		return 0, false
	}
	v, ok := quickNorm(n, doubles, inc)
	return T(v), ok
}

// norm returns the root of the sum of a stream of squares, and ends the stream.
func norm[T Float](s *stream) T {
	var a long
	s.drain(&a)
	return rootOf[T](&a)
}

// Sqrt returns the square root of the sum, rounded once to float64, to nearest,
// ties to even: of products x·x, the Euclidean norm. Special values are as in
// math.Sqrt: NaN for a negative sum, and −0 for a sum of −0 only.
func (a *Accumulator) Sqrt() float64 { return sqrtOf[float64](a) }

// Sqrt32 returns the square root of the sum, rounded once to float32.
func (a *Accumulator) Sqrt32() float32 { return sqrtOf[float32](a) }

// SqrtOf returns the square root of the sum, rounded once. SqrtOf[float64] is
// Sqrt.
func SqrtOf[T Result](a *Accumulator) T { return sqrtOf[T](a) }

// sqrtOf returns the square root of a sum.
func sqrtOf[T Result](a *Accumulator) T {
	if s := a.sign(); s != 1 { // zero, negative or not finite
		if s < 0 || s != s {
			return T(math.NaN())
		}
		return T(math.Sqrt(s))
	}
	_, hi, lo, e, sticky := a.leading()
	return root[T](hi, lo, e, sticky)
}

// rootOf returns the root of a sum of squares. It carries a.
func rootOf[T Float](a *long) T {
	if s, ok := a.count.value(); ok {
		return T(s)
	}
	_, hi, lo, e, sticky := a.leading()
	return root[T](hi, lo, e, sticky)
}

// root returns √x, rounded once, for a number x as fixed.leading returns it.
func root[T Result](hi, lo uint64, e int, sticky bool) T {
	if hi == 0 {
		return 0
	}
	// √((hi:lo)·2^(e−127)) needs an even exponent.
	if e -= 127; e&1 != 0 {
		sticky = sticky || lo&1 != 0
		lo = lo>>1 | hi<<63
		hi >>= 1
		e++
	}
	r, exact := sqrt128(hi, lo)
	return rounded[T](false, r, e/2+63, sticky || !exact)
}

// sqrt128 returns ⌊√M⌋ of M = hi·2^64 + lo, for hi ≥ 2^62, and whether that is
// √M.
func sqrt128(hi, lo uint64) (r uint64, exact bool) {
	// Newton's iteration from above: while r > ⌊√M⌋, M/r is below r, and their
	// mean is smaller than r and not below ⌊√M⌋. The estimate is off by less
	// than 2^12.
	r = math.MaxUint64
	if f := float64(math.Sqrt(float64(hi))*(1<<32)) + 1<<12; f < 1<<64 {
		r = uint64(f)
	}
	for r > hi { // else M/r ≥ 2^64
		q, _ := bits.Div64(hi, lo, r)
		if q >= r {
			break
		}
		r = q + (r-q)/2
	}
	h, l := bits.Mul64(r, r)
	return r, h == hi && l == lo
}
