package blas

import (
	"gonum.org/v1/gonum/blas"
	"math"

	"github.com/lastbit/lastbit/blas/internal/pair"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/kernel"
)

// dot is Ddot and Sdot, by a sum of products of two slices.
func dot[T float32 | float64](
	sum func(x, y []T) T, n int, x []T, incX int, y []T, incY int,
) T {
	if !checkPair(n, len(x), incX, len(y), incY) {
		return 0
	}
	if incX == 1 && incY == 1 {
		return sum(x[:n], y[:n])
	}
	return dotStrided(sum, n, x, incX, y, incY)
}

// dotStrided is dot for checked arguments. Short vectors are copied to buffers.
func dotStrided[T float32 | float64](
	sum func(x, y []T) T, n int, x []T, incX int, y []T, incY int,
) T {
	c := borrow[T]()
	vx := contiguousIn(&c.x, x, n, incX)
	vy := vx
	if &x[0] != &y[0] || incX != incY {
		vy = contiguousIn(&c.y, y, n, incY)
	}
	s := sum(vx, vy)
	c.giveBack()
	return s
}

// dsdot is Dsdot, by a sum of products of two slices of float64.
func dsdot(
	sum func(x, y []float64) float64, n int, x []float32, incX int, y []float32, incY int,
) float64 {
	if !checkPair(n, len(x), incX, len(y), incY) {
		return 0
	}
	if n > maxWidened {
		return sum(widened(make([]float64, n), x, incX), widened(make([]float64, n), y, incY))
	}
	var frames [2][maxWidened]float64
	return sum(widened(kernel.Hide(frames[0][:n]), x, incX),
		widened(kernel.Hide(frames[1][:n]), y, incY))
}

// maxWidened is the most elements that are widened on the stack.
const maxWidened = 32

// widened stores the elements of a strided vector in dst, and returns it.
func widened(dst []float64, x []float32, inc int) []float64 {
	at := first(len(dst), inc)
	for i := range dst {
		dst[i] = float64(x[at])
		at += inc
	}
	return dst
}

// checkOne checks the arguments of a routine for one vector, which a negative
// increment makes empty. It reports whether there is anything to do.
func checkOne(n, length, inc int) bool {
	require(inc != 0, zeroIncX)
	if inc < 0 {
		return false
	}
	require(n >= 0, nLT0)
	require(length > (n-1)*inc, shortX)
	return n > 0
}

// nrm2 is Dnrm2 and Snrm2. It is exact: the error of a norm goes into every
// element that a Householder reflection touches, and costs eigenvalues digits.
func nrm2[T float32 | float64](n int, x []T, incX int) T {
	if !checkOne(n, len(x), incX) {
		return 0
	}
	if n == 1 {
		return abs(x[0])
	}
	if norm, ok := quickNorm(n, x, incX); ok {
		return norm
	}
	return exact.Nrm2Inc(n, x, incX)
}

// maxQuickNorm is the most elements of a quick norm.
const maxQuickNorm = 1 << 10

// quickNorm returns the norm of a vector of float32, if n rounded additions in
// float64 leave no doubt of it. The squares are exact there and not negative,
// so that their sum has a relative error below n·2⁻⁵³, and its root one below
// (n + 4)·2⁻⁵³, the roundings of the root and of the bounds included.
func quickNorm[T float32 | float64](n int, x []T, incX int) (norm T, ok bool) {
	if n > maxQuickNorm || T(1)+T(1.0/(1<<30)) != 1 {
		return 0, false
	}
	var sums [4]float64
	last := (n - 1) * incX
	at := 0
	for ; at+3*incX <= last; at += 4 * incX {
		a, b, c, d := float64(x[at]), float64(x[at+incX]), float64(x[at+2*incX]),
			float64(x[at+3*incX])
		sums[0] += float64(a * a)
		sums[1] += float64(b * b)
		sums[2] += float64(c * c)
		sums[3] += float64(d * d)
	}
	for ; at <= last; at += incX {
		sums[0] += float64(float64(x[at]) * float64(x[at]))
	}
	root := math.Sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]))
	doubt := float64(float64(root*float64(n+4)) * 0x1p-53)
	norm = T(root - doubt)
	return norm, norm == T(root+doubt)
}

// asum is Dasum and Sasum, by a sum of the magnitudes of a slice.
func asum[T float32 | float64](sum func(x []T) T, n int, x []T, incX int) T {
	require(n >= 0, nLT0)
	if !checkOne(n, len(x), incX) {
		return 0
	}
	return sum(contiguous(x, n, incX))
}

// iamax is Idamax and Isamax.
func iamax[T float32 | float64](n int, x []T, incX int) int {
	if !checkOne(n, len(x), incX) {
		return -1
	}
	at, largest := 0, abs(x[0])
	if incX == 1 {
		for i, v := range x[:n] {
			if v = abs(v); v > largest {
				at, largest = i, v
			}
		}
		return at
	}
	for i := 1; i < n; i++ {
		if v := abs(x[i*incX]); v > largest {
			at, largest = i, v
		}
	}
	return at
}

