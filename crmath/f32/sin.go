package f32

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// sinShift rounds to an integer, as expShift does; its low bits are zero too.
const sinShift = expShift

// Arguments of trigonometric functions.
const (
	sinTiny  = 0x1p-12 // below, sin x and tan x round to x: x²/3 < 2^-25
	sinLarge = 1024    // from here on, the reduction is in integers
)

// Sin, Cos, Sincos and Tan repeat their choice of a reduction. The vector
// kernels are compiled from these functions, and internal/_asm/lanes follows
// branches of the function itself, but none in a function that it calls.

// sinReduce returns r = x - k·π/64 for sinTiny ≤ |x| < sinLarge, with k in the
// low bits. k has at most 15 bits: k·sinStepHi is exact, and so is the first
// difference; k·sinStepLo, below 2^-28, is off by less than 2^-81. A search
// through all such x found none within 2^-32.9 of a multiple: r is off by less
// than 2^-48.1 of itself, and less than u·0.05 + 2^-81.
func sinReduce(v float64) (k uint64, r float64) {
	shifted := float64(v*sinStepInverse) + sinShift
	kd := shifted - sinShift
	return math.Float64bits(shifted), (v - float64(kd*sinStepHi)) - float64(kd*sinStepLo)
}

// sinReduceLarge is sinReduce from sinLarge on, by the method of
// PayneHanek1983. r is NaN where x is ±Inf or NaN.
//
//  1. |v| = m·2^e, where m has 24 bits.
//  2. Bits e+1 … e+128 after the binary point of 1/2π: those before contribute
//     whole turns, those after less than m·2^-128.
//  3. Their product with m, modulo 2^128, is the fraction of a turn.
//  4. Its first seven bits, rounded, are k; the rest, with a sign, is r in
//     turns. A search through all such x found no |r| below 2^-37 turns:
//     more than 60 of its bits are right.
//
// References:
//   - [PayneHanek1983] Mary H. Payne and Robert N. Hanek. Radian Reduction for
//     Trigonometric Functions. ACM SIGNUM Newsletter 18(1):19–24, 1983.
func sinReduceLarge(v float64) (k uint64, r float64) {
	if !(math.Abs(v) <= math.MaxFloat32) {
		return 0, math.NaN()
	}
	u := math.Float64bits(v)
	m := u&(1<<52-1)>>29 | 1<<23               // 1
	at := uint(u>>52&0x7ff) - (1023 + 23) + 64 // 2; the table begins with 64 zeros
	w, s := at/64, at%64
	hi := turns[w]<<s | turns[w+1]>>(64-s)
	lo := turns[w+1]<<s | turns[w+2]>>(64-s)
	carry, low := bits.Mul64(m, lo) // 3
	high := m*hi + carry
	k = (high + 1<<56) >> 57 // 4
	f := float64(float64(int64(high-k<<57))*0x1p-64) + float64(float64(low)*0x1p-128)
	r = float64(f * twoPi)
	if v < 0 {
		return -k, -r
	}
	return k, r
}

// sinCos returns u = r², and polynomials of it for |r| < π/128 + 2^-40: cos r
// is 1 + u·c within 2^-44.4, and sin r is r + r·u·s within 2^-47.2 of itself.
func sinCos(r float64) (u, c, s float64) {
	u = float64(r * r)
	return u, cosC2 + float64(u*cosC4), sinC3 + float64(u*sinC5)
}

// ahead returns the sine of an angle and r together, for the sine and the
// cosine of the angle. Beside the errors of sinCos it loses 2·u of sin and of
// cos·r, and u.
func ahead(sin, cos, r float64) float64 {
	u, c, s := sinCos(r)
	h := float64(cos * r)
	return (sin + h) + float64(u*(float64(sin*c)+float64(h*s)))
}

// behind returns the cosine, likewise.
func behind(sin, cos, r float64) float64 {
	u, c, s := sinCos(r)
	h := float64(sin * r)
	return (cos - h) + float64(u*(float64(cos*c)-float64(h*s)))
}

// fewReduce is sinReduce for steps of π/8. r is off by as little.
func fewReduce(v float64) (k uint64, r float64) {
	shifted := float64(v*(sinStepInverse/8)) + sinShift
	kd := shifted - sinShift
	return math.Float64bits(shifted), (v - float64(kd*(8*sinStepHi))) - float64(kd*(8*sinStepLo))
}

