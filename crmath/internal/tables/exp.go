package tables

import (
	"math"
	"math/big"
)

// expBits is the logarithm of the number of steps in an octave of 2^f.
const expBits = 8

// roundTo returns x rounded to n bits, as a float64.
func roundTo(x *big.Float, n uint) float64 {
	v, _ := new(big.Float).SetPrec(n).Set(x).Float64()
	return v
}

// truncateTo is roundTo toward zero.
func truncateTo(x *big.Float, n uint) float64 {
	v, _ := new(big.Float).SetMode(big.ToZero).SetPrec(n).Set(x).Float64()
	return v
}

// multipleOf returns x rounded to a multiple of 2^e.
func multipleOf(x *big.Float, e int) float64 {
	y := fresh().SetMantExp(x, -e)
	y.Add(y, real(math.Copysign(0.5, float64(y.Sign()))))
	i, _ := y.Int(nil)
	v, _ := fresh().SetMantExp(fresh().SetInt(i), e).Float64()
	return v
}

// exp writes the tables of e^x, 2^x and 10^x.
func exp(f *file) {
	const steps = 1 << expBits
	ln2, ln10 := Ln2(), Log(real(10))
	f.printf(`
const (
expBits = %d
expSteps = 1 << expBits
`, expBits)
	// A step is ln 2/256 for e^x, log10(2)/256 for 10^x. Its first part has so
	// few bits that the product with any number of steps is exact.
	split := func(name, comment string, step *big.Float) {
		hi := truncateTo(step, 34)
		f.printf("\n// %s.\n%sInverse = %s\n%sHi = %s\n%sLo = %s\n", comment, name,
			float(quo(real(1), step)), name, hex(hi), name, float(sub(step, real(hi))))
	}
	split("expStep", "ln 2/256: its inverse, its first 34 bits, the rest", quo(ln2, real(steps)))
	split("exp10Step", "log10(2)/256, likewise", quo(quo(ln2, ln10), real(steps)))
	// For the product with an argument in parts.
	product := func(name, comment string, x *big.Float) {
		hi := roundTo(x, 26)
		f.printf("\n// %s: its first 26 bits and the rest.\n%sHi = %s\n%sLo = %s\n", comment, name,
			hex(hi), name, float(sub(x, real(hi))))
	}
	product("ln2", "ln 2", ln2)
	product("ln10", "ln 10", ln10)
	f.printf(")\n")

	rest := func(r *big.Float) *big.Float { return expRest(r, 3) }
	f.coefficients("expC", "e^r - 1 - r - r²/2 for |r| < 0x1.64p-10", []int{3, 4, 5, 6},
		interpolate(rest, []int{0, 1, 2, 3}, -0x1.64p-10, 0x1.64p-10))
	f.coefficients("expm1C", "e^x - 1 - x - x²/2 for |x| < 2^-5", []int{3, 4, 5, 6, 7, 8, 9, 10},
		interpolate(rest, []int{0, 1, 2, 3, 4, 5, 6, 7}, -0x1p-5, 0x1p-5))

	f.printf(`
// expTable holds 2^(i/256) as the sum of a number of 26 bits and one of 53.
var expTable = [expSteps]struct{ hi, lo float64 }{
`)
	for i := range steps {
		v := Exp(quo(mul(ln2, real(float64(i))), real(steps)))
		hi := roundTo(v, 26)
		f.printf("{%s, %s},\n", hex(hi), float(sub(v, real(hi))))
	}
	f.printf("}\n")
}

// expRest returns Σ x^(k-n)/k! over k ≥ n, by its series.
func expRest(x *big.Float, n int) *big.Float {
	c := real(1)
	for k := 2; k <= n; k++ {
		c = quo(c, real(float64(k)))
	}
	sum, term := fresh().Set(c), c
	for k := n + 1; ; k++ {
		term = quo(mul(term, x), real(float64(k)))
		if negligible(term, sum) {
			return sum
		}
		sum = add(sum, term)
	}
}
