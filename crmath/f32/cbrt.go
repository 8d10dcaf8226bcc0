package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// Cbrt returns the cube root of x, correctly rounded.
//
// Special cases:
//
//	Cbrt(±0) = ±0
//	Cbrt(±Inf) = ±Inf
//	Cbrt(NaN) = NaN
//
// The error: |x| = 2^k·m and m·c = 1 + r exactly. The tables' ∛(1/c) and
// 2^(k/3) have u each, their product u, its product with ∛(1+r) - 1 less than
// u/64, the last sum u, the polynomial 2^-42.9: 2^-42.8 together.
//
//go:nosplit
func Cbrt(x float32) float32 { return fastCbrt(x) }

// cbrt is Cbrt without fused operations.
func cbrt(x float32) float32 {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		v = widenSubnormal(x)
	}
	a := math.Abs(v)
	if math.Float64bits(a)-1 >= (1023+128)<<52-1 {
		return x
	}
	k, m, i := cell(a)
	e := &cbrtTable[i]
	r := float64(m*e.c) - 1
	t := float64(e.root * cbrtPowers[uint64(k+cbrtBias)%uint64(len(cbrtPowers))])
	y := withSign(t+float64(float64(t*r)*cbrtPoly(r)), v)
	if undecided(y) {
		return float32(f64.Cbrt(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// cbrtPoly returns (∛(1+r) - 1)/r for |r| < logRadius.
func cbrtPoly(r float64) float64 {
	return (cbrtC1 + float64(r*cbrtC2)) + float64(float64(r*r)*(cbrtC3+float64(r*cbrtC4)))
}

// cbrtFewPoly returns (∛(1+r) - 1)/r for the r of a cell of 16.
func cbrtFewPoly(r float64) float64 {
	return cbrtFewC1 + float64(r*(cbrtFewC2+float64(r*(cbrtFewC3+float64(r*(cbrtFewC4+
		float64(r*(cbrtFewC5+float64(r*cbrtFewC6)))))))))
}

// cbrtWide is Cbrt for kernels of AVX-512. For x = 2^k·m, k/3 + 1.5·2^50 has
// two bits behind the point: the multiple of 1/4 next to k/3. Its bits end with
// 4·n for k = 3·n, 4·n+1 for k = 3·n+1, and 4·n+3 for k = 3·n+2. The error: as
// for Cbrt, with the polynomial's 2^-45.8: 2^-45.
//
//lint:ignore U1000 the kernels are compiled from it
func cbrtWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	u := math.Float64bits(v)
	i := u >> (52 - fewBits) % fewSteps
	rest := float64(math.Float64frombits(u&(1<<52-1)|1023<<52)*cbrtFew[i]) - 1
	q := math.Float64bits(float64(math.Logb(v)*(1.0/3)) + 0x1.8p50)
	power := math.Float64frombits(math.Float64bits(cbrtFewPowers[q%fewSteps]) + q<<50)
	root := float64(cbrtFewRoot[i] * power)
	y := withSign(root+float64(float64(root*rest)*cbrtFewPoly(rest)), v)
	return float32(y), within(v, 0x1p-126, 0x1p128) && !undecided(y)
}

// CbrtSlice is ExpSlice for Cbrt: it stores ∛x[i] in dst[i].
func CbrtSlice(dst, x []float32) {
	vector.MapLoop("f32.CbrtSlice", dst, x, each(Cbrt), best.cbrt, isFinite)
}
