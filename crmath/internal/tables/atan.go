package tables

import (
	"math"
	"math/big"
)

const (
	// Tangents are tabulated in 2^atanBits steps for an octave, from
	// 2^-atanOctaves to 2^atanOctaves.
	atanBits    = 5
	atanOctaves = 6

	// atanNearLast is the last step of the table of expansions, around 1.
	atanNearLast = 128
)

// AtanReduced bounds the tangent of the angle between an argument and the
// nearest row except the rows of 0 and infinity. AtanOuter bounds it where
// these two count as well.
const (
	AtanReduced = 0x1.05p-7
	AtanOuter   = 0x1.05p-6
)

// atan writes the tables of the arc tangent.
func atan(f *file) {
	const rows = 2*atanOctaves<<atanBits + 1 // finite tangents
	first := math.Float64bits(math.Ldexp(1, -atanOctaves)) >> (52 - atanBits)
	f.printf(`
const (
atanBits = %d
atanRows = %d

// atanFirst is the encoding of the first tangent other than 0, with
// atanBits bits of the significand.
atanFirst = %#x
)
`, atanBits, rows+2, first)

	// Of Chebyshev's nodes of [-a, a] the positive ones suit an even function.
	rest := func(t *big.Float) *big.Float { return quo(sub(Atan(t), t), power(t, 3)) }
	f.coefficients("atanC", "arctan t - t for |t| < 0x1.05p-7", []int{3, 5, 7},
		interpolateAt(rest, []int{0, 2, 4}, chebyshev(6, -AtanReduced, AtanReduced)[:3]))
	f.coefficients("atanOuterC", "arctan t - t for |t| < 0x1.05p-6", []int{3, 5, 7, 9},
		interpolateAt(rest, []int{0, 2, 4, 6}, chebyshev(8, -AtanOuter, AtanOuter)[:4]))

	f.expansions("atanNear", "arctan x", atanNearLast, AtanSeriesAt)

	tangents := make([]float64, rows)
	angles := []*big.Float{real(0)}
	for i := range tangents {
		tangents[i] = math.Float64frombits((first + uint64(i)) << (52 - atanBits))
		angles = append(angles, Atan(real(tangents[i])))
	}
	half := quo(Pi(), real(2))
	angles = append(angles, half)

	f.printf(`
// atanTable holds angles as the sum of two numbers, whose tangents, from 0 to
// +Inf, are sin/cos; then the angles in the second quadrant with the opposite
// tangents.
var atanTable = [2][atanRows]atanAngle{
`)
	for left := range 2 {
		f.printf("{\n")
		for i, a := range angles {
			sin, cos := 0.0, 1.0
			switch {
			case i > rows:
				sin, cos = 1, 0
			case i > 0:
				sin = tangents[i-1]
			}
			if left != 0 {
				cos = 0 - cos
				a = sub(Pi(), a)
			}
			hi, _ := a.Float64()
			f.printf("{%s, %s, %s, %s},\n", hex(sin), hex(cos), hex(hi), float(sub(a, real(hi))))
		}
		f.printf("},\n")
	}
	f.printf("}\n")
}

// Sines are tabulated in 2^asinBits steps for 1, up to asinLast steps.
const (
	asinBits = 7
	asinLast = 96
)

// AsinReduced bounds the difference of a sine and the next one in the table.
const AsinReduced = 0x1p-8

// asin writes the tables of arcsin x and arccos x.
func asin(f *file) {
	f.printf(`
const (
asinBits = %d
asinRows = %d
)
`, asinBits, asinLast+1)
	nodes := chebyshev(8, -AsinReduced, AsinReduced)
	var angles []*big.Float
	f.printf(`
// asinTable holds for each sine c the Taylor coefficient 1/√(1-c²) as the sum
// of a number of 26 bits and one of 53, and the coefficients of (arcsin(c+h) -
// arcsin c - h/√(1-c²))/h² for |h| ≤ 2^-8.
var asinTable = [asinRows]struct{ hi, lo, c2, c3, c4, c5, c6, c7, c8, c9 float64 }{
`)
	for i := range asinLast + 1 {
		c := real(math.Ldexp(float64(i), -asinBits))
		angle := Asin(c)
		angles = append(angles, angle)
		slope := quo(real(1), fresh().Sqrt(sub(real(1), mul(c, c))))
		hi := roundTo(slope, 26)
		f.printf("{%s, %s", hex(hi), float(sub(slope, real(hi))))
		series := AsinSeries(math.Ldexp(float64(i), -asinBits), 60)[2:]
		for _, v := range interpolateAt(func(h *big.Float) *big.Float {
			sum := real(0)
			for k := len(series) - 1; k >= 0; k-- {
				sum = add(mul(sum, h), series[k])
			}
			return sum
		}, []int{0, 1, 2, 3, 4, 5, 6, 7}, nodes) {
			f.printf(", %s", float(v))
		}
		f.printf("},\n")
	}
	f.printf("}\n")

	half, two := quo(Pi(), real(2)), real(2)
	f.printf(`
// asinAngle holds the angles with these sines, in forms, each as the sum of two
// numbers.
var asinAngle = [6][asinRows]struct{ hi, lo float64 }{
`)
	for _, form := range []struct {
		name string
		of   func(a *big.Float) *big.Float
	}{
		{"asinSine", func(a *big.Float) *big.Float { return a }},
		{"asinCosine", func(a *big.Float) *big.Float { return sub(half, a) }},
		{"asinMinusCosine", func(a *big.Float) *big.Float { return add(half, a) }},
		{"asinRoot + asinSine", func(a *big.Float) *big.Float { return sub(half, mul(two, a)) }},
		{"asinRoot + asinCosine", func(a *big.Float) *big.Float { return mul(two, a) }},
		{"asinRoot + asinMinusCosine",
			func(a *big.Float) *big.Float { return sub(Pi(), mul(two, a)) }},
	} {
		f.printf("%s: {\n", form.name)
		for _, a := range angles {
			v := form.of(a)
			hi, _ := v.Float64()
			f.printf("{%s, %s},\n", hex(hi), float(sub(v, real(hi))))
		}
		f.printf("},\n")
	}
	f.printf("}\n")
	asinFew(f)
}

