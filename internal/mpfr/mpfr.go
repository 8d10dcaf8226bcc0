// Package mpfr is an oracle for tests: it returns correctly rounded values of
// elementary functions, computed by GNU MPFR.
//
// MPFR itself rounds each result correctly, but its binary64 has no subnormal
// numbers and no overflow. So this package evaluates a function to 64 bits,
// toward zero. MPFR's ternary value turns that into a result rounded to odd,
// which holds the information that one further rounding to 62 bits or fewer
// needs (Boldo2008); this package does that rounding, in integers. Each
// evaluation is one call of C, which reads and writes the words of argument and
// result in place.
package mpfr

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"runtime"
	"slices"
	"strconv"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/dl"
)

// soname is MPFR 4's.
const soname = "libmpfr.so.6"

// number is MPFR's __mpfr_struct for a long and limbs of 64 bits. The
// value is sign · 0.limb · 2^exp.
type number struct {
	prec int64
	sign int32
	exp  int64
	d    *uint64
}

// Values of number.exp for numbers without limbs, __MPFR_EXP_ZERO and so on.
const (
	expZero = math.MinInt64 + 1 + iota
	expNaN
	expInf
)

const (
	towardZero = 1 // MPFR_RNDZ
	precision  = 64
)

// Library is MPFR, loaded.
type Library struct{ lib *dl.Library }

// Open loads MPFR.
func Open() (*Library, error) {
	if strconv.IntSize != 64 || runtime.GOOS == "windows" {
		return nil, fmt.Errorf("mpfr: long has not 64 bits: %w", errors.ErrUnsupported)
	}
	lib, err := dl.Open(soname)
	if err != nil {
		return nil, fmt.Errorf("mpfr: %w; install libmpfr6", err)
	}
	return &Library{lib}, nil
}

// Unary is a function of one argument. It holds the memory of one evaluation:
// each goroutine needs its own.
type Unary struct {
	call   func(z, x *number, rnd int32) int32
	z, x   number
	zw, xw uint64
	sign   int32 // of Γ(x), after a call of lgamma
	long   long
}

// Unary returns mpfr_name: exp, exp2, exp10, expm1, log, log2, log10, log1p,
// sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, cbrt,
// sqrt, erf, erfc, gamma, lgamma.
func (l *Library) Unary(name string) (*Unary, error) {
	u := new(Unary)
	var signed func(z *number, sign *int32, x *number, rnd int32) int32
	var call any = &u.call
	if name == "lgamma" {
		call = &signed
		u.call = func(z, x *number, rnd int32) int32 { return signed(z, &u.sign, x, rnd) }
	}
	if err := l.lib.Func("mpfr_"+name, call); err != nil {
		return nil, err
	}
	u.z, u.x = number{prec: precision, sign: 1, d: &u.zw},
		number{prec: precision, sign: 1, d: &u.xw}
	return u, nil
}

// Float64 returns f(x) rounded to binary64, to nearest, ties to even.
func (u *Unary) Float64(x float64) float64 {
	t := u.eval(x)
	return math.Float64frombits(u.z.round(t, fp.Binary64, fp.NearestEven))
}

// Float32 returns f(x) rounded to binary32, to nearest, ties to even.
func (u *Unary) Float32(x float32) float32 {
	t := u.eval(float64(x))
	return math.Float32frombits(uint32(u.z.round(t, fp.Binary32, fp.NearestEven)))
}

// Rounded returns f(x) rounded once to the format.
func (u *Unary) Rounded(x float64, f fp.Format, m fp.Mode) float64 {
	t := u.eval(x)
	return f.FromBits(u.z.round(t, f, m))
}

// Directions is the number of rounding directions in package fp.
const Directions = int(fp.ToOdd) + 1

// EveryDirection returns f(x) rounded once to the format, by direction.
func (u *Unary) EveryDirection(x float64, f fp.Format) [Directions]float64 {
	return u.z.everyDirection(u.eval(x), f)
}

func (u *Unary) eval(x float64) int32 {
	u.x.set(x)
	return u.call(&u.z, &u.x, towardZero)
}

// Binary is a function of two arguments. It holds the memory of one evaluation:
// each goroutine needs its own.
type Binary struct {
	call       func(z, x, y *number, rnd int32) int32
	z, x, y    number
	zw, xw, yw uint64
	long       long
}

// Binary returns mpfr_name: pow, atan2, hypot.
func (l *Library) Binary(name string) (*Binary, error) {
	b := new(Binary)
	if err := l.lib.Func("mpfr_"+name, &b.call); err != nil {
		return nil, err
	}
	b.z, b.x, b.y = number{prec: precision, sign: 1, d: &b.zw},
		number{prec: precision, sign: 1, d: &b.xw}, number{prec: precision, sign: 1, d: &b.yw}
	return b, nil
}

