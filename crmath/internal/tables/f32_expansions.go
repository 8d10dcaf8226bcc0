package tables

import "math/big"

// sines writes a table of the sines of parts of a turn, one turn and a quarter.
func (f *file) sines(name, comment, length string, steps int) {
	f.printf("\n// %s.\nvar %s = [%s*5/4]float64{\n", comment, name, length)
	step := quo(Pi(), real(float64(steps/2)))
	for i := range steps * 5 / 4 {
		s, _ := SinCos(mul(step, real(float64(i%(steps/2)))))
		v, _ := s.Float64()
		switch {
		case i%(steps/2) == 0:
			v = 0
		case i%steps > steps/2:
			v = -v
		}
		f.printf("%s,\n", hex(v))
	}
	f.printf("}\n")
}

// F32ArcStep is the distance of the points of package f32's expansions of the
// arc cosine.
const F32ArcStep = 0x1p-6

// f32Arc writes the expansions of the arc cosine.
func f32Arc(f *file) {
	f.printf(`
const invPi = %s

// acosTable holds expansions of arccos(x)/√(1-x) at the multiples of 1/64 from
// 0 to 1.
var acosTable = [128]quintic{
`, float(quo(real(1), Pi())))
	nodes := chebyshev(6, -F32ArcStep/2, F32ArcStep/2)
	for i := range 65 {
		f.row(AcosSeriesAt(float64(i)*F32ArcStep, 40), nodes)
	}
	f.printf("}\n")
	f.polynomial(approximation{"asinC",
		"arcsin x = x + x³·(C3 + C5·x²) for |x| < 1/128, relative to x", 3, 2, 2, 0, 0x1p-14, 1,
		odd(Asin)})
}

// row writes the coefficients of the polynomial that agrees at the nodes with a
// function, given by its Taylor series.
func (f *file) row(series, nodes []*big.Float) {
	var values []*big.Float
	for _, h := range nodes {
		values = append(values, polynomialAt(series, h))
	}
	f.valuesRow(nodes, values)
}

// valuesRow writes the coefficients of the polynomial that has these values at
// the nodes.
func (f *file) valuesRow(nodes, values []*big.Float) {
	var m [][]*big.Float
	for i, x := range nodes {
		row := []*big.Float{real(1)}
		for range nodes[1:] {
			row = append(row, mul(row[len(row)-1], x))
		}
		m = append(m, append(row, values[i]))
	}
	f.printf("{")
	for _, v := range solve(m) {
		f.printf("%s, ", float(v))
	}
	f.printf("},\n")
}

// polynomialAt returns Σ c[k]·x^k.
func polynomialAt(c []*big.Float, x *big.Float) *big.Float {
	sum := real(0)
	for k := len(c) - 1; k >= 0; k-- {
		sum = add(mul(sum, x), c[k])
	}
	return sum
}

// AcosSeriesAt returns the first n coefficients of the Taylor series of
// arccos(c+h)/√(1-c-h) in h, for 0 ≤ c ≤ 1. As a function y of w = 1-c-h it
// satisfies y/2 + w·y' = 1/√(2-w).
func AcosSeriesAt(c float64, n int) []*big.Float {
	w := real(1 - c)
	far := sub(real(2), w)
	slope := quo(real(1), fresh().Sqrt(far)) // a coefficient of 1/√(2-w)
	a := make([]*big.Float, n)
	for k := range n {
		switch {
		case c == 1:
			a[k] = quo(slope, real(float64(k)+0.5))
		case k == 0:
			angle := quo(Pi(), real(2))
			if c > 0 {
				angle = Atan(quo(fresh().Sqrt(mul(w, far)), real(c)))
			}
			a[k] = quo(angle, fresh().Sqrt(w))
			continue
		default:
			a[k] = quo(sub(slope, mul(real(float64(k)-0.5), a[k-1])), mul(w, real(float64(k))))
		}
		i := float64(k)
		if c < 1 {
			i--
		}
		slope = quo(mul(slope, real(i+0.5)), mul(far, real(i+1)))
	}
	for k := 1; k < n; k += 2 {
		a[k].Neg(a[k])
	}
	return a
}

