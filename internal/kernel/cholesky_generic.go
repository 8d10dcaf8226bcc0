package kernel

import "math"

// choleskyUpperGeneric is the portable body of CholeskyUpper.
func choleskyUpperGeneric(n int, a *float64, aRow int) int {
	m := Operand[float64]{a, aRow, 1}
	for j := range n {
		row := m.RowOf(j, n)[j:]
		pivot := row[0] - sumOfSquares(j, m.Element(0, j), aRow)
		if !(pivot > 0 && pivot <= math.MaxFloat64) {
			return j
		}
		pivot = math.Sqrt(pivot)
		row[0] = pivot
		row = row[1:]
		if len(row) == 0 {
			break
		}
		inverse := 1 / pivot // takes long, and is not needed at once
		i := 0
		for ; i+4 <= j; i += 4 {
			subtractFour(m.From(i, j), row)
		}
		for ; i < j; i++ {
			above := m.RowOf(i, n)[j:]
			AddMultiple(-above[0], above[1:], row)
		}
		for k, e := range row {
			row[k] = inverse * e
		}
	}
	return n
}

// subtractFour subtracts four rows from y, each times its first element. The
// others belong to the elements of y.
func subtractFour(m Operand[float64], y []float64) {
	n := len(y)
	a, b := m.RowOf(0, n+1), m.RowOf(1, n+1)
	c, d := m.RowOf(2, n+1), m.RowOf(3, n+1)
	a0, b0, c0, d0 := -a[0], -b[0], -c[0], -d[0]
	a, b, c, d = a[1:], b[1:], c[1:], d[1:]
	for k, v := range y {
		v = math.FMA(b0, b[k], math.FMA(a0, a[k], v))
		y[k] = math.FMA(d0, d[k], math.FMA(c0, c[k], v))
	}
}

// choleskyLowerGeneric is the portable body of CholeskyLower.
func choleskyLowerGeneric(n int, a *float64, aRow int, _ *float64) int {
	m := Operand[float64]{a, aRow, 1}
	for j := range n {
		row := m.RowOf(j, j+1)
		x := row[:j]
		pivot := row[j] - sumOfSquares(j, &row[0], 1)
		if !(pivot > 0 && pivot <= math.MaxFloat64) {
			return j
		}
		pivot = math.Sqrt(pivot)
		row[j] = pivot
		inverse := 1 / pivot
		for k := j + 1; k < n; k++ {
			other := m.RowOf(k, j+1)
			other[j] = inverse * (other[j] - dotByLanes(other[:j], x))
		}
	}
	return n
}

// sumOfSquares returns the sum of the squares of at most maxCholesky elements
// by the tree of package ordered, whose lanes have one square or none, or +0 of
// none.
func sumOfSquares(n int, first *float64, apart int) float64 {
	column := Operand[float64]{first, apart, 1}
	if n > MaxShortDot {
		return sumOfManySquares(n, column)
	}
	square := func(i int) float64 {
		v := *column.Element(i, 0)
		return float64(v * v)
	}
	switch n {
	case 0:
		return 0
	case 1:
		return square(0)
	case 2:
		return square(0) + square(1)
	case 3:
		return (square(0) + square(2)) + square(1)
	}
	var a [MaxShortDot]float64
	for i := range a {
		a[i] = math.Copysign(0, -1)
	}
	for i := range n {
		a[i] = square(i)
	}
	return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]))
}

// sumOfManySquares is sumOfSquares for more than MaxShortDot.
func sumOfManySquares(n int, column Operand[float64]) float64 {
	var lanes [maxCholesky]float64
	for i := range n {
		v := *column.Element(i, 0)
		lanes[i] = float64(v * v)
	}
	for half := maxCholesky / 2; half >= MaxShortDot; half /= 2 {
		for n > half {
			n--
			lanes[n-half] += lanes[n]
		}
	}
	a := (*[MaxShortDot]float64)(lanes[:])
	return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]))
}
