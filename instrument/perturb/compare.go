package perturb

// Less returns a < b.
func Less[T Float](a, b T, site uint32) bool {
	r := a < b
	if records != nil {
		compare(float64(a), float64(b), r, site)
	}
	return r
}

// LessEqual returns a <= b.
func LessEqual[T Float](a, b T, site uint32) bool {
	r := a <= b
	if records != nil {
		compare(float64(a), float64(b), r, site)
	}
	return r
}

// Equal returns a == b.
func Equal[T Float](a, b T, site uint32) bool {
	r := a == b
	if records != nil {
		compare(float64(a), float64(b), r, site)
	}
	return r
}

// Greater returns a > b.
func Greater[T Float](a, b T, site uint32) bool {
	r := a > b
	if records != nil {
		compare(float64(a), float64(b), r, site)
	}
	return r
}

// GreaterEqual returns a >= b.
func GreaterEqual[T Float](a, b T, site uint32) bool {
	r := a >= b
	if records != nil {
		compare(float64(a), float64(b), r, site)
	}
	return r
}

// NotEqual returns a != b.
func NotEqual[T Float](a, b T, site uint32) bool {
	r := a != b
	if records != nil {
		compare(float64(a), float64(b), r, site)
	}
	return r
}
