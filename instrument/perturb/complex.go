package perturb

import "unsafe"

// Complex is the constraint of complex operands.
type Complex interface{ ~complex64 | ~complex128 }

// AddComplex returns a + b.
func AddComplex[C Complex](a, b C, site uint32) C {
	if !active {
		return a + b
	}
	x, y := complex128(a), complex128(b)
	return pack[C](add(real(x), real(y), site, partSize[C]()),
		add(imag(x), imag(y), site, partSize[C]()))
}

// SubComplex returns a - b.
func SubComplex[C Complex](a, b C, site uint32) C {
	if !active {
		return a - b
	}
	x, y := complex128(a), complex128(b)
	return pack[C](add(real(x), -real(y), site, partSize[C]()),
		add(imag(x), -imag(y), site, partSize[C]()))
}

// MulComplex returns a·b: four products and two sums, each perturbed.
func MulComplex[C Complex](a, b C, site uint32) C {
	if !active {
		return a * b //lastbit:ignore complexmul the program's own operation
	}
	x, y := complex128(a), complex128(b)
	times := func(a, b float64) float64 { return mul(a, b, site, partSize[C]()) }
	plus := func(a, b float64) float64 { return add(a, b, site, partSize[C]()) }
	return pack[C](
		plus(times(real(x), real(y)), -times(imag(x), imag(y))),
		plus(times(real(x), imag(y)), times(imag(x), real(y))))
}

// DivComplex returns a/b. Its result is perturbed, but not the operations
// inside, which belong to Go's runtime. It divides complex64 numbers as
// complex128 ones, so that their rounding errors are known.
func DivComplex[C Complex](a, b C, site uint32) C {
	r := a / b //lastbit:ignore complexmul the program's own operation
	if !active {
		return r
	}
	x, z, at := complex128(a), complex128(r), place(site, partSize[C]())
	if at >= single {
		wide := x / complex128(b) //lastbit:ignore complexmul the program's own operation
		return pack[C](settle(real(x), 0, real(z), real(wide)-real(z), at),
			settle(imag(x), 1, imag(z), imag(wide)-imag(z), at))
	}
	return pack[C](guess(real(x), 0, real(z), 0, 0, at), guess(imag(x), 1, imag(z), 0, 0, at))
}

// EqualComplex returns a == b.
func EqualComplex[C Complex](a, b C, site uint32) bool {
	return compareComplex(complex128(a), complex128(b), a == b, site)
}

// NotEqualComplex returns a != b.
func NotEqualComplex[C Complex](a, b C, site uint32) bool {
	return compareComplex(complex128(a), complex128(b), a != b, site)
}

// compareComplex records a comparison, with the parts that differ, and returns
// its outcome.
func compareComplex(a, b complex128, holds bool, site uint32) bool {
	switch {
	case !recording:
		return holds
	case real(a) != real(b):
		return compare(real(a), real(b), holds, site)
	}
	return compare(imag(a), imag(b), holds, site)
}

// partSize returns the size of a part of a complex number.
func partSize[C Complex]() uintptr { return unsafe.Sizeof(C(0)) / 2 }

func pack[C Complex](re, im float64) C { return C(complex(re, im)) }
