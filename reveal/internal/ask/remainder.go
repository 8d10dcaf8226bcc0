package ask

import "math"

// ReadRemainders makes c read counts as remainders, which suits additions that
// round toward zero, or in several directions. It reports whether additions of
// three summands show the last place that this needs: see movedBy.
//
// A mask −2^e plus a count is then not −2^e. It moves by its last place, to
// −(2^e − 2^(e−p)) for an accumulator of p bits. With Step = 2^(e−p), masks of
// 2^e and more move by multiples of Step only, and the counts that they absorb
// are below it. So an output is a multiple of Step and the count that met no
// mask, as long as both together are exact:
//
//   - Each addition that moves a mask takes in a summand that no other one
//     does, and each of these counts at least 1. So there are at most
//     min(n, 2^Bits − 1) such additions.
//   - Masks of one pair are below 2^(e+1), and move by at most 2·Step. Three
//     masks of 2^e together are below 2^(e+2), and move by at most 4·Step.
//     Where the sums of masks are opposite they cancel; what remains is a
//     multiple of Step, and not negative, since rounding is monotonic.
//   - So all multiples and the count are below 2^(Bits+2)·min(n, 2^Bits − 1) +
//     2^Bits units, and a result of p bits holds every number up to 2^p units.
func ReadRemainders(c *Channel) (ok bool, err error) {
	s := &c.Scale
	if c.N < 3 || s.Step != 0 || c.Key.Mean || c.Key.Op.Positive() {
		return false, nil
	}
	precision, err := movedBy(c)
	if err != nil || precision == 0 {
		return false, err
	}
	count := min(s.Bits, remainderBits(c.N, min(precision, c.Key.Out.Precision())))
	lo := math.Ilogb(s.Unit) + count + precision
	if count < 1 || lo+maxMaskExponents > c.Key.DType.MaxExp() {
		return false, nil
	}
	s.Unit = math.Abs(s.Unit)
	s.Bits, s.Lo, s.Hi = count, lo, lo
	s.Step = math.Ldexp(s.Unit, count)
	return true, nil
}

// remainderBits returns the most bits of a count of n summands that results of
// p bits hold beside the multiples of Step.
func remainderBits(n, p int) (count int) {
	fits := func(bits int) bool {
		moves := min(int64(n), 1<<bits-1)
		return moves<<(bits+2)+1<<bits <= 1<<p
	}
	for fits(count + 1) {
		count++
	}
	return count
}

// maxMaskExponents is the number of exponents above the one of a mask that sums
// of several masks need.
const maxMaskExponents = 2

// maxMovedTriples is the number of triples of summands that movedBy asks.
const maxMovedTriples = 16

// movedBy returns the precision p of additions, as the place shows that a mask
// moves by when it absorbs a unit: of three summands −M, 1 and M, where the
// first two meet first, the sum is M·2^-p. Where 1 and M meet first and the sum
// is rounded up, it is twice as much. It is 0 where no three summands show
// these, or some show another place.
func movedBy(c *Channel) (precision int, err error) {
	rng := RandApart(c, "moved")
	mask, unit := math.Ldexp(1, c.Scale.Lo), math.Abs(c.Scale.Unit)
	least, most := mask, 0.0 // of the places
	for k := range maxMovedTriples {
		at := []int{0, c.N / 2, c.N - 1}
		if k > 0 {
			at = rng.Perm(c.N)[:3]
		}
		for turn := range at {
			a, b, apart := at[turn], at[(turn+1)%3], at[(turn+2)%3]
			out, err := c.AskMain(nil, func(row []float64) {
				row[a], row[b], row[apart] = -mask, unit, mask
			})
			if err != nil {
				return 0, err
			}
			place := out[0]
			switch {
			case place == 0 || place == unit:
				continue
			case !(place > unit && place < mask) || math.Ldexp(1, math.Ilogb(place)) != place:
				return 0, nil
			}
			least, most = min(least, place), max(most, place)
		}
	}
	if most == 0 || most > 2*least {
		return 0, nil
	}
	return c.Scale.Lo - math.Ilogb(least), nil
}
