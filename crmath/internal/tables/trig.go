package tables

import "math/big"

// trigBits is the logarithm of the number of steps in a turn.
const trigBits = 9

// TrigReduced bounds the argument that is left: half a step, π/2^trigBits, and
// a little, as the integer next to a large quotient is found by rounded
// arithmetic. Polynomials are for trigNear, nearly all.
const (
	TrigReduced = 0x1.9224p-8
	trigNear    = 0x1.922p-8
)

// twoOverPiWords is the number of words of 2/π: 971 bits for the largest
// exponent, 62 for the offset of a window, 18 words for the longest window and
// one for its shift.
const twoOverPiWords = (971+62)/64 + 18

// trig writes the tables of sine, cosine and tangent.
func trig(f *file) {
	const steps = 1 << trigBits
	step := quo(mul(real(2), Pi()), real(steps))
	hi, head := truncateTo(step, 34), roundTo(step, 26)
	tail := sub(step, real(head))
	f.printf(`
const (
trigBits = %d
trigSteps = 1 << trigBits

// A step is π/256: its inverse, its first 34 bits, the rest.
trigStepInverse = %s
trigStepHi = %s
trigStepLo = %s

// The same step: its first 26 bits and the rest.
trigStepHead = %s
trigStepTail = %s

// The same step: thrice 17 bits, and the rest.
`, trigBits, float(quo(real(1), step)), hex(hi), float(sub(step, real(hi))), hex(head), float(tail))
	rest := step
	for i := 1; i < 4; i++ {
		part := multipleOf(rest, -6-17*i) // a step is below 2^-6
		f.printf("trigStep%d = %s\n", i, hex(part))
		rest = sub(rest, real(part))
	}
	f.printf("trigStep4 = %s\n", float(rest))
	inverse := quo(real(1), Pi())
	hi = roundTo(inverse, 26)
	f.printf("\n// 1/π: rounded, and its first 26 bits and the rest.\n"+
		"invPi = %s\ninvPiHi = %s\ninvPiLo = %s\n)\n",
		float(inverse), hex(hi), float(sub(inverse, real(hi))))

	f.coefficients("sinC", "sin r - r for |r| ≤ π/512", []int{3, 5, 7},
		interpolate(func(r *big.Float) *big.Float {
			s, _ := SinCos(r)
			return sub(s, r)
		}, []int{3, 5, 7}, 0, trigNear))
	f.coefficients("cosC", "cos r - 1 for |r| ≤ π/512", []int{2, 4, 6},
		interpolate(func(r *big.Float) *big.Float {
			_, c := SinCos(r)
			return sub(c, real(1))
		}, []int{2, 4, 6}, 0, trigNear))

	f.printf(`
// sinTable holds sin(i·π/256) as the sum of a number of 26 bits and one of 53.
// The sine of i + 128 steps is the cosine of i.
var sinTable = [trigSteps]struct{ hi, lo float64 }{
`)
	quarter := make([]*big.Float, steps/4+1)
	for i := range quarter {
		quarter[i], _ = SinCos(mul(step, real(float64(i))))
	}
	quarter[0], quarter[steps/4] = real(0), real(1)
	for i := range steps {
		j := i % (steps / 2)
		if j > steps/4 {
			j = steps/2 - j
		}
		v := quarter[j]
		if i > steps/2 {
			v = fresh().Neg(v)
		}
		hi := roundTo(v, 26)
		f.printf("{%s, %s},\n", hex(hi), float(sub(v, real(hi))))
	}
	f.printf("}\n")

	tan(f, step)

	const last = (971+62)/8 + 16 // for the largest exponent, the third word
	words := append([]uint64{0}, twoOverPi(twoOverPiWords)...)
	at := make([]uint64, last+1)
	for i := range at {
		w, s := i/8, 8*(i%8)
		at[i] = words[w]<<s | words[w+1]>>(64-s)
	}
	f.words("twoOverPiBytes", "has the words of wide's twoOverPi that begin at each of its bytes",
		at)
}

// TanReduced bounds the argument that is left for tangents: TrigReduced and
// 2^-21.
const TanReduced = 0x1.923p-8

