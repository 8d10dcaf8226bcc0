package perturb

// Less returns a < b.
func Less[T Float](a, b T, site uint32) bool {
	if recording {
		return compare(float64(a), float64(b), a < b, site)
	}
	return a < b
}

// LessEqual returns a <= b.
func LessEqual[T Float](a, b T, site uint32) bool {
	if recording {
		return compare(float64(a), float64(b), a <= b, site)
	}
	return a <= b
}

// Equal returns a == b.
func Equal[T Float](a, b T, site uint32) bool {
	if recording {
		return compare(float64(a), float64(b), a == b, site)
	}
	return a == b
}

// Greater returns a > b.
func Greater[T Float](a, b T, site uint32) bool {
	if recording {
		return compare(float64(a), float64(b), a > b, site)
	}
	return a > b
}

// GreaterEqual returns a >= b.
func GreaterEqual[T Float](a, b T, site uint32) bool {
	if recording {
		return compare(float64(a), float64(b), a >= b, site)
	}
	return a >= b
}

// NotEqual returns a != b.
func NotEqual[T Float](a, b T, site uint32) bool {
	if recording {
		return compare(float64(a), float64(b), a != b, site)
	}
	return a != b
}