// fewSinCos returns sin(k·π/8 + r) and cos(k·π/8 + r), as ahead and behind do,
// for |r| < π/16 + 2^-40. Kernels of AVX-512 find its table in two registers.
func fewSinCos(k uint64, r float64) (sin, cos float64) {
	s, c := sinFew[k%fewSteps], sinFew[(k+fewSteps/4)%fewSteps]
	u := float64(r * r)
	ps := sinFewC3 + float64(u*(sinFewC5+float64(u*sinFewC7)))
	pc := cosFewC2 + float64(u*(cosFewC4+float64(u*(cosFewC6+float64(u*cosFewC8)))))
	hs, hc := float64(c*r), float64(s*r)
	return (s + hs) + float64(u*(float64(s*pc)+float64(hs*ps))),
		(c - hc) + float64(u*(float64(c*pc)-float64(hc*ps)))
}

// Sin returns sin x, x in radians, correctly rounded.
//
// Special cases:
//
//	Sin(±0) = ±0
//	Sin(±Inf) = NaN
//	Sin(NaN) = NaN
//
// The error: with x = k·π/64 + r, S = sin k·π/64 and C = cos k·π/64,
//
//	sin x = S + (S·(cos r - 1) + C·sin r)
//
// Where S is 0, sin r and r itself count: 2^-46.4. Elsewhere |S| ≥ 0.049, and
// the result is at least half of S, and not less than |r|: 2^-43.4 for
// cos r - 1, 2^-47.2 for sin r, 4·u each for S, r and the sums: 2^-43.1
// together.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [PayneHanek1983] Mary H. Payne and Robert N. Hanek. Radian Reduction for
//     Trigonometric Functions. ACM SIGNUM Newsletter 18(1):19–24, 1983.
//
//go:nosplit
func Sin(x float32) float32 { return fastSin(x) }

// sin is Sin without fused operations.
func sin(x float32) float32 {
	v := widenMost(x)
	var k uint64
	var r float64
	switch a := math.Abs(v); {
	case a < sinTiny:
		return x
	case a < sinLarge:
		k, r = sinReduce(v)
	default:
		k, r = sinReduceLarge(v)
	}
	k %= sinSteps
	y := ahead(sinTable[k], sinTable[k+sinSteps/4], r)
	if undecided(y) {
		return float32(f64.Sin(float64(x), fp.ToOdd))
	}
	return float32(y)
}

func inTrig(x float32) bool { return math.Abs(float64(x)) < sinLarge }

// sinWide is Sin for kernels of AVX-512. The error: sin r loses 2^-42.1 of
// itself, which is less than the result, and cos r - 1 and the sums 2^-50:
// 2^-42 together.
//
//lint:ignore U1000 the kernels are compiled from it
func sinWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	k, rest := fewReduce(v)
	y, _ := fewSinCos(k, rest)
	return float32(y), within(v, sinTiny, sinLarge) && !undecided(y)
}

// SinSlice is ExpSlice for Sin: it stores sin x[i] in dst[i].
func SinSlice(dst, x []float32) {
	vector.MapLoop("f32.SinSlice", dst, x, each(Sin), best.sin, inTrig)
}

// Cos returns cos x, x in radians, correctly rounded.
//
// Special cases:
//
//	Cos(±0) = 1
//	Cos(±Inf) = NaN
//	Cos(NaN) = NaN
//
// The error: as for Sin, with cos x = C + (C·(cos r - 1) - S·sin r).
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [PayneHanek1983] Mary H. Payne and Robert N. Hanek. Radian Reduction for
//     Trigonometric Functions. ACM SIGNUM Newsletter 18(1):19–24, 1983.
//
//go:nosplit
func Cos(x float32) float32 { return fastCos(x) }

