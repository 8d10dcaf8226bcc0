package cblas

import "fmt"

// factorize computes a call of LAPACK. Its matrices are stored by columns.
func (c *Call) factorize() error {
	switch c.Format {
	case 's':
		return realCall[float32]{c}.run()
	case 'd':
		return realCall[float64]{c}.run()
	case 'c':
		return complexCall[complex64]{c}.run()
	case 'z':
		return complexCall[complex128]{c}.run()
	}
	return fmt.Errorf("%v: no format %q", c.Routine, rune(c.Format))
}

// load returns a matrix by columns as one by rows, in a wider format.
func load[N, W element](a []N, rows, cols, ld int, widen func(N) W) []W {
	dst := make([]W, rows*cols)
	for j := range cols {
		for i := range rows {
			dst[i*cols+j] = widen(a[j*ld+i])
		}
	}
	return dst
}

// store rounds a matrix by rows to the format of one by columns.
func store[N, W element](src []W, a []N, rows, cols, ld int, narrow func(W) N) {
	for j := range cols {
		for i := range rows {
			a[j*ld+i] = narrow(src[i*cols+j])
		}
	}
}

// storePivots stores exchanges of rows as Fortran counts them.
func (c *Call) storePivots(pivots []int) {
	dst := slice[int64](c, slotD)
	for i, p := range pivots {
		dst[i] = int64(p) + 1
	}
}

// firstZero returns the place of the first zero on the diagonal of an m × n
// matrix by rows, counted from 1, or 0 if there is none.
func firstZero[T element](a []T, m, n int) int64 {
	for i := range min(m, n) {
		if a[i*n+i] == 0 {
			return int64(i) + 1
		}
	}
	return 0
}
