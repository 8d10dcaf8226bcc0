package kernel

import (
	"fmt"
	"testing"
	"unsafe"
)

// TestVectors holds the kernels of vectors, at every level, against their
// definitions. Vectors lie at the beginning and at the end of pages between
// protected ones.
func TestVectors(t *testing.T) {
	memory := [3][]byte{pages(t), pages(t), pages(t)}
	for _, level := range Levels() {
		t.Run(fmt.Sprintf("%v/float64", level), func(t *testing.T) {
			newChainTest[float64](t, level, memory).vectors()
		})
		t.Run(fmt.Sprintf("%v/float32", level), func(t *testing.T) {
			newChainTest[float32](t, level, memory).vectors()
		})
		t.Run(fmt.Sprintf("%v/products", level), func(t *testing.T) {
			factors := newChainTest[float32](t, level, memory)
			testProducts(newChainTest[float64](t, level, memory), factors)
		})
	}
}

// testProducts tries Products.
func testProducts(c *chainTest[float64], factors *chainTest[float32]) {
	for n := 1; n <= 70; n++ {
		for _, isLast := range []bool{false, true} {
			x, y := factors.vector(0, n, isLast), factors.vector(1, n, isLast)
			to := c.matrix(2, 1, n, 0, false, isLast)
			before, want := append([]float64(nil), c.pages[2]...), make([]float64, n)
			for i := range want {
				want[i] = float64(x[i]) * float64(y[i])
			}
			Products(c.chain, unsafe.Slice(to.At, n), x, y)
			c.hold(fmt.Sprintf("products of %d", n), to, 1, n, want, before)
		}
	}
}

func (c *chainTest[T]) vectors() {
	for n := 1; n <= 70; n++ {
		for _, isLast := range []bool{false, true} {
			a, b := T(c.rng.NormFloat64()), T(c.rng.NormFloat64())
			c.update("axpy", n, isLast, func(x, y *T) { c.chain.AddMultiple(n, a, x, y) },
				func(x, y T) T { return FMA(a, x, y) })
			c.update("scale", n, isLast, func(_, y *T) { c.chain.Multiply(n, a, y) },
				func(_, y T) T { return a * y })
			c.update("divide", n, isLast, func(_, y *T) { c.chain.Divide(n, a, y) },
				func(_, y T) T { return y / a })
			c.update("rotate", n, isLast, func(x, y *T) { c.chain.Rotate(n, a, b, x, y) },
				func(x, y T) T { return T(a*y) - T(b*x) })
			c.update("rotate back", n, isLast, func(x, y *T) { c.chain.Rotate(n, a, b, y, x) },
				func(x, y T) T { return T(a*y) + T(b*x) })
		}
	}
}

// update tries a kernel that updates y by x.
func (c *chainTest[T]) update(
	what string, n int, isLast bool, do func(x, y *T), want func(x, y T) T,
) {
	c.Helper()
	x := c.matrix(0, 1, n, 0, false, isLast)
	y := c.matrix(2, 1, n, 0, false, isLast)
	before := append([]T(nil), c.pages[2]...)
	var values []T
	for i, v := range unsafe.Slice(y.At, n) {
		values = append(values, want(unsafe.Slice(x.At, n)[i], v))
	}
	do(x.At, y.At)
	c.hold(fmt.Sprintf("%s of %d", what, n), y, 1, n, values, before)
}
