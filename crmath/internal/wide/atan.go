package wide

// SetAtan2 sets z to the angle of the point (x, y), in (-π, π], at precision n,
// near a guess from a fast path: to guess + arctan t with
//
//	t = (y·cos g - x·sin g) / (x·cos g + y·sin g),
//
// by the series t - t³/3 + t⁵/5 …, to the term below 2^(-64(n+1)) of the guess.
// A guess of 53 bits needs two or three terms. The numerator's absolute error
// is the error of a few operations times y·cos g or x·sin g. Divided by the
// denominator, nearly the point's distance from 0, that is sin g·cos g, which
// is less than g: the relative error of the sum is below 2^12·2^(-64(n+1)).
func (z *Float) SetAtan2(y, x *Float, guess float64, n int) {
	w := n + 1
	var s, c, num, den, u Float
	SetSinCos(&s, &c, guess, n)
	num.Mul(y, &c, w)
	u.Mul(x, &s, w)
	num.Sub(&num, &u, w)
	den.Mul(x, &c, w)
	u.Mul(y, &s, w)
	den.Add(&den, &u, w)
	num.Div(&num, &den, w) // t
	den.Sqr(&num, w)
	z.SetFloat64(guess, w)
	for k := uint64(1); !num.IsZero() && num.Exp > z.Exp-64*w; k += 2 {
		u.DivUint(&num, k, w)
		z.Add(z, &u, w)
		num.Mul(&num, &den, w)
		num.Neg = !num.Neg
	}
}

// SetCofactor sets z to √(1 - x²) at precision n, for |x| < 1. A square has 106
// bits: the difference loses only bits below those that n+1 words hold.
func (z *Float) SetCofactor(x *Float, n int) {
	var one Float
	one.SetUint(1, n+1)
	z.Sqr(x, n+1)
	z.Sub(&one, z, n+1)
	z.Sqrt(z, n+1)
}

// SetTinyAngle sets z to (1 - 2^-121)·y/x in TinyWords words, for positive y
// and x with y/x < 2^-60. arctan(y/x) is less than y/x, by at most 2^-121 of
// it, and the quotient of two numbers of 53 bits has 54 bits or is at least
// 2^-108 away from every number that has. So z rounds as the angle does, to
// nearest and to odd, also where the angle is subnormal.
func (z *Float) SetTinyAngle(y, x float64) {
	var d Float
	z.SetFloat64(y, TinyWords)
	d.SetFloat64(x, TinyWords)
	z.Div(z, &d, TinyWords)
	d.Set(z, TinyWords)
	d.Exp -= 121
	z.Sub(z, &d, TinyWords)
}

// TinyWords is the precision of SetTinyAngle, which bounds the angle above.
const (
	TinyWords = 3
	TinyAngle = 0x1p-60
)
