package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

const (
	// Below trigTiny, sin x, tan x, arcsin x and arctan x are x: they differ
	// from it by less than x³/3 < 2^-55·x. Below trigSmall, oddSmall applies;
	// below trigLarge, reduceSmall; below trigHuge, reduceMedium.
	trigTiny  = 0x1p-27
	trigSmall = 0x1p-12
	trigLarge = 0x1p12
	trigHuge  = 0x1p29

	// sinReduced's error: times r², the constant part, and absolute.
	sinErrSquare = 0x1.4p-51
	sinErrConst  = 0x1p-77
	sinErrLeast  = 0x1p-84

	// tanReduced's error: times r², and absolute.
	tanErrSquare = 0x1.dp-59
	tanErrConst  = 0x1p-76
)

// Sin is directed.Sin, and crmath.Sin to nearest.
func Sin(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	if u-magnitude(trigSmall) >= magnitude(trigHuge)-magnitude(trigSmall) {
		return sinRare(x, m)
	}
	k, rh, rl, red := reduce(x, u)
	hi, lo, e := sinReduced(k, rh, rl)
	e += red + sinErrLeast
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return settle(wide.Sin, x, hi, lo, e, m)
	}
	return r
}

func inTrig(x float64) bool { return math.Abs(x) < trigLarge }

// sinLane is Sin for |x| < trigLarge.
func sinLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < trigTiny {
		return x, true
	}
	if math.Abs(x) < trigSmall {
		return ziv(oddSmall(flushed(x), -1.0/6, 1.0/120))
	}
	k, rh, rl := fusedSplit(flushed(x), trigStepInverse, trigStepHi, trigStepLo)
	hi, lo, e := fusedSin(k, rh, rl)
	r, ok = ziv(hi, lo, e+(float64(math.Abs(x)*reduceSmallErr)+sinErrLeast))
	return r, ok && inTrig(x)
}

func sinCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(trigSmall) >= magnitude(trigLarge)-magnitude(trigSmall) {
		if u < magnitude(trigTiny) {
			return x, true
		}
		r, ok = ziv(oddSmall(x, -1.0/6, 1.0/120))
		return r, ok && u < magnitude(trigSmall)
	}
	k, rh, rl := fusedSplit(x, trigStepInverse, trigStepHi, trigStepLo)
	hi, lo, e := fusedSin(k, rh, rl)
	return ziv(hi, lo, e+(float64(math.Abs(x)*reduceSmallErr)+sinErrLeast))
}

// SinSlice is crmath.SinSlice.
func SinSlice(dst, x []float64) {
	vector.MapLoop("crmath.SinSlice", dst, x, vector.Each(FastSin), best.sin, inTrig)
}

// Cos is directed.Cos, and crmath.Cos to nearest.
func Cos(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	if u-magnitude(tiny) >= magnitude(trigHuge)-magnitude(tiny) {
		return cosRare(x, m)
	}
	k, rh, rl, red := reduce(x, u)
	hi, lo, e := sinReduced(k+trigSteps/4, rh, rl)
	e += red + sinErrLeast
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return cosSettle(x, hi, lo, e, m)
	}
	return r
}

// cosLane is Cos for |x| < trigLarge.
func cosLane(x float64) (r float64, ok bool) {
	k, rh, rl := fusedSplit(flushed(x), trigStepInverse, trigStepHi, trigStepLo)
	hi, lo, e := fusedSin(k+trigSteps/4, rh, rl)
	r, ok = ziv(hi, lo, e+(float64(math.Abs(x)*reduceSmallErr)+sinErrLeast))
	return r, ok && inTrig(x)
}

func cosCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(trigTiny) >= magnitude(trigLarge)-magnitude(trigTiny) {
		return 1 - min(math.Abs(x), 0x1p-60), u < magnitude(trigTiny)
	}
	k, rh, rl := fusedSplit(x, trigStepInverse, trigStepHi, trigStepLo)
	hi, lo, e := fusedSin(k+trigSteps/4, rh, rl)
	return ziv(hi, lo, e+(float64(math.Abs(x)*reduceSmallErr)+sinErrLeast))
}

