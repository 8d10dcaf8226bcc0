package tables

import "math/big"

const (
	// stirlingLast is the number of terms of Stirling's series in the table.
	stirlingLast = 88

	// From gammaShift on, Stirling's series with as many terms has an error
	// below 2^-570.
	gammaShift = 100

	// The tables of gamma functions end at gammaLast. From there on, Stirling's
	// series has a polynomial. Around 1 and 2, from lgammaNear on, the table of
	// ln Γ(x) is one of its quotient by its zeros, and below it is one of
	// ln Γ(1+x)/x.
	gammaLast  = 8
	lgammaNear = 0.875
)

// Stirling returns the first n coefficients B(2k)/(2k·(2k-1)) of Stirling's
// series of ln Γ(x) in 1/x^(2k-1), k from 1, exactly.
func Stirling(n int) []*big.Rat {
	b := bernoulli(2 * n)
	c := make([]*big.Rat, n)
	for i := range c {
		k := int64(i + 1)
		c[i] = new(big.Rat).Quo(b[2*k], big.NewRat(2*k*(2*k-1), 1))
	}
	return c
}

// bernoulli returns Bernoulli's numbers up to B(n), by their recurrence
// Σ C(m+1, i)·B(i) = 0 for i from 0 to m.
func bernoulli(n int) []*big.Rat {
	b := make([]*big.Rat, n+1)
	for m := range b {
		s := new(big.Rat)
		if m == 0 {
			s.SetInt64(-1)
		}
		for i := range m {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(int64(m+1), int64(i)))
			s.Add(s, c.Mul(c, b[i]))
		}
		b[m] = s.Quo(s, big.NewRat(-int64(m+1), 1))
	}
	return b
}

// stirling writes the table of Stirling's series.
func stirling(f *file) {
	f.printf("\n// stirling holds the coefficients B(2k)/(2k·(2k-1)), k from 1.\n")
	f.printf("var stirling = [%d]Float{\n", stirlingLast)
	for _, c := range Stirling(stirlingLast) {
		f.wideValue(fresh().SetRat(c))
		f.printf(",\n")
	}
	f.printf("}\n")
}

// gamma writes the tables of gamma functions.
func gamma(f *file) {
	const one = 1 << expansionBits
	series := newGammaSeries()
	f.printf(`
const (
gammaLast = %v
lgammaNear = %v

// lgammaFirst is the step of lgammaNear.
lgammaFirst = %v
)
`, float64(gammaLast), lgammaNear, lgammaNear*one)
	f.printf("\n// ln(2π)/2, 1/12, π and ln π: the first bits, 53 or 26, and the rest.\nconst (\n")
	for _, c := range []struct {
		name string
		x    *big.Float
		bits uint
	}{{"stirlingHalf", series.half, 53}, {"stirlingFirst", quo(real(1), real(12)), 26},
		{"pi", Pi(), 53}, {"lnPi", Log(Pi()), 53}} {
		hi := roundTo(c.x, c.bits)
		f.printf("%sHi = %s\n%sLo = %s\n", c.name, hex(hi), c.name, float(sub(c.x, real(hi))))
	}
	f.printf(")\n")
	f.polynomial(approximation{name: "stirlingC", first: 3, step: 2, n: 10, b: 1.0 / 64,
		comment: "(x·(ln Γ(x) - (x-1/2)·ln x + x - ln(2π)/2) - 1/12)·x² in 1/x², for x ≥ 8",
		f:       series.stirlingRest})

	f.evenSteps("gammaTable", "gammaTable is for Γ(x), row i for 1 + i/128", one, gammaLast*one,
		1024, func(c float64, n int) []*big.Float { return series.gamma(c, n) })
	f.evenSteps("lgammaTable",
		"lgammaTable is for ln Γ(x)/((x-1)·(x-2)), row i for lgammaNear + i/128",
		lgammaNear*one, gammaLast*one, 1024,
		func(c float64, n int) []*big.Float { return series.quotient(c, n) })
	f.evenSteps("lgamma1pTable", "lgamma1pTable is for ln Γ(1+x)/x, row i for i/128", 0,
		lgammaNear*one, 128,
		func(c float64, n int) []*big.Float { return series.quotient1p(c, n) })
}

