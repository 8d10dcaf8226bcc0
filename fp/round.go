package fp

import (
	"fmt"
	"math"
	"math/big"

	"github.com/lastbit/lastbit/internal/eft"
)

// Mode is a rounding direction.
type Mode uint8

// The directions of IEEE 754, and rounding to odd: a value that is not
// representable becomes the neighbour whose last bit is 1. Rounding that result
// again, to a format at least two bits shorter, gives the same in every
// direction as rounding the value once (Boldo2008). NearestAway rounds ties
// away from zero.
const (
	NearestEven Mode = iota
	TowardZero
	Up
	Down
	ToOdd
	NearestAway
)

var modeNames = [...]string{"rne", "rz", "ru", "rd", "ro", "rna"}

// String returns rne, rz, ru, rd, ro or rna.
func (m Mode) String() string {
	if int(m) >= len(modeNames) {
		return "unknown"
	}
	return modeNames[m]
}

// MarshalText returns the name, so that a Mode is a string in JSON.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the names that String returns.
func (m *Mode) UnmarshalText(b []byte) error {
	for i, s := range modeNames {
		if s == string(b) {
			*m = Mode(i)
			return nil
		}
	}
	return fmt.Errorf("fp: no rounding mode is called %q; there are rne, rz, ru, rd, ro and rna", b)
}

// Round returns x rounded to the format: the nearest value, ties to even, or
// the next one in the direction of m. Overflow gives ±Inf, or ±Max where m
// points inwards or is ToOdd; signs of zero, infinities and NaN are kept.
//
// Where a format lacks a value, the result is:
//   - for ±Inf: NaN in E4M3FN, E4M3FNUZ and E5M2FNUZ, from an overflow too
//     (MicikeviciusOFP8, the conversion that does not saturate); ±Max in E3M2,
//     E2M3 and E2M1 (OCPMX, 6.3)
//   - for −0: +0
//   - for NaN: NaN, which is not a value of E3M2, E2M3 and E2M1 (OCPMX leaves
//     it to the implementation)
//   - in E8M0, whose ties go up: NaN for zero, negative numbers, +Inf and
//     overflow, Smallest for positive numbers below it. PyTorch's conversion
//     makes Smallest of zero and drops signs; ml_dtypes does as Round.
func (f Format) Round(x float64, m Mode) float64 {
	switch {
	case f == Binary64:
		return x
	case x == 0 || x != x || math.IsInf(x, 0):
		return f.special(x)
	case f == Binary32 && m == NearestEven:
		return float64(float32(x))
	}
	if r, ok := f.roundNormal(x, m); ok && f != E8M0 {
		return r
	}
	return f.roundScaled(x, 0, m)
}

// RoundSaturated is Round except that ±Max takes the place of infinities, of
// what is rounded to them, and of the NaN that stands for them in a format
// without (MicikeviciusOFP8, the conversion that saturates). In E8M0, whose
// numbers are all positive, zero and negative numbers stay NaN.
func (f Format) RoundSaturated(x float64, m Mode) float64 {
	r := f.Round(x, m)
	if x == x && (r != r || math.IsInf(r, 0)) && (layouts[f].kind != powers || x > 0) {
		return math.Copysign(f.Max(), x)
	}
	return r
}

// special returns what stands in the format for a zero, an infinity or NaN.
func (f Format) special(x float64) float64 {
	l := &layouts[f]
	switch {
	case l.kind == ieee || x != x:
		return x
	case x == 0 && l.kind == minusZeroNaN:
		return 0
	case x == 0 && l.kind != powers:
		return x
	case x != 0 && l.kind == numbers:
		return math.Copysign(l.max, x)
	}
	return math.NaN()
}

// roundNormal rounds x in direction m; ok is false where x or the result is not
// a normal number of the format. A carry out of the significand goes into the
// exponent.
func (f Format) roundNormal(x float64, m Mode) (r float64, ok bool) {
	l := &layouts[f]
	drop := uint(53 - l.prec)
	b := math.Float64bits(x)
	switch {
	case m == NearestEven:
		b += 1<<(drop-1) - 1 + b>>drop&1
	case m == NearestAway:
		b += 1 << (drop - 1)
	case m == Up && x > 0, m == Down && x < 0:
		b += 1<<drop - 1
	case m == ToOdd && b&(1<<drop-1) != 0:
		b |= 1 << drop
	}
	b &^= 1<<drop - 1
	least, most := uint64(l.emin+1023)<<52, math.Float64bits(l.max)
	mag := b &^ (1 << 63)
	return math.Float64frombits(b), mag <= most && math.Float64bits(x)&^(1<<63) >= least
}

