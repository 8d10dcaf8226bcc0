package rounding

type length float64

type rect struct{ w, h float64 }

func variable(x, y, z float64) float64 {
	p := x * y
	p = float64(p)
	return p + z
}

func inParens(x, y, z float32) float32 {
	p := x * y
	q := (float32)((p))
	return q + z
}

func field(r rect, f, z float64) float64 {
	r.w *= f
	r.w = float64(r.w)
	return r.w + z
}

func element(x []float64, z float64) float64 {
	x[0] = x[0] * x[1]
	x[0] = float64(x[0])
	return x[0] + z
}

func named(x, y, z length) length {
	p := x * y
	p = length(p)
	return p + z
}

func other(x, y length, z float64) float64 {
	p := x * y
	return float64(p) + z
}

func generic[T float32 | float64](x, y, z T) T {
	p := x * y
	p = T(p)
	return p + z
}

func product(x, y float64) float64 { return float64(x * y) }

func result(x, y, z float64) (r float64) {
	r = product(x, y) + z
	return
}

func later(x, y, z float64) float64 {
	p := x * y
	r := p + z // want `p \+ z fuses`
	p = float64(p)
	return r + p
}

func parts(f float64, c, d complex128) complex128 {
	t := complex(real(c)*f, imag(c)*f)
	t = complex128(t)
	return t + d
}
