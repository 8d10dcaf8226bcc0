package wide

import "math"

// erfcNear is the argument from which SetErfc takes the trapezoidal rule.
const erfcNear = 0.5

// SetErf sets z to erf x at precision n, for |x| < 2^3, as
//
//	erf x = 2·x/√π · e^(-x²) · Σ (2x²)^k/(1·3·5·…·(2k+1)),
//
// whose terms all have one sign. They are added until a term is below
// 2^(-64(n+1)) of the sum, and the next one below half of it, as are all that
// follow. That is fewer than 2^9 terms. A term has the error of the term before
// and the errors of two more operations: below 2^12·2^(-64(n+1)) with the
// additions. The exponential has 2^20, and the errors together are below
// 2^21·2^(-64(n+1)).
func (z *Float) SetErf(x *Float, n int) {
	w := n + 1
	if x.IsZero() {
		z.SetZero(w)
		return
	}
	var y, t, sum, e Float
	e.Sqr(x, w)
	y.Set(&e, w)
	y.Exp++
	e.Neg = true
	e.SetExp(&e, n)
	t.Set(x, w)
	sum.Set(x, w)
	for k := uint64(3); ; k += 2 {
		t.Mul(&t, &y, w)
		t.DivUint(&t, k, w)
		sum.Add(&sum, &t, w)
		if t.Exp < sum.Exp-64*w && y.Approx() < float64(k)/2 {
			break
		}
	}
	sum.Mul(&sum, &e, w)
	t.Sqrt(&Pi, w)
	z.Div(&sum, &t, w)
	z.Exp++
}

// SetErfc sets z to erfc x at precision n, for -2^3 < x < 28.
//
// Below 1/2 it is 1 - erf x, which loses a bit at most. From there on it is
// computed by the trapezoidal rule with the step h = 2^-j, as in
// HunterRegan1972:
//
//	e^x²·erfc x = 2x/π · ∫ e^-t²/(x²+t²) dt, from 0 to ∞
//	            = x·h/π · (1/x² + 2·Σ e^-(k²h²)/(x²+k²h²)) - c - d
//
// with c = 2·e^x²/(e^(2πx/h) - 1) where x < π/h, and 0 elsewhere. By the
// theorem of residues d, times π/x, is a sum of two integrals along the lines
// Im t = ±a: below
//
//	2·√π·e^(a²-2πa/h)·1.1/(|a-x|·(a+x)),
//
// where the line at a > 0 may lie on either side of π/h as long as the pole ix
// is inside if and only if c is subtracted. For a = π/h ± δ the exponent is δ²
// - (π/h)², and δ ≤ 1 keeps the line at a distance of 1 from the pole. So d is
// below 2^8·e^-(π/h)² relative to e^x²·erfc x > 1/(x+√(x²+2))·2/√π: below
// 2^(8-14·4^j), and 2^(-64(n+1)) by the choice of j.
//
// The sum ends where e^-(k²h²) is below 2^(-64(n+1)). The powers come from
// e^-(h²) by two products each. Its error of 2^20·2^(-64(n+1)) is multiplied by
// k², and with it the power, for which k²·e^-(k²h²) < 2^-1·4^j < 2^8 holds: so
// fewer than 2^9 powers have errors below 2^38·2^(-64(n+1)) together. c is
// below 2^-6 of the result.
func (z *Float) SetErfc(x *Float, n int) {
	w := n + 1
	var t Float
	if x.Neg || x.Approx() < erfcNear {
		t.SetErf(x, n)
		z.SetUint(1, w)
		z.Sub(z, &t, w)
		return
	}
	j := 2
	for 14<<(2*j) < 64*w+8 {
		j++
	}
	var square, sum, e Float
	square.Sqr(x, w)
	sum.setErfcSum(&square, j, n)
	e.Set(&square, w)
	e.Neg = true
	e.SetExp(&e, n)
	sum.Mul(&sum, &e, w)
	sum.Mul(&sum, x, w)
	sum.Div(&sum, &Pi, w)
	sum.Exp -= j
	if math.Ldexp(x.Approx(), -j) < math.Pi {
		t.Mul(x, &Pi, w)
		t.Exp += j + 1
		t.SetExpm1(&t, n)
		e.SetUint(2, w)
		t.Div(&e, &t, w)
		sum.Sub(&sum, &t, w)
	}
	z.Set(&sum, w)
}

// setErfcSum sets z to 1/square + 2·Σ e^-(k²h²)/(square + k²h²), h = 2^-j, for
// SetErfc.
func (z *Float) setErfcSum(square *Float, j, n int) {
	w := n + 1
	var power, ratio, growth, d, t Float // e^-(k²h²), e^-((2k+1)h²), e^-(2h²)
	t.SetUint(1, w)
	z.Div(&t, square, w)
	t.Exp -= 2 * j
	t.Neg = true
	ratio.SetExp(&t, n)
	power.Set(&ratio, w)
	growth.Sqr(&ratio, w)
	for k := uint64(1); power.Exp > -64*w; k++ {
		d.SetUint(k*k, w)
		d.Exp -= 2 * j
		d.Add(&d, square, w)
		d.Div(&power, &d, w)
		d.Exp++
		z.Add(z, &d, w)
		ratio.Mul(&ratio, &growth, w)
		power.Mul(&power, &ratio, w)
	}
}
