package perturb

import (
	"math"
	"unsafe"
)

// Float is the constraint of real operands.
type Float interface{ ~float32 | ~float64 }

// The functions that take the place of operators are small enough for compilers
// to put them in their place, down to one test of a flag. The functions behind
// take float64, and the size of the operands' format.

// Add returns a + b.
func Add[T Float](a, b T, site uint32) T {
	if active {
		return T(add(float64(a), float64(b), site, unsafe.Sizeof(a)))
	}
	return a + b
}

// Sub returns a - b.
func Sub[T Float](a, b T, site uint32) T {
	if active {
		return T(add(float64(a), -float64(b), site, unsafe.Sizeof(a)))
	}
	return a - b
}

// Mul returns a·b.
func Mul[T Float](a, b T, site uint32) T {
	if active {
		return T(mul(float64(a), float64(b), site, unsafe.Sizeof(a)))
	}
	return a * b
}

// Div returns a/b.
func Div[T Float](a, b T, site uint32) T {
	if active {
		return T(div(float64(a), float64(b), site, unsafe.Sizeof(a)))
	}
	return a / b
}

// quick is the key of all sites, or 0 if operations need the slow path: if they
// are recorded or toss coins of their own, or if sites or paths of calls are
// left alone, or sites are narrowed.
var quick uint64

// The sizes of a float32 and a float64.
const (
	singleSize = 4
	doubleSize = 8
)

// single is set in a place: a site, with the format of its operands. additive
// is set for sums.
const (
	single   = 1 << 30
	additive = 1 << 29
)

// index returns the site of a place.
func index(place uint32) uint32 { return place &^ (single | additive) }

func place(site uint32, size uintptr) uint32 { return site | uint32(8-size)<<28 }

// The error of r, a result to nearest, is the exact result minus r. Only its
// sign matters, and whether it is 0. The fast paths take its opposite, the
// excess, whose zeros are +0. The excess of s = a+b is (s-b-a) + (s-a-b): the
// difference that ends with the smaller operand is exact, and the other one is
// 0 or has the same sign. It is ready sooner than the error of twoSum.

// tiny bounds the results whose errors may be lost to underflow.
const tiny = 0x1p-960

// isSafe reports whether a number is finite, and not below tiny, by its bits.
func isSafe(b uint64) bool {
	const low = (1023 - 960) << 53
	return b<<1-low < 0x7ff<<53-low
}

// extreme returns a number below 1<<63 if x is between 2^-512 and 2^512: but
// for its sign, its exponent is in the middle half of all. 1<<63 is key<<63,
// since a key is odd; without a key, which is 0, nothing is below that.
func extreme(x float64) uint64 { return math.Float64bits(x)<<1 - (1023-512)<<53 }

// add is a + b.
//
//go:nosplit
func add(a, b float64, site uint32, size uintptr) float64 {
	s := a + b
	key := quick
	if size == singleSize || key == 0 || math.Float64bits(s)<<1 >= infinity<<1 {
		return sum(a, b, place(site, size))
	}
	return nudge(s, (s-b-a)+(s-a-b), toss(a, b, s, key))
}

// infinity has the bits of +Inf.
const infinity = 0x7ff << 52

// sum is a + b in any format, recorded.
func sum(a, b float64, place uint32) float64 {
	x, y := operands(a, b, place)
	s, e := twoSum(x, y)
	r := rounded(s, place)
	if s != r {
		e += s - r // e, the error of s, is exact and smaller
	}
	r = settle(a, b, r, e, place|additive)
	if recording && hasCancelled(a, b, r) {
		count(&records[index(place)].Cancelled)
	}
	return r
}

// twoSum returns s = a+b, rounded, and e with s+e = a+b (Knuth). Beside the
// largest number, s-a may overflow; s-b then does not.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	if t-t != 0 {
		a, b = b, a
		t = s - a
	}
	return s, (a - (s - t)) + (b - t)
}

// rounded returns x in the format of a place: a sum or a product of two numbers
// of the format. For float32 the second rounding is innocuous: float64 has more
// than twice the bits, and two more.
func rounded(x float64, place uint32) float64 {
	if place >= single {
		return float64(float32(x))
	}
	return x
}

// hasCancelled reports whether a sum lost at least CancelBits leading bits of
// its larger operand.
func hasCancelled(a, b, r float64) bool {
	larger := max(math.Abs(a), math.Abs(b))
	return math.Abs(r) < larger*(1.0/(1<<CancelBits)) && larger <= math.MaxFloat64
}

// mul is a·b.
//
//go:nosplit
func mul(a, b float64, site uint32, size uintptr) float64 {
	r := float64(a * b)
	key := quick
	if size == singleSize || extreme(r) >= key<<63 {
		return product(a, b, place(site, size))
	}
	return nudge(r, math.FMA(-a, b, r), toss(a, b, 0, key))
}

