package cli

import (
	"math"
	"math/big"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
)

// digitUnit is what the lowest digit of exact's vectors counts, as a power of two.
const digitUnit = -2148

// specials are the counts at the beginning of exact's vectors.
const specials = 5

// A fraction is an exact sum as it can be calculated with.
type fraction struct {
	special  float64  // NaN or an infinity, if not finite
	finite   bool     //
	count    *big.Int // summands
	multiple *big.Int // of 2^digitUnit
}

// fractionOf returns an exact sum as an integer.
func fractionOf(a *exact.Accumulator) fraction {
	v := a.AppendLimbs(nil)
	f := fraction{count: big.NewInt(v[0]), multiple: new(big.Int), finite: v[2]|v[3]|v[4] == 0}
	if !f.finite {
		f.special = a.Float64()
	}
	digits := v[specials:]
	for i := len(digits) - 1; i >= 0; i-- {
		f.multiple.Lsh(f.multiple, 32)
		f.multiple.Add(f.multiple, big.NewInt(digits[i]))
	}
	return f
}

// quotient returns num/den·2^e, rounded once to a format; NaN if den is not positive.
func quotient(num, den *big.Int, e int, f fp.Format) float64 {
	if den.Sign() <= 0 {
		return math.NaN()
	}
	num, den = new(big.Int).Set(num), new(big.Int).Set(den)
	if e > 0 {
		num.Lsh(num, uint(e))
	} else {
		den.Lsh(den, uint(-e))
	}
	r := new(big.Rat).SetFrac(num, den)
	if f == fp.Binary32 {
		x, _ := r.Float32()
		return float64(x)
	}
	x, _ := r.Float64()
	return x
}

// rootBits is how many bits of a root are computed at least: more than any format has.
const rootBits = 66

// root returns √(num/den·2^e), rounded once to a format; NaN if there is none.
func root(num, den *big.Int, e int, f fp.Format) float64 {
	if den.Sign() <= 0 || num.Sign() < 0 {
		return math.NaN()
	}
	if num.Sign() == 0 {
		return 0
	}
	shift := max(2*rootBits+den.BitLen()-num.BitLen(), 0)
	if (e-shift)&1 != 0 {
		shift++
	}
	q, rest := new(big.Int).QuoRem(new(big.Int).Lsh(num, uint(shift)), den, new(big.Int))
	r := new(big.Int).Sqrt(q)
	inexact := rest.Sign() != 0 || new(big.Int).Mul(r, r).Cmp(q) != 0
	// One more bit stands for all that follow, so that what is rounded next is on the
	// right side of every boundary.
	r.Lsh(r, 1)
	if inexact {
		r.SetBit(r, 0, 1)
	}
	return quotient(r, big.NewInt(1), (e-shift)/2-1, f)
}
