package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// arctan returns arctan q for q ≥ 0, or NaN for NaN. With c near q from the
// table,
//
//	arctan q = arctan c + arctan u,  u = (q - c)/(1 + q·c),  |u| ≤ 1/32.
//
// Below 1/16 u is q. From 2^12 on c is infinite: arctan c = π/2, u = -1/q.
//
// The error: q - c is exact. u itself loses 3·u at most, and twice the error of
// q; it is at most 0.53 of the result, and arctan c at most 1.54 of it. The
// polynomial has 2^-60.5 and u for its last sum. With u for arctan c and for
// the sum that is 2^-50.6, and the error of q.
func arctan(q float64) float64 {
	var u, base float64
	switch {
	case q < 0x1p-4:
		u = q
	case q < 0x1p12:
		e := &atanTable[(math.Float64bits(q)-atanFirst)>>(52-atanBits)%uint64(len(atanTable))]
		u, base = (q-e.c)/(1+float64(q*e.c)), e.atan
	default:
		u, base = -1/q, halfPi
	}
	return base + atanSmall(u)
}

// atanSmall returns arctan u for |u| ≤ 1/14: up to 1/16 within 2^-60.5, and u
// for the last sum, and beyond within 2^-49.
func atanSmall(u float64) float64 {
	v := float64(u * u)
	v2 := float64(v * v)
	return u + float64(float64(u*v)*((atanC3+float64(v*atanC5))+
		float64(v2*((atanC7+float64(v*atanC9))+float64(v2*atanC11)))))
}

// Atan returns arctan x, correctly rounded.
//
// Special cases:
//
//	Atan(±0) = ±0
//	Atan(±Inf) = ±π/2
//	Atan(NaN) = NaN
//
// The error: as for atanUpTo14. From 14 on, 2·u for π/2 and the sum, and
// atanSmall's error for the rest, which is at most 1/21 of the result.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//
//go:nosplit
func Atan(x float32) float32 { return fastAtan(x) }