// roundScaled rounds x·2^k, for a finite x that is not 0, to the format.
func (f Format) roundScaled(x float64, k int, m Mode) float64 {
	l := &layouts[f]
	if l.kind == powers {
		if x < 0 {
			return math.NaN()
		}
		if math.Ilogb(x)+k < l.emin {
			return l.minNormal
		}
	}
	// The spacing of the format there is 2^q. x·2^k/2^q is exact, below 2^53,
	// and is rounded to an integer; far below 1/2 its size no longer matters.
	e := math.Ilogb(x)
	q := max(e+k, l.emin) - l.prec + 1
	r := math.Ldexp(roundInt(math.Ldexp(x, max(k-q, -e-64)), m), q)
	switch {
	case r == 0:
		return f.special(math.Copysign(0, x))
	case math.Abs(r) > l.max && m.inward(x):
		return math.Copysign(l.max, x)
	case math.Abs(r) > l.max:
		return f.special(math.Inf(int(math.Copysign(1, x))))
	}
	return r
}

// inward reports whether a number of the sign of x that is too large for a
// format becomes its largest number, and not infinite.
func (m Mode) inward(x float64) bool {
	return m == TowardZero || m == ToOdd || m == Up && x < 0 || m == Down && x > 0
}

// roundInt rounds x to an integer in direction m.
func roundInt(x float64, m Mode) float64 {
	switch m {
	case TowardZero:
		return math.Trunc(x)
	case Up:
		return math.Ceil(x)
	case Down:
		return math.Floor(x)
	case ToOdd:
		t := math.Trunc(x)
		if t != x && math.Mod(t, 2) == 0 {
			t += math.Copysign(1, x)
		}
		return t
	case NearestAway:
		return math.Round(x)
	}
	return math.RoundToEven(x)
}

// roundSum rounds the exact value s + e to the format, where s = RN(s+e) in
// binary64. Formats of at most 51 bits are rounded from the 53-bit value
// rounded to odd: rounding that again gives the correctly rounded result.
//
// References:
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
func (f Format) roundSum(s, e float64, m Mode) float64 {
	if e == 0 || math.IsInf(s, 0) || s != s || e != e {
		return f.overflow(s, m)
	}
	if f == Binary64 {
		movesTie := m == NearestAway && 2*math.Abs(e) == Binary64.ULP(s)
		return nextTo(s, e, movesTie, m)
	}
	return f.Round(toOdd(s, e), m)
}

