package stoch

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// none is the text of a computational zero without a right digit.
const none = "@.0"

// String returns the significant digits of x: 3.14 if three are right. A number
// without a right digit is @.0, an exact zero is 0.
func (x Number[T]) String() string { return x.text('v', -1) }

// Format implements fmt.Formatter. The verbs e, f, g and v, and E, F and G,
// print the digits that are significant, with a precision no more than
// that, and s and v are as String; +v adds the samples. A computational zero
// is @.0.
func (x Number[T]) Format(s fmt.State, verb rune) {
	precision, ok := s.Precision()
	if !ok {
		precision = -1
	}
	var text string
	switch verb {
	case 'v', 's', 'e', 'E', 'f', 'F', 'g', 'G':
		text = x.text(verb, precision)
	default:
		fmt.Fprintf(s, "%%!%c(stoch.Number=%s)", verb, x)
		return
	}
	signed := text[0] == '-' || text[0] == '+'
	if s.Flag('+') && verb == 'v' {
		text = fmt.Sprintf("%s{%v %v %v}", text, x.r1, x.r2, x.r3)
	} else if s.Flag('+') && !signed && text != none {
		text, signed = "+"+text, true
	} else if s.Flag(' ') && !signed {
		text, signed = " "+text, true
	}
	width, _ := s.Width()
	fmt.Fprint(s, pad(text, width, s, signed))
}

// pad fills text, which begins with a sign or not, up to a width: at its end if
// the flag - is set, with zeros before its first digit if the flag 0 is set.
func pad(text string, width int, s fmt.State, signed bool) string {
	n := width - len(text)
	switch {
	case n <= 0:
		return text
	case s.Flag('-'):
		return text + strings.Repeat(" ", n)
	}
	first := 0
	if signed {
		first = 1
	}
	if s.Flag('0') && '0' <= text[first] && text[first] <= '9' {
		return text[:first] + strings.Repeat("0", n) + text[first:]
	}
	return strings.Repeat(" ", n) + text
}

// text returns the significant digits of x, at most precision of them (f: at
// most precision after the point), for a verb.
func (x Number[T]) text(verb rune, precision int) string {
	bits := 64
	if isSingle[T]() {
		bits = 32
	}
	mean, digits := float64(x.Mean()), int(x.Digits()) //lastbit:ignore floatconv a number of digits
	switch {
	case x.IsNaN() || x.isExact() && math.IsInf(mean, 0):
		return strconv.FormatFloat(mean, 'g', -1, bits)
	case x.isExact() && mean == 0:
		return "0"
	case digits == 0:
		return none
	}
	if precision >= 0 && verb != 'f' && verb != 'F' {
		if verb == 'e' || verb == 'E' {
			precision++
		}
		digits = min(digits, max(precision, 1))
	}
	e := strconv.FormatFloat(mean, 'e', digits-1, bits)
	_, after, _ := strings.Cut(e, "e")
	exponent, _ := strconv.Atoi(after)
	fixed := strconv.FormatFloat(mean, 'f', max(digits-1-exponent, 0), bits)
	switch verb {
	case 'e':
		return e
	case 'E':
		return strings.ToUpper(e)
	case 'f', 'F':
		places := digits - 1 - exponent
		if precision >= 0 {
			places = min(places, precision)
		}
		if places < 0 {
			return e // fixed would print digits that are not right
		}
		return strconv.FormatFloat(mean, 'f', places, bits)
	}
	if exponent < -4 || exponent >= digits {
		if verb == 'G' {
			return strings.ToUpper(e)
		}
		return e
	}
	return fixed
}

// number is the JSON of a Number.
type number struct {
	Value   string  `json:"value"`  // its significant digits
	Digits  float64 `json:"digits"` // how many
	Samples []any   `json:"samples"`
}

// MarshalJSON returns {"value": "1.23", "digits": 3.4, "samples": [...]}. A
// sample that is not finite is a string: "NaN", "+Inf" or "-Inf".
func (x Number[T]) MarshalJSON() ([]byte, error) {
	n := number{Value: x.String(), Digits: x.Digits()}
	for _, v := range x.Samples() {
		if f := float64(v); f-f != 0 {
			n.Samples = append(n.Samples, strconv.FormatFloat(f, 'g', -1, 64))
		} else if f == 0 && math.Signbit(f) {
			n.Samples = append(n.Samples, json.Number("-0"))
		} else {
			n.Samples = append(n.Samples, v)
		}
	}
	return json.Marshal(n)
}

// UnmarshalJSON reads the samples of an object that MarshalJSON wrote, or a
// plain number as an exact one. null changes nothing.
func (x *Number[T]) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	var plain T
	if json.Unmarshal(b, &plain) == nil {
		*x = Of(plain)
		return nil
	}
	var n struct {
		Samples []json.RawMessage `json:"samples"`
	}
	if err := json.Unmarshal(b, &n); err != nil {
		return fmt.Errorf("stoch: not the JSON of a number: %w", err)
	}
	if len(n.Samples) != 3 {
		return errors.New("stoch: JSON of a number without three samples: " +
			"write it with MarshalJSON")
	}
	var r [3]T
	for i, s := range n.Samples {
		bits := 64
		if isSingle[T]() {
			bits = 32
		}
		v, err := strconv.ParseFloat(strings.Trim(string(s), `"`), bits)
		if err != nil {
			return fmt.Errorf("stoch: sample %s in JSON: use a number, NaN, +Inf or -Inf", s)
		}
		r[i] = T(v)
	}
	*x = FromSamples(r)
	return nil
}
