package main

import "math/bits"

// maxLine bounds the arguments of a line, the third argument of firstHit.
const maxLine = 1 << 28

// firstHit returns the least i < n with lo ≤ a + b·i ≤ hi, all modulo 2^64, for
// n ≤ maxLine. The interval may contain 0. It returns n if there is none.
//
// It is Euclid's algorithm. With l = lo-a and r = hi-a, the least x with
// b·x mod m in [l, r] follows from the least y with (-m)·y mod b in
// [l mod b, r mod b]: x is l + m·y over b, rounded up. b is at most half of m,
// as -b serves as well, for [m-r, m-l]. One division of a Euclid's step thus
// takes the place of a scan (LefevreMuller2001, section 3).
func firstHit(a, b, lo, hi, n uint64) uint64 {
	l, r := lo-a, hi-a
	if l == 0 || l > r { // 0 is in it
		return 0
	}
	var levels [64]struct{ m, b, l uint64 }
	m := uint64(0) // 2^64
	// All y are at least 1, as 0 < l, so that x is at least the product of the
	// quotients m/b, rounded down.
	least := uint64(1)
	for depth := 0; ; depth++ {
		if b == 0 {
			return n
		}
		if b > m-b {
			b, l, r = m-b, m-r, m-l
		}
		x, rest := l/b, l%b
		if rest != 0 {
			x, rest = x+1, b-rest // x·b is l + rest
		}
		if rest <= r-l {
			for depth--; depth >= 0 && x < n; depth-- {
				x = above(x, &levels[depth])
			}
			return min(x, n)
		}
		quotient := (m-b)/b + 1
		if least *= min(quotient, n); least >= n {
			return n
		}
		levels[depth] = struct{ m, b, l uint64 }{m, b, l}
		m, b, l, r = b, b-(m-b)%b, l%b, r%b
		if b == m {
			b = 0
		}
	}
}

// above returns l + m·y over b, rounded up; m = 0 is 2^64.
func above(y uint64, e *struct{ m, b, l uint64 }) uint64 {
	hi, lo := bits.Mul64(y, e.m)
	if e.m == 0 {
		hi = y
	}
	lo, carry := bits.Add64(lo, e.l, 0)
	x, rest := bits.Div64(hi+carry, lo, e.b)
	if rest != 0 {
		x++
	}
	return x
}
