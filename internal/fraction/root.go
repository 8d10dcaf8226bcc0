// Package fraction has what math/big lacks for fractions.
package fraction

import "math/big"

// precision is the least number of bits of a root.
const precision = 128

// Root returns a fraction that rounds as √r does, to any format of fewer than
// 128 bits: the first bits of √r, 128 or more, and one more bit that is set if
// they are not √r itself. It panics where r is negative.
func Root(r *big.Rat) *big.Rat {
	shift := uint(max(0, 2*precision+r.Denom().BitLen()-r.Num().BitLen()+1)) &^ 1
	x := new(big.Int).Lsh(r.Num(), shift)
	x, rest := x.QuoRem(x, r.Denom(), new(big.Int))
	s := new(big.Int).Sqrt(x)
	isExact := rest.Sign() == 0 && new(big.Int).Mul(s, s).Cmp(x) == 0
	s.Lsh(s, 1)
	if !isExact {
		s.SetBit(s, 0, 1)
	}
	return new(big.Rat).SetFrac(s, new(big.Int).Lsh(big.NewInt(1), shift/2+1))
}
