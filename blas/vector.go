package blas

// contiguous returns the n elements of a strided vector as a slice: x itself
// where it is one, else a copy. Element 0 of a vector with a negative increment
// is the last in memory.
func contiguous[T number](x []T, n, inc int) []T {
	if inc == 1 {
		return x[:n]
	}
	dst := make([]T, n)
	for i, at := 0, first(n, inc); i < n; i, at = i+1, at+inc {
		dst[i] = x[at]
	}
	return dst
}

// store copies a slice that contiguous returned back to the vector.
func store[T number](v, x []T, inc int) {
	if inc == 1 {
		return
	}
	for i, at := 0, first(len(v), inc); i < len(v); i, at = i+1, at+inc {
		x[at] = v[i]
	}
}

// first returns the place of element 0 of a vector of n elements.
func first(n, inc int) int {
	if inc < 0 {
		return (1 - n) * inc
	}
	return 0
}
