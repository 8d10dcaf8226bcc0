package main

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// For tiny x, gamma(x) is 1/x - γ + O(x). If m·k = 2^n ∓ 1, then the reciprocal
// of ±m·2^-n is ±k + 1/m, to first order. On a scale where γ is next to 1/m, it
// takes away most of the rest, and the result is next to k, a number of 53 or
// 54 bits. So the hardest arguments of gamma around 2^-104 are divisors of
// 2^n ∓ 1.

// The exponents n, and the exponents of the arguments.
const (
	leastPower, greatestPower = 96, 107
	leastTiny, greatestTiny   = -106, -94
)

// tryReciprocals tries such divisors on all scales.
func (p *plan) tryReciprocals() {
	other := &binade{}
	f := p.of(other)
	for n := uint(leastPower); n <= greatestPower; n++ {
		for _, sign := range []int64{1, -1} {
			power := new(big.Int).Lsh(big.NewInt(1), n)
			for _, m := range divisors(power.Sub(power, big.NewInt(sign))) {
				fraction, _ := math.Frexp(float64(int64(m) * sign))
				for e := leastTiny; e <= greatestTiny; e++ {
					if d, ok := f(math.Ldexp(fraction, e)); ok {
						other.keep(math.Ldexp(fraction, e), d)
					}
				}
			}
		}
	}
	p.binades = append(p.binades, other)
}

// divisors returns the divisors of n with at most 53 bits.
func divisors(n *big.Int) []uint64 {
	all := []uint64{1}
	for _, q := range factors(n) {
		if !q.IsUint64() {
			continue
		}
		for _, d := range all {
			if high, product := bits.Mul64(d, q.Uint64()); high == 0 && product>>53 == 0 {
				all = append(all, product)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// factors returns the prime factors of an odd n > 1, by Pollard's rho method.
func factors(n *big.Int) []*big.Int {
	if n.ProbablyPrime(0) {
		return []*big.Int{n}
	}
	for c := int64(1); ; c++ {
		if d := rho(n, big.NewInt(c)); d.Cmp(n) != 0 {
			return append(factors(d), factors(new(big.Int).Div(n, d))...)
		}
	}
}

// rho returns a factor of n, or n, by the cycle of x² + c modulo one of its
// prime factors.
func rho(n, c *big.Int) *big.Int {
	next := func(x *big.Int) { x.Mod(x.Add(x.Mul(x, x), c), n) }
	slow, fast, d := big.NewInt(2), big.NewInt(2), new(big.Int)
	for {
		next(slow)
		next(fast)
		next(fast)
		if d.GCD(nil, nil, n, d.Abs(d.Sub(slow, fast))).BitLen() > 1 {
			return d
		}
	}
}
