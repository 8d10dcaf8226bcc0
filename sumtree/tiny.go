package sumtree

import (
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// Tininess defines the results that Arithmetic.FTZ makes zeros of. The choices
// differ where rounding makes the least normal number of a smaller exact
// result: of products, fused multiply-adds and conversions. IEEE 754, section
// 7.5, leaves a processor the choice between the last two.
type Tininess uint8

// The definitions.
const (
	TinyStored Tininess = iota // the rounded result is subnormal
	TinyAfter                  // it would be, were the exponent not bounded: x86
	TinyBefore                 // the exact result is below the least normal number: Arm
)

var tinyNames = [...]string{"stored", "after", "before"}

// String returns stored, after or before.
func (t Tininess) String() string { return tinyNames[t] }

// MarshalText returns the name, so that a Tininess is a string in JSON.
func (t Tininess) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads the names that String returns.
func (t *Tininess) UnmarshalText(b []byte) error {
	i := slices.Index(tinyNames[:], string(b))
	if i < 0 {
		return fmt.Errorf("sumtree: no definition of tiny results is called %q", b)
	}
	*t = Tininess(i)
	return nil
}

// flushTiny returns v, which is rounded to f in direction m, or a zero if it is
// tiny. scaled returns the same result with operands 2^k times as large,
// rounded in a direction.
func (r *Replayer) flushTiny(
	f fp.Format, v float64, m fp.Mode, scaled func(k int, m fp.Mode) float64,
) float64 {
	least := f.MinNormal()
	if r.a.Tiny == TinyStored || math.Abs(v) != least {
		return flush(f, v)
	}
	if r.a.Tiny == TinyBefore {
		m = fp.TowardZero
	}
	k := f.Precision() + 4
	if math.Abs(scaled(k, m)) < math.Ldexp(least, k) {
		return math.Copysign(0, v)
	}
	return v
}

// convert rounds s to f in direction m, and flushes it where flushes is true.
func (r *Replayer) convert(f fp.Format, s float64, m fp.Mode, flushes bool) float64 {
	v := f.Round(s, m)
	if !flushes {
		return v
	}
	return r.flushTiny(f, v, m, func(k int, m fp.Mode) float64 {
		return f.Round(math.Ldexp(s, k), m)
	})
}

// multiply rounds x·y to f in direction m, and flushes it where flushes is
// true.
func (r *Replayer) multiply(f fp.Format, x, y float64, m fp.Mode, flushes bool) float64 {
	v := f.Mul(x, y, m)
	if m == fp.ToOdd {
		v = overflow(f, v, fp.Binary64.Mul(x, y, fp.TowardZero))
	}
	if !flushes {
		return v
	}
	return r.flushTiny(f, v, m, func(k int, m fp.Mode) float64 {
		x, y = scaleSmaller(x, y, k)
		return f.Mul(x, y, m)
	})
}

// scaleSmaller multiplies the smaller of two factors by 2^k.
func scaleSmaller(x, y float64, k int) (float64, float64) {
	if math.Abs(x) < math.Abs(y) {
		return math.Ldexp(x, k), y
	}
	return x, math.Ldexp(y, k)
}

// flushSum flushes the sum s of the nodes i and j as their addition does.
func (r *Replayer) flushSum(a *NodeArith, s float64, i, j int32) float64 {
	return r.flushTiny(a.Acc, s, a.Mode, func(k int, m fp.Mode) float64 {
		var terms []term
		for _, id := range [2]int32{i, j} {
			t := term{math.Ldexp(r.operand(a, int(id)), k), 1}
			if r.isFused(id) {
				t.a, t.b = scaleSmaller(r.x[id], r.y[id], k)
			}
			terms = append(terms, t)
		}
		return exactRound(a.Acc, m, terms)
	})
}
