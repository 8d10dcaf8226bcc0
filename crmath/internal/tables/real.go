package tables

import "math/big"

// precision is the precision, in bits, of the numbers of this package: enough
// for the longest table, and for sums of many terms.
const precision = 1280

func real(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func fresh() *big.Float { return new(big.Float).SetPrec(precision) }

func add(x, y *big.Float) *big.Float { return fresh().Add(x, y) }
func sub(x, y *big.Float) *big.Float { return fresh().Sub(x, y) }
func mul(x, y *big.Float) *big.Float { return fresh().Mul(x, y) }
func quo(x, y *big.Float) *big.Float { return fresh().Quo(x, y) }

func negligible(term, sum *big.Float) bool {
	return term.Sign() == 0 || sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-precision
}

// Exp returns e^x for |x| < 2^12: Taylor's series at x/2^32, squared.
func Exp(x *big.Float) *big.Float {
	const halvings = 32
	r := fresh().SetMantExp(fresh().Set(x), -halvings)
	sum, term := real(1), real(1)
	for k := 1; ; k++ {
		term = quo(mul(term, r), real(float64(k)))
		if negligible(term, sum) {
			break
		}
		sum = add(sum, term)
	}
	for range halvings {
		sum = mul(sum, sum)
	}
	return sum
}

// Log returns ln x for positive x: Newton's iteration on Exp from a logarithm
// by artanh's series would converge no faster than that series after square
// roots.
func Log(x *big.Float) *big.Float {
	const roots = 24
	m := fresh()
	k := x.MantExp(m)
	m.SetPrec(precision)
	for range roots {
		m.Sqrt(m)
	}
	l := fresh().SetMantExp(artanh1(m), roots)
	if k != 0 {
		l = add(l, mul(real(float64(k)), Ln2()))
	}
	return l
}

// artanh1 returns ln m = 2·artanh((m-1)/(m+1)) for m near 1.
func artanh1(m *big.Float) *big.Float {
	u := quo(sub(m, real(1)), add(m, real(1)))
	return mul(real(2), oddSeries(u, 1))
}

// oddSeries returns u + s·u³/3 + u⁵/5 + s·u⁷/7 + …: artanh u for s = 1, arctan
// u for s = -1.
func oddSeries(u *big.Float, s float64) *big.Float {
	sum, power, v := fresh().Set(u), fresh().Set(u), mul(mul(u, u), real(s))
	for k := 3; ; k += 2 {
		power = mul(power, v)
		term := quo(power, real(float64(k)))
		if negligible(term, sum) {
			return sum
		}
		sum = add(sum, term)
	}
}

// Ln2 returns ln 2 = 2·artanh(1/3).
func Ln2() *big.Float { return mul(real(2), oddSeries(quo(real(1), real(3)), 1)) }

// Atan returns arctan x, after halving the angle until the series converges
// fast.
func Atan(x *big.Float) *big.Float {
	const halvings = 24
	u := fresh().Set(x)
	for range halvings {
		u = quo(u, add(real(1), fresh().Sqrt(add(real(1), mul(u, u)))))
	}
	return fresh().SetMantExp(oddSeries(u, -1), halvings)
}

// Pi returns π = 16·arctan(1/5) - 4·arctan(1/239) (Machin).
func Pi() *big.Float {
	return sub(mul(real(16), oddSeries(quo(real(1), real(5)), -1)),
		mul(real(4), oddSeries(quo(real(1), real(239)), -1)))
}

// SinCos returns sin x and cos x for |x| < 8, by Taylor's series.
func SinCos(x *big.Float) (sin, cos *big.Float) {
	sin, cos = fresh(), real(1)
	term := real(1)
	for k := 1; ; k++ {
		term = quo(mul(term, x), real(float64(k)))
		if k > 20 && negligible(term, real(0x1p-60)) || term.Sign() == 0 {
			return sin, cos
		}
		switch k % 4 {
		case 0:
			cos = add(cos, term)
		case 1:
			sin = add(sin, term)
		case 2:
			cos = sub(cos, term)
		case 3:
			sin = sub(sin, term)
		}
	}
}
