package blas

import (
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/ordered"
)

// The routines of this file take vectors of few elements, one after another,
// without the layers that longer ones pass through. They leave all others to
// the routines that check arguments.

// maxFew is the most elements of vectors that a routine updates at once; for
// more it fetches ahead and asks for goroutines.
const maxFew = 512

// isFew reports whether n > 0 elements of x and of y, both one after another,
// are few.
func isFew(n, lenX, incX, lenY, incY int) bool {
	return incX == 1 && incY == 1 && uint(n-1) < maxFew && n <= lenX && n <= lenY
}

// dot is Ddot and Sdot.
func (d *direct[T]) dot(n int, x []T, incX int, y []T, incY int) T {
	d = d.orBest()
	if !isFew(n, len(x), incX, len(y), incY) || n > kernel.OrderedLanes[T]() {
		return d.dotOfMany(n, x, incX, y, incY)
	}
	x, y = x[:n], y[:n]
	switch n {
	case 1:
		return x[0] * y[0]
	case 2:
		return T(x[0]*y[0]) + T(x[1]*y[1])
	case 3:
		return T(x[0]*y[0]) + T(x[2]*y[2]) + T(x[1]*y[1])
	case 4:
		return (T(x[0]*y[0]) + T(x[2]*y[2])) + (T(x[1]*y[1]) + T(x[3]*y[3]))
	case 8:
		return ((T(x[0]*y[0]) + T(x[4]*y[4])) + (T(x[2]*y[2]) + T(x[6]*y[6]))) +
			((T(x[1]*y[1]) + T(x[5]*y[5])) + (T(x[3]*y[3]) + T(x[7]*y[7])))
	case 16:
		return sixteen((*[16]T)(x), (*[16]T)(y))
	}
	return d.kernels.AddTerms(kernel.OrderedDot, n, &x[0], &y[0])
}

// sixteen is dot of 16 products.
func sixteen[T float32 | float64](x, y *[16]T) T {
	a := T(x[0]*y[0]) + T(x[8]*y[8])
	b := T(x[1]*y[1]) + T(x[9]*y[9])
	c := T(x[2]*y[2]) + T(x[10]*y[10])
	d := T(x[3]*y[3]) + T(x[11]*y[11])
	a += T(x[4]*y[4]) + T(x[12]*y[12])
	b += T(x[5]*y[5]) + T(x[13]*y[13])
	c += T(x[6]*y[6]) + T(x[14]*y[14])
	d += T(x[7]*y[7]) + T(x[15]*y[15])
	return (a + c) + (b + d)
}

// asum is Dasum and Sasum.
func (d *direct[T]) asum(n int, x []T, incX int) T {
	d = d.orBest()
	if !isFew(n, len(x), incX, len(x), incX) || n > kernel.OrderedLanes[T]() {
		return asum(ordered.Asum[T], n, x, incX)
	}
	x = x[:n]
	switch n {
	case 1:
		return abs(x[0])
	case 2:
		return abs(x[0]) + abs(x[1])
	case 3:
		return abs(x[0]) + abs(x[2]) + abs(x[1])
	case 4:
		return (abs(x[0]) + abs(x[2])) + (abs(x[1]) + abs(x[3]))
	}
	return d.kernels.AddTerms(kernel.OrderedAsum, n, &x[0], &x[0])
}

// dotOfMany is dot for any arguments.
func (d *direct[T]) dotOfMany(n int, x []T, incX int, y []T, incY int) T {
	if isShort(n, len(x), incX) && isVector(len(y), n, incY) {
		return kernel.ShortDot(n, x, incX, y, incY)
	}
	return dot(ordered.Dot[T], n, x, incX, y, incY)
}

