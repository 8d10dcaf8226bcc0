package kernel

import (
	"math"
	"unsafe"
)

// MaxShortDot is the most products of ShortDot.
const MaxShortDot = 8

// ShortDot returns Σ x[i·incX]·y[i·incY] for at most MaxShortDot products, by
// the tree of package ordered, whose lanes have one product or none. Lanes
// without products are −0.
func ShortDot[T float32 | float64](n int, x []T, incX int, y []T, incY int) T {
	var lanes [MaxShortDot]T
	for i, ix, iy := 0, 0, 0; i < n; i, ix, iy = i+1, ix+incX, iy+incY {
		lanes[i] = x[ix] * y[iy]
	}
	zero := T(math.Copysign(0, -1))
	for i := n; i < len(lanes); i++ {
		lanes[i] = zero
	}
	return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
		((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
}

// AddTerms returns what OrderedBlock does for 1 ≤ n ≤ OrderedLanes terms of x
// and y, without a stack and dst.
func (c Chain[T]) AddTerms(op OrderedOp, n int, x, y *T) T {
	return c.body.orderedShort(uint64(op), hidden(x), hidden(y), n)
}

// AddMultiple sets y[i] to fma(alpha, x[i], y[i]) for n elements. It is meant
// for few: AddRows fetches many ahead.
func (c Chain[T]) AddMultiple(n int, alpha T, x, y *T) {
	c.body.shortAxpy(n, alpha, hidden(x), hidden(y))
}

// Multiply sets x[i] to alpha⊗x[i] for n elements.
func (c Chain[T]) Multiply(n int, alpha T, x *T) { c.body.shortScale(n, alpha, hidden(x)) }

// Divide sets x[i] to x[i]⊘d for n elements.
func (c Chain[T]) Divide(n int, d T, x *T) { c.body.shortDivide(n, d, hidden(x)) }

// Rotate sets x[i] and y[i] to cos⊗x[i] ⊕ sin⊗y[i] and cos⊗y[i] ⊖ sin⊗x[i] for
// n elements.
func (c Chain[T]) Rotate(n int, cos, sin T, x, y *T) {
	c.body.shortRotate(n, cos, sin, hidden(x), hidden(y))
}

// Products sets dst[i] to the product of x[i] and y[i], which is exact.
func Products(c Chain[float64], dst []float64, x, y []float32) {
	c.body.shortProducts(len(dst), data(x[:len(dst)]), data(y[:len(dst)]), data(dst))
}

// shortAxpyGeneric is the portable body of AddMultiple.
func shortAxpyGeneric[T float32 | float64](n int, alpha T, px, py *T) {
	AddMultiple(alpha, unsafe.Slice(px, n), unsafe.Slice(py, n))
}

// shortScaleGeneric is the portable body of Multiply.
func shortScaleGeneric[T float32 | float64](n int, alpha T, px *T) {
	x := unsafe.Slice(px, n)
	for i, v := range x {
		x[i] = alpha * v
	}
}

// shortDivideGeneric is the portable body of Divide.
func shortDivideGeneric[T float32 | float64](n int, d T, px *T) {
	x := unsafe.Slice(px, n)
	for i, v := range x {
		x[i] = v / d
	}
}

// shortRotateGeneric is the portable body of Rotate.
func shortRotateGeneric[T float32 | float64](n int, cos, sin T, px, py *T) {
	x, y := unsafe.Slice(px, n), unsafe.Slice(py, n)
	for i, vx := range x {
		vy := y[i]
		x[i], y[i] = T(cos*vx)+T(sin*vy), T(cos*vy)-T(sin*vx)
	}
}

// shortProductsGeneric is the portable body of Products.
func shortProductsGeneric(n int, px, py *float32, pdst *float64) {
	x, y := unsafe.Slice(px, n), unsafe.Slice(py, n)
	for i, dst := 0, unsafe.Slice(pdst, n); i < n; i++ {
		dst[i] = float64(x[i]) * float64(y[i])
	}
}
