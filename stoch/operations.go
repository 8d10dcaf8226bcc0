package stoch

import "math"

// The fast paths are written for each format, since compilers inline no
// function that has code for both. They convert late: a conversion, even to the
// same format, takes a register. Calls are on lines that have arithmetic of
// their own where that is possible: for an inlined call on another line
// compilers write an instruction without effect, as a mark for tracebacks. Add,
// Mul and order do not check the stack: the calls of their rare paths do.

// Add returns x + y. It detects cancellations.
//
//go:nosplit
func (a *Arithmetic[T]) Add(x, y Number[T]) Number[T] {
	if isSingle[T]() {
		v1, v2, v3 := float32(x.r1), float32(x.r2), float32(x.r3)
		w1, w2, w3 := float32(y.r1), float32(y.r2), float32(y.r3)
		s1, s2, s3 := v1+w1, v2+w2, v3+w3
		c := toss(uint64(math.Float32bits(v1))^a.seed, uint64(math.Float32bits(w1))^a.seed2)
		if extreme32(s1, s2, s3) < uint32(a.limit>>32) && !drops32(v1, s1) {
			e1, e2, e3 := sumError(v1, w1, s1), sumError(v2, w2, s2), sumError(v3, w3, s3)
			r1, r2, r3 := step32(s1, e1, c), step32(s2, e2, c<<1), mirror32(s3, e3, c<<1)
			return Number[T]{T(r1), T(r2), T(r3)}
		}
		return a.addRare(Number[T]{T(v1), T(v2), T(v3)}, Number[T]{T(w1), T(w2), T(w3)}, c)
	}
	v1, v2, v3 := float64(x.r1), float64(x.r2), float64(x.r3)
	w1, w2, w3 := float64(y.r1), float64(y.r2), float64(y.r3)
	s1, s2, s3 := v1+w1, v2+w2, v3+w3
	c := toss(math.Float64bits(v1)^a.seed, math.Float64bits(w1)^a.seed2)
	if extreme(s1, s2, s3) < a.limit && !drops(v1, s1) {
		e1, e2, e3 := sumError(v1, w1, s1), sumError(v2, w2, s2), sumError(v3, w3, s3)
		r1, r2, r3 := step(s1, e1, c), step(s2, e2, c<<1), mirror(s3, e3, c<<1)
		return Number[T]{T(r1), T(r2), T(r3)}
	}
	return a.addRare(Number[T]{T(v1), T(v2), T(v3)}, Number[T]{T(w1), T(w2), T(w3)}, c)
}

// Sub returns x - y. It detects cancellations.
func (a *Arithmetic[T]) Sub(x, y Number[T]) Number[T] {
	return a.Add(x, Number[T]{-y.r1, -y.r2, -y.r3})
}

// Mul returns x·y. Self-validation: it detects that both are noise.
//
//go:nosplit
func (a *Arithmetic[T]) Mul(x, y Number[T]) Number[T] {
	v1, v2, v3 := float64(x.r1), float64(x.r2), float64(x.r3)
	w1, w2, w3 := float64(y.r1), float64(y.r2), float64(y.r3)
	p1, p2, p3 := float64(v1*w1), float64(v2*w2), float64(v3*w3)
	c := toss(math.Float64bits(v1)^a.seed, math.Float64bits(w1)^a.seed2)
	if isSingle[T]() { // products in float64 are exact
		if extremeSingle(p1, p2, p3) < a.limit>>3 && (areClose(v1, v2, v3) ||
			!isSpread(v1, v2, v3) || !isSpread(w1, w2, w3)) {
			out1, out2 := int64(c)>>63, int64(c<<1)>>63
			return Number[T]{T(toSingle(p1, out1)), T(toSingle(p2, out2)), T(toSingle(p3, ^out2))}
		}
		return a.mulRare(Number[T]{T(v1), T(v2), T(v3)}, Number[T]{T(w1), T(w2), T(w3)}, c)
	}
	if extreme(p1, p2, p3) < a.limit && (areClose(v1, v2, v3) ||
		!isSpread(v1, v2, v3) || !isSpread(w1, w2, w3)) {
		e1, e2, e3 := math.FMA(v1, w1, -p1), math.FMA(v2, w2, -p2), math.FMA(v3, w3, -p3)
		r1, r2, r3 := step(p1, e1, c), step(p2, e2, c<<1), mirror(p3, e3, c<<1)
		return Number[T]{T(r1), T(r2), T(r3)}
	}
	return a.mulRare(Number[T]{T(v1), T(v2), T(v3)}, Number[T]{T(w1), T(w2), T(w3)}, c)
}

