package stoch

import "math"

// The fast paths are written for each format, since compilers inline no
// function that has code for both. They convert late: a conversion, even to the
// same format, takes a register.

// Add returns x + y. It detects cancellations.
func (a *Arithmetic[T]) Add(x, y Number[T]) Number[T] {
	s := Number[T]{x.r1 + y.r1, x.r2 + y.r2, x.r3 + y.r3}
	if isSingle[T]() {
		t, v, w := s.single(), float32(x.r1), float32(y.r1)
		c := a.toss(uint64(math.Float32bits(v)), uint64(math.Float32bits(w)))
		rare := uint32(a.special>>32) | extreme32(t.r1, t.r2, t.r3) | drop32(v, w, t.r1)
		if int32(rare) < 0 {
			return a.addRare(x, y, c)
		}
		d1, d2, d3 := a.directions(c)
		return Number[T]{
			T(step32(t.r1, math.Float32bits(float32(sumError(x.r1, y.r1, s.r1))), d1)),
			T(step32(t.r2, math.Float32bits(float32(sumError(x.r2, y.r2, s.r2))), d2)),
			T(step32(t.r3, math.Float32bits(float32(sumError(x.r3, y.r3, s.r3))), d3)),
		}
	}
	t, v, w := s.widen(), float64(x.r1), float64(y.r1)
	c := a.toss(math.Float64bits(v), math.Float64bits(w))
	if int64(a.special|extreme(t.r1, t.r2, t.r3)|drop(v, w, t.r1)) < 0 {
		return a.addRare(x, y, c)
	}
	d1, d2, d3 := a.directions(c)
	return Number[T]{
		T(step(t.r1, math.Float64bits(float64(sumError(x.r1, y.r1, s.r1))), d1)),
		T(step(t.r2, math.Float64bits(float64(sumError(x.r2, y.r2, s.r2))), d2)),
		T(step(t.r3, math.Float64bits(float64(sumError(x.r3, y.r3, s.r3))), d3)),
	}
}

// Sub returns x - y. It detects cancellations.
func (a *Arithmetic[T]) Sub(x, y Number[T]) Number[T] {
	return a.Add(x, Number[T]{-y.r1, -y.r2, -y.r3})
}

// Mul returns x·y. Self-validation: it detects that both are noise.
func (a *Arithmetic[T]) Mul(x, y Number[T]) Number[T] {
	v, w := x.widen(), y.widen()
	p := Float64{float64(v.r1 * w.r1), float64(v.r2 * w.r2), float64(v.r3 * w.r3)}
	c := a.toss(math.Float64bits(v.r1), math.Float64bits(w.r1))
	if isSingle[T]() { // products in float64 are exact
		if a.special|extremeSingle(p.r1, p.r2, p.r3) >= 1<<60 {
			return a.mulRare(x, y, c)
		}
		if isSpread(v.r1, v.r2, v.r3) {
			if isSpread(w.r1, w.r2, w.r3) {
				return a.mulRare(x, y, c)
			}
		}
		d1, d2, d3 := a.directions(c)
		return Number[T]{T(toSingle(p.r1, d1)), T(toSingle(p.r2, d2)), T(toSingle(p.r3, d3))}
	}
	if int64(a.special|extreme(p.r1, p.r2, p.r3)) < 0 {
		return a.mulRare(x, y, c)
	}
	if isSpread(v.r1, v.r2, v.r3) {
		if isSpread(w.r1, w.r2, w.r3) {
			return a.mulRare(x, y, c)
		}
	}
	d1, d2, d3 := a.directions(c)
	return Number[T]{
		T(step(p.r1, math.Float64bits(math.FMA(v.r1, w.r1, -p.r1)), d1)),
		T(step(p.r2, math.Float64bits(math.FMA(v.r2, w.r2, -p.r2)), d2)),
		T(step(p.r3, math.Float64bits(math.FMA(v.r3, w.r3, -p.r3)), d3)),
	}
}

// Div returns x/y. Self-validation: it detects that y is noise.
func (a *Arithmetic[T]) Div(x, y Number[T]) Number[T] {
	v, w := x.widen(), y.widen()
	s := Float64{v.r1 / w.r1, v.r2 / w.r2, v.r3 / w.r3}
	c := a.toss(math.Float64bits(v.r1), math.Float64bits(w.r1))
	if isSingle[T]() || int64(a.special|extreme(s.r1, s.r2, s.r3)|
		extreme(v.r1, v.r2, v.r3)|extreme(w.r1, w.r2, w.r3)) < 0 {
		return a.divRare(x, y, c)
	}
	d1, d2, d3 := a.directions(c)
	r := Number[T]{
		T(step(s.r1, quotientError(v.r1, w.r1, s.r1), d1)),
		T(step(s.r2, quotientError(v.r2, w.r2, s.r2), d2)),
		T(step(s.r3, quotientError(v.r3, w.r3, s.r3), d3)),
	}
	if y.isNoise() {
		a.note(SelfValidation)
	}
	return r
}