// asinFewSteps is the number of steps for 1 of the sines for kernels of
// AVX-512: 15 up to √½.
const asinFewSteps = 21.2

// asinFew writes the tables of fewArc.
func asinFew(f *file) {
	sine := func(i int) *big.Float {
		c := float64(i) / asinFewSteps
		if i == 1 { // nearer to the smallest angle of its part
			c = 0.92 / asinFewSteps
		}
		return real(math.Float64frombits(math.Float64bits(c) &^ (1<<27 - 1)))
	}
	cosine := func(i int) *big.Float {
		return fresh().Sqrt(sub(real(1), mul(sine(i), sine(i))))
	}
	low := func(x *big.Float) *big.Float {
		v, _ := x.Float64()
		return sub(x, real(v))
	}
	f.printf("\nconst asinFewSteps = %v\n", asinFewSteps)
	f.fewWords("asinFewSin", "holds the sines of 16 angles up to π/4", sine)
	f.fewWords("asinFewCos", "holds their cosines", cosine)
	f.fewWords("asinFewCosLow", "holds the rest of these",
		func(i int) *big.Float { return low(cosine(i)) })
	f.fewWords("asinFewAngle", "holds the angles", func(i int) *big.Float { return Asin(sine(i)) })
	f.fewWords("asinFewAngleLow", "holds the rest of these",
		func(i int) *big.Float { return low(Asin(sine(i))) })
	f.polynomial(approximation{"asinFewC",
		"arcsin z = z + z³·(C3 + C5·z² + …) for |z| ≤ 0.035, times 1/z³", 3, 2, 5, 0, 0.035 * 0.035,
		0, odd(Asin)})
}

// Asin returns arcsin x for |x| < 1.
func Asin(x *big.Float) *big.Float {
	return Atan(quo(x, fresh().Sqrt(sub(real(1), mul(x, x)))))
}

// AsinSeries returns the first n coefficients of the Taylor series of
// arcsin(c+h) - arcsin c in h, for a sine c, by the recurrence that (1-x²)·y” =
// x·y' gives.
func AsinSeries(sine float64, n int) []*big.Float {
	c := real(sine)
	d := sub(real(1), mul(c, c))
	a := []*big.Float{real(0), quo(real(1), fresh().Sqrt(d))}
	for k := 0; len(a) < n; k++ {
		next := mul(real(float64(k*k)), a[k])
		next = add(next, mul(c, mul(real(float64((k+1)*(2*k+1))), a[k+1])))
		a = append(a, quo(next, mul(real(float64((k+1)*(k+2))), d)))
	}
	return a
}

// AtanSeries returns the first n coefficients of the Taylor series of arctan x.
func AtanSeries(n int) []*big.Float {
	c := make([]*big.Float, n)
	for k := range c {
		c[k] = real(0)
		if k%2 == 1 {
			c[k] = quo(real(float64(2-k%4)), real(float64(k)))
		}
	}
	return c
}

// AtanSeriesAt returns the first n coefficients of the Taylor series of
// arctan(c+h) in h, by the recurrence that (1+x²)·y' = 1 gives.
func AtanSeriesAt(c float64, n int) []*big.Float {
	d := add(real(1), mul(real(c), real(c)))
	slope := []*big.Float{quo(real(1), d)}
	a := []*big.Float{Atan(real(c)), slope[0]}
	for k := 1; len(a) < n; k++ {
		next := mul(real(2*c), slope[k-1])
		if k > 1 {
			next = add(next, slope[k-2])
		}
		slope = append(slope, quo(next.Neg(next), d))
		a = append(a, quo(slope[k], real(float64(k+1))))
	}
	return a
}
