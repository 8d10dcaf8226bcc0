package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// Gamma returns the gamma function of x, correctly rounded.
//
// Special cases:
//
//	Gamma(+Inf) = +Inf
//	Gamma(+0) = +Inf
//	Gamma(-0) = -Inf
//	Gamma(x) = NaN for integer x < 0
//	Gamma(-Inf) = NaN
//	Gamma(NaN) = NaN
//
// Above 35.04 the result is +Inf.
//
// The error: x = n + h, exactly, for an integer n from 2 to 35, and the
// polynomial has 2^-43 (TestGammaRows). Below 1.5, x+2 and x·(x+1) have u each,
// and the quotient u: 2^-42.9.
//
//go:nosplit
func Gamma(x float32) float32 { return fastGamma(x) }

// gamma is Gamma without fused operations.
func gamma(x float32) float32 {
	v := widenMost(x)
	var y float64
	switch {
	case 1.5 <= v && v < 35.25:
		y = gammaFrom1(v)
	case -0.5 < v && v < 1.5 && math.Abs(v) >= 0x1p-126:
		y = gammaFrom1(v+2) / float64(v*(v+1))
	case -32 < v && v <= -0.5 && v != math.Floor(v):
		y = gammaBelow0(v)
	case x >= 35.25:
		return float32(math.Inf(1))
	default:
		return float32(f64.Gamma(float64(x), fp.ToOdd))
	}
	if undecided(y) {
		return float32(f64.Gamma(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// gammaFrom1 returns Γ(v) for 1.5 ≤ v < 35.5.
func gammaFrom1(v float64) float64 {
	shifted := v + expShift
	h := v - (shifted - expShift)
	t := &gammaTable[math.Float64bits(shifted)%uint64(len(gammaTable))]
	h2 := float64(h * h)
	h4 := float64(h2 * h2)
	p := ((t[0] + float64(h*t[1])) + float64(h2*(t[2]+float64(h*t[3])))) +
		float64(h4*((t[4]+float64(h*t[5]))+float64(h2*(t[6]+float64(h*t[7])))))
	q := ((t[8] + float64(h*t[9])) + float64(h2*(t[10]+float64(h*t[11])))) +
		float64(h4*((t[12]+float64(h*t[13]))+float64(h2*(t[14]+float64(h*t[15])))))
	return p + float64(float64(h4*h4)*q)
}

// gammaBelow0 returns Γ(v) for -32 < v ≤ -1/2 that is not an integer: Γ at v+n
// in [2, 3) over v·(v+1)·…·(v+n-1). Up to 34 factors and products have u
// each: 2^-47.
func gammaBelow0(v float64) float64 {
	n := 2 - math.Floor(v)
	p := v
	for j := 1.0; j < n; j++ {
		p *= v + j
	}
	return gammaFrom1(v+n) / p
}

func inGamma(x float32) bool { return -0.5 < x && x < 35 }

// gammaLane is Gamma for x > -1/2, without branches.
//
//lint:ignore U1000 internal/_asm/lanes compiles it
func gammaLane(x float32) (r float32, ok bool) {
	v := float64(x)
	y := gammaAbove(v)
	return float32(y), -0.5 < v && v < 35.25 && math.Abs(v) >= 0x1p-126 && !undecided(y)
}

// gammaAbove returns Γ(v) for -1/2 < v < 35.25.
func gammaAbove(v float64) float64 {
	w, below := v, 1.0
	if v < 1.5 {
		w, below = v+2, float64(v*(v+1))
	}
	return gammaFrom1(w) / below
}

// GammaSlice is ExpSlice for Gamma: it stores Γ(x[i]) in dst[i].
func GammaSlice(dst, x []float32) {
	vector.MapLoop("f32.GammaSlice", dst, x, double(f64.GammaSlice, Gamma), best.gamma, inGamma)
}

// Lgamma returns ln |Gamma(x)|, correctly rounded, and the sign of Gamma(x), 1
// or -1.
//
// Special cases:
//
//	Lgamma(+Inf) = +Inf
//	Lgamma(0) = +Inf
//	Lgamma(-integer) = +Inf
//	Lgamma(-Inf) = -Inf
//	Lgamma(NaN) = NaN
//
// The sign is 1 in these cases. Lgamma(1) and Lgamma(2) are +0.
//
// The error: from 8 on, (x-1/2)·ln x and x have at most 2.1 times the result:
// 2^-46.4 for the logarithm, and 3·u for the product and the sums; the
// polynomial has 2^-41.2/8, where the result is at least 8.5: 2^-45.6 together.
// From 1 on, (x-1)·(x-2) is exact, or has u, and the polynomial of the other
// factor 2^-45 (TestGammaRows). Below, -ln x is at most 2.4 times the result,
// and 1.8 times where it has 2^-41.4, next to 1; elsewhere 2^-42: 2^-40.4.
func Lgamma(x float32) (lgamma float32, sign int) {
	if x > 0 {
		return fastLgamma(x), 1
	}
	return lgammaRare(x)
}

// lgamma is Lgamma without the sign, and without fused operations.
func lgamma(x float32) float32 {
	v := widenMost(x)
	var y float64
	switch {
	case 8 <= v && v <= math.MaxFloat32:
		y = stirling(v)
	case 1 <= v && v < 8:
		y = lgammaFrom1(v)
	case 0x1p-126 <= v && v < 1:
		y = lgammaFrom1(v+1) - logSum(v)
	default:
		return lgammaNumber(x)
	}
	if undecided(y) || y == 0 {
		return lgammaNumber(x)
	}
	return float32(y)
}

// lgammaNumber is Lgamma without the sign, by way of float64.
func lgammaNumber(x float32) float32 {
	y, _ := lgammaRare(x)
	return y
}

// lgammaRare is Lgamma by way of float64.
func lgammaRare(x float32) (lgamma float32, sign int) {
	y, sign := f64.Lgamma(float64(x), fp.ToOdd)
	return float32(y), sign
}

// lgammaFrom1 returns ln Γ(v) = (v-1)·(v-2)·q for 1 ≤ v < 8.
func lgammaFrom1(v float64) float64 {
	shifted := v + erfUnit
	row := &lgammaTable[(math.Float64bits(shifted)-16)%uint64(len(lgammaTable))]
	return float64(float64((v-1)*(v-2)) * row.at(v-(shifted-erfUnit)))
}

// stirling returns ln Γ(v) = (v-1/2)·ln v - v + ln(2π)/2 + c(1/v), by
// Stirling's series.
func stirling(v float64) float64 {
	r := 1 / v
	r2 := float64(r * r)
	c := float64(r * ((stirlingC1 + float64(r2*stirlingC3)) +
		float64(float64(r2*r2)*(stirlingC5+float64(r2*stirlingC7)))))
	return (float64((v-0.5)*logSum(v)) - v) + (halfLn2Pi + c)
}

func inLgamma(x float32) bool { return 1 <= x && x <= math.MaxFloat32 }

// lgammaLane is Lgamma, without the sign, for x ≥ 1 other than 1 and 2.
//
//lint:ignore U1000 internal/_asm/lanes compiles it
func lgammaLane(x float32) (r float32, ok bool) {
	v := float64(x)
	y := stirling(v)
	if v < 8 {
		y = lgammaFrom1(v)
	}
	return float32(y), 1 <= v && v <= math.MaxFloat32 && y != 0 && !undecided(y)
}

// LgammaSlice is ExpSlice for Lgamma without the sign: it stores ln |Γ(x[i])|
// in dst[i].
func LgammaSlice(dst, x []float32) {
	loop := double(f64.LgammaSlice, lgammaOf)
	vector.MapLoop("f32.LgammaSlice", dst, x, loop, best.lgamma, inLgamma)
}

// lgammaOf is Lgamma without the sign.
func lgammaOf(x float32) float32 {
	y, _ := Lgamma(x)
	return y
}