// stirlingRest returns (x·μ - 1/12)·x² with u = 1/x², where μ is the sum of
// Stirling's series: of its terms where they suffice, or by the difference of
// ln Γ(x) and the other terms.
func (s *gammaSeries) stirlingRest(u *big.Float) *big.Float {
	x := quo(real(1), fresh().Sqrt(u))
	if x.Cmp(real(gammaShift)) >= 0 {
		sum := real(0)
		for k := len(s.terms) - 1; k > 0; k-- {
			sum = add(mul(sum, u), s.terms[k])
		}
		return sum
	}
	mu := sub(s.at(x, 1)[0], s.stirlingMain(x, 1)[0])
	return quo(sub(mul(mu, x), quo(real(1), real(12))), u)
}

// stirlingMain returns the first n coefficients of the Taylor series of
// (x-1/2)·ln x - x + ln(2π)/2 around x.
func (s *gammaSeries) stirlingMain(x *big.Float, n int) []*big.Float {
	l := logSeriesAt(x, n)
	a := make([]*big.Float, n)
	factor := sub(x, real(0.5))
	for k := range a {
		a[k] = mul(factor, l[k])
		if k > 0 {
			a[k] = add(a[k], l[k-1])
		}
	}
	a[0] = add(sub(a[0], x), s.half)
	if n > 1 {
		a[1] = sub(a[1], real(1))
	}
	return a
}

// logSeriesAt returns the first n coefficients of the Taylor series of ln x
// around x.
func logSeriesAt(x *big.Float, n int) []*big.Float {
	a := []*big.Float{Log(x)}
	power := real(-1)
	for k := 1; k < n; k++ {
		power = quo(power, fresh().Neg(x))
		a = append(a, quo(power, real(float64(k))))
	}
	return a
}

// gammaSeries computes Taylor series of gamma functions. It keeps those that
// others begin with.
type gammaSeries struct {
	half         *big.Float // ln(2π)/2
	terms        []*big.Float
	values, logs map[float64][]*big.Float // of Γ(x) and ln Γ(x), keptTerms of each
}

// keptTerms is the number of terms of series that others begin with. Divisions
// lose two.
const keptTerms = expansionTerms + 2

func newGammaSeries() *gammaSeries {
	s := &gammaSeries{half: quo(add(Ln2(), Log(Pi())), real(2)),
		values: make(map[float64][]*big.Float), logs: make(map[float64][]*big.Float)}
	for _, c := range Stirling(stirlingLast) {
		s.terms = append(s.terms, fresh().SetRat(c))
	}
	return s
}

// at returns the first n coefficients of the Taylor series of ln Γ(x) around x
// > 0: the coefficients around x+i, by Stirling's series, less the coefficients
// of ln x, ln(x+1) … ln(x+i-1).
func (s *gammaSeries) at(x *big.Float, n int) []*big.Float {
	product, powers := real(1), make([]*big.Float, n) // Σ (-1/(x+i))^k
	for k := range powers {
		powers[k] = real(0)
	}
	z := fresh().Set(x)
	for z.Cmp(real(gammaShift)) < 0 {
		product = mul(product, z)
		inverse, power := quo(real(-1), z), real(1)
		for k := 1; k < n; k++ {
			power = mul(power, inverse)
			powers[k] = add(powers[k], power)
		}
		z = add(z, real(1))
	}
	a := s.stirlingMain(z, n)
	inverse := quo(real(1), z)
	square, power := mul(inverse, inverse), inverse
	for j, c := range s.terms {
		term := mul(c, power)
		for k := range n {
			a[k] = add(a[k], term)
			term = quo(mul(term, mul(inverse, real(-float64(2*j+1+k)))), real(float64(k+1)))
		}
		power = mul(power, square)
	}
	a[0] = sub(a[0], Log(product))
	for k := 1; k < n; k++ {
		a[k] = add(a[k], quo(powers[k], real(float64(k))))
	}
	return a
}

