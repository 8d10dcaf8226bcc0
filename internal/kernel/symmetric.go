package kernel

// SymmetricOrder is the most rows of ReflectSymmetric.
const SymmetricOrder = 8

// ReflectSymmetric applies the reflection I − tau·x·xᵀ from both sides to a
// symmetric matrix of at most SymmetricOrder rows, whose upper or lower
// triangle is stored. x has an element for each row. With A the matrix:
//
//	y ← tau·A·x                    for rows i ascending, from +0 on:
//	                               y[i] ← fma(tau, fma(a(i, i), x[i], s), y[i]), and
//	                               y[j] ← fma(tau⊗x[i], a(i, j), y[j])
//	f = (−½⊗tau)⊗(Σ y[i]⊗x[i])     by package ordered's tree
//	y ← fma(f, x, y)               unless f is 0
//	a(i, j) ← fma(−x[i], y[j], a(i, j)), then fma(−y[i], x[j], a(i, j))
//
// where j are the columns beside the diagonal of a stored row, and s is the sum
// of a(i, j)·x[j] by the lanes of [Chain.Dots]. The level has the kernel:
// ReflectsSymmetric. The columns of a are neighbours: Col is 1.
func (c Chain[T]) ReflectSymmetric(isUpper bool, tau T, x []T, a Operand[T]) {
	body := c.body.symmetricLower
	if isUpper {
		body = c.body.symmetricUpper
	}
	var frame [2 * SymmetricOrder]T
	copy(frame[:], x)
	body(len(x), tau, hidden(&frame[0]), hidden(&frame[SymmetricOrder]), a.At, a.Row)
}

// ReflectsSymmetric reports whether the level has the kernel of
// ReflectSymmetric for n rows.
func (c Chain[T]) ReflectsSymmetric(n int) bool {
	return c.body.symmetricUpper != nil && 1 <= n && n <= SymmetricOrder
}
