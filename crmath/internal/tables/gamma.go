package tables

import "math/big"

// stirlingLast is the number of terms of Stirling's series in the table.
const stirlingLast = 88

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
