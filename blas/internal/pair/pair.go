// Package pair computes with complex numbers by operations that every platform
// rounds alike. Go's own products of complex numbers are fused on some, and its
// quotients are too.
package pair

import (
	"math"
	"unsafe"

	"github.com/lastbit/lastbit/internal/kernel"
)

// Pair is a complex number in memory.
type Pair[F float32 | float64] struct{ Re, Im F }

// The conversions between complex numbers and pairs. A generic function may
// not call real, imag and complex.

func Of[F float32 | float64, C complex64 | complex128](v C) Pair[F] {
	return *(*Pair[F])(unsafe.Pointer(&v))
}

func Complex[C complex64 | complex128, F float32 | float64](v Pair[F]) C {
	return *(*C)(unsafe.Pointer(&v))
}

func Slice[F float32 | float64, C complex64 | complex128](x []C) []Pair[F] {
	return unsafe.Slice((*Pair[F])(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// Parts returns the real and imaginary parts of a slice, in turn.
func Parts[F float32 | float64, C complex64 | complex128](x []C) []F {
	return unsafe.Slice((*F)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}

// Flat returns the parts of pairs, in turn.
func Flat[F float32 | float64](x []Pair[F]) []F {
	return unsafe.Slice((*F)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}

// Times returns a⊗b: both parts of b times a, if a is real, else one product
// of each part rounded, and the other added by a fused multiply-add.
func (a Pair[F]) Times(b Pair[F]) Pair[F] {
	if a.Im == 0 {
		return Pair[F]{a.Re * b.Re, a.Re * b.Im}
	}
	return Pair[F]{
		kernel.FMA(-a.Im, b.Im, a.Re*b.Re),
		kernel.FMA(a.Im, b.Re, a.Re*b.Im),
	}
}

// FMA returns a·b + c by two fused multiply-adds for each part.
func (a Pair[F]) FMA(b, c Pair[F]) Pair[F] {
	return Pair[F]{
		kernel.FMA(-a.Im, b.Im, kernel.FMA(a.Re, b.Re, c.Re)),
		kernel.FMA(a.Im, b.Re, kernel.FMA(a.Re, b.Im, c.Im)),
	}
}

// TimesPlus returns a·b + c: part by part if a is real, as Times does, else
// a.FMA(b, c).
func (a Pair[F]) TimesPlus(b, c Pair[F]) Pair[F] {
	if a.Im == 0 {
		return Pair[F]{kernel.FMA(a.Re, b.Re, c.Re), kernel.FMA(a.Re, b.Im, c.Im)}
	}
	return a.FMA(b, c)
}

func (a Pair[F]) Plus(b Pair[F]) Pair[F] { return Pair[F]{a.Re + b.Re, a.Im + b.Im} }

func (a Pair[F]) Conj() Pair[F] { return Pair[F]{a.Re, -a.Im} }

// Over returns a ⊘ b. Both are scaled by powers of two so that their larger
// parts are in [1, 2), and each operation is rounded. A division by zero, an
// infinity or NaN gives what Go's division gives.
func (a Pair[F]) Over(b Pair[F]) Pair[F] {
	eb, ok := b.exponent()
	if !ok {
		//lastbit:ignore complexmul zeros, infinities and NaN alone
		q := complex(float64(a.Re), float64(a.Im)) / complex(float64(b.Re), float64(b.Im))
		return Pair[F]{F(real(q)), F(imag(q))}
	}
	ea, ok := a.exponent()
	if !ok {
		ea = 0 // zero, infinity or NaN: nothing overflows that is finite
	}
	a, b = a.scaled(-ea), b.scaled(-eb)
	d := F(b.Re*b.Re) + F(b.Im*b.Im)
	q := Pair[F]{
		(F(a.Re*b.Re) + F(a.Im*b.Im)) / d,
		(F(a.Im*b.Re) - F(a.Re*b.Im)) / d,
	}
	return q.scaled(ea - eb)
}

// exponent returns the exponent of the larger part. It reports whether that is
// finite and not zero.
func (a Pair[F]) exponent() (e int, ok bool) {
	larger := math.Max(math.Abs(float64(a.Re)), math.Abs(float64(a.Im)))
	if larger == 0 || larger != larger || math.IsInf(larger, 0) {
		return 0, false
	}
	return math.Ilogb(larger), true
}

func (a Pair[F]) scaled(e int) Pair[F] { return Pair[F]{ldexp(a.Re, e), ldexp(a.Im, e)} }

func ldexp[F float32 | float64](v F, e int) F { return F(math.Ldexp(float64(v), e)) }

// Quotient returns a ⊘ b.
func Quotient(a, b complex128) complex128 {
	return Complex[complex128](Of[float64](a).Over(Of[float64](b)))
}
