package exact

import (
	"math/big"
	"strconv"
	"strings"
)

// Counts holds the numbers of summands of an Accumulator. After Sub each may be
// negative.
type Counts struct {
	All     int64 // every summand
	NegZero int64 // summands that are −0
	NaN     int64 // summands that are NaN
	PosInf  int64 // summands that are +Inf
	NegInf  int64 // summands that are −Inf
}

// Counts returns the numbers of summands.
func (a *Accumulator) Counts() Counts {
	c := a.counts()
	return Counts{All: c.all, NegZero: c.negZero, NaN: c.nan, PosInf: c.posInf, NegInf: c.negInf}
}

// Sign returns −1, 0 or 1, the sign of the sum of the finite summands.
func (a *Accumulator) Sign() int {
	negative, hi, _, _, _ := a.leading()
	switch {
	case hi == 0:
		return 0
	case negative:
		return -1
	}
	return 1
}

// Decimal returns the sum in decimal, unrounded, with every digit: 0.1 is
// 0.1000000000000000055511151231257827021181583404541015625. There are at most
// 2,830 digits, without an exponent, and none is a trailing zero behind the
// point. A sum that is not finite is NaN, +Inf or -Inf, and a sum of −0 only
// is -0.
func (a *Accumulator) Decimal() string {
	z, c := a.products(), a.counts()
	if s, ok := c.value(); ok || z.Sign() == 0 {
		if !ok {
			s = c.zeroSum()
		}
		return strconv.FormatFloat(s, 'g', -1, 64)
	}
	sign := ""
	if z.Sign() < 0 {
		sign = "-"
		z.Neg(z)
	}
	// z·2^unit = m/2^places = m·5^places / 10^places, with an odd m.
	zeros := min(int(z.TrailingZeroBits()), -unit)
	places := -unit - zeros
	m := z.Rsh(z, uint(zeros))
	m.Mul(m, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(places)), nil))
	digits := m.String()
	if places == 0 {
		return sign + digits
	}
	if missing := places + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - places
	return sign + digits[:point] + "." + digits[point:]
}
