package kernel

import "unsafe"

// Reflector is a reflection of three elements as the numbers v1, v2, t0, t1 and
// t2: H = I − (1, v1, v2)ᵀ·(t0, t1, t2). For elements x,
//
//	sum  = (x[0] ⊕ v1⊗x[1]) ⊕ v2⊗x[2]
//	x[i] ← x[i] ⊖ sum⊗t[i]
type Reflector [5]float64

// reflectThree is the body of Reflector.Rows or of Reflector.Columns.
type reflectThree func(n int, h *[5]float64, a *float64, aRow int)

// Rows reflects the n columns of three rows. The columns of a are neighbours:
// Col is 1.
func (h *Reflector) Rows(c Chain[float64], n int, a Operand[float64]) {
	c.body.threeRows(n, hidden((*[5]float64)(h)), a.At, a.Row)
}

// Columns reflects the n rows of three columns. The columns of a are
// neighbours: Col is 1.
func (h *Reflector) Columns(c Chain[float64], n int, a Operand[float64]) {
	c.body.threeColumns(n, hidden((*[5]float64)(h)), a.At, a.Row)
}

// chainThreeRowsGeneric is the portable body of Reflector.Rows.
func chainThreeRowsGeneric(n int, h *[5]float64, a *float64, aRow int) {
	m := Operand[float64]{a, aRow, 1}
	x0 := unsafe.Slice(a, n)
	x1, x2 := unsafe.Slice(m.Element(1, 0), n), unsafe.Slice(m.Element(2, 0), n)
	v1, v2, t0, t1, t2 := h[0], h[1], h[2], h[3], h[4]
	for j, v := range x0 {
		sum := v + float64(v1*x1[j]) + float64(v2*x2[j])
		x0[j] = v - float64(sum*t0)
		x1[j] -= float64(sum * t1)
		x2[j] -= float64(sum * t2)
	}
}

// chainThreeColumnsGeneric is the portable body of Reflector.Columns.
func chainThreeColumnsGeneric(n int, h *[5]float64, a *float64, aRow int) {
	m := Operand[float64]{a, aRow, 1}
	v1, v2, t0, t1, t2 := h[0], h[1], h[2], h[3], h[4]
	for i := range n {
		x := (*[3]float64)(unsafe.Pointer(m.Element(i, 0)))
		x0, x1, x2 := x[0], x[1], x[2]
		sum := x0 + float64(v1*x1) + float64(v2*x2)
		x[0], x[1], x[2] = x0-float64(sum*t0), x1-float64(sum*t1), x2-float64(sum*t2)
	}
}
