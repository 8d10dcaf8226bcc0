package kernel

import (
	"fmt"
	"math"
	"testing"
	"unsafe"
)

// TestComplex holds the kernels of complex numbers, at every level, against
// their definitions, on pages between protected ones, as in TestChain.
func TestComplex(t *testing.T) {
	memory := [3][]byte{pages(t), pages(t), pages(t)}
	for _, level := range Levels() {
		t.Run(fmt.Sprintf("%v/float64", level), func(t *testing.T) {
			testComplex(newChainTest[float64](t, level, memory), NewComplex[float64](level))
		})
		t.Run(fmt.Sprintf("%v/float32", level), func(t *testing.T) {
			testComplex(newChainTest[float32](t, level, memory), NewComplex[float32](level))
		})
	}
}

func testComplex[T float32 | float64](c *chainTest[T], kernels Complex[T]) {
	for trial := range 400 {
		isLast, conj := trial%2 == 0, trial/2%2 == 0
		c.complexRows(kernels, c.rng.IntN(9), 2*c.rng.IntN(27), 2*c.rng.IntN(2), conj, isLast)
		c.complexRows(kernels, 1+c.rng.IntN(2), 2*c.rng.IntN(100), 0, conj, isLast)
		c.complexScale(kernels, 2*c.rng.IntN(100), isLast)
		c.complexDots(kernels, 1+c.rng.IntN(11), 2*c.rng.IntN(19), 2*c.rng.IntN(2), conj, isLast)
	}
}

// complexRows tries AddRows of a number of complex numbers times two.
func (c *chainTest[T]) complexRows(
	kernels Complex[T], rows, n, spare int, conj, isLast bool,
) {
	numbers := unsafe.SliceData(c.vector(0, 4*rows, isLast))
	f := unsafe.Slice((*ComplexFactor[T])(unsafe.Pointer(numbers)), rows)
	a := c.matrix(1, rows, n, spare, false, isLast)
	to := c.matrix(2, 1, n, 0, false, isLast)
	y, before := unsafe.Slice(to.At, n), append([]T(nil), c.pages[2]...)
	want := append([]T(nil), y...)
	for i := range rows {
		re, im := f[i][0], f[i][3]
		f[i] = FactorOf(re, im, conj)
		for j := 0; j < n; j += 2 {
			ar, ai := *a.Element(i, j), *a.Element(i, j+1)
			if conj {
				ai = -ai
			}
			want[j] = FMA(-im, ai, FMA(re, ar, want[j]))
			want[j+1] = FMA(im, ar, FMA(re, ai, want[j+1]))
		}
	}
	kernels.AddRows(f, a, y)
	c.hold(fmt.Sprintf("complex AddRows of %d×%d", rows, n), to, 1, n, want, before)
}

// complexScale tries Scale.
func (c *chainTest[T]) complexScale(kernels Complex[T], n int, isLast bool) {
	factor := c.vector(0, 2, isLast)
	re, im := factor[0], factor[1]
	to := c.matrix(2, 1, n, 0, false, isLast)
	x, before := unsafe.Slice(to.At, n), append([]T(nil), c.pages[2]...)
	want := make([]T, n)
	for j := 0; j < n; j += 2 {
		want[j] = FMA(-im, x[j+1], T(re*x[j]))
		want[j+1] = FMA(im, x[j], T(re*x[j+1]))
	}
	kernels.Scale(FactorOf(re, im, false), x)
	c.hold(fmt.Sprintf("complex Scale of %d", n), to, 1, n, want, before)
}

// complexDots tries Dots and Dot, on tiny products too: some round to −0.
func (c *chainTest[T]) complexDots(
	kernels Complex[T], rows, n, spare int, conj, isLast bool,
) {
	x := c.vector(0, n, isLast)
	a := c.matrix(1, rows, n, spare, false, isLast)
	if c.rng.IntN(3) == 0 {
		tiny := T(math.Sqrt(math.SmallestNonzeroFloat64))
		if unsafe.Sizeof(tiny) == 4 {
			tiny = T(math.Sqrt(math.SmallestNonzeroFloat32))
		}
		for i := range x {
			x[i] *= tiny
		}
		for i := range c.pages[1] {
			c.pages[1][i] *= tiny
		}
	}
	to := c.matrix(2, 1, 2*rows, 0, false, isLast)
	before, want := append([]T(nil), c.pages[2]...), make([]T, 2*rows)
	for i := range rows {
		re, im := make([]T, ChainLanes[T]()/2), make([]T, ChainLanes[T]()/2)
		for j := range n / 2 {
			l := j % len(re)
			ar, ai := *a.Element(i, 2*j), *a.Element(i, 2*j+1)
			if conj {
				ai = -ai
			}
			re[l] = FMA(-ai, x[2*j+1], FMA(ar, x[2*j], re[l]))
			im[l] = FMA(ai, x[2*j], FMA(ar, x[2*j+1], im[l]))
		}
		want[2*i], want[2*i+1] = halve(re), halve(im)
	}
	kernels.Dots(a, conj, x, unsafe.Slice(to.At, 2*rows))
	c.hold(fmt.Sprintf("complex Dots of %d×%d", rows, n), to, 1, 2*rows, want, before)
	re, im := kernels.Dot(conj, unsafe.Slice(a.At, n), x)
	if !same(re, want[0]) || !same(im, want[1]) {
		c.Fatalf("complex Dot of %d is (%v, %v), want (%v, %v)", n, re, im, want[0], want[1])
	}
}
