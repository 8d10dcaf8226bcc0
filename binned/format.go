package binned

import (
	"fmt"
	"math"
	"math/bits"
)

// Float is the formats that can be summed: binary32 and binary64.
type Float interface{ float32 | float64 }

// MaxLevels bounds the number of levels (folds) k. More could not matter: fewer
// levels reach from the largest extractor to the last bit of the smallest
// subnormal number.
const MaxLevels = 2200

// MaxCount returns the largest n of every algorithm but OneReduction: 2^49 for
// float64, 2^20 for float32. Up to there n·ε ≤ 1/8, the assumption of Lemma 1
// of Arteaga2014, and the extractors of each algorithm fall from level to
// level.
func MaxCount[T Float]() int64 {
	return 1 << (formatOf[T]().p - 4)
}

// format holds the parameters of T. The unit roundoff is u = 2^−p; the papers'
// machine epsilon is ε = 2^(1−p).
type format struct {
	p    int // bits of the significand
	emax int // exponent of the largest number: it is below 2^(emax+1)
	emin int // the smallest subnormal number is 2^emin
}

func formatOf[T Float]() format {
	switch any(T(0)).(type) {
	case float32:
		return format{p: 24, emax: 127, emin: -149}
	default:
		return format{p: 53, emax: 1023, emin: -1074}
	}
}

// checkLevels returns an error unless 1 ≤ k ≤ MaxLevels.
func checkLevels(k int) error {
	if k < 1 || k > MaxLevels {
		return fmt.Errorf("binned: %d levels: take at least 1 and at most %d", k, MaxLevels)
	}
	return nil
}

// checkCount returns an error unless 0 ≤ n ≤ MaxCount.
func checkCount[T Float](n int64) error {
	if n < 0 || n > MaxCount[T]() {
		return fmt.Errorf("binned: n = %d: %T can be summed up to n = %d by this algorithm; use "+
			"OneReduction or package exact", n, T(0), MaxCount[T]())
	}
	return nil
}

// extractorExponent returns the smallest j with 2^j·(1 − c·n·u) ≥ n·x, which is
// ⌈log2(n·x / (1 − c·n·u))⌉, in integer arithmetic: the bits of a rounded
// logarithm would depend on the library that computes it. n and the finite x
// are positive, and c·n·u ≤ 1/2.
func extractorExponent[T Float](n int64, x T, c int64) int {
	f := formatOf[T]()
	fr, e := math.Frexp(float64(x))
	//lastbit:ignore floatconv the significand is below 2^53
	hi, lo := bits.Mul64(uint64(n), uint64(math.Ldexp(fr, f.p))) // n·x = (hi, lo)·2^(e−p)
	d := uint64(1)<<f.p - uint64(c*n)                            // 1 − c·n·u = d·2^−p
	// 2^j·d·2^−p ≥ (hi, lo)·2^(e−p) ⇔ (hi, lo) ≤ d·2^(j−e).
	s := bits.Len64(lo) - bits.Len64(d) // j − e, or one less; both have p bits at least
	if hi != 0 {
		s = 64 + bits.Len64(hi) - bits.Len64(d)
	}
	if dhi := d >> (64 - s); hi > dhi || hi == dhi && lo > d<<s { // s < 64, for n < 2^50
		s++
	}
	return e + s
}

// ceilLog2 returns ⌈log2 x⌉ of a finite x > 0.
func ceilLog2[T Float](x T) int {
	fr, e := math.Frexp(float64(x))
	if fr == 0.5 {
		return e - 1
	}
	return e
}

// ldexp returns m·2^e. Its callers allow for underflow to 0.
func ldexp[T Float](m T, e int) T { return T(math.Ldexp(float64(m), e)) }