// CosSlice is crmath.CosSlice.
func CosSlice(dst, x []float64) {
	vector.MapLoop("crmath.CosSlice", dst, x, vector.Each(FastCos), best.cos, inTrig)
}

// Sincos is directed.Sincos, and crmath.Sincos to nearest.
func Sincos(x float64, m fp.Mode) (sin, cos float64) {
	u := magnitude(x)
	if u-magnitude(trigSmall) > magnitude(math.MaxFloat64)-magnitude(trigSmall) {
		return sincosRare(x, m)
	}
	var k uint64
	var rh, rl, red float64
	if u < magnitude(trigHuge) {
		k, rh, rl, red = reduce(x, u)
	} else {
		k, rh, rl = reduceLarge(x)
		red = reduceLargeErr
	}
	r1, x1, x2, cosine, e := sinCosParts(rh, rl)
	least := math.Abs(r1)
	s, c := &sinTable[k%trigSteps], &sinTable[(k+trigSteps/4)%trigSteps]
	hi, lo := turned(s.hi, s.lo, c.hi, c.lo, r1, x1, x2, cosine)
	bound := float64((math.Abs(s.hi)+least)*e) + (red + sinErrLeast)
	sin, ok := ziv(hi, lo, bound)
	if !ok || m != fp.NearestEven {
		sin = settle(wide.Sin, x, hi, lo, bound, m)
	}
	hi, lo = turned(c.hi, c.lo, -s.hi, -s.lo, r1, x1, x2, cosine)
	bound = float64((math.Abs(c.hi)+least)*e) + (red + sinErrLeast)
	cos, ok = ziv(hi, lo, bound)
	if !ok || m != fp.NearestEven {
		cos = settle(wide.Cos, x, hi, lo, bound, m)
	}
	return sin, cos
}

// sincosBlock is the number of elements that SincosSlice looks at together.
const sincosBlock = 512

// SincosSlice is crmath.SincosSlice. Sine and cosine have a kernel each, and
// large arguments take both functions as long as Sincos: where more than one
// in eight elements is large, it is called for all.
func SincosSlice(sin, cos, x []float64) {
	const name = "crmath.SincosSlice"
	vector.CheckBoth(name, [2]string{"sin", "cos"}, sin, cos, x)
	for len(x) > 0 {
		n := min(len(x), sincosBlock)
		s, c, block := sin[:n], cos[:n], x[:n]
		sin, cos, x = sin[n:], cos[n:], x[n:]
		large := 0
		for _, v := range block {
			if !inTrig(v) {
				large++
			}
		}
		switch {
		case 8*large > n:
			for i, v := range block {
				s[i], c[i] = Sincos(v, fp.NearestEven)
			}
		case &c[0] == &block[0]:
			vector.MapLoop(name, s, block, vector.Each(FastSin), best.sin, inTrig)
			vector.MapLoop(name, c, block, vector.Each(FastCos), best.cos, inTrig)
		default:
			vector.MapLoop(name, c, block, vector.Each(FastCos), best.cos, inTrig)
			vector.MapLoop(name, s, block, vector.Each(FastSin), best.sin, inTrig)
		}
	}
}

// Tan is directed.Tan, and crmath.Tan to nearest.
func Tan(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	if u-magnitude(trigSmall) >= magnitude(trigHuge)-magnitude(trigSmall) {
		return tanRare(x, m)
	}
	k, rh, rl, red := reduce(x, u)
	hi, lo, e := tanReduced(k, rh, rl, red)
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return settle(wide.Tan, x, hi, lo, e, m)
	}
	return r
}

// isLinear reports whether an odd function that differs from x by less than
// x³/3, near 0, rounds in direction m as a value next to x does. To nearest it
// does below trigTiny, too; the functions find out without this branch.
func isLinear(x float64, m fp.Mode) bool {
	a := math.Abs(x)
	return a < tiny || a < trigTiny && m != fp.NearestEven
}