// Distances of the points of package f32's expansions of error functions.
const (
	F32ErfStep  = 0x1p-4
	F32ErfcStep = 0x1p-3
)

// f32Erf writes the expansions of the error functions.
func f32Erf(f *file) {
	const steps, last, lastScaled = 4 / F32ErfStep, 128, 10.125 / F32ErfcStep
	f.printf(`
// erfTable holds expansions of erf x at the multiples of 1/16 from 0 to 4.
var erfTable = [%d]expansion{
`, last)
	slope, nodes := erfSlope(), chebyshev(8, -F32ErfStep/2, F32ErfStep/2)
	for i := range int(steps) + 1 {
		if i == 0 {
			f.oddRow(erfSeriesAt(0, slope, 40), nodes)
			continue
		}
		f.row(erfSeriesAt(float64(i)*F32ErfStep, slope, 40), nodes)
	}
	f.printf(`}

// erfcTable holds expansions of e^x²·erfc x at the multiples of 1/8 from 0 to
// 81/8.
var erfcTable = [%d]expansion{
`, last)
	nodes = chebyshev(8, -F32ErfcStep/2, F32ErfcStep/2)
	for i := range int(lastScaled) + 1 {
		f.row(ErfcSeriesFrom0(float64(i)*F32ErfcStep, 40), nodes)
	}
	f.printf("}\n")
}

// oddRow writes a row of eight coefficients for an odd function around 0. Of
// Chebyshev's nodes the positive ones suit.
func (f *file) oddRow(series, nodes []*big.Float) {
	c := interpolateAt(func(h *big.Float) *big.Float {
		return quo(polynomialAt(series, h), h)
	}, []int{0, 2, 4, 6}, nodes[:4])
	f.printf("{")
	for _, v := range c {
		f.printf("0, %s, ", float(v))
	}
	f.printf("},\n")
}

// ErfcSeriesFrom0 is ErfcSeriesAt for 0 ≤ c ≤ 6, too.
func ErfcSeriesFrom0(c float64, n int) []*big.Float {
	if c > 6 {
		return ErfcSeriesAt(c, n)
	}
	slope := erfSlope()
	y := sub(real(1), erfSeriesAt(c, slope, 1)[0])
	return erfcSeriesAt(c, mul(y, Exp(real(c*c))), slope, n)
}

// Terms and the last row of package f32's expansions of the gamma function.
const (
	f32GammaTerms = 16
	f32GammaLast  = 35
)

// f32Gamma writes the tables of gamma functions.
func f32Gamma(f *file) {
	series := newGammaSeries()
	f.printf(`
// gammaTable holds expansions of Γ(x) at the integers from 2 to 35.
var gammaTable = [64][%d]float64{
`, f32GammaTerms)
	nodes := chebyshev(f32GammaTerms, -0.5, 0.5)
	var values []*big.Float // of Γ(2+h)
	for _, h := range nodes {
		values = append(values, Exp(series.at(add(h, real(2)), 1)[0]))
	}
	for i := 0; i <= f32GammaLast; i++ {
		if i < 2 {
			f.printf("{},\n")
			continue
		}
		f.valuesRow(nodes, values)
		for k, h := range nodes { // Γ(x+1) = x·Γ(x)
			values[k] = mul(values[k], add(h, real(float64(i))))
		}
	}
	f.printf("}\n\nconst halfLn2Pi = %s\n", float(series.half))
	f.polynomial(approximation{name: "stirlingC", first: 1, step: 2, n: 4, b: 1.0 / 64,
		comment: "x·(ln Γ(x) - (x-1/2)·ln x + x - ln(2π)/2) in 1/x², for x ≥ 8",
		f: func(u *big.Float) *big.Float {
			return add(quo(real(1), real(12)), mul(u, series.stirlingRest(u)))
		}})
	f.printf(`
// lgammaTable holds expansions of ln Γ(x)/((x-1)·(x-2)) at the multiples of
// 1/16 from 1 to 8.
var lgammaTable = [128]expansion{
`)
	nodes = chebyshev(8, -0x1p-5, 0x1p-5)
	for i := range 8*16 + 1 - 16 {
		f.row(series.quotient(1+float64(float64(i)/16), expansionTerms), nodes)
	}
	f.printf("}\n")
}
