package cblas

// isComplex reports whether numbers have two parts.
func isComplex[T element]() bool {
	var v T
	switch any(v).(type) {
	case complex64, complex128:
		return true
	}
	return false
}

// conj returns the conjugate of v.
func conj[T element](v T) T {
	switch v := any(&v).(type) {
	case *complex64:
		*v = complex(real(*v), -imag(*v))
	case *complex128:
		*v = complex(real(*v), -imag(*v))
	}
	return v
}

// conjugate conjugates a vector of n elements.
func conjugate[T element](x []T, n, inc int) {
	if isComplex[T]() {
		for i := range n {
			k := at(i, n, inc)
			x[k] = conj(x[k])
		}
	}
}

// conjugated returns the conjugate of a vector of n elements, side by side.
func conjugated[T element](x []T, n, inc int) []T {
	dst := make([]T, n)
	for i := range dst {
		dst[i] = conj(x[at(i, n, inc)])
	}
	return dst
}
