package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
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
// The error: |x| = 2^(3q+j)·m and m·c = 1 + r exactly. The table's ∛(2^j/c) has
// u, its product with ∛(1+r) - 1 less than u/128, the last sum u, the polynomial
// 2^-51.3: 2^-50.6 together.
func Cbrt(x float32) float32 { return fastCbrt(x) }

// cbrt is Cbrt without fused operations.
func cbrt(x float32) float32 {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		v = widenSubnormal(x)
	}
	a := math.Abs(v)
	if !(0 < a && a <= math.MaxFloat32) {
		return x
	}
	k, m, i := cell(a)
	const bias = 100 // k + 3·bias is not negative
	n := uint64(k + 3*bias)
	q := third(n)
	p := cbrtPoly(float64(m*logTable[i].c) - 1)
	t := math.Float64frombits(math.Float64bits(cbrtTable[i][n-(q+q<<1)]) + (q-bias)<<52)
	y := math.Copysign(t+float64(t*p), v)
	if undecided(y) {
		return float32(f64.Cbrt(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// third returns n/3, rounded down, for n < 2^12: n+1 times 21845, which is
// 5·17·257, over 2^16.
func third(n uint64) uint64 {
	n += 1
	n += n << 2
	n += n << 4
	return (n + n<<8) >> 16
}

// cbrtPoly returns ∛(1+r) - 1 for |r| < logRadius.
func cbrtPoly(r float64) float64 {
	r2 := float64(r * r)
	return float64(r*cbrtC1) + float64(r2*((cbrtC2+float64(r*cbrtC3))+
		float64(r2*(cbrtC4+float64(r*cbrtC5)))))
}