// besideZero is beside(x, rest, m) for such functions: 0 is exact.
func besideZero(x, rest float64, m fp.Mode) float64 {
	if x == 0 || m == fp.NearestEven {
		return x
	}
	return beside(x, rest, m)
}

// sinRare is Sin where |x| < trigSmall or |x| ≥ trigHuge, or x is NaN.
func sinRare(x float64, m fp.Mode) float64 {
	var hi, lo, e float64
	switch a := math.Abs(x); {
	case isLinear(x, m):
		return besideZero(x, -x, m)
	case a < trigSmall:
		hi, lo, e = oddSmall(x, -1.0/6, 1.0/120)
	case a <= math.MaxFloat64:
		hi, lo, e = sinReduced(reduceLarge(x))
		e += reduceLargeErr + sinErrLeast
	default:
		return math.NaN()
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return settle(wide.Sin, x, hi, lo, e, m)
	}
	return r
}

// cosSettle is settle for the cosine. For |x| < trigTiny it lies between 1 -
// 2^-55 and 1.
func cosSettle(x, hi, lo, e float64, m fp.Mode) float64 {
	switch {
	case x == 0:
		return 1
	case math.Abs(x) < trigTiny:
		return beside(1, -1, m)
	}
	return settle(wide.Cos, x, hi, lo, e, m)
}

// cosRare is Cos where |x| < tiny or |x| ≥ trigHuge, or x is NaN.
func cosRare(x float64, m fp.Mode) float64 {
	switch a := math.Abs(x); {
	case a < tiny:
		return cosSettle(x, 1, 0, 0, m)
	case !(a <= math.MaxFloat64):
		return math.NaN()
	}
	k, rh, rl := reduceLarge(x)
	hi, lo, e := sinReduced(k+trigSteps/4, rh, rl)
	e += reduceLargeErr + sinErrLeast
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return settle(wide.Cos, x, hi, lo, e, m)
	}
	return r
}

// sincosRare is Sincos where |x| < trigSmall, or x is infinite or NaN.
func sincosRare(x float64, m fp.Mode) (sin, cos float64) {
	switch {
	case isLinear(x, m):
		return besideZero(x, -x, m), cosSettle(x, 1, 0, 0, m)
	case !(math.Abs(x) < trigSmall):
		return math.NaN(), math.NaN()
	}
	hi, lo, e := cosSmall(x)
	cos, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		cos = cosSettle(x, hi, lo, e, m)
	}
	return sinRare(x, m), cos
}

// tanRare is Tan where |x| < trigSmall or |x| ≥ trigHuge, or x is NaN.
func tanRare(x float64, m fp.Mode) float64 {
	var hi, lo, e float64
	switch a := math.Abs(x); {
	case isLinear(x, m):
		return besideZero(x, x, m)
	case a < trigSmall:
		hi, lo, e = oddSmall(x, 1.0/3, 2.0/15)
	case a <= math.MaxFloat64:
		k, rh, rl := reduceLarge(x)
		hi, lo, e = tanReduced(k, rh, rl, reduceLargeErr)
	default:
		return math.NaN()
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return settle(wide.Tan, x, hi, lo, e, m)
	}
	return r
}

// oddSmall returns hi + lo = x + c3·x³ + c5·x⁵ and a bound e of its distance
// from the odd function with that series, for tiny ≤ |x| < trigSmall. c3, c5
// and the coefficients after them are below 0.34. The next term is below
// 2^-73.5·|x|, and the errors of lo are below 2^-25.5·4·2^-53·|x|.
func oddSmall(x, c3, c5 float64) (hi, lo, e float64) {
	x2 := float64(x * x)
	return x, float64(float64(x*x2) * (c3 + float64(x2*c5))), float64(math.Abs(x) * 0x1p-73)
}

// cosSmall returns hi + lo = 1 - x²/2 + x⁴/24 and a bound e of its distance
// from cos x, for |x| < trigSmall. lo is off by 3·2^-53·2^-25, ziv adds 2^-78,
// and the next term is below 2^-81.
func cosSmall(x float64) (hi, lo, e float64) {
	x2 := float64(x * x)
	return 1, float64(x2 * (float64(x2*(1.0/24)) - 0.5)), 0x1p-75
}