// toOdd rounds the exact value s + e, where s = RN(s+e), to odd in binary64:
// the last bit is 1 where the result is inexact.
func toOdd(s, e float64) float64 {
	b := math.Float64bits(s)
	switch {
	case e == 0 || b&1 != 0:
		return s
	case (e > 0) == (s > 0): // s is not 0
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// overflow rounds a sum that is exact in binary64 or has overflowed there. A
// binary64 sum of finite numbers that overflowed is ±Max where m points
// inwards.
func (f Format) overflow(s float64, m Mode) float64 {
	if !math.IsInf(s, 0) || m == NearestEven {
		return f.Round(s, m)
	}
	if m.inward(s) {
		return math.Copysign(f.Max(), s)
	}
	return f.special(s)
}

// Add returns a + b rounded once to the format. a and b may be any binary64
// values, not only values of the format. An exact zero sum of opposite operands
// is +0, and −0 in mode Down.
func (f Format) Add(a, b float64, m Mode) float64 {
	if m == NearestEven {
		s := a + b
		switch {
		case f == Binary64:
			return s
		case f == Binary32 && (roundsAlike(s) || isExact(s, a, b)):
			return float64(float32(s))
		}
	}
	if math.IsInf(a, 0) || math.IsInf(b, 0) || a != a || b != b {
		return f.special(a + b)
	}
	if math.Abs(a) < math.Abs(b) {
		a, b = b, a // or s − a could overflow beside the largest number
	}
	s, e := eft.TwoSum(a, b)
	if s == 0 && m == Down && (math.Signbit(a) || math.Signbit(b)) {
		return f.special(math.Copysign(0, -1))
	}
	return f.roundSum(s, e, m)
}

// isExact reports whether s is a + b exactly, and a binary32, as most sums are
// that are subnormal or zero: the larger operand taken from s leaves the other.
func isExact(s, a, b float64) bool {
	return float64(float32(s)) == s && s-a == b && s-b == a
}

// roundsAlike reports whether every value that rounds to s in binary64 rounds
// to the same binary32, to nearest even, as s does: s is finite, of at least
// the least normal binary32 in size, and not halfway between two of them, which
// its last 29 bits show. No such value lies beyond a halfway point that s is
// not.
func roundsAlike(s float64) bool {
	const tie = 1 << 28
	b := math.Float64bits(s)
	return b&(2*tie-1) != tie && math.Abs(s) >= 0x1p-126 && b>>52&0x7ff != 0x7ff
}

// Mul returns a·b rounded once to the format. a and b may be any binary64
// values.
func (f Format) Mul(a, b float64, m Mode) float64 {
	if m == NearestEven && f == Binary64 {
		return float64(a * b)
	}
	p := float64(a * b)
	switch {
	case a == 0 || b == 0 || p != p || math.IsInf(a, 0) || math.IsInf(b, 0):
		return f.special(p)
	case math.Abs(p) < 0x1p-960: // the error of p may be below the subnormals
		return f.mulSmall(a, b, m)
	}
	_, e := eft.TwoProd(a, b)
	return f.roundSum(p, e, m)
}

// mulSmall is Mul of numbers whose product is below 2^-960 or underflows.
func (f Format) mulSmall(a, b float64, m Mode) float64 {
	a, i := math.Frexp(a)
	b, j := math.Frexp(b)
	p, e := eft.TwoProd(a, b)
	if f == Binary64 && m == NearestAway && math.Ilogb(p)+i+j < f.MinExp() {
		// Rounded to odd, p would look like a tie of 52 bits.
		exact := new(big.Float).SetPrec(2*53).Add(big.NewFloat(p), big.NewFloat(e))
		return f.RoundBig(exact.SetMantExp(exact, i+j), m)
	}
	if f == Binary64 && math.Ilogb(p)+i+j >= f.MinExp() { // all 53 bits are kept
		return math.Ldexp(f.roundSum(p, e, m), i+j)
	}
	return f.roundScaled(toOdd(p, e), i+j, m)
}

// FMA returns a·b + c rounded once to the format. For formats other than
// Binary64, and for Binary64 in a directed mode, a·b must be a binary64 value,
// as it is for two factors of at most 26 significant bits, which the narrower
// formats have.
func (f Format) FMA(a, b, c float64, m Mode) float64 {
	if f == Binary64 && m == NearestEven {
		return math.FMA(a, b, c)
	}
	return f.Add(float64(a*b), c, m)
}

// RoundBig returns x, of any precision, rounded once to the format. The exact
// zero keeps its sign.
func (f Format) RoundBig(x *big.Float, m Mode) float64 {
	head, _ := x.Float64()
	if math.IsInf(head, 0) {
		top := math.Copysign(math.MaxFloat64, head)
		return f.Add(top, top, m)
	}
	rest := new(big.Float).SetPrec(x.Prec()+2048).Sub(x, new(big.Float).SetFloat64(head))
	if rest.Sign() == 0 {
		return f.Round(head, m)
	}
	if f == Binary64 {
		movesTie := m == NearestAway && isHalf(rest, Binary64.ULP(head))
		return nextTo(head, float64(rest.Sign()), movesTie, m)
	}
	// The rest, rounded to odd, decides ties as the exact rest does.
	tail, side := rest.Float64()
	switch {
	case tail == 0:
		tail = math.Copysign(math.SmallestNonzeroFloat64, float64(rest.Sign()))
	case side != big.Exact && math.Float64bits(tail)&1 == 0:
		tail = math.Nextafter(tail, math.Inf(-int(side)))
	}
	return f.Add(head, tail, m)
}

// isHalf reports whether the magnitude of x is half of u.
func isHalf(x *big.Float, u float64) bool {
	twice := new(big.Float).Abs(x)
	return twice.SetMantExp(twice, 1).Cmp(big.NewFloat(u)) == 0
}

// nextTo rounds a value whose nearest binary64 is head, ties to even. rest is
// not 0 and has the sign of the value minus head. movesTie is true for a tie
// half an ULP of head beside it, in mode NearestAway.
func nextTo(head, rest float64, movesTie bool, m Mode) float64 {
	switch {
	case m == ToOdd:
		return toOdd(head, rest)
	case rest > 0 && (m == Up || m == TowardZero && head < 0 || movesTie && head >= 0):
		return Binary64.NextUp(head)
	case rest < 0 && (m == Down || m == TowardZero && head > 0 || movesTie && head <= 0):
		return Binary64.NextDown(head)
	}
	return head
}
