package f64

import "math"

// cbrtFewErr bounds the error of fewCbrt, with room for ziv.
const cbrtFewErr = 0x1p-66

// fewCbrt returns y + c, the cube root of up·m, and n: a = 2^(3·n)·up·m for
// 1 ≤ m < 2, and up is 1, 2 or 4. Kernels of AVX-512 find its tables in two
// registers.
//
// For a = 2^k·m, k/3 + 1.5·2^50 is rounded to a multiple of 1/4. Its bits end
// with 4·n for k = 3·n, 4·n+1 for k = 3·n+1, and 4·n+3 for k = 3·n+2.
//
//  1. With b from the table, m·b = 1 + r up to 2^-58, and y is off by the
//     polynomial's 2^-39.5 of it: r and the table lose much less.
//
//  2. c = d/(3·y²), d = up·m - y³. y³ is the sum of v3 and a smaller part, up
//     to 2^-103 of it, and up·m - v3 is exact, by Sterbenz's lemma. What the
//     formula leaves out is 2^-78.5 of y at most.
//
//  3. 1/(3·y²) = y/(3·up·m), and 1/m = b/(1+r): the polynomial has 2^-29, and
//     c loses 2^-68.4 of y.
func fewCbrt(a float64) (y, c float64, n uint64) {
	bits := math.Float64bits(a)
	quarters := math.FMA(float64(int64(bits>>52)), 1.0/3, 0x1.8p50-341)
	j := math.Float64bits(quarters)
	i := bits >> (52 - 4) % fewWords
	m, b := math.Float64frombits(bits&(1<<52-1)|1023<<52), cbrtFew[i]
	r := math.FMA(m, b, -1)
	r2 := float64(r * r)
	t := float64(cbrtFewRoot[i] * cbrtFewPowers[j%fewWords])
	y = math.FMA(float64(t*r), (cbrtFewC1+float64(r*cbrtFewC2))+
		float64(r2*((cbrtFewC3+float64(r*cbrtFewC4))+float64(r2*cbrtFewC5))), t)
	v2 := float64(y * y)
	v3 := float64(v2 * y)
	rest := math.FMA(math.FMA(y, y, -v2), y, math.FMA(v2, y, -v3))
	d := math.FMA(m, cbrtFewUp[j%fewWords], -v3) - rest
	inverse := (cbrtFewInverseC0 + float64(r*cbrtFewInverseC1)) +
		float64(r2*((cbrtFewInverseC2+float64(r*cbrtFewInverseC3))+float64(r2*cbrtFewInverseC4)))
	return y, float64(d*y) * float64(float64(b*cbrtFewDown[j%fewWords])*inverse), j >> 2
}

// cbrtWide is Cbrt for kernels of AVX-512, for zeros and normal x.
//
//lint:ignore U1000 the kernels are compiled from it
func cbrtWide(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a == 0 {
		return x, true
	}
	y, c, n := fewCbrt(a)
	z, ok := ziv(y, c, cbrtFewErr)
	r = math.Float64frombits(math.Float64bits(z) + n<<52)
	return withSign(r, x), ok && isPositiveNormal(a)
}