// Sqrt returns the square root of x. It detects that x is noise. A negative
// sample gives NaN.
func (a *Arithmetic[T]) Sqrt(x Number[T]) Number[T] {
	v := x.widen()
	s := Float64{math.Sqrt(v.r1), math.Sqrt(v.r2), math.Sqrt(v.r3)}
	c := a.toss(math.Float64bits(v.r1), 0)
	if isSingle[T]() || int64(a.special|extreme(s.r1, s.r2, s.r3)|extreme(v.r1, v.r2, v.r3)) < 0 {
		return a.sqrtSlow(x, a.again(c))
	}
	d1, d2, d3 := a.directions(c)
	r := Number[T]{
		T(step(s.r1, math.Float64bits(math.FMA(-s.r1, s.r1, v.r1)), d1)),
		T(step(s.r2, math.Float64bits(math.FMA(-s.r2, s.r2, v.r2)), d2)),
		T(step(s.r3, math.Float64bits(math.FMA(-s.r3, s.r3, v.r3)), d3)),
	}
	if x.isNoise() {
		a.note(Mathematical)
	}
	return r
}

// FMA returns x·y + z, rounded once. It detects that both x and y are noise,
// and cancellations of the sum.
func (a *Arithmetic[T]) FMA(x, y, z Number[T]) Number[T] {
	c := a.toss(bitsOf(x.r1), bitsOf(y.r1)).with(bitsOf(z.r1))
	return a.fused(x, y, z, a.again(c))
}

func (a *Arithmetic[T]) fused(x, y, z Number[T], c coins) Number[T] {
	r := a.addProduct(x, y, z, c)
	p := Number[T]{T(x.r1 * y.r1), T(x.r2 * y.r2), T(x.r3 * y.r3)}
	s := math.FMA(float64(x.r1), float64(y.r1), float64(z.r1))
	if hasDropped(float64(p.r1), float64(z.r1), float64(T(s))) {
		a.checkCancellation(p, z, r)
	}
	return r
}

// The rare paths are calls, so that the fast ones keep their registers.

//go:noinline
func (a *Arithmetic[T]) addRare(x, y Number[T], c coins) Number[T] {
	return a.addSlow(x, y, a.again(c))
}

//go:noinline
func (a *Arithmetic[T]) mulRare(x, y Number[T], c coins) Number[T] {
	return a.mulSlow(x, y, a.again(c))
}

//go:noinline
func (a *Arithmetic[T]) divRare(x, y Number[T], c coins) Number[T] {
	return a.divSlow(x, y, a.again(c))
}

// The slow paths round results that may be subnormal or overflow, and those of
// other roundings and formats.

func (a *Arithmetic[T]) addSlow(x, y Number[T], c coins) Number[T] {
	x, y = a.operand(x, c, 0), a.operand(y, c, 1)
	r := Number[T]{
		a.settle(sumExact(x.r1, y.r1), c, 0),
		a.settle(sumExact(x.r2, y.r2), c, 1),
		a.settle(sumExact(x.r3, y.r3), c, 2),
	}
	if hasDropped(float64(x.r1), float64(y.r1), float64(r.r1)) {
		a.checkCancellation(x, y, r)
	}
	return r
}

func (a *Arithmetic[T]) mulSlow(x, y Number[T], c coins) Number[T] {
	if x.isNoise() && y.isNoise() {
		a.note(SelfValidation)
	}
	x, y = a.operand(x, c, 0), a.operand(y, c, 1)
	return Number[T]{
		a.settle(productExact(x.r1, y.r1), c, 0),
		a.settle(productExact(x.r2, y.r2), c, 1),
		a.settle(productExact(x.r3, y.r3), c, 2),
	}
}

func (a *Arithmetic[T]) divSlow(x, y Number[T], c coins) Number[T] {
	if y.isNoise() {
		a.note(SelfValidation)
	}
	x, y = a.operand(x, c, 0), a.operand(y, c, 1)
	return Number[T]{
		a.settle(quotientExact(x.r1, y.r1), c, 0),
		a.settle(quotientExact(x.r2, y.r2), c, 1),
		a.settle(quotientExact(x.r3, y.r3), c, 2),
	}
}