// atan is Atan without fused operations.
func atan(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	var y float64
	switch {
	case !(a < atanTabled):
		if x != x {
			return x
		}
		y = halfPi + atanSmall(-1/a)
	case a < 0x1p-126:
		return x
	default:
		y = atanUpTo14(a)
	}
	y = withSign(y, v)
	if undecided(y) {
		return float32(f64.Atan(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// atanTabled bounds the arguments of the table.
const atanTabled = 14

// atanUpTo14 returns arctan a for 0 ≤ a < 14. a = c + h, exactly, for a point c
// of a table. The polynomial has 2^-46 of the result (TestAtanRows), and the
// largest terms 5·u: 2^-45.9 together.
func atanUpTo14(a float64) float64 {
	const cut = 1<<(52-atanRowBits) - 1
	w := math.Float64bits(a + (1 + 0.5/(1<<atanRowBits)))
	row := &atanRows[(w-1023<<52)>>(52-atanRowBits)%uint64(len(atanRows))]
	return row.at(a - (math.Float64frombits(w&^cut) - 1))
}

// atanLane is Atan by atan, whose bound serves all arguments.
//
//lint:ignore U1000 internal/_asm/lanes compiles it
func atanLane(x float32) (r float32, ok bool) {
	v := float64(x)
	y := math.Copysign(arctan(math.Abs(v)), v)
	return float32(y), x == x && !unsure(y)
}

// fewArctan is arctan with the 16 points of atanFew; |u| is at most 3/16, and u
// is q below 3/16. The error: as for arctan, with the polynomial's 2^-41.7:
// 2^-41.6.
func fewArctan(q float64) float64 {
	const first, last = 0x1p-3, 24
	i := math.Float64bits(min(max(q, first), last)) >> 51 % fewSteps
	c := atanFew[i]
	u := (q - c) / (1 + float64(q*c))
	v := float64(u * u)
	v2 := float64(v * v)
	return atanFewArc[i] + (u + float64(float64(u*v)*((atanFewC3+float64(v*atanFewC5))+
		float64(v2*((atanFewC7+float64(v*atanFewC9))+float64(v2*atanFewC11))))))
}

// atanWide is Atan for kernels of AVX-512, with the error of fewArctan.
//
//lint:ignore U1000 the kernels are compiled from it
func atanWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	y := withSign(fewArctan(math.Abs(v)), v)
	return float32(y), within(v, 0x1p-126, 0x1p128) && !undecided(y)
}

// AtanSlice is ExpSlice for Atan: it stores arctan x[i] in dst[i].
func AtanSlice(dst, x []float32) {
	vector.MapLoop("f32.AtanSlice", dst, x, each(Atan), best.atan, isNumber)
}

// Atan2 returns the angle of the point (x, y), in [-π, π], correctly rounded.
//
// Special cases: as in crmath.Atan2 and math.Atan2.
//
// The error: as for Atan at y/x, which has u, and u each for π and the
// difference: 2^-45.8. Where that does not decide, float64's Atan2, rounded to
// odd, does.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
//
//go:nosplit
func Atan2(y, x float32) float32 { return fastAtan2(y, x) }

// atan2 is Atan2 without fused operations.
func atan2(y, x float32) float32 {
	v, u := math.Float32bits(y), math.Float32bits(x)
	v, u = v&^(1<<31), u&^(1<<31)
	if u-1 >= 0x7f80_0000-1 || v-1 >= 0x7f80_0000-1 {
		//lastbit:ignore libm zeros and infinities alone
		return float32(math.Atan2(float64(y), float64(x)))
	}
	q := float64(math.Float32frombits(v)) / float64(math.Float32frombits(u))
	r := 0.0
	if q < atanTabled {
		r = atanUpTo14(q)
	} else {
		r = halfPi + atanSmall(-1/q)
	}
	r = acosBase[math.Float32bits(x)>>31] + math.Copysign(r, float64(x))
	if unsure(r) || r < 0x1p-126 {
		return atan2Near(float64(y), float64(x), r)
	}
	return float32(math.Copysign(r, float64(y)))
}

// atan2Near is Atan2 where r, its magnitude, is near a midpoint of two float32,
// or below 2^-126. Where r is small, the midpoint may be y/x itself: the angle
// falls short of it by less than any r shows.
func atan2Near(y, x, r float64) float32 {
	if below, above := float32(r-float64(r*0x1p-45)),
		float32(r+float64(r*0x1p-45)); below == above {
		return float32(math.Copysign(float64(below), y))
	}
	return float32(f64.Atan2(y, x, fp.ToOdd))
}

// atan2Lane is Atan2(y, x) for finite numbers other than 0 and results that are
// not subnormal, where ok is true.
//
//lint:ignore U1000 internal/_asm/lanes compiles it
func atan2Lane(x, y float32) (r float32, ok bool) {
	a, b := float64(x), float64(y)
	v := angle(a, math.Abs(b))
	return float32(math.Copysign(v, b)), x != 0 && y != 0 && math.Abs(a) <= math.MaxFloat32 &&
		math.Abs(b) <= math.MaxFloat32 && v >= 0x1p-126 && !unsure(v)
}

// atan2Call is atan2Lane for a call, which has branches.
//
//lint:ignore U1000 internal/_asm/lanes compiles it
func atan2Call(x, y float32) (r float32, ok bool) {
	a, b := float64(x), float64(y)
	if !within(a, 0x1p-149, 0x1p128) || !within(b, 0x1p-149, 0x1p128) {
		return 0, false
	}
	q := math.Abs(b) / math.Abs(a)
	v := 0.0
	if q >= atanTabled {
		v = halfPi + atanSmall(-1/q)
	} else {
		v = atanUpTo14(q)
	}
	v = acosBase[math.Float64bits(a)>>63] + withSign(v, a)
	return float32(withSign(v, b)), v >= 0x1p-126 && !unsure(v)
}

// angle returns the angle of the point (x, y), y > 0.
func angle(x, y float64) float64 {
	r := arctan(y / math.Abs(x))
	if x < 0 {
		return pi - r
	}
	return r
}

// Atan2Slice is PowSlice for Atan2: it stores the angle of the point
// (x[i], y[i]) in dst[i].
func Atan2Slice(dst, y, x []float32) {
	vector.MapLoop2("f32.Atan2Slice", dst, x, y, func(dst, x, y []float32) {
		for i, v := range x {
			dst[i] = Atan2(y[i], v)
		}
	}, best.atan2, areFinite)
}
