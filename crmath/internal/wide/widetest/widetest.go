// Package widetest compares numbers of package wide with numbers of package
// big.
package widetest

import (
	"math"
	"math/big"

	"github.com/lastbit/lastbit/crmath/internal/wide"
)

// Big returns x, in n words.
func Big(x *wide.Float, n int) *big.Float {
	i := new(big.Int)
	for _, w := range x.M[:n] {
		i.Or(i.Lsh(i, 64), new(big.Int).SetUint64(w))
	}
	z := new(big.Float).SetPrec(uint(64 * n)).SetInt(i)
	z.SetMantExp(z, x.Exp-64*n)
	if x.Neg {
		z.Neg(z)
	}
	return z
}

// RelativeError returns the exponent of |got-want|/|want|, rounded up to a
// power of two.
func RelativeError(got, want *big.Float) int {
	d := new(big.Float).SetPrec(3000).Sub(got, want)
	if d.Sign() == 0 {
		return math.MinInt
	}
	q := new(big.Float).SetPrec(64).SetMode(big.ToPositiveInf)
	return q.Quo(d.Abs(d), new(big.Float).Abs(want)).MantExp(nil)
}

// KernelError returns RelativeError of a kernel at precision n, by its value
// at the longest precision.
func KernelError(n, longest int, set func(z *wide.Float, n int)) int {
	var y, z wide.Float
	set(&y, n)
	set(&z, longest)
	return RelativeError(Big(&y, n+1), Big(&z, longest+1))
}
