package instrument

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/instrument/perturb"
)

// A Mode chooses how the inexact results of a run are rounded. The zero Mode
// rounds up or down at random.
type Mode struct {
	Rounding  uint64 // a mode of package perturb: Random, Stochastic, MonteCarlo, ShortFormat
	Precision int    // bits of the significand
	Exponent  int    // bits of the exponent
}

// The bounds of Mode, for float64. A float32 has at most 24 and 8 bits.
const (
	minBits, maxPrecision, maxExponent = 2, 53, 11
)

// ParseMode reads a mode:
//
//	random      up or down, with equal chances
//	sr          stochastic rounding: the nearer neighbour is likelier
//	mca:P       Monte Carlo arithmetic with a virtual precision of P bits
//	vprec:P,E   rounded to nearest in a format of P bits, with E of the exponent
func ParseMode(text string) (Mode, error) {
	m := Mode{Precision: maxPrecision, Exponent: maxExponent}
	name, rest, hasSizes := strings.Cut(text, ":")
	sizes := strings.Split(rest, ",")
	allowed := 0
	switch name {
	case "random":
	case "sr":
		m.Rounding = perturb.Stochastic
	case "mca":
		m.Rounding, allowed = perturb.MonteCarlo, 1
	case "vprec":
		m.Rounding, allowed = perturb.ShortFormat, 2
	default:
		return m, fmt.Errorf("%q is not random, mca:P, vprec:P,E or sr", text)
	}
	if hasSizes != (allowed > 0) || allowed > 0 && len(sizes) != allowed {
		return m, fmt.Errorf("%q is not random, mca:P, vprec:P,E or sr", text)
	}
	for i, size := range sizes[:allowed] {
		to, most := &m.Precision, maxPrecision
		if i == 1 {
			to, most = &m.Exponent, maxExponent
		}
		n, err := strconv.Atoi(size)
		if err != nil || n < minBits || n > most {
			return m, fmt.Errorf("%s is not a number of bits from %d to %d", size, minBits, most)
		}
		*to = n
	}
	return m, nil
}

// String returns the text that ParseMode reads.
func (m Mode) String() string {
	switch m.Rounding {
	case perturb.Stochastic:
		return "sr"
	case perturb.MonteCarlo:
		return fmt.Sprintf("mca:%d", m.Precision)
	case perturb.ShortFormat:
		return fmt.Sprintf("vprec:%d,%d", m.Precision, m.Exponent)
	}
	return "random"
}

// IsFixed reports whether all runs round alike.
func (m Mode) IsFixed() bool { return m.Rounding == perturb.ShortFormat }
