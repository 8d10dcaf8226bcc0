package wide

import (
	"math"
	"math/bits"
)

// rate holds the logarithm to base 2 of a base, as 0.words · 2^exp, and its
// natural logarithm.
type rate struct {
	exp   int
	words [3]uint64
	log   short
}

// expShort returns b^x for the base of a rate and |x| < 2^12, with a relative
// error below 2^-122.
//
//  1. x·log2 b = i + f with a fraction f of 128 bits, which is off by less than
//     two units: the product of x with 192 bits, shifted.
//  2. f = j/64 + k/4096 + g/4096; e^r - 1 for r = g·ln 2/4096 by Taylor's
//     series in g·ln 2 < 0.7, in Horner's form. A step loses less than four
//     units of 2^-128, together less than 2^-124. The next term is below
//     2^-131.
//  3. 2^i·2^(j/64)·2^(k/4096)·(1 + (e^r-1)): two products, of 2^-124 each.
func expShort(x short, b *rate) short {
	if x.hi == 0 {
		return shortOne
	}
	h2, p2, p1 := x.timesRate(b)
	i, f := 0, fixed{h2, p2}
	if e := x.exp + b.exp; e > 0 {
		i = int(h2 >> (64 - e))
		f = fixed{h2<<e | p2>>(64-e), p2<<e | p1>>(64-e)}
	} else {
		f = f.shifted(-e)
	}
	if x.neg { // 1 - f, or a unit less: never 1
		i, f = -i-1, fixed{^f.hi, ^f.lo}
	}
	row := shortPowers[0][f.hi>>58].times(shortPowers[1][f.hi>>52%64])
	g := fixed{f.hi<<12 | f.lo>>52, f.lo << 12}.times(shortLn2)
	q := g.sum(&shortExpTerms)
	return row.times(q.above()).scaled(i)
}

// timesRate returns three words of the product of the fractions of |x| and b,
// less than five units of the last one too small.
func (x short) timesRate(b *rate) (w0, w1, w2 uint64) {
	w0, w1 = bits.Mul64(x.hi, b.words[0])
	h1, l1 := bits.Mul64(x.hi, b.words[1])
	w2, c := bits.Add64(l1, mulHigh(x.hi, b.words[2]), 0)
	w1, c = bits.Add64(w1, h1, c)
	w0 += c
	if x.lo != 0 {
		h1, l1 = bits.Mul64(x.lo, b.words[0])
		w2, c = bits.Add64(w2, l1, 0)
		w1, c = bits.Add64(w1, h1, c)
		w0 += c
		w2, c = bits.Add64(w2, mulHigh(x.lo, b.words[1]), 0)
		w1, c = bits.Add64(w1, 0, c)
		w0 += c
	}
	return w0, w1, w2
}

// above returns 1+x.
func (x fixed) above() short { return short{exp: 1, hi: 1<<63 | x.hi>>1, lo: x.lo>>1 | x.hi<<63} }

// sum returns c0·a + c1·a² + c2·a³ + …, for coefficients that fall fast and
// have one word from the fifth on.
func (a fixed) sum(c *[8]fixed) fixed {
	low := c[6].lo + mulHigh(a.hi, c[7].lo)
	low = c[5].lo + mulHigh(a.hi, low)
	low = c[4].lo + mulHigh(a.hi, low)
	p := c[3].plus(a.times(fixed{0, low}))
	p = c[2].plus(a.times(p))
	p = c[1].plus(a.times(p))
	p = c[0].plus(a.times(p))
	return a.times(p)
}

// expm1Short returns b^x - 1 for the base of a rate and |x| < 2^12, with a
// relative error below 2^-118: from |x·ln b| = 1/8 on by expShort, whose error
// grows by 2^3.2. Below, the product with the logarithm adds 2^-124.
func expm1Short(x short, b *rate) short {
	y := x.times(b.log)
	if y.exp > -3 {
		return expShort(x, b).minus(shortOne)
	}
	return expm1Near(y)
}

// expm1Near returns e^x - 1 for |x| < 1/8 with a relative error below 2^-120.
//
// a = |x|/2^d is less than 2^-10, and e^±a - 1 = ±sinh a + (cosh a - 1) with
// sinh a = a·(1+u), cosh a - 1 = a²/2·(1+v) by Taylor's series in (a·2^10)² <
// 1. Then come d ≤ 7 doublings, e^2y - 1 = (e^y-1)·((e^y-1) + 2). They lose
// less than 2^-123.4 each, and the series with its products less than 2^-122.
func expm1Near(a short) short {
	if a.hi == 0 {
		return a
	}
	neg := a.neg
	d := max(0, a.exp+10)
	a.neg, a.exp = false, a.exp-d
	f := a.tinySquare()
	square := a.times(a).scaled(-1).times(f.sumSquares(&shortCoshTerms).above())
	z := sinhTiny(a, f)
	z.neg = neg
	z = z.plus(square)
	two := shortOne.scaled(1)
	for range d {
		z = z.times(z.plus(two))
	}
	return z
}

// tinySquare returns (x·2^10)² for |x| < 2^-10.
func (x short) tinySquare() fixed {
	f := fixed{x.hi, x.lo}.shifted(-10 - x.exp)
	return f.times(f)
}

// sinhTiny returns sinh a, where f is the result of tinySquare.
func sinhTiny(a short, f fixed) short { return a.times(f.sumSquares(&shortSinhTerms).above()) }

// sumSquares is sum for coefficients that have one word from the third on.
func (a fixed) sumSquares(c *[5]fixed) fixed {
	low := c[3].lo + mulHigh(a.hi, c[4].lo)
	low = c[2].lo + mulHigh(a.hi, low)
	p := c[1].plus(a.times(fixed{0, low}))
	p = c[0].plus(a.times(p))
	return a.times(p)
}

// sinhShort, coshShort and tanhShort are SetSinh, SetCosh and SetTanh with
// relative errors below 2^-117.5. From 1/8 on, sinh x is (p - 1/p)/2 for p =
// e^|x|, whose errors of 2^-122 and 2^-121.9 grow by 2^2.2 and 2^1.9.
func sinhShort(x float64) short {
	a := shortFloat(math.Abs(x))
	var z short
	switch {
	case a.exp > -3:
		p := expShort(a, &rateE)
		z = p.minus(shortOne.over(p)).scaled(-1)
	case a.exp > -10:
		m := expm1Near(a)
		z = m.plus(m.over(m.plus(shortOne))).scaled(-1)
	default:
		z = sinhTiny(a, a.tinySquare())
	}
	z.neg = x < 0
	return z
}

func coshShort(x float64) short {
	p := expShort(shortFloat(math.Abs(x)), &rateE)
	return p.plus(shortOne.over(p)).scaled(-1)
}

func tanhShort(x float64) short {
	m := expm1Short(shortFloat(2*math.Abs(x)), &rateE)
	z := m.over(m.plus(shortOne.scaled(1)))
	z.neg = x < 0
	return z
}
