package perturb

import (
	"math"
	"unsafe"
)

// Float is the constraint of real operands.
type Float interface{ ~float32 | ~float64 }

// isSingle reports whether T is a float32. Compilers know the answer.
func isSingle[T Float]() bool { return unsafe.Sizeof(T(0)) == 4 }

// Add returns a + b.
func Add[T Float](a, b T, site uint32) T {
	r := a + b
	if active {
		return T(add(float64(a), float64(b), float64(r), site, isSingle[T]()))
	}
	return r
}

// Sub returns a - b.
func Sub[T Float](a, b T, site uint32) T {
	r := a - b
	if active {
		return T(add(float64(a), -float64(b), float64(r), site, isSingle[T]()))
	}
	return r
}

// Mul returns a·b.
func Mul[T Float](a, b T, site uint32) T {
	r := a * b
	if active {
		return T(mul(float64(a), float64(b), float64(r), site, isSingle[T]()))
	}
	return r
}

// Div returns a/b.
func Div[T Float](a, b T, site uint32) T {
	r := a / b
	if active {
		return T(div(float64(a), float64(b), float64(r), site, isSingle[T]()))
	}
	return r
}

// The slow paths take float64; the sum and the product of float32 are exact in
// pairs of float64. r is the result to nearest in the format of the operands.
// The error of r is the exact result minus r. Only its sign matters, and
// whether it is 0.

// add is a + b.
func add(a, b, r float64, site uint32, single bool) float64 {
	s, e := twoSum(a, b)
	if single && s != r {
		e = s - r // exact, and larger than the error of s
	}
	r = settle(r, e, site, single)
	if records != nil {
		note(a, b, r, e, site, single)
		if hasCancelled(a, b, r) {
			count(&records[site].Cancelled)
		}
	}
	return r
}

// twoSum returns s = a+b, rounded, and e with s+e = a+b (Knuth).
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// hasCancelled reports whether a sum lost at least CancelBits leading bits of
// its larger operand.
func hasCancelled(a, b, r float64) bool {
	larger := max(math.Abs(a), math.Abs(b))
	return math.Abs(r) < larger*(1.0/(1<<CancelBits)) && larger <= math.MaxFloat64
}

// mul is a·b.
func mul(a, b, r float64, site uint32, single bool) float64 {
	var e float64
	switch {
	case single:
		e = float64(a*b) - r
	case math.Abs(r) < 0x1p-960:
		e = smallProductError(a, b, r)
	default:
		e = math.FMA(a, b, -r)
	}
	r = settle(r, e, site, single)
	if records != nil {
		note(a, b, r, e, site, single)
	}
	return r
}

// smallProductError is the sign of a·b - r where r may be subnormal, or 0.
func smallProductError(a, b, r float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	x, i := math.Frexp(a)
	y, j := math.Frexp(b)
	z, p := math.Ldexp(r, -(i+j)), float64(x*y)
	return (p - z) + math.FMA(x, y, -p)
}

// div is a/b.
func div(a, b, r float64, site uint32, single bool) float64 {
	e := 0.0
	if r-r == 0 && b-b == 0 { // finite
		e = quotientError(a, b, r)
	}
	r = settle(r, e, site, single)
	if records != nil {
		note(a, b, r, e, site, single)
	}
	return r
}

// quotientError is the sign of a/b - r for finite numbers, b ≠ 0: that of
// (a - r·b)/b, with a and r·b scaled to be near 1.
func quotientError(a, b, r float64) float64 {
	if a == 0 {
		return 0
	}
	x, i := math.Frexp(a)
	y, j := math.Frexp(b)
	z := math.Ldexp(r, -(i - j))
	return math.Copysign(1, y) * math.FMA(-z, y, x)
}

// settle returns r, or the neighbour of r in the direction of the error e if
// the coin of this operation says so. Infinities and NaN stay, and so do exact
// results.
func settle(r, e float64, site uint32, single bool) float64 {
	if !perturb || e == 0 || e-e != 0 || r-r != 0 || mask[site] == 0 || !coin(r, e, site) {
		return r
	}
	return step(r, e, single)
}

// step returns the neighbour of r, finite, in the direction of e.
func step(r, e float64, single bool) float64 {
	toward := math.Inf(1)
	if e < 0 {
		toward = math.Inf(-1)
	}
	if single {
		return float64(math.Nextafter32(float32(r), float32(toward)))
	}
	return math.Nextafter(r, toward)
}
