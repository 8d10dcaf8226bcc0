package cblas

import gonum "gonum.org/v1/gonum/blas"

// level1 computes a call of level 1. Like the reference BLAS and unlike package
// blas, it takes any length and any increment.
func (o *operands[T]) level1(r *routines[T]) {
	if o.n <= 0 {
		return // with a result of 0
	}
	switch o.Routine {
	case Scal, Asum, Iamax:
		if o.inX <= 0 {
			return
		}
	case Dot, Dotc, Nrm2:
		o.b, o.inX = spread(o.b, o.n, o.inX)
		o.c, o.inY = spread(o.c, o.n, o.inY)
	default:
		if o.inX == 0 || o.inY == 0 {
			o.singly(r)
			return
		}
	}
	o.strided(r)
}

// spread returns a vector in place of one whose increment is 0: as many copies
// of its element.
func spread[T element](x []T, n, inc int) ([]T, int) {
	if inc != 0 || n <= 0 || len(x) == 0 {
		return x, inc
	}
	dst := make([]T, n)
	for i := range dst {
		dst[i] = x[0]
	}
	return dst, 1
}

// singly computes a call on the elements of two vectors one after another. An
// increment of 0 names the same element each time.
func (o *operands[T]) singly(r *routines[T]) {
	n, x, y, incX, incY := o.n, o.b, o.c, o.inX, o.inY
	o.n, o.inX, o.inY = 1, 1, 1
	for i := range n {
		o.b, o.c = x[at(i, n, incX):], y[at(i, n, incY):]
		o.strided(r)
	}
}

// strided computes a call whose increments are not 0.
func (o *operands[T]) strided(r *routines[T]) {
	switch o.Routine {
	case Copy:
		r.copy(o.n, o.b, o.inX, o.c, o.inY)
	case Swap:
		r.swap(o.n, o.b, o.inX, o.c, o.inY)
	case Axpy:
		r.axpy(o.n, o.alpha, o.b, o.inX, o.c, o.inY)
	case Scal:
		if o.alpha == 0 {
			o.timesZero()
			return
		}
		r.scal(o.n, o.alpha, o.b, o.inX)
	case Dot:
		o.Result = partsOf(r.dot(o.n, o.b, o.inX, o.c, o.inY))
	case Dotc:
		o.Result = partsOf(r.dotc(o.n, o.b, o.inX, o.c, o.inY))
	case Nrm2:
		o.Result[0] = r.nrm2(o.n, o.b, max(o.inX, -o.inX))
	case Asum:
		o.Result[0] = r.asum(o.n, o.b, o.inX)
	case Iamax:
		o.Result[0] = float64(r.iamax(o.n, o.b, o.inX) + 1)
	case Rot:
		r.rot(o.n, o.b, o.inX, o.c, o.inY, o.Alpha[0], o.Beta[0])
	case Rotm:
		r.rotm(o.n, o.b, o.inX, o.c, o.inY, o.rotmParams())
	}
}

// timesZero multiplies the parts of a vector by zero, where package blas stores
// +0: NaN and infinities become NaN, and signs are kept.
func (o *operands[T]) timesZero() {
	for i := range o.n {
		v := &o.b[at(i, o.n, o.inX)]
		p := partsOf(*v)
		*v = number[T]([2]float64{0 * p[0], 0 * p[1]})
	}
}

// rotmParams returns the flag and matrix of Drotm, five numbers in slot A.
func (o *operands[T]) rotmParams() gonum.DrotmParams {
	var p [5]float64
	for i := range p {
		p[i] = partsOf(o.a[i])[0]
	}
	//lastbit:ignore floatconv the caller's flag is -2, -1, 0 or 1
	return gonum.DrotmParams{Flag: gonum.Flag(p[0]), H: [4]float64(p[1:])}
}