// Div returns x/y. Self-validation: it detects that y is noise.
func (a *Arithmetic[T]) Div(x, y Number[T]) Number[T] {
	v, w := x.widen(), y.widen()
	s := Float64{v.r1 / w.r1, v.r2 / w.r2, v.r3 / w.r3}
	c := toss(math.Float64bits(v.r1)^a.seed, math.Float64bits(w.r1)^a.seed2)
	if isSingle[T]() || extreme(s.r1, s.r2, s.r3)|
		extreme(v.r1, v.r2, v.r3)|extreme(w.r1, w.r2, w.r3) >= a.limit {
		return a.divRare(x, y, c)
	}
	r := Number[T]{
		T(step(s.r1, quotientError(v.r1, w.r1, s.r1), c)),
		T(step(s.r2, quotientError(v.r2, w.r2, s.r2), c<<1)),
		T(mirror(s.r3, quotientError(v.r3, w.r3, s.r3), c<<1)),
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
	if isSingle[T]() || extreme(s.r1, s.r2, s.r3)|extreme(v.r1, v.r2, v.r3) >= a.limit {
		return a.sqrtSlow(x, a.again(c))
	}
	r := Number[T]{
		T(step(s.r1, math.FMA(-s.r1, s.r1, v.r1), c)),
		T(step(s.r2, math.FMA(-s.r2, s.r2, v.r2), c<<1)),
		T(mirror(s.r3, math.FMA(-s.r3, s.r3, v.r3), c<<1)),
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

// The slow paths round results that may be subnormal or overflow, and all
// results in other roundings and formats.

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

// sumError returns the error of s = a + b, rounded to nearest. Differences on a
// line of their own come first, which saves a copy of an operand.
func sumError[T Float](a, b, s T) T {
	t, u := s-b, s-a
	return (a - t) + (b - u)
}

// quotientError returns a number with the sign of a/b - r, where r = a/b
// rounded: the sign of (a - r·b)/b. It is +0 if r is exact.
func quotientError(a, b, r float64) float64 {
	return math.FMA(-r, math.Abs(b), a*math.Copysign(1, b))
}

// step returns R- or R+ of the result whose value rounded to nearest is r, and
// whose error has the sign of e, or is +0 as e: r itself or its neighbour. It
// takes the number away from 0 if the highest bit of the coins c is 1, and that
// towards 0 if it is 0. r is normal, and less than the largest number of the
// format.
//
// The number towards 0 is r, or the one before if the signs of r and e differ;
// that away from 0 is the next. Without an error there is only r. The compiler
// makes the condition a conditional move: nothing predicts it.
func step(r, e float64, c coins) float64 {
	b, d := math.Float64bits(r), math.Float64bits(e)
	next := b + uint64(c)>>63 + uint64(int64(d^b)>>63)
	if d == 0 {
		next = b
	}
	return math.Float64frombits(next)
}

// mirror is step with the complement of the coins.
func mirror(r, e float64, c coins) float64 {
	b, d := math.Float64bits(r), math.Float64bits(e)
	next := b - uint64(c)>>63 + (d^^b)>>63
	if d == 0 {
		next = b
	}
	return math.Float64frombits(next)
}

// step32 is step of float32.
func step32(r, e float32, c coins) float32 {
	b, d := math.Float32bits(r), math.Float32bits(e)
	next := b + uint32(c>>63) + uint32(int32(d^b)>>31)
	if d == 0 {
		next = b
	}
	return math.Float32frombits(next)
}

// mirror32 is mirror of float32.
func mirror32(r, e float32, c coins) float32 {
	b, d := math.Float32bits(r), math.Float32bits(e)
	next := b - uint32(c>>63) + (d^^b)>>31
	if d == 0 {
		next = b
	}
	return math.Float32frombits(next)
}

// toSingle returns R- or R+ of r in float32, whose neighbours are normal: the
// number away from 0 if all bits of out are 1, and that towards 0 if all are 0.
// Outwards it adds all bits that float32 does not have, which carries unless
// they are 0, and then it drops them.
func toSingle(r float64, out int64) float32 {
	const surplus = 1<<(52-23) - 1
	return float32(math.Float64frombits((math.Float64bits(r) + surplus&uint64(out)) &^ surplus))
}

// hasDropped reports whether the sum s lost so many leading bits that the loss
// of digits may be a cancellation. Where s keeps them, the deviation of the
// sum's samples is at most the sum of the deviations of x and y. Each deviation
// is, relative to s, at most 2^10 times what it is relative to its operand:
// fewer than cancelledDigits are lost.
func hasDropped(x, y, s float64) bool {
	t := math.Abs(s) * 1024
	return t < math.Abs(x) || t < math.Abs(y)
}

// drops reports whether a sum s of x and another number, which is not extreme,
// may have dropped. That number is within |s| of -x: so where either of them is
// more than 1024·|s|, x is more than 512·|s|, nine more in the exponent.
func drops(x, s float64) bool {
	return math.Float64bits(x)<<1 > math.Float64bits(s)<<1+9<<53
}

// drops32 is drops of float32.
func drops32(x, s float32) bool {
	return math.Float32bits(x)<<1 > math.Float32bits(s)<<1+9<<24
}

// checkFactors notes that both factors are noise.
func (a *Arithmetic[T]) checkFactors(x, y Number[T]) {
	if x.isNoise() && y.isNoise() {
		a.note(SelfValidation)
	}
}
