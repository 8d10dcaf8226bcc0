// Package wide computes with floating-point numbers of several 64-bit words, on
// the stack. It holds the accurate paths of crmath: one kernel for each
// function, at any precision up to Last words.
//
// A first kernel, in two words and with tables (type short), decides nearly all
// results. Those that it does not decide go to a kernel of any precision.
//
// A kernel at precision n (SetExp, SetLog …) computes with n+1 words and
// promises n: a relative error below 2^(-64n). Its caller rounds with
// Float64(n) or Rounded(n, m), and asks for more words while the result is
// undecided:
//
//	var z, a wide.Float
//	for n := wide.First; ; n = wide.Longer(n) {
//		a.SetFloat64(x, n+1)
//		z.SetExp(&a, n)
//		if r, ok := z.Float64(n); ok || n == wide.Last {
//			return r
//		}
//	}
//
// A Float must not escape to the heap: kernels are called by name, never
// through a function value or an interface, which would have their operands
// allocated.
package wide

import (
	"math"
	"math/bits"
)

// Float is the number (-1)^Neg · 0.M[0]M[1]M[2]… · 2^Exp with the top bit of
// M[0] set, or zero where M[0] is zero.
//
// Each operation has a precision n, in words: it reads and writes M[:n] and
// leaves the other words alone. Its result is the exact one for M[:n] of the
// operands, times 1+δ with |δ| < 2^(2-64n): every operation truncates, and
// keeps a guard word where a normalization may follow. The receiver may be one
// of the operands. Exponents stay within some thousands and never overflow.
type Float struct {
	Neg bool
	Exp int
	M   [Words]uint64
}

// Precisions, in words.
const (
	// Words bounds the words of a Float.
	Words = 16
	// First decides every function of one float64 whose worst cases are known:
	// 128 bits, where at most 120 are needed (LefevreMuller2001,
	// Sibidanov2022).
	First = 2
	// Last is the longest precision of a kernel, which needs a guard word.
	Last = Words - 1
	// PowLast is the longest precision of SetPow, whose logarithm has one word
	// more.
	PowLast = Last - 1
)

// Longer returns the precision to try after n, up to Last.
func Longer(n int) int { return min(2*n+1, Last) }

// LongerPow returns the precision to try after n, up to PowLast.
func LongerPow(n int) int { return min(2*n+2, PowLast) }

// IsZero reports whether x is 0.
func (x *Float) IsZero() bool { return x.M[0] == 0 }

// SetZero sets z to 0.
func (z *Float) SetZero(n int) {
	z.Neg, z.Exp = false, 0
	clear(z.M[:n])
}

// SetUint sets z to u, exactly.
func (z *Float) SetUint(u uint64, n int) {
	z.SetZero(n)
	if u != 0 {
		s := bits.LeadingZeros64(u)
		z.M[0], z.Exp = u<<s, 64-s
	}
}

// SetInt sets z to i, exactly.
func (z *Float) SetInt(i int64, n int) {
	u := uint64(i)
	if i < 0 {
		u = -u
	}
	z.SetUint(u, n)
	z.Neg = i < 0
}

// SetFloat64 sets z to the finite number x, exactly.
func (z *Float) SetFloat64(x float64, n int) {
	u := math.Float64bits(x)
	e, f := int(u>>52&0x7ff), u&(1<<52-1)
	if e == 0 {
		e = 1
	} else {
		f |= 1 << 52
	}
	z.SetUint(f, n)
	if f != 0 {
		z.Exp += e - 1075
	}
	z.Neg = u>>63 != 0
}

// Set sets z to x.
func (z *Float) Set(x *Float, n int) {
	z.Neg, z.Exp = x.Neg, x.Exp
	copy(z.M[:n], x.M[:n])
}

// setAbs sets z to |x|.
func (z *Float) setAbs(x *Float, n int) {
	z.Set(x, n)
	z.Neg = false
}

// Approx returns x truncated to 53 bits, or to fewer where that is subnormal,
// and ±Inf beyond float64's range. It is for estimates.
func (x *Float) Approx() float64 {
	f := math.Ldexp(float64(x.M[0]>>11), x.Exp-53)
	if x.Neg {
		return -f
	}
	return f
}

// CmpAbs compares |x| with |y|: -1, 0 or 1.
func (x *Float) CmpAbs(y *Float, n int) int {
	switch {
	case x.IsZero() && y.IsZero():
		return 0
	case x.IsZero():
		return -1
	case y.IsZero():
		return 1
	case x.Exp != y.Exp:
		if x.Exp < y.Exp {
			return -1
		}
		return 1
	}
	for i := range n {
		if x.M[i] != y.M[i] {
			if x.M[i] < y.M[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// IsPowerOfTwo reports whether x, in n words, is a power of two.
func (x *Float) IsPowerOfTwo(n int) bool {
	return x.M[0] == 1<<63 && allBits(x.M[:n], 1, 0)
}