func (a *Arithmetic[T]) sqrtSlow(x Number[T], c coins) Number[T] {
	if x.isNoise() {
		a.note(Mathematical)
	}
	x = a.operand(x, c, 0)
	return Number[T]{
		a.settle(rootExact(x.r1), c, 0),
		a.settle(rootExact(x.r2), c, 1),
		a.settle(rootExact(x.r3), c, 2),
	}
}

// extreme sets the sign bit unless numbers are between 2^-512 and 2^512, and no
// zeros: the errors of sums, products, quotients and roots with such results
// are exact, and their neighbours finite. Without its sign, the exponent of
// such a number is in the middle half of all.
func extreme(a, b, c float64) uint64 {
	const low = (1023 - 512) << 53
	return (math.Float64bits(a)<<1 - low) | (math.Float64bits(b)<<1 - low) |
		(math.Float64bits(c)<<1 - low)
}

// extreme32 does so for 2^-64 and 2^64.
func extreme32(a, b, c float32) uint32 {
	const low = (127 - 64) << 24
	return (math.Float32bits(a)<<1 - low) | (math.Float32bits(b)<<1 - low) |
		(math.Float32bits(c)<<1 - low)
}

// extremeSingle is at least 2^60 unless numbers are between 2^-64 and 2^64.
func extremeSingle(a, b, c float64) uint64 {
	const low = (1023 - 64) << 53
	return (math.Float64bits(a)<<1 - low) | (math.Float64bits(b)<<1 - low) |
		(math.Float64bits(c)<<1 - low)
}

// sumError returns the error of s = a + b, rounded: Knuth's TwoSum. Dekker's
// FastTwoSum of the larger and the smaller summand waits less for its own
// results, but choosing them takes longer.
func sumError[T Float](a, b, s T) T {
	t := s - a
	return (a - (s - t)) + (b - t)
}

// quotientError returns a number with the sign of the error of r = a/b,
// rounded: that of (a - r·b)/b.
func quotientError(a, b, r float64) uint64 {
	e := math.FMA(-r, b, a)
	return math.Float64bits(e) ^ math.Float64bits(b)&sign
}

// step returns R- or R+ of the result whose value rounded to nearest is r, and
// whose error has the sign of e: r itself or its neighbour. down is the sign
// bit or 0. r is normal, and less than the largest number of the format. The
// compiler makes the condition a conditional move: nothing predicts coins.
func step(r float64, e, down uint64) float64 {
	rb := math.Float64bits(r)
	next := rb + uint64(int64(rb^down)>>63|1) // away from 0 or towards it
	if int64(e^down) <= 0 {                   // no error in the coin's direction
		next = rb
	}
	return math.Float64frombits(next)
}

// toSingle returns R- or R+ of r in float32, whose neighbours are normal. down
// is the sign bit or 0. Outwards it adds all bits that float32 does not have,
// which carries unless they are 0, and then it drops them.
func toSingle(r float64, down uint64) float32 {
	const surplus = 1<<(52-23) - 1
	b := math.Float64bits(r)
	inwards := uint64(int64(b^down) >> 63) // all bits, or none
	return float32(math.Float64frombits((b + surplus&^inwards) &^ surplus))
}

// step32 is step of float32. e holds the bits of a number.
func step32(r float32, e uint32, down uint64) float32 {
	rb, d := math.Float32bits(r), uint32(down>>32)
	next := rb + uint32(int32(rb^d)>>31|1)
	if int32(e^d) <= 0 {
		next = rb
	}
	return math.Float32frombits(next)
}

// hasDropped reports whether the sum s lost so many leading bits that the loss
// of digits may be a cancellation. Where s keeps them, the deviation of the
// sum's samples is at most the sum of those of x and y, each relative to s at
// most 2^10 times what it is relative to its operand: fewer than
// cancelledDigits are lost.
func hasDropped(x, y, s float64) bool {
	t := math.Abs(s) * 1024
	return t < math.Abs(x) || t < math.Abs(y)
}

// drop sets the sign bit if the sum s, which is not extreme, has dropped: ten
// more in the exponent are a factor of 1024.
func drop(x, y, s float64) uint64 {
	t := math.Float64bits(s)&^sign + 10<<52
	return (t - math.Float64bits(x)&^sign) | (t - math.Float64bits(y)&^sign)
}

// drop32 is drop of float32.
func drop32(x, y, s float32) uint32 {
	const sign = 1 << 31
	t := math.Float32bits(s)&^sign + 10<<23
	return (t - math.Float32bits(x)&^sign) | (t - math.Float32bits(y)&^sign)
}

// checkFactors notes that both factors are noise.
func (a *Arithmetic[T]) checkFactors(x, y Number[T]) {
	if x.isNoise() && y.isNoise() {
		a.note(SelfValidation)
	}
}
