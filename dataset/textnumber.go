package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

var errNoNumber = errors.New("it is not a number")

// parseNumber returns the float64 nearest to a number as C's strtod reads it:
// decimal, hexadecimal with a binary exponent (0x1.8p3), an infinity, or NaN of
// either sign, with or without a payload: nan, -nan, nan(0x1), -nan(ind). Every
// NaN is the same one. Digits in groups (1_000) are not a number, and neither
// are hexadecimal integers, which may be identifiers.
func parseNumber(cell []byte) (float64, error) {
	for _, c := range cell {
		if c == '_' {
			return 0, errNoNumber
		}
	}
	x, err := strconv.ParseFloat(string(cell), 64)
	if err != nil && isNaN(string(cell)) {
		return math.NaN(), nil
	}
	return x, err
}

// isNaN reports whether a text is a NaN with a sign or a payload.
func isNaN(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	if len(s) < 3 || !strings.EqualFold(s[:3], "nan") {
		return false
	}
	payload := s[3:]
	if payload == "" {
		return true
	}
	const letters = "0123456789abcdefghijklmnopqrstuvwxyz"
	inner, ok := strings.CutPrefix(payload, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	return ok && closed && strings.Trim(strings.ToLower(inner), letters) == ""
}

// maxShown bounds the bytes of a cell in a message.
const maxShown = 40

// wrongCell returns the error of a cell that is not a number.
func (m Marks) wrongCell(cell []byte, err error, line int64, column string) error {
	e := &Error{Line: line, Column: column}
	shown := cell[:min(len(cell), maxShown)]
	switch {
	case len(cell) == 0:
		e.Cause, e.Cure = "the cell is empty", "fill it, or add --skip-empty"
	case isMissing(cell):
		e.Cause, e.Cure = fmt.Sprintf("%q means a missing value", cell),
			"fill it, or add --skip-empty"
	case bytes.IndexByte(cell, 0) >= 0:
		e.Cause, e.Cure = nulByte(cell)
	case errors.Is(err, strconv.ErrRange):
		e.Cause, e.Cure = fmt.Sprintf("%q is beyond the largest float64", shown),
			"scale the numbers"
	default:
		e.Cause, e.Cure = fmt.Sprintf("%q is not a number", shown), m.example()
		if flags := flagsFor(cell); flags != "" {
			e.Cure = "add " + flags
		} else if isTorn(string(cell)) && m.fortran {
			e.Cure = "if its exponent lacks a letter, write it with one: ES25.16E3 in Fortran"
		}
		if line == 1 {
			e.Cure += ", or add --header if the line names the columns"
		}
	}
	return e
}

// example returns the cure of a cell that is not a number.
func (m Marks) example() string {
	if m.decimal() == ',' {
		return "write numbers as 1234,5 or 1,2345e3, as --decimal , asks"
	}
	return "write numbers as 1234.5, 1.2345e3 or 0x1.8p3"
}

// isTorn reports whether a cell is a number, a sign and three digits: Fortran
// writes an exponent of three digits without a letter, and two numbers whose
// columns touch look alike.
func isTorn(s string) bool {
	i := strings.LastIndexAny(s, "+-")
	return i > 0 && len(s)-i == 1+groupDigits && isNumeral([]byte(s[:i])) &&
		strings.Trim(s[i+1:], "0123456789") == ""
}

// isMissing reports whether a cell has no value: it is empty, or a word for
// that.
func isMissing(cell []byte) bool {
	switch string(cell) {
	case "", "NA", "N/A", "n/a", "null", "NULL", "None", "none":
		return true
	}
	return false
}

// isAbsent reports whether a cell is a program's mark of a missing number: #N/A
// and #DIV/0! of spreadsheets, <NA> of pandas, \N of MySQL and PostgreSQL, or
// NaN or an infinity with a mark: nan%.
func isAbsent(cell string) bool {
	switch strings.ToLower(cell) {
	case "#n/a", "#na", "<na>", "<null>", "(null)", "[null]", "null", "none", "nat", `\n`:
		return true
	}
	if cell[0] == '#' && strings.ContainsAny(cell[len(cell)-1:], "!?") {
		return true
	}
	bare := strings.TrimRight(cell, "%"+blanks)
	bare = strings.TrimFunc(bare, func(r rune) bool { return unicode.Is(unicode.Sc, r) })
	const code = 3
	if n := len(bare); n > code && isCurrency(bare[:code]) {
		bare = bare[code:]
	} else if n > code && isCurrency(bare[n-code:]) {
		bare = bare[:n-code]
	}
	x, err := parseNumber([]byte(strings.Trim(bare, blanks)))
	return err == nil && (math.IsNaN(x) || math.IsInf(x, 0))
}

// isWord reports whether a cell has a letter, is not missing or absent, does
// not begin like a number, and is not a number in another notation: $5, (5) and
// *** are not words.
func isWord(cell string) bool {
	if isMissing([]byte(cell)) || isAbsent(cell) ||
		strings.IndexByte("0123456789+-.", cell[0]) >= 0 {
		return false
	}
	if isNumeral([]byte(cell)) || strings.IndexFunc(cell, unicode.IsLetter) < 0 {
		return false
	}
	_, err := parseNumber([]byte(cell))
	return err != nil
}

// trimSpace cuts off spaces and tabs.
func trimSpace(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}
