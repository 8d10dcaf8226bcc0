package f64

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// cbrtErr bounds the error of cbrtNear, with room for ziv.
const cbrtErr = 0x1p-67

// cbrtUnit rounds to multiples of 2^-16.
const cbrtUnit = 0x1.8p36

// Cbrt is directed.Cbrt, and crmath.Cbrt to nearest.
func Cbrt(x float64, m fp.Mode) float64 {
	u := math.Float64bits(x) &^ (1 << 63)
	shift := uint64(0)
	if u-1<<52 >= 0x7fe<<52 {
		if !(x != 0 && math.Abs(x) <= math.MaxFloat64) {
			return x
		}
		u, shift = normalBits(u), 18
	}
	// |x| = 2^(3q+j)·m, where q counts from -bias, so that n is not negative.
	const bias = 400
	k := int64(u-cbrtOffset) >> 52
	n := uint64(k + 3*bias)
	q := n / 3
	y, c := cbrtNear(math.Float64frombits(u-uint64(k)<<52), n-3*q)
	z, ok := ziv(y, c, cbrtErr)
	if !ok || m != fp.NearestEven {
		z = cbrtSettle(x, y, c, int(shift+bias-q), m)
	}
	return math.Copysign(math.Float64frombits(math.Float64bits(z)+(q-bias-shift)<<52), x)
}

// normalBits returns the encoding of x·2^54 for the positive subnormal x that u
// encodes. A product with x would take long.
func normalBits(u uint64) uint64 {
	s := bits.LeadingZeros64(u) - 11
	return u<<s + uint64(54-s)<<52
}

// cbrtSettle is settle for the magnitude of Cbrt times 2^k.
func cbrtSettle(x, y, c float64, k int, m fp.Mode) float64 {
	m = mirrored(m, x)
	z, ok := toward(y, c, cbrtErr, m)
	if !ok {
		z, ok = wide.TryCbrt(math.Abs(x), 3*k, y, c, m)
	}
	if !ok {
		const words = 3 // for the cubes of midpoints, of 162 bits
		var w wide.Float
		w.SetFloat64(math.Abs(x), words)
		w.Exp += 3 * k
		z = root(&w, y+c, 3, words, m)
	}
	return z
}

// root returns the root of x of degree 2 or 3, rounded in direction m, where r
// is positive and within an ulp of it. It tells exact roots from others. Powers
// of r and of midpoints have the given number of words at most.
func root(x *wide.Float, r float64, degree, words int, m fp.Mode) float64 {
	if m == fp.NearestEven {
		return x.NearestRoot(r, degree, words)
	}
	if side := x.CmpPower(r, degree, words); side != 0 {
		return beside(r, float64(side), m)
	}
	return r
}

// cbrtNear returns y + c ≈ ∛(2^j·m) < 1.77, for m in [0.6875, 1.375) and j from
// 0 to 2, with an error below 2^-68.
//
//  1. With b from the table, m·b = 1 + r up to u = 2^-53, and y =
//     ∛(2^j/b)·∛(1+r). Its errors are u/3 from r, u for the table, less than
//     u/128 for the product, u for the sum, and the polynomial's 2^-62.9: |c| <
//     2^-50.9.
//
//  2. c = d/(3·y²), d = 2^j·m - y³. With y = h + l, h of 17 bits,
//
//     y³ = h³ + 3·l·(h² + l·(h + l/3)),
//
//     where h³ is exact, and so is the first difference, by Sterbenz's lemma.
//     As |l| ≤ 2^-17, the product is below 3.01·2^-17·y² in magnitude. It loses
//     3.1·u of itself, which is 2^-68.3 over 3·y². The second difference loses
//     little more.
//
//  3. 1/(3·y²) = y/(3·2^j·m), and 1/m = b·(1 - r + r²) up to r³ < 2^-23.6: c
//     loses 2^-74.5, and next to nothing by rounding.
func cbrtNear(m float64, j uint64) (y, c float64) {
	e := &cbrtTable[(math.Float64bits(m)-cbrtOffset)>>(52-cbrtBits)%cbrtCells]
	r := float64(m*e.b) - 1
	r2 := float64(r * r)
	t := e.root[j]
	p := (cbrtC2 + float64(r*cbrtC3)) +
		float64(r2*((cbrtC4+float64(r*cbrtC5))+float64(r2*cbrtC6)))
	y = t + float64(t*(float64(r*cbrtC1)+float64(r2*p)))
	h := coarse(y, cbrtUnit)
	l := y - h
	h2 := float64(h * h)
	v := float64(m * cbrtScale[j].up)
	d := (v - float64(h2*h)) -
		float64(float64(3*l)*(h2+float64(l*(h+float64(l*(1.0/3))))))
	return y, float64(d*y) * float64(float64(e.b*((1-r)+r2))*cbrtScale[j].down)
}

