package lapack

// rotations rotate neighbouring elements of vectors, one pair after another:
// for j = 0, 1, …, elements x and y, x being what the rotation before has made
// of it,
//
//	x ← c[j]⊗x ⊕ s[j]⊗y
//	y ← c[j]⊗y ⊖ s[j]⊗x
//
// Rotations with c = 1 and s = 0 change nothing, NaN and infinities neither.
type rotations struct {
	c, s      []float64
	isForward bool // or the last rotation comes first, on y and x
	step      int  // from an element of a vector to the next
}

// rotatePlanes applies the rotations of Dlasr to neighbouring rows, or columns,
// with the bits that it has. Each element is loaded and stored once. It reports
// whether it has done so: not for a few columns, or small matrices.
func (impl Implementation) rotatePlanes(
	isLeft, isForward bool, m, n int, c, s, a []float64, lda int,
) bool {
	if k := impl.kernels(); isLeft && k.RotatesRows(n) {
		k.RotateRows(c[:m-1], s[:m-1], isForward, n, operandAt(a, 0, lda))
		return true
	}
	if min(m, n) <= 16 {
		return false
	}
	vectors, length, apart, step := m, n, lda, 1
	if isLeft {
		vectors, length, apart, step = n, m, 1, lda
	}
	r := rotations{c[:length-1], s[:length-1], isForward, step}
	first := 0
	if !isForward {
		first = (length - 1) * step
		r.step = -step
	}
	i := 0
	for ; i+4 <= vectors; i += 4 {
		r.rotateFour(a[i*apart:], first, apart)
	}
	for ; i < vectors; i++ {
		r.rotate(a, first+i*apart)
	}
	return true
}

// at returns rotation j. To rotate y and x by c and s is to rotate x and y by c
// and −s.
func (r *rotations) at(j int) (c, s float64) {
	if r.isForward {
		return r.c[j], r.s[j]
	}
	last := len(r.c) - 1
	return r.c[last-j], -r.s[last-j]
}

// rotate rotates the elements of a vector.
func (r *rotations) rotate(a []float64, at int) {
	x := a[at]
	for j := range r.c {
		c, s := r.at(j)
		y := a[at+r.step]
		if c != 1 || s != 0 {
			x, y = float64(c*x)+float64(s*y), float64(c*y)-float64(s*x)
		}
		a[at], x = x, y
		at += r.step
	}
	a[at] = x
}

// rotateFour rotates the elements of four vectors, from the one at a place on.
func (r *rotations) rotateFour(a []float64, at, apart int) {
	a1, a2, a3 := a[apart:], a[2*apart:], a[3*apart:]
	a, a1, a2 = a[:len(a3)], a1[:len(a3)], a2[:len(a3)] // one test of an index does for all
	x0, x1, x2, x3 := a[at], a1[at], a2[at], a3[at]
	for j := range r.c {
		c, s := r.at(j)
		next := at + r.step
		y0, y1, y2, y3 := a[next], a1[next], a2[next], a3[next]
		if c != 1 || s != 0 {
			x0, y0 = float64(c*x0)+float64(s*y0), float64(c*y0)-float64(s*x0)
			x1, y1 = float64(c*x1)+float64(s*y1), float64(c*y1)-float64(s*x1)
			x2, y2 = float64(c*x2)+float64(s*y2), float64(c*y2)-float64(s*x2)
			x3, y3 = float64(c*x3)+float64(s*y3), float64(c*y3)-float64(s*x3)
		}
		a[at], a1[at], a2[at], a3[at] = x0, x1, x2, x3
		x0, x1, x2, x3, at = y0, y1, y2, y3, next
	}
	a[at], a1[at], a2[at], a3[at] = x0, x1, x2, x3
}
