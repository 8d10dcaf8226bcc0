package f64

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// Hypot needs no scaling between hypotSmall and hypotLarge, as encodings, and
// scales by hypotScale elsewhere.
const (
	hypotLarge = (1023 + 500) << 52
	hypotSmall = (1023 - 450) << 52
	hypotFar   = 28 << 52 // an argument whose encoding is less by that does not count
	hypotScale = 0x1p600
)

// hypotErr times the result bounds the error of the fast path, with room for
// ziv.
const hypotErr = 0x1p-73

// Hypot is directed.Hypot, and crmath.Hypot to nearest.
func Hypot(x, y float64, m fp.Mode) float64 {
	// With s = x² + y² and r = √s, both rounded, the result is r + c with c =
	// (x² + y² - r²)/(2·r), |c| < 2^-51.8·r. With 2^e ≤ max(|x|, |y|) <
	// 2^(e+1), so that r < 2^(e+1.5), each number is cut into a head, a
	// multiple of 2^(e-24), and a rest up to 2^(e-25). The squares of heads are
	// multiples of 2^(2e-48) below 2^(2e+3): their sums are exact. Errors, in
	// units of 2^-76·r²:
	//
	//	1.5   the rests of x² and y²: the sum with the head, the product;
	//	      x + y < 1.42·r
	//	1     the rest of r²
	//	2     two sums of these, below 2^-22.7·r²
	//
	// The last sum cancels all but 2^-51 of that, and loses nothing more. Half
	// of this is the error of c: 2.3·2^-76·r. The errors of r and s make c
	// wrong by 2^-51 of it, and c²/(2·r) is below 2^-104·r. hypotErr is 3.4
	// times that.
	u, v := math.Float64bits(x)&^(1<<63), math.Float64bits(y)&^(1<<63)
	u, v = max(u, v), min(u, v)
	if !(u < hypotLarge && v > hypotSmall && u-v < hypotFar) {
		return hypotRare(math.Float64frombits(u), math.Float64frombits(v), m)
	}
	s := float64(x*x) + float64(y*y)
	r := math.Sqrt(s)
	unit := math.Float64frombits(u&^(1<<52-1) + (28<<52 | 1<<51)) // 1.5·2^(e+28)
	s1, t1 := cutSquare(x, unit)
	s2, t2 := cutSquare(y, unit)
	s3, t3 := cutSquare(r, unit)
	c := float64((((s1 + s2) - s3) + ((t1 + t2) - t3)) * float64(r*(0.5/s)))
	e := float64(r * hypotErr)
	z, ok := ziv(r, c, e)
	if !ok || m != fp.NearestEven {
		return hypotSettle(x, y, r, c, e, m)
	}
	return z
}

// hypotSettle is settle for Hypot.
func hypotSettle(x, y, r, c, e float64, m fp.Mode) float64 {
	z, ok := toward(r, c, e, m)
	if !ok {
		z, ok = wide.TryHypot(x, y, r, c, m)
	}
	if !ok {
		z = hypotExact(x, y, r+c, m)
	}
	return z
}

// cutSquare returns x² as a sum: the square of a head of x, and the rest.
func cutSquare(x, unit float64) (s, t float64) {
	h := coarse(x, unit)
	return float64(h * h), float64((x - h) * (x + h))
}

// hypotRare is Hypot for x ≥ y ≥ 0 where one of them is extreme, or is ±Inf or
// NaN.
func hypotRare(x, y float64, m fp.Mode) float64 {
	switch {
	case x < 0x1p-1022:
		return hypotSubnormal(math.Float64bits(x), math.Float64bits(y), m)
	case y == 0: // an exact result, or NaN
		return x
	case x > math.MaxFloat64 || y > math.MaxFloat64:
		return math.Inf(1)
	case x != x || y != y:
		return math.NaN()
	case x > 0x1p-900 && y <= float64(x*0x1p-27):
		return beside(x, 1, m) // y²/(2·x) < 2^-55·x
	}
	if x > 1 {
		z := Hypot(x*(1/hypotScale), y*(1/hypotScale), m) * hypotScale
		if z > math.MaxFloat64 {
			return overflow(1, m)
		}
		return z
	}
	if y < 0x1p-1022 {
		y = math.Float64frombits(normalBits(math.Float64bits(y))) * (hypotScale / 0x1p54)
	} else {
		y *= hypotScale
	}
	return Hypot(x*hypotScale, y, m) / hypotScale // at least 2^-1022: exact
}