// cbrtScale holds 2^j and 1/(3·2^j).
var cbrtScale = [3]struct{ up, down float64 }{{1, 1.0 / 3}, {2, 1.0 / 6}, {4, 1.0 / 12}}

func inCbrt(x float64) bool { return x == 0 || isPositiveNormal(math.Abs(x)) }

// cbrtLane is Cbrt for zeros and normal x.
func cbrtLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a == 0 {
		return x, true
	}
	if !isPositiveNormal(a) {
		return 0, false
	}
	m, k := logSplit(math.Float64bits(a))
	// (k-1)/3 is within 1/3 of the integer q with k = 3·q + j, j from 0 to 2.
	shifted := float64((k-1)*(1.0/3)) + expShift
	j := k - float64(3*(shifted-expShift))
	y, c := cbrtNear(math.Float64frombits(m), math.Float64bits(j+expShift)%4)
	z, ok := ziv(y, c, cbrtErr)
	r = math.Float64frombits(math.Float64bits(z) + math.Float64bits(shifted)<<52)
	return withSign(r, x), ok
}

func cbrtCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-1<<52 >= 0x7fe<<52 {
		return 0, false
	}
	m, k := logSplit(u)
	// (k-1)/3 is within 1/3 of the integer q with k = 3·q + j, j from 0 to 2.
	shifted := math.FMA(k-1, 1.0/3, expShift)
	j := k - float64(3*(shifted-expShift))
	y, c := fusedCbrt(math.Float64frombits(m), math.Float64bits(j+expShift)%4)
	z, ok := ziv(y, c, cbrtErr)
	r = math.Float64frombits(math.Float64bits(z) + math.Float64bits(shifted)<<52)
	return withSign(r, x), ok
}

// CbrtSlice is crmath.CbrtSlice.
func CbrtSlice(dst, x []float64) {
	vector.MapLoop("crmath.CbrtSlice", dst, x, vector.Each(FastCbrt), best.cbrt, inCbrt)
}

// fusedCbrt is cbrtNear. y³ is the sum of v3 and two smaller parts, up to
// 2^-104 of it.
func fusedCbrt(m float64, j uint64) (y, c float64) {
	e := &cbrtTable[(math.Float64bits(m)-cbrtOffset)>>(52-cbrtBits)%cbrtCells]
	r := math.FMA(m, e.b, -1)
	r2 := float64(r * r)
	t := e.root[j]
	p := (cbrtC2 + float64(r*cbrtC3)) +
		float64(r2*((cbrtC4+float64(r*cbrtC5))+float64(r2*cbrtC6)))
	y = math.FMA(t, math.FMA(r, cbrtC1, float64(r2*p)), t)
	v2 := float64(y * y)
	v3 := float64(v2 * y)
	rest := math.FMA(math.FMA(y, y, -v2), y, math.FMA(v2, y, -v3))
	d := math.FMA(m, cbrtScale[j].up, -v3) - rest
	return y, float64(d*y) * float64(float64(e.b*((1-r)+r2))*cbrtScale[j].down)
}