// cos is Cos without fused operations.
func cos(x float32) float32 {
	v := widenMost(x)
	var k uint64
	var r float64
	switch a := math.Abs(v); {
	case a < sinTiny:
		return 1 // x²/2 < 2^-25
	case a < sinLarge:
		k, r = sinReduce(v)
	default:
		k, r = sinReduceLarge(v)
	}
	k %= sinSteps
	y := behind(sinTable[k], sinTable[k+sinSteps/4], r)
	if undecided(y) {
		return float32(f64.Cos(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// cosWide is sinWide for Cos.
//
//lint:ignore U1000 the kernels are compiled from it
func cosWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	k, rest := fewReduce(v)
	_, y := fewSinCos(k, rest)
	return float32(y), within(v, sinTiny, sinLarge) && !undecided(y)
}

// CosSlice is ExpSlice for Cos: it stores cos x[i] in dst[i].
func CosSlice(dst, x []float32) {
	vector.MapLoop("f32.CosSlice", dst, x, each(Cos), best.cos, inTrig)
}

// Sincos returns Sin(x) and Cos(x), in less time than two calls.
//
// Special cases:
//
//	Sincos(±0) = ±0, 1
//	Sincos(±Inf) = NaN, NaN
//	Sincos(NaN) = NaN, NaN
//
// The error: as for Sin and Cos.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [PayneHanek1983] Mary H. Payne and Robert N. Hanek. Radian Reduction for
//     Trigonometric Functions. ACM SIGNUM Newsletter 18(1):19–24, 1983.
func Sincos(x float32) (sin, cos float32) {
	v := widenMost(x)
	var k uint64
	var r float64
	switch a := math.Abs(v); {
	case a < sinTiny:
		return x, 1
	case a < sinLarge:
		k, r = sinReduce(v)
	default:
		k, r = sinReduceLarge(v)
	}
	k %= sinSteps
	sk, ck := sinTable[k], sinTable[k+sinSteps/4]
	ys, yc := ahead(sk, ck, r), behind(sk, ck, r)
	sin, cos = float32(ys), float32(yc)
	if undecided(ys) {
		sin = float32(f64.Sin(float64(x), fp.ToOdd))
	}
	if undecided(yc) {
		cos = float32(f64.Cos(float64(x), fp.ToOdd))
	}
	return sin, cos
}

// SincosSlice is ExpSlice for Sincos: it stores sin x[i] in sin[i] and cos x[i]
// in cos[i]. One of them may be x.
func SincosSlice(sin, cos, x []float32) {
	vector.CheckBoth("f32.SincosSlice", [2]string{"sin", "cos"}, sin, cos, x)
	if len(x) > 0 && &cos[0] == &x[0] {
		SinSlice(sin, x)
		CosSlice(cos, x)
		return
	}
	CosSlice(cos, x)
	SinSlice(sin, x)
}

// Tan returns tan x, x in radians, correctly rounded.
//
// Special cases:
//
//	Tan(±0) = ±0
//	Tan(±Inf) = NaN
//	Tan(NaN) = NaN
//
// The error: Sin's and Cos's, and u for the quotient: 2^-42.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [PayneHanek1983] Mary H. Payne and Robert N. Hanek. Radian Reduction for
//     Trigonometric Functions. ACM SIGNUM Newsletter 18(1):19–24, 1983.
//
//go:nosplit
func Tan(x float32) float32 { return fastTan(x) }

// tan is Tan without fused operations.
func tan(x float32) float32 {
	v := widenMost(x)
	var k uint64
	var r float64
	switch a := math.Abs(v); {
	case a < sinTiny:
		return x
	case a < sinLarge:
		k, r = sinReduce(v)
	default:
		k, r = sinReduceLarge(v)
	}
	k %= sinSteps
	sk, ck := sinTable[k], sinTable[k+sinSteps/4]
	y := ahead(sk, ck, r) / behind(sk, ck, r)
	if undecided(y) {
		return float32(f64.Tan(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// tanWide is Tan for kernels of AVX-512: with k the multiple of π/16 next to x,
// and t = tan r of the rest, it is (s + c·t)/(c - s·t). The error: as for Tan,
// with the polynomial's 2^-47.
//
//lint:ignore U1000 the kernels are compiled from it
func tanWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	shifted := float64(v*(sinStepInverse/4)) + sinShift
	kd := shifted - sinShift
	k := math.Float64bits(shifted) % fewSteps
	rest := (v - float64(kd*(4*sinStepHi))) - float64(kd*(4*sinStepLo))
	u := float64(rest * rest)
	t := rest + float64(float64(rest*u)*(tanFewC3+float64(u*(tanFewC5+
		float64(u*(tanFewC7+float64(u*tanFewC9)))))))
	s, c := tanFewSin[k], tanFewCos[k]
	y := (s + float64(c*t)) / (c - float64(s*t))
	return float32(y), within(v, sinTiny, sinLarge) && !undecided(y)
}

// TanSlice is ExpSlice for Tan: it stores tan x[i] in dst[i].
func TanSlice(dst, x []float32) {
	vector.MapLoop("f32.TanSlice", dst, x, each(Tan), best.tan, inTrig)
}
