package blas

import (
	"math"

	"github.com/lastbit/lastbit/internal/kernel"
)

// The routines of this file compute with triangles of few rows, element by
// element: a call of a kernel takes longer.

// The most rows of the triangles. Kernels take 8 rows at once, which a solution
// cannot: it needs those before.
const (
	maxTiny           = 7
	maxTinySystem     = kernel.MaxDotOfFew
	maxTinyTransposed = 24 // of a transposed system
)

// beside returns the columns beside the diagonal of row i of n rows.
func beside(isUpper bool, i, n int) (from, end int) {
	if isUpper {
		return i + 1, n
	}
	return 0, i
}

// stepOf returns the first row and the step to the next of n rows, from the
// first on or from the last.
func stepOf(isReverse bool, n int) (first, step int) {
	if isReverse {
		return n - 1, -1
	}
	return 0, 1
}

// dotOfFew is kernel.DotOfFew without a call for the first rows.
func dotOfFew[T float32 | float64](row, x []T) T {
	if len(row) == 0 {
		return 0
	}
	return kernel.DotOfFew(row, x)
}

// multiplyTiny computes x ← A·x for a triangle A, and solveTiny x ← A⁻¹·x.
func multiplyTiny[T float32 | float64](isUpper, unit bool, a []T, lda int, x []T) {
	i, step := stepOf(!isUpper, len(x))
	for range x {
		from, end := beside(isUpper, i, len(x))
		s := dotOfFew(a[i*lda+from:i*lda+end], x[from:end])
		switch {
		case unit:
			x[i] = s + x[i]
		case isDouble[T]():
			x[i] = T(math.FMA(float64(a[i*lda+i]), float64(x[i]), float64(s)))
		default:
			x[i] = kernel.FMA(a[i*lda+i], x[i], s)
		}
		i += step
	}
}

func solveTiny[T float32 | float64](isUpper, unit bool, a []T, lda int, x []T) {
	i, step := stepOf(isUpper, len(x))
	for range x {
		from, end := beside(isUpper, i, len(x))
		v := x[i] - dotOfFew(a[i*lda+from:i*lda+end], x[from:end])
		if !unit {
			v /= a[i*lda+i]
		}
		x[i] = v
		i += step
	}
}

// multiplyTransposedTiny computes x ← Aᵀ·x, and solveTransposedTiny x ← A⁻ᵀ·x.
func multiplyTransposedTiny[T float32 | float64](isUpper, unit bool, a []T, lda int, x []T) {
	i, step := stepOf(isUpper, len(x))
	for range x {
		from, end := beside(isUpper, i, len(x))
		kernel.AddMultiple(x[i], a[i*lda+from:i*lda+end], x[from:end])
		if !unit {
			x[i] *= a[i*lda+i]
		}
		i += step
	}
}

func solveTransposedTiny[T float32 | float64](isUpper, unit bool, a []T, lda int, x []T) {
	i, step := stepOf(!isUpper, len(x))
	for range x {
		v := x[i]
		if !unit {
			v /= a[i*lda+i]
			x[i] = v
		}
		from, end := beside(isUpper, i, len(x))
		kernel.AddMultiple(-v, a[i*lda+from:i*lda+end], x[from:end])
		i += step
	}
}

// symmetricTimesTiny adds α·A·x to y.
func symmetricTimesTiny[T float32 | float64](isUpper bool, alpha T, a []T, lda int, x, y []T) {
	for i, v := range x {
		from, end := beside(isUpper, i, len(x))
		row := a[i*lda+from : i*lda+end]
		s := dotOfFew(row, x[from:end])
		if isDouble[T]() {
			t := math.FMA(float64(a[i*lda+i]), float64(v), float64(s))
			y[i] = T(math.FMA(float64(alpha), t, float64(y[i])))
		} else {
			y[i] = kernel.FMA(alpha, kernel.FMA(a[i*lda+i], v, s), y[i])
		}
		kernel.AddMultiple(alpha*v, row, y[from:end])
	}
}

// addSquareTiny adds α·x·xᵀ to a triangle. Rows of a zero stay as they are.
func addSquareTiny[T float32 | float64](isUpper bool, alpha T, x, a []T, lda int) {
	for i, v := range x {
		from, end := 0, i+1
		if isUpper {
			from, end = i, len(x)
		}
		row, factor := a[i*lda+from:i*lda+end], T(alpha*v)
		switch {
		case v == 0:
		case isDouble[T]():
			for j, w := range x[from:end] {
				row[j] = T(math.FMA(float64(factor), float64(w), float64(row[j])))
			}
		default:
			kernel.AddMultiple(factor, x[from:end], row)
		}
	}
}

// addCrossedTiny adds α·x·yᵀ and then α·y·xᵀ to a triangle.
func addCrossedTiny[T float32 | float64](isUpper bool, alpha T, x, y, a []T, lda int) {
	for i, v := range x {
		from, end := 0, i+1
		if isUpper {
			from, end = i, len(x)
		}
		row, first, second := a[i*lda+from:i*lda+end], T(alpha*v), T(alpha*y[i])
		for j := range row {
			vx, vy := x[from+j], y[from+j]
			if isDouble[T]() {
				s := math.FMA(float64(first), float64(vy), float64(row[j]))
				row[j] = T(math.FMA(float64(second), float64(vx), s))
			} else {
				row[j] = kernel.FMA(second, vx, kernel.FMA(first, vy, row[j]))
			}
		}
	}
}
