package libm

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/lastbit/lastbit/fp"
)

// A Number is the shortest decimal number that reads back as a float, or "NaN",
// "+Inf" or "-Inf". In JSON it is a number if it can be, and a string
// otherwise.
type Number string

func numberOf[T Float](v T) Number {
	bits := 64
	if FormatOf[T]() == fp.Binary32 {
		bits = 32
	}
	return Number(strconv.FormatFloat(float64(v), 'g', -1, bits))
}

// ULPs is the distance of a result from the real value of a function, in units
// in the last place of the format at that value, as in package deviation but
// without the sign: at most 0.5 for a right result. It is NaN where one of the
// two is not a number, +Inf where one alone is infinite, and 0 where a zero has
// the wrong sign.
type ULPs float64

// MarshalJSON implements json.Marshaler, as Number does.
func (u ULPs) MarshalJSON() ([]byte, error) { return numberOf(float64(u)).MarshalJSON() }

// UnmarshalJSON implements json.Unmarshaler.
func (u *ULPs) UnmarshalJSON(b []byte) error {
	var n Number
	if err := n.UnmarshalJSON(b); err != nil {
		return err
	}
	v, err := strconv.ParseFloat(string(n), 64)
	*u = ULPs(v)
	return err
}

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if v, err := strconv.ParseFloat(string(n), 64); err == nil && !math.IsNaN(v) &&
		!math.IsInf(v, 0) {
		return []byte(n), nil
	}
	return json.Marshal(string(n))
}

// UnmarshalJSON implements json.Unmarshaler. A finite number in a string, such
// as "0x1p-2", is an error: MarshalJSON would write it without the quotes.
func (n *Number) UnmarshalJSON(b []byte) error {
	s := string(b)
	quoted := json.Unmarshal(b, &s) == nil
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || quoted && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return fmt.Errorf("libm: %s is not a number", b)
	}
	if quoted {
		s = string(numberOf(v))
	}
	*n = Number(s)
	return nil
}
