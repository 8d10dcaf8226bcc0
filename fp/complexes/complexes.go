package complexes

import "math"

// Mul returns a*b. Each part is the rounded sum of two rounded products.
func Mul(a, b complex128) complex128 {
	return complex(
		float64(real(a)*real(b))-float64(imag(a)*imag(b)),
		float64(real(a)*imag(b))+float64(imag(a)*real(b)))
}

// Mul64 returns a*b: the product in complex128, whose four products are exact,
// rounded to complex64.
func Mul64(a, b complex64) complex64 {
	return complex64(Mul(complex128(a), complex128(b)))
}

// Div64 returns a/b: the quotient in complex128, rounded to complex64.
func Div64(a, b complex64) complex64 {
	return complex64(Div(complex128(a), complex128(b)))
}

// Div returns a/b, by Algorithm 116 of [Smith1962]. Where both parts are NaN it
// follows C99, Annex G.5.1, as Go's runtime does: a quotient by zero is
// infinite, and so is an infinite number by a finite one; a finite number by an
// infinite one is zero.
func Div(a, b complex128) complex128 {
	// Where a profile has it inlined, a part may be a product of the caller's.
	ar, ai, br, bi := float64(real(a)), float64(imag(a)), float64(real(b)), float64(imag(b))
	var re, im float64
	if math.Abs(br) >= math.Abs(bi) {
		ratio := bi / br
		scale := br + float64(ratio*bi)
		re = (ar + float64(ai*ratio)) / scale
		im = (ai - float64(ar*ratio)) / scale
	} else {
		ratio := br / bi
		scale := bi + float64(ratio*br)
		re = (float64(ar*ratio) + ai) / scale
		im = (float64(ai*ratio) - ar) / scale
	}
	if re != re && im != im {
		return special(a, b, complex(re, im))
	}
	return complex(re, im)
}

// special returns a/b where both parts of the quotient q are NaN.
func special(a, b, q complex128) complex128 {
	ar, ai, br, bi := real(a), imag(a), real(b), imag(b)
	switch {
	case br == 0 && bi == 0 && (ar == ar || ai == ai):
		inf := math.Copysign(math.Inf(1), br)
		return complex(inf*ar, inf*ai)
	case isInf(a) && isFinite(b):
		ar, ai = infToOne(ar), infToOne(ai)
		inf := math.Inf(1)
		return complex(inf*(float64(ar*br)+float64(ai*bi)), inf*(float64(ai*br)-float64(ar*bi)))
	case isInf(b) && isFinite(a):
		br, bi = infToOne(br), infToOne(bi)
		return complex(0*(float64(ar*br)+float64(ai*bi)), 0*(float64(ai*br)-float64(ar*bi)))
	}
	return q
}

// isInf reports whether a part is infinite.
func isInf(z complex128) bool { return math.IsInf(real(z), 0) || math.IsInf(imag(z), 0) }

// isFinite reports whether both parts are finite.
func isFinite(z complex128) bool {
	return !isInf(z) && real(z) == real(z) && imag(z) == imag(z)
}

// infToOne returns 1 for an infinity and 0 for other numbers, with their sign.
// Processors give NaN different signs. Each counts as negative here, as amd64
// makes it.
func infToOne(x float64) float64 {
	switch {
	case x != x:
		return math.Copysign(0, -1)
	case math.IsInf(x, 0):
		return math.Copysign(1, x)
	}
	return math.Copysign(0, x)
}