// Float64 returns f(x, y) rounded to binary64, to nearest, ties to even.
func (b *Binary) Float64(x, y float64) float64 {
	t := b.eval(x, y)
	return math.Float64frombits(b.z.round(t, fp.Binary64, fp.NearestEven))
}

// Float32 returns f(x, y) rounded to binary32, to nearest, ties to even.
func (b *Binary) Float32(x, y float32) float32 {
	t := b.eval(float64(x), float64(y))
	return math.Float32frombits(uint32(b.z.round(t, fp.Binary32, fp.NearestEven)))
}

// Rounded returns f(x, y) rounded once to the format.
func (b *Binary) Rounded(x, y float64, f fp.Format, m fp.Mode) float64 {
	t := b.eval(x, y)
	return f.FromBits(b.z.round(t, f, m))
}

// EveryDirection returns f(x, y) rounded once to the format, by direction.
func (b *Binary) EveryDirection(x, y float64, f fp.Format) [Directions]float64 {
	return b.z.everyDirection(b.eval(x, y), f)
}

func (b *Binary) eval(x, y float64) int32 {
	b.x.set(x)
	b.y.set(y)
	return b.call(&b.z, &b.x, &b.y, towardZero)
}

// WithInt is a function of a float64 and an integer. It holds the memory of one
// evaluation: each goroutine needs its own.
type WithInt struct {
	call   func(z, x *number, n int64, rnd int32) int32
	z, x   number
	zw, xw uint64
	long   long
}

// WithInt returns mpfr_name: pow_si, compound_si, rootn_si.
func (l *Library) WithInt(name string) (*WithInt, error) {
	w := new(WithInt)
	if err := l.lib.Func("mpfr_"+name, &w.call); err != nil {
		return nil, err
	}
	w.z, w.x = number{prec: precision, sign: 1, d: &w.zw},
		number{prec: precision, sign: 1, d: &w.xw}
	return w, nil
}

// Rounded returns f(x, n) rounded once to the format.
func (w *WithInt) Rounded(x float64, n int, f fp.Format, m fp.Mode) float64 {
	t := w.eval(x, n)
	return f.FromBits(w.z.round(t, f, m))
}

// EveryDirection returns f(x, n) rounded once to the format, by direction.
func (w *WithInt) EveryDirection(x float64, n int, f fp.Format) [Directions]float64 {
	return w.z.everyDirection(w.eval(x, n), f)
}

func (w *WithInt) eval(x float64, n int) int32 {
	w.x.set(x)
	return w.call(&w.z, &w.x, int64(n), towardZero)
}

// Digits is 256 bits of a number, truncated: 0.M[0]M[1]M[2]M[3] · 2^Exp,
// without its sign.
type Digits struct {
	M   [4]uint64
	Exp int
}

// long is the memory of Digits.
type long struct {
	n     number
	limbs [4]uint64
}

func (l *long) digits(eval func(z *number) int32) (d Digits, ok bool) {
	l.n = number{prec: 256, sign: 1, d: &l.limbs[0]}
	eval(&l.n)
	if l.n.exp <= expInf {
		return d, false
	}
	for i, m := range l.limbs { // the least significant comes first
		d.M[3-i] = m
	}
	d.Exp = int(l.n.exp)
	return d, true
}

// Digits returns |f(x)| to 256 bits, and whether it is finite and not 0.
func (u *Unary) Digits(x float64) (Digits, bool) {
	u.x.set(x)
	return u.long.digits(func(z *number) int32 { return u.call(z, &u.x, towardZero) })
}

// Digits returns |f(x, y)| to 256 bits, and whether it is finite and not 0.
func (b *Binary) Digits(x, y float64) (Digits, bool) {
	b.x.set(x)
	b.y.set(y)
	return b.long.digits(func(z *number) int32 { return b.call(z, &b.x, &b.y, towardZero) })
}

// Digits returns |f(x, n)| to 256 bits, and whether it is finite and not 0.
func (w *WithInt) Digits(x float64, n int) (Digits, bool) {
	w.x.set(x)
	return w.long.digits(func(z *number) int32 { return w.call(z, &w.x, int64(n), towardZero) })
}

// Value returns f(x) truncated to a precision in bits, or infinite; nil where
// it is not a number.
func (u *Unary) Value(x float64, precision uint) *big.Float {
	u.x.set(x)
	return value(precision, func(z *number) { u.call(z, &u.x, towardZero) })
}

