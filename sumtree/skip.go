package sumtree

import (
	"fmt"
	"math"
)

// Skip names the factors that a loop tests before it adds a product:
//
//	if x[i] == 0 { continue }
//
// A product that it leaves out changes no sum, not even −0, and an infinity or
// a NaN beside the zero does not count.
type Skip uint8

// The factors whose zeros leave a product out.
const (
	SkipNone Skip = iota
	SkipX
	SkipY
	SkipEither
)

var skipNames = [...]string{"none", "x", "y", "either"}

// String returns none, x, y or either.
func (s Skip) String() string { return skipNames[s] }

// MarshalText returns the name, so that a Skip is a string in JSON.
func (s Skip) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the names that String returns.
func (s *Skip) UnmarshalText(b []byte) error {
	for i, name := range skipNames {
		if name == string(b) {
			*s = Skip(i)
			return nil
		}
	}
	return fmt.Errorf("sumtree: no rule for products that are skipped is called %q", b)
}

// leavesOut reports whether the product of two factors is skipped.
func (s Skip) leavesOut(x, y float64) bool {
	return s&SkipX != 0 && x == 0 || s&SkipY != 0 && y == 0
}

var minusZero = math.Copysign(0, -1)

// skipped returns the factors of a leaf, or in the place of those whose product
// is skipped some whose product is −0: whatever it is added to stays as it is.
func (a *Arithmetic) skipped(leaf int, x, y float64) (float64, float64) {
	if a.Skips.leavesOut(x, y) && (len(a.Skipped) == 0 || a.Skipped.Contains(leaf)) {
		return minusZero, 1
	}
	return x, y
}

// skip replaces the factors of products that are skipped.
func (r *Replayer) skip() {
	n := r.t.Leaves()
	x, y := append(r.room.flushed[0][:0], r.x[:n]...), append(r.room.flushed[1][:0], r.y[:n]...)
	for i := range x {
		x[i], y[i] = r.a.skipped(i, x[i], y[i])
	}
	r.room.flushed = [2][]float64{x, y}
	r.x, r.y = x, y
}