// doubleDot is Dsdot. Its products are exact in float64, and so the terms of a
// sum.
func doubleDot(n int, x []float32, incX int, y []float32, incY int) float64 {
	if !checkPair(n, len(x), incX, len(y), incY) {
		return 0
	}
	switch {
	case n <= kernel.MaxShortDot:
		var frame [kernel.MaxShortDot]float64
		products(frame[:n], x, incX, y, incY)
		return kernels64.AddTerms(kernel.OrderedSum, n, &frame[0], &frame[0])
	case n <= doubleLanes:
		var frame [doubleLanes]float64
		products(frame[:n], x, incX, y, incY)
		return kernels64.AddTerms(kernel.OrderedSum, n, &frame[0], &frame[0])
	}
	c := borrow[float64]()
	if n > len(c.x) {
		c.x = make([]float64, n)
	}
	products(c.x[:n], x, incX, y, incY)
	s := ordered.Sum(c.x[:n])
	c.giveBack()
	return s
}

// doubleLanes is kernel.OrderedLanes of float64.
const doubleLanes = kernel.OrderedRowBytes / 8

// products stores the products of two strided vectors in dst.
func products(dst []float64, x []float32, incX int, y []float32, incY int) {
	if incX == 1 && incY == 1 {
		kernel.Products(kernels64, dst, x, y)
		return
	}
	ix, iy := first(len(dst), incX), first(len(dst), incY)
	for i := range dst {
		dst[i] = float64(x[ix]) * float64(y[iy])
		ix, iy = ix+incX, iy+incY
	}
}

// axpy is Daxpy and Saxpy.
func (d *direct[T]) axpy(n int, alpha T, x []T, incX int, y []T, incY int) {
	d = d.orBest()
	if !isFew(n, len(x), incX, len(y), incY) || alpha == 0 {
		d.axpyOfMany(n, alpha, x, incX, y, incY)
		return
	}
	if n == 1 {
		y[0] = kernel.FMA(alpha, x[0], y[0])
		return
	}
	d.kernels.AddMultiple(n, alpha, &x[0], &y[0])
}

// axpyOfMany is axpy for any arguments.
func (d *direct[T]) axpyOfMany(n int, alpha T, x []T, incX int, y []T, incY int) {
	if n > maxApart || n <= 0 || alpha == 0 ||
		!isVector(len(x), n, incX) || !isVector(len(y), n, incY) {
		d.rest.addTo(n, alpha, x, incX, y, incY)
		return
	}
	for i, j := 0, 0; n > 0; i, j, n = i+incX, j+incY, n-1 {
		y[j] = kernel.FMA(alpha, x[i], y[j])
	}
}

// scal is Dscal and Sscal.
func (d *direct[T]) scal(n int, alpha T, x []T, incX int) {
	d = d.orBest()
	switch {
	case !isFew(n, len(x), incX, len(x), incX) || alpha == 0:
		d.scalOfMany(n, alpha, x, incX)
	case n > 4:
		d.kernels.Multiply(n, alpha, &x[0])
	default:
		for i, v := range x[:n] {
			x[i] = alpha * v
		}
	}
}

// scalOfMany is scal for any arguments.
func (d *direct[T]) scalOfMany(n int, alpha T, x []T, incX int) {
	if n <= 0 || alpha == 0 || !isVector(len(x), n, incX) || !d.isAlone(n) {
		d.rest.scal(n, alpha, x, incX)
		return
	}
	if incX == 1 {
		d.kernels.Scale(alpha, x[:n], x[:n])
		return
	}
	for i := 0; n > 0; i, n = i+incX, n-1 {
		x[i] *= alpha
	}
}

// rot is Drot and Srot.
func (d *direct[T]) rot(n int, x []T, incX int, y []T, incY int, c, s T) {
	d = d.orBest()
	if incX != 1 || incY != 1 || n <= 0 || n > len(x) || n > len(y) {
		rot(n, x, incX, y, incY, c, s)
		return
	}
	if n > 4 {
		d.kernels.Rotate(n, c, s, &x[0], &y[0])
		return
	}
	x, y = x[:n], y[:n]
	for i, vx := range x {
		vy := y[i]
		x[i], y[i] = T(c*vx)+T(s*vy), T(c*vy)-T(s*vx)
	}
}