// sinReduced returns hi + lo = sin(k·π/256 + rh + rl) and a bound e of the
// error, for the results of reduceSmall.
//
// With S = S1 + S2 and C = C1 + C2 the sine and the cosine of k steps, S1 and
// C1 of 26 bits, and r1 the multiple of 2^-33 next to r, which has 26 bits,
//
//	S·cos r + C·sin r =
//	  S1 + C1·r1 + (C1·((r - r1) + s) + C2·(r + s) + S2 + S·c),
//	s = sin r - r, c = cos r - 1.
//
// p = C1·r1 is exact, and so is the sum of hi and the first part of lo, as |S1|
// > |p| or S1 is 0. Errors, in units of 2^-53 times |S|·r²/2 and |C|·|r|³/6:
//
//	1  2    r²; r² and r·r²
//	.5 .8   sums with -1/2 and -1/6
//	1  1    their products with r² and r³
//	2  3    rl, which r² and r³ leave out
//	1  -    S1 + S2
//	1  1    the products with S and C1
//	-  2    the sum (r - r1) + s, and the sum of two products
//	2  2    the last two sums
//	1  1    ziv
//
// That is 9.5·|S|·r²/2 and 12.8·|p|·r²/6, and with the polynomials' errors
// (TestTrigPolynomials) below 5·2^-53·(|S1|+|p|)·r². Where r is small, S2 <
// 2^-26·|S| and C2·r < 2^-26·|p| take part in three sums: less than
// 2^-77·(|S1|+|p|). r - r1 ≤ 2^-34 takes part in five sums and products: less
// than sinErrLeast, which the caller adds with the error of rh + rl.
func sinReduced(k uint64, rh, rl float64) (hi, lo, e float64) {
	s, c := &sinTable[k%trigSteps], &sinTable[(k+trigSteps/4)%trigSteps]
	r1 := coarse(rh, 0x1.8p19)
	r2 := float64(rh * rh)
	sin := float64(float64(rh*r2) * (sinC3 + float64(r2*(sinC5+float64(r2*sinC7)))))
	cos := float64(r2 * (cosC2 + float64(r2*(cosC4+float64(r2*cosC6)))))
	p := float64(c.hi * r1)
	hi = s.hi + p
	lo = (p - (hi - s.hi)) + (float64((s.hi+s.lo)*cos) +
		(s.lo + (float64(c.lo*(rh+sin)) + float64(c.hi*(((rh-r1)+rl)+sin)))))
	e = float64((math.Abs(s.hi) + math.Abs(p)) * (sinErrConst + float64(r2*sinErrSquare)))
	return hi, lo, e
}

// sinCosParts returns the parts of sinReduced that are the same for all k: r1,
// sin r - r1, sin r and cos r - 1, and the factor e of |S1|+|p| in its bound.
// (The caller has |r1| for |p|, which is not larger.)
func sinCosParts(rh, rl float64) (r1, x1, x, cos, e float64) {
	r2 := float64(rh * rh)
	sin := float64(float64(rh*r2) * (sinC3 + float64(r2*(sinC5+float64(r2*sinC7)))))
	r1 = coarse(rh, 0x1.8p19)
	cos = float64(r2 * (cosC2 + float64(r2*(cosC4+float64(r2*cosC6)))))
	e = sinErrConst + float64(r2*sinErrSquare)
	return r1, ((rh - r1) + rl) + sin, rh + sin, cos, e
}

// turned is the rest of sinReduced, for S = s+sl and C = c+cl. For the cosine
// of an angle, S is the cosine of k steps and C is minus their sine.
func turned(s, sl, c, cl, r1, x1, x, cos float64) (hi, lo float64) {
	p := float64(c * r1)
	hi = s + p
	lo = (p - (hi - s)) + (float64((s+sl)*cos) + (sl + (float64(cl*x) + float64(c*x1))))
	return hi, lo
}

