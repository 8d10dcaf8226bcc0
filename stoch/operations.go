package stoch

import "math"

// Add returns x + y. It detects cancellations.
func (a *Arithmetic[T]) Add(x, y Number[T]) Number[T] {
	s := Number[T]{x.r1 + y.r1, x.r2 + y.r2, x.r3 + y.r3}
	c := a.toss(x.r1, y.r1)
	if !a.plain || !isMiddling(s) {
		return a.addSlow(x, y, c)
	}
	r := Number[T]{
		step(s.r1, float64(sumError(x.r1, y.r1, s.r1)), a.down(c, 0)),
		step(s.r2, float64(sumError(x.r2, y.r2, s.r2)), a.down(c, 1)),
		step(s.r3, float64(sumError(x.r3, y.r3, s.r3)), a.down(c, 2)),
	}
	if hasDropped(x.r1, y.r1, s.r1) {
		a.checkCancellation(x, y, r)
	}
	return r
}

// Sub returns x - y. It detects cancellations.
func (a *Arithmetic[T]) Sub(x, y Number[T]) Number[T] { return a.Add(x, y.Neg()) }

// Mul returns x·y. Self-validation: it detects that both are noise.
func (a *Arithmetic[T]) Mul(x, y Number[T]) Number[T] {
	c := a.toss(x.r1, y.r1)
	s := Number[T]{T(x.r1 * y.r1), T(x.r2 * y.r2), T(x.r3 * y.r3)}
	if !a.plain || !isMiddling(s) {
		return a.mulSlow(x, y, c)
	}
	r := Number[T]{
		step(s.r1, productError(x.r1, y.r1, s.r1), a.down(c, 0)),
		step(s.r2, productError(x.r2, y.r2, s.r2), a.down(c, 1)),
		step(s.r3, productError(x.r3, y.r3, s.r3), a.down(c, 2)),
	}
	if x.isNoise() && y.isNoise() {
		a.note(SelfValidation)
	}
	return r
}

// Div returns x/y. Self-validation: it detects that y is noise.
func (a *Arithmetic[T]) Div(x, y Number[T]) Number[T] {
	c := a.toss(x.r1, y.r1)
	s := Number[T]{x.r1 / y.r1, x.r2 / y.r2, x.r3 / y.r3}
	if !a.plain || !isMiddling(s) || !isMiddling(x) || !isMiddling(y) {
		return a.divSlow(x, y, c)
	}
	r := Number[T]{
		step(s.r1, quotientError(x.r1, y.r1, s.r1), a.down(c, 0)),
		step(s.r2, quotientError(x.r2, y.r2, s.r2), a.down(c, 1)),
		step(s.r3, quotientError(x.r3, y.r3, s.r3), a.down(c, 2)),
	}
	if y.isNoise() {
		a.note(SelfValidation)
	}
	return r
}

// Sqrt returns the square root of x. It detects that x is noise. A negative
// sample gives NaN.
func (a *Arithmetic[T]) Sqrt(x Number[T]) Number[T] {
	c := a.toss(x.r1, 0)
	s := Number[T]{
		T(math.Sqrt(float64(x.r1))), T(math.Sqrt(float64(x.r2))), T(math.Sqrt(float64(x.r3))),
	}
	if !a.plain || !isMiddling(s) || !isMiddling(x) {
		return a.sqrtSlow(x, c)
	}
	r := Number[T]{
		step(s.r1, -productError(s.r1, s.r1, x.r1), a.down(c, 0)),
		step(s.r2, -productError(s.r2, s.r2, x.r2), a.down(c, 1)),
		step(s.r3, -productError(s.r3, s.r3, x.r3), a.down(c, 2)),
	}
	if x.isNoise() {
		a.note(Mathematical)
	}
	return r
}

