package pair

import (
	"math"
	"unsafe"

	"github.com/lastbit/lastbit/internal/kernel"
)

// The functions of this file compute with few numbers, one after another, where
// a call of a kernel takes longer. Their loops for float64 have the fused
// multiply-adds inside.

// isDouble reports whether F is float64.
func isDouble[F float32 | float64]() bool { return unsafe.Sizeof(F(0)) == 8 }

// doubles returns pairs of float64 as such.
func doubles[F float32 | float64](x []Pair[F]) []Pair[float64] {
	return unsafe.Slice((*Pair[float64])(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// double returns a pair in float64.
func (a Pair[F]) double() Pair[float64] { return Pair[float64]{float64(a.Re), float64(a.Im)} }

// fma is [Pair.FMA] for float64.
func fma(a, b, c Pair[float64]) Pair[float64] {
	return Pair[float64]{
		math.FMA(-a.Im, b.Im, math.FMA(a.Re, b.Re, c.Re)),
		math.FMA(a.Im, b.Re, math.FMA(a.Re, b.Im, c.Im)),
	}
}

// Scale sets x[i] to alpha⊗x[i], as [Pair.Times] does.
func Scale[F float32 | float64](alpha Pair[F], x []Pair[F]) {
	switch {
	case alpha.Im == 0:
		for i, v := range x {
			x[i] = Pair[F]{alpha.Re * v.Re, alpha.Re * v.Im}
		}
	case isDouble[F]():
		a, y := alpha.double(), doubles(x)
		for i, v := range y {
			y[i] = Pair[float64]{
				math.FMA(-a.Im, v.Im, a.Re*v.Re), math.FMA(a.Im, v.Re, a.Re*v.Im),
			}
		}
	default:
		for i, v := range x {
			x[i] = alpha.Times(v)
		}
	}
}

// AddMultiple sets y[i] to alpha.FMA(x[i], y[i]) for the elements of x,
// conjugated or not.
func AddMultiple[F float32 | float64](alpha Pair[F], conj bool, x, y []Pair[F]) {
	sign := signOf[F](conj)
	if isDouble[F]() {
		a, s, from, to := alpha.double(), float64(sign), doubles(x), doubles(y)[:len(x)]
		for i, v := range from {
			to[i] = fma(a, Pair[float64]{v.Re, s * v.Im}, to[i])
		}
		return
	}
	for i, v := range x {
		y[i] = alpha.FMA(Pair[F]{v.Re, sign * v.Im}, y[i])
	}
}

// AddMultipleBy is AddMultiple, by a kernel where it takes less time.
func AddMultipleBy[F float32 | float64](
	kernels kernel.Complex[F], alpha Pair[F], conj bool, x, y []Pair[F],
) {
	most := 2
	if isDouble[F]() {
		most = maxMultiple
	}
	if len(x) <= most {
		AddMultiple(alpha, conj, x, y[:len(x)])
		return
	}
	factor := [1]kernel.ComplexFactor[F]{kernel.FactorOf(alpha.Re, alpha.Im, conj)}
	row := Flat(x)
	a := kernel.Operand[F]{At: &row[0], Row: len(row), Col: 1}
	kernels.AddRows(kernel.Hide(factor[:]), a, Flat(y[:len(x)]))
}

// maxMultiple is the most numbers of float64 that AddMultiple takes less time
// for.
const maxMultiple = 4

// signOf returns the factor of imaginary parts.
func signOf[F float32 | float64](conj bool) F {
	if conj {
		return -1
	}
	return 1
}

// Dot returns Σ x[i]·y[i], x conjugated or not, by the lanes of
// [kernel.Complex.Dots]: 4 numbers of float64, or 8 of float32.
func Dot[F float32 | float64](conj bool, x, y []Pair[F]) Pair[F] {
	sign := signOf[F](conj)
	if isDouble[F]() {
		s := dotDoubles(float64(sign), doubles(x), doubles(y))
		return Pair[F]{F(s.Re), F(s.Im)}
	}
	var lanes [8]Pair[F]
	for i, v := range x {
		l := &lanes[i%len(lanes)]
		*l = Pair[F]{v.Re, sign * v.Im}.FMA(y[i], *l)
	}
	for l := range 4 {
		lanes[l] = lanes[l].Plus(lanes[l+4])
	}
	return lanes[0].Plus(lanes[2]).Plus(lanes[1].Plus(lanes[3]))
}

// DotBy is Dot, by a kernel where there is one and it takes less time.
func DotBy[F float32 | float64](kernels kernel.Complex[F], conj bool, x, y []Pair[F]) Pair[F] {
	if len(x) < minDot || !kernels.HasVectors() && len(x) <= maxDot {
		return Dot(conj, x, y)
	}
	re, im := kernels.Dot(conj, Flat(x), Flat(y[:len(x)]))
	return Pair[F]{re, im}
}

// Numbers that a kernel adds in less time than Dot: from minDot on, or more
// than maxDot if it is portable Go.
const (
	minDot = 2
	maxDot = 24
)

// dotDoubles is Dot for float64, with a sign for the imaginary parts of x. Its
// lanes are variables.
func dotDoubles(sign float64, x, y []Pair[float64]) Pair[float64] {
	var a, b, c, d Pair[float64]
	for len(x) >= 4 && len(y) >= 4 {
		v, w := (*[4]Pair[float64])(x), (*[4]Pair[float64])(y)
		a = fma(Pair[float64]{v[0].Re, sign * v[0].Im}, w[0], a)
		b = fma(Pair[float64]{v[1].Re, sign * v[1].Im}, w[1], b)
		c = fma(Pair[float64]{v[2].Re, sign * v[2].Im}, w[2], c)
		d = fma(Pair[float64]{v[3].Re, sign * v[3].Im}, w[3], d)
		x, y = x[4:], y[4:]
	}
	y = y[:len(x)]
	switch len(x) {
	case 3:
		c = fma(Pair[float64]{x[2].Re, sign * x[2].Im}, y[2], c)
		fallthrough
	case 2:
		b = fma(Pair[float64]{x[1].Re, sign * x[1].Im}, y[1], b)
		fallthrough
	case 1:
		a = fma(Pair[float64]{x[0].Re, sign * x[0].Im}, y[0], a)
	}
	return a.Plus(c).Plus(b.Plus(d))
}

// Chain returns c plus the products x[p]·y[at + p·step], added one after
// another as [Pair.FMA] does. A sign multiplies the imaginary parts of y.
func Chain[F float32 | float64](x, y []Pair[F], at, step int, sign F, c Pair[F]) Pair[F] {
	if isDouble[F]() {
		s, from, sum := float64(sign), doubles(y), c.double()
		for _, v := range doubles(x) {
			w := from[at]
			sum = fma(v, Pair[float64]{w.Re, s * w.Im}, sum)
			at += step
		}
		return Pair[F]{F(sum.Re), F(sum.Im)}
	}
	for _, v := range x {
		w := y[at]
		c = v.FMA(Pair[F]{w.Re, sign * w.Im}, c)
		at += step
	}
	return c
}

// ScaleBy is Scale, by a kernel where it takes less time.
func ScaleBy[F float32 | float64](kernels kernel.Complex[F], alpha Pair[F], x []Pair[F]) {
	if alpha.Im == 0 || len(x) < minScaled || isDouble[F]() && !kernels.HasVectors() {
		Scale(alpha, x)
		return
	}
	kernels.Scale(kernel.FactorOf(alpha.Re, alpha.Im, false), Flat(x))
}

// minScaled is the fewest numbers that a kernel scales in less time than Scale.
const minScaled = 3