// dotu is Zdotu and Cdotu.
func (k *kit[T]) dotu(n int, x []T, incX int, y []T, incY int) T {
	if !checkPair(n, len(x), incX, len(y), incY) {
		return 0
	}
	return k.dot(contiguous(x, n, incX), contiguous(y, n, incY))
}

// dotcOf is Zdotc and Cdotc.
func (k *kit[T]) dotcOf(n int, x []T, incX int, y []T, incY int) T {
	if !checkPair(n, len(x), incX, len(y), incY) {
		return 0
	}
	return k.dotc(contiguous(x, n, incX), contiguous(y, n, incY))
}

// complexAsum is Dzasum and Scasum, by a sum of the magnitudes of a slice.
func complexAsum[F float32 | float64, C complex64 | complex128](
	sum func(x []F) F, n int, x []C, incX int,
) F {
	require(n >= 0, nLT0)
	if !checkOne(n, len(x), incX) {
		return 0
	}
	return sum(pair.Parts[F](contiguous(x, n, incX)))
}

// complexNrm2 is Dznrm2 and Scnrm2.
func complexNrm2[F float32 | float64, C complex64 | complex128](n int, x []C, incX int) F {
	if !checkOne(n, len(x), incX) {
		return 0
	}
	parts := pair.Parts[F](contiguous(x, n, incX))
	if norm, ok := quickNorm(len(parts), parts, 1); ok {
		return norm
	}
	return exact.Nrm2(parts)
}

// complexIamax is Izamax and Icamax.
func complexIamax[F float32 | float64, C complex64 | complex128](n int, x []C, incX int) int {
	if !checkOne(n, len(x), incX) {
		return -1
	}
	size := func(v C) F {
		p := pair.Of[F](v)
		return abs(p.Re) + abs(p.Im)
	}
	at, largest := 0, size(x[0])
	for i := 1; i < n; i++ {
		if v := size(x[i*incX]); v > largest {
			at, largest = i, v
		}
	}
	return at
}

func abs[T float32 | float64](v T) T { return T(math.Abs(float64(v))) }

// swap is Dswap and its siblings.
func swap[T number](n int, x []T, incX int, y []T, incY int) {
	if incX != 1 || incY != 1 || n <= 0 || n > len(x) || n > len(y) {
		swapStrided(n, x, incX, y, incY)
		return
	}
	x, y = x[:n], y[:n]
	for i, v := range x {
		x[i], y[i] = y[i], v
	}
}

// swapStrided is swap for any arguments.
func swapStrided[T number](n int, x []T, incX int, y []T, incY int) {
	if !checkPair(n, len(x), incX, len(y), incY) {
		return
	}
	ix, iy := first(n, incX), first(n, incY)
	for range n {
		x[ix], y[iy] = y[iy], x[ix]
		ix, iy = ix+incX, iy+incY
	}
}

// copyTo is Dcopy and its siblings.
func copyTo[T number](n int, x []T, incX int, y []T, incY int) {
	if incX != 1 || incY != 1 || n <= 0 || n > len(x) || n > len(y) {
		copyStrided(n, x, incX, y, incY)
		return
	}
	// As copy does, all elements are read before one is written: x and y may
	// overlap.
	x, y = x[:n], y[:n]
	switch n {
	case 1:
		y[0] = x[0]
	case 2:
		y[0], y[1] = x[0], x[1]
	case 3:
		y[0], y[1], y[2] = x[0], x[1], x[2]
	case 4:
		y[0], y[1], y[2], y[3] = x[0], x[1], x[2], x[3]
	default:
		copy(y, x)
	}
}

// copyStrided is copyTo for any arguments.
func copyStrided[T number](n int, x []T, incX int, y []T, incY int) {
	if !checkPair(n, len(x), incX, len(y), incY) {
		return
	}
	ix, iy := first(n, incX), first(n, incY)
	for range n {
		y[iy] = x[ix]
		ix, iy = ix+incX, iy+incY
	}
}

// addTo is Daxpy and its siblings.
func (k *kit[T]) addTo(n int, alpha T, x []T, incX int, y []T, incY int) {
	if !checkPair(n, len(x), incX, len(y), incY) || alpha == 0 {
		return
	}
	if incX == 1 && incY == 1 {
		k.axpyAll(alpha, x[:n], y[:n])
		return
	}
	c := borrow[T]()
	v := contiguousIn(&c.y, y, n, incY)
	k.axpyAll(alpha, contiguousIn(&c.x, x, n, incX), v)
	store(v, y, incY)
	c.giveBack()
}

// scal is Dscal and its siblings. A vector times zero is +0, whatever it held.
func (k *kit[T]) scal(n int, alpha T, x []T, incX int) {
	if !checkOne(n, len(x), incX) {
		return
	}
	switch alpha {
	case 0:
		for i := range n {
			x[i*incX] = 0
		}
	case 1:
	default:
		k.scaleAll(n, alpha, x, incX)
	}
}

