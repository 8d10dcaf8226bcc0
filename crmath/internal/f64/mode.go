package f64

import (
	"math"

	"github.com/lastbit/lastbit/fp"
)

// Directions other than to nearest. A fast path that ends with ziv goes on with
// toward where ziv fails or the direction is another one; where toward fails
// too, the accurate path decides. A value that is representable is in no
// direction's way only if it is found before: neither test can.

// toward rounds a value in direction m. It differs from hi+lo, |hi| ≥ |lo|, by
// less than e, as in ziv, and e is below a quarter of the distance of float64
// there. It fails if m is NearestEven, or if a float64 is within e of hi+lo.
func toward(hi, lo, e float64, m fp.Mode) (r float64, ok bool) {
	r, rest := fastTwoSum(hi, lo)
	return beside(r, rest, m), math.Abs(rest) > e && m != fp.NearestEven
}

// beside rounds in direction m a value whose nearest float64 is r. The value
// differs from r, which is neither 0 nor infinite, by a small number of the
// sign of rest.
func beside(r, rest float64, m fp.Mode) float64 {
	u := math.Float64bits(r)
	away, moves := (rest > 0) == (r > 0), false
	switch m {
	case fp.Up:
		moves = rest > 0
	case fp.Down:
		moves = rest < 0
	case fp.TowardZero:
		moves = !away
	case fp.ToOdd:
		moves = u&1 == 0
	}
	switch {
	case moves && away:
		u++
	case moves:
		u--
	}
	return math.Float64frombits(u)
}

// overflow rounds in direction m a value of the sign of s beyond the largest
// float64 by half an ulp at least.
func overflow(s float64, m fp.Mode) float64 {
	return fp.Binary64.Add(math.Copysign(math.MaxFloat64, s), math.Copysign(math.MaxFloat64, s), m)
}

// underflow rounds in direction m a value of the sign of s, less than half of
// the smallest positive float64 in magnitude, and not 0.
func underflow(s float64, m fp.Mode) float64 {
	if m == fp.ToOdd || m == fp.Up && s > 0 || m == fp.Down && s < 0 {
		return math.Copysign(math.SmallestNonzeroFloat64, s)
	}
	return math.Copysign(0, s)
}