// tan writes the tangents of the steps of half a turn.
func tan(f *file, step *big.Float) {
	// Of Chebyshev's six nodes of [-a, a] the positive ones suit an even
	// function.
	f.coefficients("tanC", "tan r - r for |r| < 0x1.923p-8", []int{3, 5, 7},
		interpolateAt(func(r *big.Float) *big.Float {
			s, c := SinCos(r)
			return quo(sub(quo(s, c), r), power(r, 3))
		}, []int{0, 2, 4}, chebyshev(6, -TanReduced, TanReduced)[:3]))
	const steps = 1 << (trigBits - 1)
	half := quo(Pi(), real(2))
	f.printf(`
// tanTable holds for each step a tangent sin/cos near that of i·π/256, a
// quotient of multiples of 2^-20, one of them 1; the excess of its angle; and a
// bound of the error of subtracting that.
var tanTable = [trigSteps/2]struct{ sin, cos, more, err float64 }{
`)
	for i := range steps {
		angle := mul(step, real(float64(i)))
		s, c := SinCos(angle)
		row, more := [2]float64{0, 1}, real(0)
		err := 0.0
		switch {
		case i == 0:
		case i == steps/2:
			row = [2]float64{1, 0}
		case i > steps/4 && i < 3*steps/4:
			row = [2]float64{1, multipleOf(quo(c, s), -20)}
			more, err = sub(sub(half, Atan(real(row[1]))), angle), 0x1p-72
		default:
			row = [2]float64{multipleOf(quo(s, c), -20), 1}
			more, err = sub(Atan(real(row[0])), angle), 0x1p-72
			if i > steps/2 {
				more = add(more, Pi())
			}
		}
		f.printf("{%s, %s, %s, %s},\n", hex(row[0]), hex(row[1]), float(more), hex(err))
	}
	f.printf("}\n")
}

// twoOverPi returns the first words of the fraction 2/π, with π by Machin's
// formula as in Pi, in integers.
func twoOverPi(words int) []uint64 {
	const guard = 64
	bits := uint(64*words + guard)
	one := new(big.Int).Lsh(big.NewInt(1), bits)
	// arctan(1/k) = Σ ±1/((2i+1)·k^(2i+1)), each term truncated.
	arctan := func(k int64) *big.Int {
		sum, power := new(big.Int), new(big.Int).Quo(one, big.NewInt(k))
		for i := int64(0); power.Sign() != 0; i++ {
			term := new(big.Int).Quo(power, big.NewInt(2*i+1))
			if i%2 == 0 {
				sum.Add(sum, term)
			} else {
				sum.Sub(sum, term)
			}
			power.Quo(power, big.NewInt(k*k))
		}
		return sum
	}
	pi := new(big.Int).Mul(arctan(5), big.NewInt(16))
	pi.Sub(pi, new(big.Int).Mul(arctan(239), big.NewInt(4)))
	q := new(big.Int).Lsh(one, bits+1)
	q.Quo(q, pi).Rsh(q, guard)
	w := make([]uint64, words)
	for i := range w {
		w[words-1-i] = new(big.Int).And(new(big.Int).Rsh(q, uint(64*i)),
			new(big.Int).SetUint64(1<<64-1)).Uint64()
	}
	return w
}

// SinSeries and CosSeries return the first n coefficients of the Taylor series
// of sin x and cos x.
func SinSeries(n int) []*big.Float { return alternating(n, 1) }
func CosSeries(n int) []*big.Float { return alternating(n, 0) }

// TanSeries returns the first n coefficients of the Taylor series of tan x, by
// tan' x = 1 + tan² x.
func TanSeries(n int) []*big.Float {
	c := []*big.Float{real(0)}
	for k := 1; k < n; k++ {
		sum := real(0)
		if k == 1 {
			sum = real(1)
		}
		for i := range k {
			sum = add(sum, mul(c[i], c[k-1-i]))
		}
		c = append(c, quo(sum, real(float64(k))))
	}
	return c
}

// alternating keeps every other coefficient of e^x, with changing signs.
func alternating(n, first int) []*big.Float {
	c := ExpSeries(n)
	for k := range c {
		switch (k - first + 4) % 4 {
		case 1, 3:
			c[k] = real(0)
		case 2:
			c[k].Neg(c[k])
		}
	}
	return c
}

// TwoOverPi returns 2/π, truncated to the precision of the table.
func TwoOverPi() *big.Rat {
	n := new(big.Int)
	for _, w := range twoOverPi(twoOverPiWords) {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(w))
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), 64*twoOverPiWords))
}
