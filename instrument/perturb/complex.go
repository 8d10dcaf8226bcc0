package perturb

// Complex is the constraint of complex operands.
type Complex interface{ ~complex64 | ~complex128 }

// AddComplex returns a + b.
func AddComplex[C Complex](a, b C, site uint32) C {
	if !active {
		return a + b
	}
	x, y := complex128(a), complex128(b)
	return pack[C](sum(real(x), real(y), site, isSingleComplex[C]()),
		sum(imag(x), imag(y), site, isSingleComplex[C]()))
}

// SubComplex returns a - b.
func SubComplex[C Complex](a, b C, site uint32) C {
	if !active {
		return a - b
	}
	x, y := complex128(a), complex128(b)
	return pack[C](sum(real(x), -real(y), site, isSingleComplex[C]()),
		sum(imag(x), -imag(y), site, isSingleComplex[C]()))
}

// MulComplex returns a·b: four products and two sums, each perturbed.
func MulComplex[C Complex](a, b C, site uint32) C {
	if !active {
		return a * b
	}
	x, y, s := complex128(a), complex128(b), isSingleComplex[C]()
	return pack[C](
		sum(product(real(x), real(y), site, s), -product(imag(x), imag(y), site, s), site, s),
		sum(product(real(x), imag(y), site, s), product(imag(x), real(y), site, s), site, s))
}

// DivComplex returns a/b. Its result is perturbed, but not the operations
// inside, which belong to Go's runtime.
func DivComplex[C Complex](a, b C, site uint32) C {
	r := a / b
	if !active {
		return r
	}
	z, s := complex128(r), isSingleComplex[C]()
	re, im := real(z), imag(z)
	return pack[C](settle(re, guessError(real(complex128(a)), 0, re), site, s),
		settle(im, guessError(imag(complex128(a)), 1, im), site, s))
}

func isSingleComplex[C Complex]() bool { return sizeOf[C]() == 8 }

func pack[C Complex](re, im float64) C { return C(complex(re, im)) }

// sum returns a + b in the format of a complex number's parts.
func sum(a, b float64, site uint32, single bool) float64 {
	return add(a, b, rounded(a+b, single), site, single)
}

// product returns a·b in that format.
func product(a, b float64, site uint32, single bool) float64 {
	return mul(a, b, rounded(float64(a*b), single), site, single)
}

// rounded returns x, a sum or product of two numbers of the format, in it. For
// float32 the second rounding is innocuous: float64 has more than twice the
// bits, and two more.
func rounded(x float64, single bool) float64 {
	if single {
		return float64(float32(x))
	}
	return x
}
