package ask

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// Scale defines how masks and counts are written in the input format, and read
// from the output format.
type Scale struct {
	Unit   float64 // represents 1
	Bits   int     // sums of fewer than 2^Bits units are exact
	Lo, Hi int     // exponents of masks; several masks of 2^Lo do not overflow

	// Step is 0, or what a mask that absorbs a count may move by: a count is
	// the remainder of an output. See ReadRemainders.
	Step float64

	n    int
	mean bool
	out  fp.Format
}

// widestScale returns the widest scale that the formats of k allow.
//
// A mask has to absorb every count, in every accumulator that may hold both:
//
//   - binary64: 2^800 is far beyond any count, and 2^1015 times eight summands
//     does not overflow.
//   - binary16, unit 2^-24: counts stay below 2^(12-24), less than half of the
//     last place of 2^13 in a float32 accumulator, 2^(13-24).
//   - the others: no accumulator in use holds a mask of 2^100 and counts below
//     2^24 together, since 2^100 ≥ 2^(64+24).
func widestScale(k probe.Key) Scale {
	s := Scale{Unit: 1, n: k.N, mean: k.Mean, out: k.Out}
	exact := k.Out.Precision()
	if k.Mean {
		exact -= 4 // the quotient by n and its product by n are rounded
	}
	switch {
	case k.DType == fp.Binary64:
		s.Bits, s.Lo, s.Hi = min(exact, 53), 800, 1015
	case k.DType == fp.Binary16 && k.Mean:
		// The quotient of one unit by n ≤ 2^e must not vanish below the format,
		// and masks must absorb all units in a float32: -2^Lo those below
		// 2^(Lo-25). Three masks of 2^14 do not overflow in a float16.
		e := bits.Len(uint(max(k.N, 1) - 1))
		s.Unit, s.Bits, s.Lo, s.Hi = math.Ldexp(1, e-24), 13-e, 14, 14
		if s.Bits < 2 {
			s.Bits, s.Lo, s.Hi = 14-e, 15, 15
		}
		if s.Bits < 2 && k.N < 1<<15 {
			// One unit of 2^-10 at a time, which -2^15 absorbs. A mean above
			// 2^-25 is rounded to the least subnormal.
			s.Unit, s.Bits = 0x1p-10, 1
		}
	case k.DType == fp.Binary16:
		s.Unit, s.Bits, s.Lo, s.Hi = 0x1p-24, min(exact, 12), 13, 14
	default:
		s.Bits, s.Lo, s.Hi = min(exact, 24), 100, 118
	}
	return s
}

// Limit returns 2^Bits, the first count that need not be exact.
func (s *Scale) Limit() float64 { return math.Ldexp(1, s.Bits) }

// CountsAll reports whether a sum of n units is exact.
func (s *Scale) CountsAll() bool { return float64(s.n) < s.Limit() }

// Count reads an output as a number of units; ok is false when it is none.
func (s *Scale) Count(out float64) (count float64, ok bool) {
	if s.Step != 0 && out >= 0 && out-out == 0 {
		out = math.Mod(out, s.Step)
	}
	count = out / s.Unit
	if s.mean {
		count = float64(count * float64(s.n))
		if s.Bits == 1 {
			return min(1, math.Round(count)), out == 0 || out == s.Output(1)
		}
		r := math.Round(count)
		near := math.Abs(count-r) < 0.25 || out == s.Output(r)
		return r, near && r >= 0 && r < s.Limit()
	}
	return count, count == math.Trunc(count) && count >= 0 && count < s.Limit()
}

// Output returns the output that represents a count, where no mask moved.
func (s *Scale) Output(count float64) float64 {
	out := count * s.Unit
	if s.mean {
		out = s.out.Round(out/float64(s.n), fp.NearestEven)
	}
	return out
}

// Wanted returns Output, nil where masks may move.
func (s *Scale) Wanted(count float64) *float64 {
	if s.Step != 0 {
		return nil
	}
	out := s.Output(count)
	return &out
}

// NotACount returns the fact that an output is not a count.
func NotACount(c *Channel, fill Fill, out float64) *verdict.Fact {
	fact := &verdict.Fact{Reason: verdict.NoTree,
		What: fmt.Sprintf("an output %v where masks cancel is not a count of summands", out)}
	shows := "masks ±M cancel and counts remain, but the result is not a count"
	if out-out != 0 {
		fact.Reason, fact.What = verdict.NotFinite, "masks give NaN or an infinity"
		shows = "huge numbers and their opposites give no finite sum, so no mask can be used"
	}
	fact.Witness = c.Witness(shows, nil, fill, []float64{out}, nil)
	return fact
}

// Accumulators returns the formats that a sum of that key may be rounded to,
// the likeliest first.
func Accumulators(k probe.Key) []fp.Format {
	var all []fp.Format
	add := func(f fp.Format) {
		if f.Valid() && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	add(k.Acc)
	if k.DType == fp.Binary16 || k.DType == fp.BFloat16 {
		add(fp.Binary32)
	}
	add(k.Out)
	add(k.DType)
	if k.DType != fp.Binary64 {
		add(fp.Binary64)
	}
	return all
}
