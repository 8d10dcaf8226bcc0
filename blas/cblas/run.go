package cblas

// operands are the arguments of a call in the terms of a row-major routine.
type operands[T element] struct {
	*Call
	m, n, k, kl, ku         int
	lda, ldb, ldc, inX, inY int
	ul                      uplo
	ta, tb                  trans
	d                       diag
	s                       side
	alpha, beta             T
	a, b, c                 []T // b and c are also the vectors x and y
}

// operandsOf reads the arguments of a call.
func operandsOf[T element](c *Call) *operands[T] {
	return &operands[T]{
		Call: c,
		m:    int(c.M), n: int(c.N), k: int(c.K), kl: int(c.KL), ku: int(c.KU),
		lda: int(c.LDA), ldb: int(c.LDB), ldc: int(c.LDC),
		inX: int(c.IncX), inY: int(c.IncY),
		ul: uplo(c.Uplo), ta: trans(c.TransA), tb: trans(c.TransB), d: diag(c.Diag),
		s:     side(c.Side),
		alpha: number[T](c.Alpha), beta: number[T](c.Beta),
		a: slice[T](c, slotA), b: slice[T](c, slotB), c: slice[T](c, slotC),
	}
}

// number returns a number of two parts in format T, which it has.
func number[T element](parts [2]float64) (v T) {
	switch v := any(&v).(type) {
	case *float32:
		*v = float32(parts[0])
	case *float64:
		*v = parts[0]
	case *complex64:
		*v = complex(float32(parts[0]), float32(parts[1]))
	case *complex128:
		*v = complex(parts[0], parts[1])
	}
	return v
}

// partsOf returns the parts of a number.
func partsOf[T element](v T) [2]float64 {
	switch v := any(v).(type) {
	case float32:
		return [2]float64{float64(v)}
	case float64:
		return [2]float64{v}
	case complex64:
		return [2]float64{float64(real(v)), float64(imag(v))}
	case complex128:
		return [2]float64{real(v), imag(v)}
	}
	return [2]float64{}
}

// run computes a call of BLAS.
func run[T element](c *Call, r *routines[T]) {
	o := operandsOf[T](c)
	switch {
	case c.Routine < Gemv:
		o.level1(r)
	case c.Routine < Gemm:
		o.level2(r)
	default:
		o.level3(r)
	}
}