// FMA returns x·y + z, rounded once. It detects that both x and y are noise,
// and cancellations of the sum.
func (a *Arithmetic[T]) FMA(x, y, z Number[T]) Number[T] {
	c := a.toss(x.r1, y.r1).with(bitsOf(z.r1))
	x, y, z = a.operand(x, c, 0), a.operand(y, c, 1), a.operand(z, c, 2)
	r := Number[T]{
		a.settle(fusedExact(x.r1, y.r1, z.r1), c, 0),
		a.settle(fusedExact(x.r2, y.r2, z.r2), c, 1),
		a.settle(fusedExact(x.r3, y.r3, z.r3), c, 2),
	}
	if x.isNoise() && y.isNoise() {
		a.note(SelfValidation)
	}
	product := Number[T]{T(x.r1 * y.r1), T(x.r2 * y.r2), T(x.r3 * y.r3)}
	if hasDropped(product.r1, z.r1, r.r1) {
		a.checkCancellation(product, z, r)
	}
	return r
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
	if hasDropped(x.r1, y.r1, r.r1) {
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

// sumError returns the error of s = a + b, rounded: Knuth's TwoSum.
func sumError[T Float](a, b, s T) T {
	t := s - a
	return (a - (s - t)) + (b - t)
}

// isMiddling reports whether the samples are far from underflow and overflow,
// so that productError and quotientError are exact for them. They are not 0.
func isMiddling[T Float](x Number[T]) bool {
	if isSingle[T]() { // errors are computed in float64
		const low, span = 0x00800000, 0x7f000000 - 0x00800000 // 2^-126 to 2^127
		return math.Float32bits(float32(x.r1))&^(1<<31)-low < span &&
			math.Float32bits(float32(x.r2))&^(1<<31)-low < span &&
			math.Float32bits(float32(x.r3))&^(1<<31)-low < span
	}
	const low, span = 123 << 52, (1923 - 123) << 52 // 2^-900 to 2^900
	return math.Float64bits(float64(x.r1))&^(1<<63)-low < span &&
		math.Float64bits(float64(x.r2))&^(1<<63)-low < span &&
		math.Float64bits(float64(x.r3))&^(1<<63)-low < span
}

// productError returns the error of r = a·b, rounded.
func productError[T Float](a, b, r T) float64 {
	if isSingle[T]() {
		return float64(float64(a)*float64(b)) - float64(r) // the product is exact
	}
	return math.FMA(float64(a), float64(b), -float64(r))
}

// quotientError returns a number with the sign of the error of r = a/b,
// rounded: that of (a - r·b)/b.
func quotientError[T Float](a, b, r T) float64 {
	e := -productError(r, b, a)
	return math.Float64frombits(math.Float64bits(e) ^ math.Float64bits(float64(b))&(1<<63))
}

// step returns R- or R+ of the result whose value rounded to nearest is r, and
// whose error has the sign of e: r itself or its neighbour. down is the sign
// bit or 0. r is normal, and less than the largest number of the format.
// Branches would be mispredicted: compilers choose d by a conditional move.
func step[T Float](r T, e float64, down uint64) T {
	d := int64(0)
	if isSingle[T]() {
		rb := math.Float32bits(float32(r))
		if int64(math.Float64bits(e)^down) > 0 {
			d = int64(int32(rb^uint32(down>>32))>>31 | 1)
		}
		return T(math.Float32frombits(rb + uint32(d)))
	}
	rb := math.Float64bits(float64(r))
	if int64(math.Float64bits(e)^down) > 0 { // an error in the coin's direction
		d = int64(rb^down)>>63 | 1 // 1: away from 0, -1: towards it
	}
	return T(math.Float64frombits(rb + uint64(d)))
}

// hasDropped reports whether the sum s lost so many leading bits that the loss
// of digits may be a cancellation. Where s keeps them, the deviation of the
// sum's samples is at most the sum of those of x and y, each relative to s at
// most 2^10 times what it is relative to its operand: fewer than
// cancelledDigits are lost.
func hasDropped[T Float](x, y, s T) bool {
	t := abs(s) * 1024
	return t < abs(x) || t < abs(y)
}
