package main

import (
	"math/bits"

	"github.com/lastbit/lastbit/internal/mpfr"
)

// fixed is a number modulo 2^64 with 128 bits after the point. Results are
// counted in halves of an ulp.
type fixed struct{ whole, high, low uint64 }

// halves returns a result in halves of its ulp, truncated.
func halves(d mpfr.Digits) fixed {
	return fixed{d.M[0] >> 10, d.M[0]<<54 | d.M[1]>>10, d.M[1]<<54 | d.M[2]>>10}
}

func (a fixed) add(b fixed) (z fixed) {
	var carry uint64
	z.low, carry = bits.Add64(a.low, b.low, 0)
	z.high, carry = bits.Add64(a.high, b.high, carry)
	z.whole, _ = bits.Add64(a.whole, b.whole, carry)
	return z
}

func (a fixed) sub(b fixed) (z fixed) {
	var borrow uint64
	z.low, borrow = bits.Sub64(a.low, b.low, 0)
	z.high, borrow = bits.Sub64(a.high, b.high, borrow)
	z.whole, _ = bits.Sub64(a.whole, b.whole, borrow)
	return z
}

// times returns n·a.
func (a fixed) times(n uint64) (z fixed) {
	high, low := bits.Mul64(a.low, n)
	z.low = low
	carry, middle := bits.Mul64(a.high, n)
	var c uint64
	z.high, c = bits.Add64(middle, high, 0)
	z.whole = a.whole*n + carry + c
	return z
}

// part returns the bits after the point of a/2^n, for 0 < n < 64, truncated to
// multiples of 2^-64.
func (a fixed) part(n int) uint64 { return a.high>>n | a.whole<<(64-n) }

// float returns a as a number of either sign in units of 2^-64, rounded.
func (a fixed) float() float64 {
	return float64(float64(int64(a.whole))*0x1p64) + float64(a.high)
}