// hypotSubnormal is Hypot for subnormal numbers, which are a and b units of
// 2^-1074. The result is less than 2^-1021, so that its encoding is its number
// of units too: the root r of s = a² + b², rounded. math.Sqrt is off by one at
// most.
func hypotSubnormal(a, b uint64, m fp.Mode) float64 {
	h1, l1 := bits.Mul64(a, a)
	h2, l2 := bits.Mul64(b, b)
	lo, c := bits.Add64(l1, l2, 0)
	hi := h1 + h2 + c
	//lastbit:ignore floatconv below 2^64
	r := uint64(math.Sqrt(float64(float64(hi)*0x1p64) + float64(lo)))
	d := int64(lo - r*r) // s - r², of a few bits more than r
	if d < 0 {
		r--
		d += int64(2*r + 1)
	} else if d > int64(2*r) {
		d -= int64(2*r + 1)
		r++
	}
	switch {
	case d == 0:
	case m == fp.NearestEven && d > int64(r), m == fp.Up, m == fp.ToOdd && r&1 == 0:
		r++ // s is an integer, and (r+1/2)² is not
	}
	return math.Float64frombits(r)
}

// hypotExact is Hypot where r is within an ulp of the result. Squares and their
// sum are exact: x² and y² have 106 bits, and begin less than 58 bits apart;
// the square of a midpoint has 108.
func hypotExact(x, y, r float64, m fp.Mode) float64 {
	const w = 4
	var s, t wide.Float
	s.SetFloat64(x, w)
	s.Sqr(&s, w)
	t.SetFloat64(y, w)
	t.Sqr(&t, w)
	s.Add(&s, &t, w)
	return root(&s, r, 2, w, m)
}

// hypotLane is Hypot for numbers between hypotLeast and hypotMost, and where
// one of them is so small that the result is the other.
func hypotLane(x, y float64) (r float64, ok bool) {
	u, v := math.Abs(x), math.Abs(y)
	a, b := max(v, u), min(u, v)
	// Of encodings: a product with a may be subnormal.
	if int64(math.Float64bits(a)-math.Float64bits(b)) >= hypotFar {
		return a, a <= math.MaxFloat64
	}
	r, ok = fusedHypot(hypotBounded(a, a, b), hypotBounded(b, a, b))
	return r, ok && a <= hypotMost && b >= hypotLeast
}

// hypotBounded returns x, or 1 where a number of 0 ≤ b ≤ a is out of bounds.
func hypotBounded(x, a, b float64) float64 {
	if a <= hypotMost && b >= hypotLeast {
		return x
	}
	return 1
}

// hypotCall compares with b before it multiplies: products of other numbers may
// be subnormal.
func hypotCall(x, y float64) (r float64, ok bool) {
	u, v := math.Abs(x), math.Abs(y)
	a, b := max(v, u), min(u, v) // with x or y, one of them is NaN in the kernel too
	if !(b >= float64((a+hypotLeast*0x1p28)*0x1p-28)) {
		i, k := math.Float64bits(u), math.Float64bits(v)
		return max(u, v), i-k+hypotFar >= 2*hypotFar && areFinite(x, y)
	}
	return fusedHypot(a, b)
}

// HypotSlice is crmath.HypotSlice.
func HypotSlice(dst, x, y []float64) {
	vector.MapLoop2("crmath.HypotSlice", dst, x, y, vector.Each2(FastHypot), best.hypot, areFinite)
}

// Between hypotLeast and hypotMost squares and their rests are normal.
const (
	hypotLeast = 0x1p-450
	hypotMost  = 0x1p500
	hypotRoom  = 0x1p-30
)

// fusedHypot is Hypot for hypotLeast ≤ b ≤ a. It takes the root h of s = a² +
// b², and the rest of h² from the rests of products (Borges2019). h² - s and
// these rests are below 2^-50.5·h². q ≤ h² ≤ 2q up to three roundings, so that
// q - p is exact: no a² is next to a power of two from below by less than an
// ulp. Three roundings, below 2^-102·h² each, make d wrong, and the roundings
// of the product with 1/(2h), below 2^-51.9·h, make c wrong by 2^-52 of itself:
// together less than 2^-98·h. The terms after d/(2h) are below 2^-104·h.
//
// So where c is above 2^-60·h in magnitude, the factors 1 ± hypotRoom bound the
// correction, and elsewhere the result is h, and so is the sum with both.
//
// Where a² overflows, or an argument is infinite or NaN, d is NaN.
func fusedHypot(a, b float64) (r float64, ok bool) {
	b2 := float64(b * b)
	h := math.Sqrt(math.FMA(a, a, b2))
	p, q := float64(h*h), float64(a*a)
	d := math.FMA(b, b, q-p) - math.FMA(h, h, -p) + math.FMA(a, a, -q)
	c := float64(d * (0.5 / h))
	r = math.FMA(c, 1-hypotRoom, h)
	return r, r == math.FMA(c, 1+hypotRoom, h)
}