// tanReduced returns hi + lo = tan(k·π/256 + rh + rl) and a bound e of the
// error, where the error of rh + rl is below red.
//
// Let A/B be the tangent of an angle near k steps, A and B multiples of 2^-20,
// r' the rest of the angle, and t = tan r'. Then
//
//	tan x = (A + B·t)/(B - A·t) = (n1 + n2)/(d1 - d2),
//
// where n1 and d1 contain t1, the multiple of 2^-32 next to t: they are exact
// multiples of 2^-52. q1 holds 26 bits of the approximate quotient q, and the
// part h of d is a multiple of 2^-26, so that q1·h is exact, and so is n1 -
// q1·h, of size 2^-25·(1+|q|). l is the rest of d.
//
// An error of t counts 1 + tan² x times. So do errors of n, over |d|, and
// errors of d, times |q|/|d|, in units of A and B: n² + d² is A² + B² ≥ 1 up to
// a factor 1 + t². Errors:
//
//   - red, and where an angle is subtracted 2^-72, row.err: the angle is
//     rounded to 2^-74, and the difference to 2^-73 where it is larger than rh;
//   - in units of 2^-53·|r|³/3: r² (1), r·r² (1), the sum with 1/3 (0.8), the
//     polynomial (1.6), the product (1), rl, which is left out (3), the sum
//     with r - t1 (1), the products with A and B (1), l (1), its product with
//     q1 (1), n1 - q1·h + n2 (1): 13.4, below tanErrSquare·r² for |r| <
//     0x1.923p-8;
//   - where r is small, 2^-53 of the remainder, two steps of it below
//     2^-26·(1+|q|), and of q2 < 2^-25·|q|, with 1/d and ziv four times:
//     together below tanErrConst·(1+q²).
func tanReduced(k uint64, rh, rl, red float64) (hi, lo, e float64) {
	row := &tanTable[k%(trigSteps/2)]
	r := rh - row.more
	rl += (rh - r) - row.more
	r2 := float64(r * r)
	t1 := coarse(r, 0x1.8p20)
	t2 := ((r - t1) + rl) +
		float64(float64(r*r2)*(tanC3+float64(r2*(tanC5+float64(r2*tanC7)))))
	n1, n2 := row.sin+float64(row.cos*t1), float64(row.cos*t2)
	d1, d2 := row.cos-float64(row.sin*t1), float64(row.sin*t2)
	d := d1 - d2
	inv := 1 / d
	q := float64((n1 + n2) * inv)
	q1, h := head(q), coarse(d, 0x1.8p26)
	l := (d1 - h) - d2
	q2 := float64((((n1 - float64(q1*h)) + n2) - float64(q1*l)) * inv)
	e = float64((1 + float64(q*q)) *
		((red + row.err) + (tanErrConst + float64(r2*tanErrSquare))))
	return q1, q2, e
}

// tanLane is Tan for |x| < trigLarge.
func tanLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < trigTiny {
		return x, true
	}
	if math.Abs(x) < trigSmall {
		return ziv(oddSmall(flushed(x), 1.0/3, 2.0/15))
	}
	k, rh, rl := fusedSplit(flushed(x), trigStepInverse, trigStepHi, trigStepLo)
	r, ok = ziv(tanReduced(k, rh, rl, float64(math.Abs(x)*reduceSmallErr)))
	return r, ok && inTrig(x)
}

func tanCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(trigSmall) >= magnitude(trigLarge)-magnitude(trigSmall) {
		if u < magnitude(trigTiny) {
			return x, true
		}
		r, ok = ziv(oddSmall(x, 1.0/3, 2.0/15))
		return r, ok && u < magnitude(trigSmall)
	}
	k, rh, rl := fusedSplit(x, trigStepInverse, trigStepHi, trigStepLo)
	return ziv(tanReduced(k, rh, rl, float64(math.Abs(x)*reduceSmallErr)))
}

// TanSlice is crmath.TanSlice.
func TanSlice(dst, x []float64) {
	vector.MapLoop("crmath.TanSlice", dst, x, vector.Each(FastTan), best.tan, inTrig)
}