// Value returns f(x, y) truncated to a precision in bits, or infinite; nil
// where it is not a number.
func (b *Binary) Value(x, y float64, precision uint) *big.Float {
	b.x.set(x)
	b.y.set(y)
	return value(precision, func(z *number) { b.call(z, &b.x, &b.y, towardZero) })
}

// Value returns f(x, n) truncated to a precision in bits, or infinite; nil
// where it is not a number.
func (w *WithInt) Value(x float64, n int, precision uint) *big.Float {
	w.x.set(x)
	return value(precision, func(z *number) { w.call(z, &w.x, int64(n), towardZero) })
}

// value returns the number of that precision that eval computes.
func value(precision uint, eval func(z *number)) *big.Float {
	limbs := make([]uint64, (precision+63)/64) // the least significant comes first
	n := number{prec: int64(precision), sign: 1, d: &limbs[0]}
	eval(&n)
	z := new(big.Float).SetPrec(precision)
	switch n.exp {
	case expNaN:
		return nil
	case expInf:
		z.SetInf(false)
	case expZero:
	default:
		m := new(big.Int)
		for _, w := range slices.Backward(limbs) {
			m.Or(m.Lsh(m, 64), new(big.Int).SetUint64(w))
		}
		z.SetMantExp(z.SetInt(m), int(n.exp)-64*len(limbs))
	}
	if n.sign < 0 {
		z.Neg(z)
	}
	return z
}

// set sets n to x, exactly.
func (n *number) set(x float64) {
	u := math.Float64bits(x)
	n.sign = 1
	if u>>63 != 0 {
		n.sign = -1
	}
	e, f := int64(u>>52&0x7ff), u&(1<<52-1)
	switch {
	case e == 0x7ff && f != 0:
		n.exp = expNaN
	case e == 0x7ff:
		n.exp = expInf
	case e == 0 && f == 0:
		n.exp = expZero
	default:
		if e == 0 {
			e = 1
		} else {
			f |= 1 << 52
		}
		z := bits.LeadingZeros64(f)
		*n.d, n.exp = f<<z, e-1075+64-int64(z)
	}
}

// round returns the encoding of n, whose ternary value was t, rounded once to
// the format.
func (n *number) round(t int32, f fp.Format, mode fp.Mode) uint64 {
	p, emin, emax := uint(f.Precision()), int64(f.MinExp()-f.Precision()+1), int64(f.MaxExp()+1)
	infinity, sign := uint64(2*emax-1)<<(p-1), uint64(0)
	if n.sign < 0 {
		sign = uint64(emax) << p
	}
	up := mode == fp.Up && n.sign > 0 || mode == fp.Down && n.sign < 0
	switch {
	case n.exp == expNaN:
		return infinity | 1<<(p-2)
	case n.exp == expInf:
		return sign | infinity
	case n.exp == expZero && t == 0:
		return sign
	case n.exp == expZero: // a value that MPFR cannot hold, far below 2^emin
		return sign | quotient(0, 1, 2, up, mode)
	case n.exp > emax && (up || mode == fp.NearestEven):
		return sign | infinity
	case n.exp > emax:
		return sign | (infinity - 1)
	}
	m := *n.d
	if t != 0 {
		m |= 1 // rounded to odd
	}
	// The lowest bit of the word is 2^(exp-64), and the lowest bit of the
	// result is 2^(exp-64+drop).
	drop := max(int64(64-p), emin-(n.exp-64))
	var q uint64
	switch {
	case drop > 64: // less than half of 2^emin
		q = quotient(0, 1, 2, up, mode)
	case drop == 64:
		q = quotient(0, m, 1<<63, up, mode)
	default:
		q = quotient(m>>uint(drop), m&(1<<uint(drop)-1), 1<<uint(drop-1), up, mode)
	}
	// q·2^(exp-64+drop); a carry out of the significand steps the exponent by
	// itself, in the subnormal case as well.
	e := uint64(0) // field of the exponent, minus the hidden bit
	if drop == int64(64-p) {
		e = uint64(n.exp - 64 + drop - emin)
	}
	return sign | (e<<(p-1) + q)
}

// everyDirection returns n, whose ternary value was t, rounded once to the
// format, by direction.
func (n *number) everyDirection(t int32, f fp.Format) (y [Directions]float64) {
	for m := range y {
		y[m] = f.FromBits(n.round(t, f, fp.Mode(m)))
	}
	return y
}

// quotient rounds q + rest/(2·half) to an integer; up is the direction away
// from 0.
func quotient(q, rest, half uint64, up bool, mode fp.Mode) uint64 {
	switch {
	case rest == 0:
		return q
	case mode == fp.NearestEven:
		up = rest > half || rest == half && q&1 != 0
	case mode == fp.ToOdd:
		return q | 1
	}
	if up {
		q++
	}
	return q
}