// twoProducts computes a·x + b·y.
type twoProducts[T float32 | float64] func(a, x, b, y T) T

// orderedTwo returns a⊗x ⊕ b⊗y.
func orderedTwo[T float32 | float64](a, x, b, y T) T { return T(a*x) + T(b*y) }

// rot is Drot and Srot.
func rot[T float32 | float64](n int, x []T, incX int, y []T, incY int, c, s T) {
	if !checkPair(n, len(x), incX, len(y), incY) {
		return
	}
	if incX == 1 && incY == 1 {
		x, y = x[:n], y[:n]
		for i, vx := range x {
			vy := y[i]
			x[i], y[i] = T(c*vx)+T(s*vy), T(c*vy)+T(-s*vx)
		}
		return
	}
	ix, iy := first(n, incX), first(n, incY)
	for range n {
		vx, vy := x[ix], y[iy]
		x[ix], y[iy] = T(c*vx)+T(s*vy), T(c*vy)+T(-s*vx)
		ix, iy = ix+incX, iy+incY
	}
}

// rotBy is rot, by another sum of two products.
func rotBy[T float32 | float64](
	two twoProducts[T], n int, x []T, incX int, y []T, incY int, c, s T,
) {
	transform(n, x, incX, y, incY, func(vx, vy T) (T, T) {
		return two(c, vx, s, vy), two(c, vy, -s, vx)
	})
}

// transform replaces each pair of elements by a function of it.
func transform[T float32 | float64](
	n int, x []T, incX int, y []T, incY int, f func(vx, vy T) (T, T),
) {
	if !checkPair(n, len(x), incX, len(y), incY) {
		return
	}
	ix, iy := first(n, incX), first(n, incY)
	for range n {
		x[ix], y[iy] = f(x[ix], y[iy])
		ix, iy = ix+incX, iy+incY
	}
}

// rotm is Drotm and Srotm. h is a 2 × 2 matrix by columns.
func rotm[T float32 | float64](
	two twoProducts[T], n int, x []T, incX int, y []T, incY int, flag blas.Flag, h [4]T,
) {
	h, changes := completed(flag, h)
	if !changes {
		checkPair(n, len(x), incX, len(y), incY)
		return
	}
	transform(n, x, incX, y, incY, func(vx, vy T) (T, T) {
		return two(h[0], vx, h[2], vy), two(h[1], vx, h[3], vy)
	})
}

// completed returns the matrix of a modified rotation with the elements that
// its flag leaves out, and whether it is another than the identity.
func completed[T float32 | float64](flag blas.Flag, h [4]T) (all [4]T, changes bool) {
	switch flag {
	case blas.OffDiagonal:
		h[0], h[3] = 1, 1
	case blas.Diagonal:
		h[1], h[2] = -1, 1
	}
	return h, blas.Rescaling <= flag && flag <= blas.Diagonal
}

// orderedRotm is rotm by orderedTwo.
func orderedRotm[T float32 | float64](
	n int, x []T, incX int, y []T, incY int, flag blas.Flag, h [4]T,
) {
	a, b, c, d := h[0], h[1], h[2], h[3]
	changes := true
	switch flag {
	case blas.Rescaling:
	case blas.OffDiagonal:
		a, d = 1, 1
	case blas.Diagonal:
		b, c = -1, 1
	default:
		changes = false
	}
	if !changes || incX != 1 || incY != 1 || n <= 0 || n > len(x) || n > len(y) {
		rotm(orderedTwo[T], n, x, incX, y, incY, flag, h)
		return
	}
	x, y = x[:n], y[:n]
	for i, vx := range x {
		vy := y[i]
		x[i], y[i] = T(a*vx)+T(c*vy), T(b*vx)+T(d*vy)
	}
}

// rotg is Drotg and Srotg, by Anderson2017.
//
// References:
//   - [Anderson2017] Edward Anderson. Algorithm 978: Safe Scaling in the Level
//     1 BLAS. ACM Transactions on Mathematical Software 44(1):12, 2017.
func rotg[T float32 | float64](a, b, minNormal T) (c, s, r, z T) {
	switch {
	case b == 0:
		return 1, 0, a, 0
	case a == 0:
		return 0, 1, b, 1
	}
	larger := a
	if abs(a) <= abs(b) {
		larger = b
	}
	scale := min(max(minNormal, abs(larger)), 1/minNormal)
	p, q := a/scale, b/scale
	r = scale * T(math.Sqrt(float64(T(p*p)+T(q*q))))
	if larger < 0 {
		r = -r
	}
	c, s = a/r, b/r
	switch {
	case abs(a) > abs(b):
		z = s
	case c != 0:
		z = 1 / c
	default:
		z = 1
	}
	return c, s, r, z
}
