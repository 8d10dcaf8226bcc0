package exact

// The functions ending in Inc are the sums of the BLAS, with gonum's arguments:
// n elements, inc apart. With a negative increment the elements count from the
// end, as in gonum's Ddot: element 0 is at (1−n)·inc. (Its Dasum and Dnrm2
// return 0 instead.) They panic as gonum's do: for n < 0, a zero increment, and
// a slice that is too short.

// SumInc returns Σ x[i·incX] over n elements. It is otherwise as Sum. It panics
// for n < 0, a zero increment, and a slice that is too short.
func SumInc[T Float](n int, x []T, incX int) T {
	if incX == 1 && n >= 0 && n <= len(x) {
		return Sum(x[:n])
	}
	var s stream
	gather(&s, values, n, x, incX, nil, 0)
	return sum[T](&s)
}

// AsumInc returns Σ |x[i·incX]| over n elements. It is otherwise as Asum, and
// panics as SumInc does.
func AsumInc[T Float](n int, x []T, incX int) T {
	if incX == 1 && n >= 0 && n <= len(x) {
		return Asum(x[:n])
	}
	var s stream
	gather(&s, magnitudes, n, x, incX, nil, 0)
	return sum[T](&s)
}

// DotInc returns Σ x[i·incX]·y[i·incY] over n elements. It is otherwise as Dot,
// and panics as SumInc does.
func DotInc[T Float](n int, x []T, incX int, y []T, incY int) T {
	if incX == 1 && incY == 1 && n >= 0 && n <= min(len(x), len(y)) {
		return Dot(x[:n], y[:n])
	}
	var s stream
	gather(&s, products, n, x, incX, y, incY)
	return sum[T](&s)
}

// Nrm2Inc returns √(Σ x[i·incX]²) over n elements. It is otherwise as Nrm2, and
// panics as SumInc does.
func Nrm2Inc[T Float](n int, x []T, incX int) T {
	if incX == 1 && n >= 0 && n <= len(x) {
		return Nrm2(x[:n])
	}
	if 0 < n && 0 < incX && incX <= len(x) && (n-1)*incX < len(x) {
		if norm, ok := quick(n, x, incX); ok {
			return norm
		}
	}
	var s stream
	gather(&s, products, n, x, incX, x, incX)
	return norm[T](&s)
}

// gather copies elements that are apart into blocks, and adds those.
func gather[T Float](s *stream, o op, n int, x []T, incX int, y []T, incY int) {
	const block = 512
	var bx, by [block]T
	i, j := first(n, len(x), incX), 0
	if o == products {
		j = first(n, len(y), incY)
	}
	for n > 0 {
		m := min(n, block)
		for k := range m {
			bx[k] = x[i]
			i += incX
		}
		for k := range m {
			if o != products {
				break
			}
			by[k] = y[j]
			j += incY
		}
		b := over(o, bx[:m], by[:m])
		s.add(&b)
		n -= m
	}
}

// first returns the index of element 0 of n, in a slice of the given length.
func first(n, length, inc int) int {
	switch {
	case n < 0:
		panic("exact: n < 0")
	case inc == 0:
		panic("exact: the increment is 0")
	case n == 0:
		return 0
	case length == 0, n > 1 && (inc > (length-1)/(n-1) || inc < -(length-1)/(n-1)):
		panic("exact: a slice is too short for n elements that far apart")
	case inc < 0:
		return (1 - n) * inc
	}
	return 0
}