// product is a·b in any format, recorded.
func product(a, b float64, place uint32) float64 {
	x, y := operands(a, b, place)
	p := float64(x * y)
	r := rounded(p, place)
	var e float64
	switch {
	case place >= single:
		e = p - r
	case math.Abs(r) < tiny:
		e = smallProductError(x, y, r)
	default:
		e = math.FMA(x, y, -r)
	}
	return settleBy(0, a, b, r, e, place)
}

// smallProductError is a·b - r where r may be subnormal, or 0: its sign, and
// its size where that is a number.
func smallProductError(a, b, r float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	x, i := math.Frexp(a)
	y, j := math.Frexp(b)
	z, p := math.Ldexp(r, -(i+j)), float64(x*y)
	return scaled((p-z)+math.FMA(x, y, -p), i+j)
}

// scaled returns e·2^k, and not 0 unless e is.
func scaled(e float64, k int) float64 {
	if r := math.Ldexp(e, k); r != 0 || e == 0 {
		return r
	}
	return math.Copysign(math.SmallestNonzeroFloat64, e)
}

// div is a/b.
//
//go:nosplit
func div(a, b float64, site uint32, size uintptr) float64 {
	r := a / b
	key := quick
	if size == singleSize || key == 0 || !isSafe(math.Float64bits(r)) ||
		!isSafe(math.Float64bits(a)) || !isSafe(math.Float64bits(b)) {
		return quotient(a, b, place(site, size))
	}
	return nudge(r, math.FMA(r, math.Abs(b), -a*math.Copysign(1, b)), toss(a, b, r, key))
}

// quotient is a/b in any format, recorded. The second rounding of a float32 is
// innocuous, as in rounded.
func quotient(a, b float64, place uint32) float64 {
	x, y := operands(a, b, place)
	r := rounded(x/y, place)
	e := 0.0
	if r-r == 0 && y-y == 0 { // finite
		e = quotientError(x, y, r)
	}
	return settle(a, b, r, e, place)
}

// quotientError is a/b - r for finite numbers, b ≠ 0: (a - r·b)/b, with a and
// r·b scaled to be near 1.
func quotientError(a, b, r float64) float64 {
	if a == 0 {
		return 0
	}
	x, i := math.Frexp(a)
	y, j := math.Frexp(b)
	z := math.Ldexp(r, -(i - j))
	return scaled(math.FMA(-z, y, x)/y, i-j)
}

// settle returns r, or the neighbour of r in the direction of the error e if
// the coin of this operation comes out so, or what another mode makes of it,
// and records it. Infinities and NaN stay, and so do exact results, and 0: a
// loop that divides until nothing is left would not end if the smallest number
// over 10 were that number.
func settle(a, b, r, e float64, place uint32) float64 {
	return settleBy(r, a, b, r, e, place)
}

// settleBy is settle with another number in the place of r for the coin.
func settleBy(c, a, b, r, e float64, place uint32) float64 {
	site := index(place)
	key, isInexact := keys[site], e != 0 && e-e == 0
	if key != 0 && (isInexact || mode > Stochastic) && r-r == 0 && r != 0 &&
		(calls == nil || !isLeftAlone()) && !isSpared(a, b, place, key) {
		if mode == Random {
			h := toss(a, b, c, spend(key))
			if directed {
				h = direct(r, e)
			}
			if place >= single {
				r = nudgeSingle(r, e, h)
			} else {
				r = nudge(r, -e, h)
			}
		} else {
			r = perturbed(a, b, r, e, place, spend(key))
		}
	}
	if narrowed != nil && narrowed[site] {
		r = float64(float32(r))
	}
	if jolts != nil {
		scale := math.Abs(r)
		if place&additive != 0 {
			scale = max(math.Abs(a), math.Abs(b))
		}
		r = jolt(a, b, r, scale, place)
	}
	if recording {
		note(a, b, r, e, place)
	}
	return r
}

// nudge returns the neighbour of r on the side of the exact result if the first
// bit of the coin h is set, and r if it is not. r is finite. excess has the
// sign of r minus the exact result, and is +0 where r is exact. Nothing
// branches, since no processor can foresee a coin, and little waits for it.
func nudge(r, excess float64, h uint64) float64 {
	b, d := math.Float64bits(r), math.Float64bits(excess)
	in := uint64(int64(b^d)>>63 | 1) // towards 0, or away from it
	if d == 0 {
		in = 0
	}
	return math.Float64frombits(b - in&uint64(int64(h)>>63))
}

// nudgeSingle is nudge for a float32, with the error e of r, not 0.
func nudgeSingle(r, e float64, h uint64) float64 {
	if h>>63 == 0 {
		return r
	}
	return float64(math.Nextafter32(float32(r), float32(math.Inf(int(math.Copysign(1, e))))))
}
