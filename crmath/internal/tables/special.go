package tables

import (
	"math"
	"math/big"
)

const (
	// The series of erf x in two words has shortErfTerms terms in 4x², and
	// Stirling's series has shortStirlingTerms in 2^shortStirlingBits/x².
	shortErfTerms      = 24
	shortStirlingTerms = 25
	shortStirlingBits  = 7

	// The table of e^x²·erfc x in two words has 2^shortErfcBits rows for each
	// octave, from 1/2 to erfcEnd, of shortErfcTerms coefficients.
	shortErfcBits  = 3
	shortErfcTerms = 26
)

// wideSpecial writes the tables in two words of error and gamma functions.
func wideSpecial(f *file) {
	var c []*big.Float // 1/(4^k·k!·(2k+1))
	for k, v := range ExpSeries(shortErfTerms) {
		c = append(c, fresh().SetMantExp(quo(v, real(float64(2*k+1))), -2*k))
	}
	f.alternating("shortErf", "holds 1/(4^k·k!·(2k+1)), less 2^-128 where that is 1", c)
	c = nil
	for k, v := range Stirling(shortStirlingTerms) {
		v := fresh().SetRat(v)
		c = append(c, fresh().SetMantExp(v.Abs(v), -shortStirlingBits*k))
	}
	f.alternating("shortStirling", "holds 2^(-7·k)·|B(2k+2)|/((2k+2)·(2k+1))", c)
	f.printf("\nconst shortStirlingBits = %d\n\nvar (\nshortErfSlope = ", shortStirlingBits)
	f.short(erfSlope())
	f.printf(" // 2/√π\nshortStirlingHalf = ")
	f.short(quo(add(Ln2(), Log(Pi())), real(2)))
	f.printf(" // ln(2π)/2\n)\n")
	shortErfc(f)
}

// shortErfc writes the table of e^x²·erfc x in two words.
func shortErfc(f *file) {
	scaled, nodes := erfcScaled(), chebyshev(shortErfcTerms, 0, 1)
	var powers []int
	for k := range shortErfcTerms {
		powers = append(powers, k)
	}
	const bits = 52 - shortErfcBits
	first := math.Float64bits(0.5) >> bits
	var rows [][]*big.Float
	for i := first; i <= math.Float64bits(erfcEnd)>>bits; i++ {
		from, to := math.Float64frombits(i<<bits), math.Float64frombits((i+1)<<bits)
		octave := max(0, math.Ilogb(from))
		c := interpolateAt(func(a *big.Float) *big.Float {
			x := add(real(from), mul(a, real(to-from)))
			return fresh().SetMantExp(scaled(x), octave)
		}, powers, nodes)
		rows = append(rows, c)
	}
	long := 0
	for _, c := range rows {
		long = max(long, longTerms(c))
	}
	f.printf("\nconst (\nshortErfcBits = %d\nshortErfcFirst = %#x\nshortErfcLong = %d\n)\n",
		shortErfcBits, first, long)
	f.printf(`
// shortErfc holds coefficients of e^x²·erfc x times 2^i, for x ≥ 2^i, i ≥ 0: of
// odd powers less than 0. Those from shortErfcLong on have one word.
var shortErfc = [%d][%d]fixed{
`, len(rows), shortErfcTerms)
	for _, c := range rows {
		f.printf("{\n")
		for k, v := range c {
			if k%2 != 0 {
				v = neg(v)
			}
			f.fixed(v, k%2 != 0 || k == len(c)-1)
		}
		f.printf("},\n")
	}
	f.printf("}\n")
}

// alternating writes the absolute values of coefficients, and the number of
// those that have two words.
func (f *file) alternating(name, comment string, c []*big.Float) {
	f.printf("\n// %s %s. Those from %sLong on have one\n// word.\n", name, comment, name)
	f.printf("var %s = [%d]fixed{\n", name, len(c))
	for k, v := range c {
		f.fixed(v, k%2 != 0 || k == len(c)-1)
	}
	f.printf("}\n\nconst %sLong = %d\n", name, longTerms(c))
}

// longTerms returns the number of coefficients up to the last one that is at
// least 2^-64. It panics where their absolute values do not fall.
func longTerms(c []*big.Float) int {
	n := 0
	for k, v := range c {
		v = fresh().Abs(v)
		if k > 0 && v.Cmp(fresh().Abs(c[k-1])) >= 0 {
			panic("tables: coefficients that do not fall")
		}
		if v.Cmp(real(0x1p-64)) >= 0 {
			n = k + 1
		}
	}
	return n
}

// fixed writes x, 0 ≤ x ≤ 1, as an element of type fixed. It panics for
// another.
func (f *file) fixed(x *big.Float, last bool) {
	if x.Sign() < 0 || x.Cmp(real(1)) > 0 {
		panic("tables: a coefficient is not between 0 and 1")
	}
	hi, lo := words2(x)
	if x.Cmp(real(1)) == 0 {
		hi, lo = math.MaxUint64, math.MaxUint64
	}
	f.printf("{%#016x, %#016x},", hi, lo)
	if last {
		f.printf("\n")
	} else {
		f.printf(" ")
	}
}
