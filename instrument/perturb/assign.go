package perturb

// Assignments with an operation. The operand on the left is evaluated once.

// AddAssign is *p += b.
func AddAssign[T Float](p *T, b T, site uint32) { *p = Add(*p, b, site) }

// SubAssign is *p -= b.
func SubAssign[T Float](p *T, b T, site uint32) { *p = Sub(*p, b, site) }

// MulAssign is *p *= b.
func MulAssign[T Float](p *T, b T, site uint32) { *p = Mul(*p, b, site) }

// DivAssign is *p /= b.
func DivAssign[T Float](p *T, b T, site uint32) { *p = Div(*p, b, site) }

// AddKey is m[k] += b.
func AddKey[M ~map[K]T, K comparable, T Float](m M, k K, b T, site uint32) {
	m[k] = Add(m[k], b, site)
}

// SubKey is m[k] -= b.
func SubKey[M ~map[K]T, K comparable, T Float](m M, k K, b T, site uint32) {
	m[k] = Sub(m[k], b, site)
}

// MulKey is m[k] *= b.
func MulKey[M ~map[K]T, K comparable, T Float](m M, k K, b T, site uint32) {
	m[k] = Mul(m[k], b, site)
}

// DivKey is m[k] /= b.
func DivKey[M ~map[K]T, K comparable, T Float](m M, k K, b T, site uint32) {
	m[k] = Div(m[k], b, site)
}

// AddComplexAssign is *p += b.
func AddComplexAssign[T Complex](p *T, b T, site uint32) { *p = AddComplex(*p, b, site) }

// SubComplexAssign is *p -= b.
func SubComplexAssign[T Complex](p *T, b T, site uint32) { *p = SubComplex(*p, b, site) }

// MulComplexAssign is *p *= b.
func MulComplexAssign[T Complex](p *T, b T, site uint32) { *p = MulComplex(*p, b, site) }

// DivComplexAssign is *p /= b.
func DivComplexAssign[T Complex](p *T, b T, site uint32) { *p = DivComplex(*p, b, site) }

// AddComplexKey is m[k] += b.
func AddComplexKey[M ~map[K]T, K comparable, T Complex](m M, k K, b T, site uint32) {
	m[k] = AddComplex(m[k], b, site)
}

// SubComplexKey is m[k] -= b.
func SubComplexKey[M ~map[K]T, K comparable, T Complex](m M, k K, b T, site uint32) {
	m[k] = SubComplex(m[k], b, site)
}

// MulComplexKey is m[k] *= b.
func MulComplexKey[M ~map[K]T, K comparable, T Complex](m M, k K, b T, site uint32) {
	m[k] = MulComplex(m[k], b, site)
}

// DivComplexKey is m[k] /= b.
func DivComplexKey[M ~map[K]T, K comparable, T Complex](m M, k K, b T, site uint32) {
	m[k] = DivComplex(m[k], b, site)
}

// AddAnyAssign is *p += b.
func AddAnyAssign[T Addable](p *T, b T, site uint32) { *p = AddAny(*p, b, site) }

// SubAnyAssign is *p -= b.
func SubAnyAssign[T Number](p *T, b T, site uint32) { *p = SubAny(*p, b, site) }

// MulAnyAssign is *p *= b.
func MulAnyAssign[T Number](p *T, b T, site uint32) { *p = MulAny(*p, b, site) }

// DivAnyAssign is *p /= b.
func DivAnyAssign[T Number](p *T, b T, site uint32) { *p = DivAny(*p, b, site) }

// AddAnyKey is m[k] += b.
func AddAnyKey[M ~map[K]T, K comparable, T Addable](m M, k K, b T, site uint32) {
	m[k] = AddAny(m[k], b, site)
}

// SubAnyKey is m[k] -= b.
func SubAnyKey[M ~map[K]T, K comparable, T Number](m M, k K, b T, site uint32) {
	m[k] = SubAny(m[k], b, site)
}

// MulAnyKey is m[k] *= b.
func MulAnyKey[M ~map[K]T, K comparable, T Number](m M, k K, b T, site uint32) {
	m[k] = MulAny(m[k], b, site)
}

// DivAnyKey is m[k] /= b.
func DivAnyKey[M ~map[K]T, K comparable, T Number](m M, k K, b T, site uint32) {
	m[k] = DivAny(m[k], b, site)
}
