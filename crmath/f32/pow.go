package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// Pow returns x^y, correctly rounded.
//
// Special cases: as in crmath.Pow and math.Pow. Results from 2^128 on, after
// rounding, are ±Inf; those below 2^-126 are subnormal, or ±0, and rounded
// once.
//
// The error, for |y·log2 x| < 160:
//
//	y·log2 x   2^-51.2: log2 has 2^-58.5 of itself
//	           2^-53.7: twice y times its second part, below 0.63
//	2^f - 1    2^-60 and 2^-8·u, times ln 2 for f's own errors
//	the rest   2·u, for the table and the last sum
//
// Together that is 2^-50.2. Where it does not decide, exact midpoints are
// detected, and float64's Pow, rounded to odd, decides the rest, in some 4 µs.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
//
//go:nosplit
func Pow(x, y float32) float32 { return fastPow(x, y) }

// pow is Pow without fused operations.
func pow(x, y float32) float32 {
	a, b := math.Abs(widenMost(x)), widenMost(y)
	if a < 0x1p-126 {
		a = math.Abs(widenSubnormal(x))
	}
	if math.Abs(b) < 0x1p-126 {
		b = widenSubnormal(y)
	}
	if !(0 < a && a <= math.MaxFloat32 && 0 < math.Abs(b) && math.Abs(b) <= math.MaxFloat32) {
		//lastbit:ignore libm special cases alone, which are exact
		return float32(math.Pow(float64(x), float64(y)))
	}
	sign := uint32(0)
	if x < 0 {
		switch whole := math.Trunc(b); {
		case whole != b:
			return float32(math.NaN())
		case math.Abs(b) < 1<<24 && int32(whole)&1 != 0: //lastbit:ignore floatconv below 2^24
			sign = 1 << 31
		}
	}
	hi, lo := log2Parts(a)
	// h has 29 bits: the product with b is exact.
	h := math.Float64frombits(math.Float64bits(hi) &^ (1<<24 - 1))
	zh, zl := float64(b*h), float64(b*((hi-h)+lo))
	z := zh + zl
	if !(math.Abs(z) < 160) {
		return math.Float32frombits(math.Float32bits(expRare(float32(z))) | sign)
	}
	shifted := float64(z*expSteps) + expShift
	f := (zh - float64((shifted-expShift)*(1.0/expSteps))) + zl
	f2 := float64(f * f)
	p := float64(f*exp2C1) +
		float64(f2*((exp2C2+float64(f*exp2C3))+float64(f2*(exp2C4+float64(f*exp2C5)))))
	t := pow2(math.Float64bits(shifted))
	r := t + float64(t*p)
	result := float32(r)
	if unsure(r) || r < 0x1p-126 {
		result = powNear(a, b, r)
	}
	return math.Float32frombits(math.Float32bits(result) | sign)
}

// log2Parts returns hi + lo ≈ log2 v for a positive normal v of 24 bits, |lo| <
// 2^-8·|hi|.
//
// With v = 2^k·m, m·c = 1 + r exactly and r1 = r to 24 bits, the first sum is
// exact:
//
//	log2 v = (k - log2 c + r1/ln 2) + (r - r1)/ln 2 + r²·(C2 + …)
//
// and so are the first parts of 1/ln 2 and -log2 c. The other terms are below
// 2^-14.5 together, or, where c is 1, below 0.73·r². They lose up to 3·u of
// that, and the polynomial 2^-62.8·|r|: 2^-58.5 of the result together.
func log2Parts(v float64) (hi, lo float64) {
	k, m, i := cell(v)
	e := &logTable[i]
	r := float64(m*e.c) - 1
	r1 := math.Float64frombits(math.Float64bits(r) &^ (1<<29 - 1))
	base, p := float64(k)+e.log2Hi, float64(r1*invLn2Hi)
	r2 := float64(r * r)
	q := float64(r2 * ((log2C2 + float64(r*log2C3)) +
		float64(r2*((log2C4+float64(r*log2C5))+
			float64(r2*((log2C6+float64(r*log2C7))+float64(r2*log2C8)))))))
	hi = base + p
	return hi, ((base - hi) + p) +
		(e.log2Lo + ((float64((r-r1)*invLn2) + float64(r1*invLn2Lo)) + q))
}

// powNear is Pow for positive a, where r ≈ a^b is near a midpoint of two
// float32, or below 2^-126.
func powNear(a, b, r float64) float32 {
	if below, above := float32(r-float64(r*0x1p-45)),
		float32(r+float64(r*0x1p-45)); below == above {
		return below
	}
	if exact, ok := powExact(a, b); ok {
		return float32(exact)
	}
	return float32(f64.Pow(a, b, fp.ToOdd))
}

// powExact returns a^b where that has more than one and at most 25 bits, the
// last one a 1.
//
//  1. b = n/2^s with odd n: then a is the 2^s-th power of another number, whose
//     n-th power is the result.
//  2. That number is not a power of two: n is at least 1, and at most 15, as
//     3^16 has 26 bits.
func powExact(a, b float64) (float64, bool) {
	for b != math.Trunc(b) { // 1
		root := math.Sqrt(a)
		if float64(float32(root)) != root || float64(root*root) != a {
			return 0, false
		}
		a, b = root, 2*b
	}
	if !(1 <= b && b <= 15) { // 2
		return 0, false
	}
	p := a
	for range int(b) - 1 {
		if p *= a; math.Float64bits(p)&(1<<28-1) != 0 {
			return 0, false
		}
	}
	return p, true
}

func inPow(x, y float32) bool { return inLog(x) && isFinite(y) }

// powLane is Pow for positive x and normal results, where ok is true.
//
//lint:ignore U1000 internal/_asm/lanes compiles it
func powLane(x, y float32) (r float32, ok bool) {
	a, b := float64(x), float64(y)
	hi, lo := log2Parts(a)
	h := math.Float64frombits(math.Float64bits(hi) &^ (1<<24 - 1))
	zh, zl := float64(b*h), float64(b*((hi-h)+lo))
	z := zh + zl
	shifted := float64(z*expSteps) + expShift
	f := (zh - float64((shifted-expShift)*(1.0/expSteps))) + zl
	f2 := float64(f * f)
	p := float64(f*exp2C1) +
		float64(f2*((exp2C2+float64(f*exp2C3))+float64(f2*(exp2C4+float64(f*exp2C5)))))
	t := pow2(math.Float64bits(shifted))
	v := t + float64(t*p)
	return float32(v), math.Float64bits(a)-1 < (1023+128)<<52-1 &&
		math.Abs(z) < 160 && v >= 0x1p-126 && !unsure(v)
}

// PowSlice is ExpSlice for Pow: it stores x[i]^y[i] in dst[i].
// dst has the length of x and y, and is x, or y, or does not overlap them.
func PowSlice(dst, x, y []float32) {
	vector.MapLoop2("f32.PowSlice", dst, x, y, each2(Pow), best.pow, inPow)
}