// lgamma returns keptTerms coefficients of the Taylor series of ln Γ(x) around
// c ≥ 1, above 2 by its recurrence.
func (s *gammaSeries) lgamma(c float64) []*big.Float {
	if s.logs[c] != nil {
		return s.logs[c]
	}
	var a []*big.Float
	if c > 2 {
		a = logSeriesAt(real(c-1), keptTerms)
		for k, v := range s.lgamma(c - 1) {
			a[k] = add(a[k], v)
		}
	} else {
		a = s.at(real(c), keptTerms)
	}
	if c == 1 || c == 2 {
		a[0] = real(0)
	}
	s.logs[c] = a //lastbit:ignore nankey centres of intervals are numbers
	return a
}

// gamma returns the first n coefficients of the Taylor series of Γ(x) around
// c ≥ 1, by Γ' = (ln Γ)'·Γ in [1, 2], and above by its recurrence.
func (s *gammaSeries) gamma(c float64, n int) []*big.Float {
	if s.values[c] != nil {
		return s.values[c][:n]
	}
	var a []*big.Float
	if c > 2 {
		below := s.gamma(c-1, keptTerms)
		for k := range below {
			a = append(a, mul(below[k], real(c-1)))
			if k > 0 {
				a[k] = add(a[k], below[k-1])
			}
		}
	} else {
		l := s.lgamma(c)
		a = append(a, Exp(l[0]))
		for k := 1; k < keptTerms; k++ {
			sum := real(0)
			for j := 1; j <= k; j++ {
				sum = add(sum, mul(mul(real(float64(j)), l[j]), a[k-j]))
			}
			a = append(a, quo(sum, real(float64(k))))
		}
	}
	s.values[c] = a //lastbit:ignore nankey centres of intervals are numbers
	return a[:n]
}

// lgammaFrom0 is lgamma for c > 0.
func (s *gammaSeries) lgammaFrom0(c float64) []*big.Float {
	if c >= 1 {
		return s.lgamma(c)
	}
	a := logSeriesAt(real(c), keptTerms)
	for k, v := range s.lgamma(c + 1) {
		a[k] = sub(v, a[k])
	}
	return a
}

// quotient returns the first n coefficients of the Taylor series of
// ln Γ(x)/((x-1)·(x-2)) around c. A division by x-1, next to 1 but not at it,
// makes errors 2^expansionBits times as large with each coefficient: by less
// than 2^240 in all.
func (s *gammaSeries) quotient(c float64, n int) []*big.Float {
	return divideBy(divideBy(s.lgammaFrom0(c), c-1), c-2)[:n]
}

// quotient1p returns the first n coefficients of the Taylor series of
// ln Γ(1+x)/x around c ≥ 0, likewise.
func (s *gammaSeries) quotient1p(c float64, n int) []*big.Float {
	return divideBy(s.lgamma(1+c), c)[:n]
}

// divideBy divides a series in h by d + h. Where d is 0, the first coefficient
// is 0, and one is lost.
func divideBy(a []*big.Float, d float64) []*big.Float {
	if d == 0 {
		return a[1:]
	}
	q := make([]*big.Float, len(a))
	for k := range q {
		q[k] = a[k]
		if k > 0 {
			q[k] = sub(q[k], q[k-1])
		}
		q[k] = quo(q[k], real(d))
	}
	return q
}

// GammaSeries returns functions of c and n that return the first n coefficients
// of Taylor series around c: of Γ(x) for c ≥ 1, of ln Γ(x)/((x-1)·(x-2)) for
// c > 0, and of ln Γ(1+x)/x for c ≥ 0.
func GammaSeries() (gamma, quotient, quotient1p func(c float64, n int) []*big.Float) {
	s := newGammaSeries()
	return s.gamma, s.quotient, s.quotient1p
}

// StirlingRest returns the function that the polynomial of Stirling's series
// approximates.
func StirlingRest() func(u *big.Float) *big.Float { return newGammaSeries().stirlingRest }
