package dataset

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marks describe how the numbers of a text are written.
type Marks struct {
	// Decimal is the byte before a fraction, '.' or ','; 0 for '.'.
	Decimal byte
	// Thousands is the character between groups of three digits: "." in
	// 1.234,5; "" for none. " " means any blank, no-break spaces too, and "'"
	// either apostrophe. Groups of other lengths are an error, so that a
	// decimal mark is not taken for it.
	Thousands string
	// Currency takes a sign of currency (€, $, US$, EUR) off either end of a
	// number. All numbers of a column must have the same.
	Currency bool
	// Percent reads 12.5% as the float64 nearest to 0.125.
	Percent bool

	// fortran reads the letter D before an exponent, as in 1.5D+03.
	fortran bool
}

// Check returns an error for marks that contradict each other, else nil.
func (m Marks) Check() *Error {
	e := &Error{Cause: "one mark cannot have two meanings"}
	switch {
	case m.Decimal != 0 && m.Decimal != '.' && m.Decimal != ',':
		e.Cause = strconv.Quote(string(rune(m.Decimal))) + " is not a decimal mark"
		e.Cure = "use '.' or ','"
	case m.Thousands == string(rune(m.decimal())):
		e.Cause = "the decimal mark and the mark of thousands are both " +
			strconv.Quote(m.Thousands)
		e.Cure = "add --decimal , for 1.234,5, or --decimal . for 1,234.5"
	case m.Thousands != "" && (utf8.RuneCountInString(m.Thousands) != 1 ||
		strings.ContainsAny(m.Thousands, "0123456789+-eE\"\n\r\t")):
		e.Cause = strconv.Quote(m.Thousands) + " is not a mark of thousands"
		e.Cure = `use one of . , ' _ or a blank`
	default:
		return nil
	}
	return e
}

func (m Marks) decimal() byte {
	if m.Decimal == 0 {
		return '.'
	}
	return m.Decimal
}

// isPlain reports whether numbers are written as C's strtod reads them.
func (m Marks) isPlain() bool { return m == Marks{} || m == Marks{Decimal: '.'} }

// parse returns the float64 nearest to a number, and its sign of currency.
func (m Marks) parse(cell []byte) (x float64, currency string, err error) {
	if m.decimal() == '.' {
		x, err = parseNumber(cell)
		if err == nil || m.isPlain() {
			return x, "", err
		}
	}
	s := string(cell)
	if m.Currency {
		s, currency = cutCurrency(s)
	}
	exponent := ""
	if rest, ok := strings.CutSuffix(s, "%"); ok && m.Percent {
		s, exponent = strings.TrimRight(rest, blanks), "e-2"
		if strings.IndexFunc(s, unicode.IsLetter) >= 0 { // an exponent, or inf
			return 0, "", errNoNumber
		}
	}
	plain, ok := m.normal(s)
	if !ok {
		return 0, "", errNoNumber
	}
	x, err = parseNumber([]byte(plain + exponent))
	return x, currency, err
}

// blanks are the characters that may stand between a number and its sign.
const blanks = " \t\u00a0\u2009\u202f"

// normal returns a number as strtod reads it, without marks of thousands.
func (m Marks) normal(s string) (string, bool) {
	end := strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) })
	if end < 0 {
		end = len(s)
	}
	whole, fraction, hasFraction := strings.Cut(s[:end], string(rune(m.decimal())))
	whole, ok := m.ungrouped(whole)
	if !ok || strings.ContainsAny(fraction, ".,") || m.decimal() != '.' &&
		strings.ContainsAny(whole+s[end:], ".,") {
		return "", false
	}
	if hasFraction {
		whole += "." + fraction
	}
	tail := s[end:]
	if m.fortran && end > 0 && len(tail) > 1 && (tail[0] == 'D' || tail[0] == 'd') {
		tail = "e" + tail[1:]
	}
	return whole + tail, true
}

// ungrouped takes the marks of thousands out of the digits before a decimal
// mark. It returns false for groups that are not of three digits, and for a
// first one that begins with 0: 0.123 is a fraction, and not 123.
func (m Marks) ungrouped(s string) (string, bool) {
	groups := []string{s}
	switch m.Thousands {
	case "":
		return s, true
	case " ":
		groups = strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(blanks, r) })
	case "'":
		groups = strings.Split(strings.ReplaceAll(s, "’", "'"), "'")
	default:
		groups = strings.Split(s, m.Thousands)
	}
	if len(groups) < 2 {
		return s, true
	}
	first := strings.TrimLeft(groups[0], "+-")
	ok := len(groups[0]) <= len(first)+1 && 1 <= len(first) && len(first) <= groupDigits &&
		first[0] != '0'
	for _, g := range groups[1:] {
		ok = ok && len(g) == groupDigits
	}
	joined := strings.Join(groups, "")
	return joined, ok && strings.Trim(first+joined[len(groups[0]):], "0123456789") == ""
}

const groupDigits = 3

// cutCurrency takes a sign of currency off either end of a number. The sign of
// the number may be before or after it: -$5, $-5.
func cutCurrency(s string) (rest, currency string) {
	sign := ""
	body := s
	if body != "" && (body[0] == '-' || body[0] == '+') {
		sign, body = body[:1], body[1:]
	}
	isEnd := func(r rune) bool {
		return '0' <= r && r <= '9' || strings.ContainsRune("+-.,", r) ||
			strings.ContainsRune(blanks, r)
	}
	if i := strings.IndexFunc(body, isEnd); i > 0 && isCurrency(body[:i]) {
		rest := strings.TrimLeft(body[i:], blanks)
		if sign != "" && rest != "" && (rest[0] == '-' || rest[0] == '+') {
			return s, ""
		}
		return sign + rest, body[:i]
	}
	i := strings.LastIndexFunc(s, isEnd)
	if i < 0 {
		return s, ""
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	if after := s[i+size:]; isCurrency(after) {
		return strings.TrimRight(s[:i+size], blanks), after
	}
	return s, ""
}

// isCurrency reports whether a text is a sign of currency, alone or after up to
// two letters (US$), or a code of three capital letters.
func isCurrency(s string) bool {
	r, size := utf8.DecodeLastRuneInString(s)
	before := s[:len(s)-size]
	if unicode.Is(unicode.Sc, r) {
		const letters = 2
		return len(before) <= letters && strings.IndexFunc(before, isNotCapital) < 0
	}
	const code = 3
	return len(s) == code && strings.IndexFunc(s, isNotCapital) < 0 && s != "NAN" && s != "INF"
}

func isNotCapital(r rune) bool { return r < 'A' || r > 'Z' }

// wordings are marks that numbers are often written with, and their flags.
var wordings = []struct {
	marks Marks
	flags string
}{
	{Marks{Decimal: ','}, "--decimal ,"},
	{Marks{Thousands: ","}, "--thousands ,"},
	{Marks{Thousands: " "}, "--thousands ' '"},
	{Marks{Thousands: "'"}, `--thousands "'"`},
	{Marks{Thousands: "_"}, "--thousands _"},
	{Marks{Decimal: ',', Thousands: "."}, "--decimal , --thousands ."},
	{Marks{Decimal: ',', Thousands: " "}, "--decimal , --thousands ' '"},
	{Marks{Decimal: ',', Thousands: "'"}, `--decimal , --thousands "'"`},
}

// isNumeral reports whether a cell is a number in some wording.
func isNumeral(cell []byte) bool {
	base := Marks{Currency: true, Percent: true}
	if _, _, err := base.parse(cell); err == nil {
		return true
	}
	for _, w := range wordings {
		m := w.marks
		m.Currency, m.Percent = true, true
		if _, _, err := m.parse(cell); err == nil {
			return true
		}
	}
	return false
}

// flagsFor returns the flags that make a number of a cell, with the fewest
// marks, in words; "" for none.
func flagsFor(cell []byte) string {
	base := Marks{Currency: true, Percent: true}
	extra := ""
	if bytes.ContainsRune(cell, '%') {
		extra = " --percent"
	}
	if _, c := cutCurrency(string(bytes.TrimRight(cell, "%"))); c != "" {
		extra += " --currency"
	}
	if _, _, err := base.parse(cell); err == nil {
		return strings.TrimPrefix(extra, " ")
	}
	var found []string
	for _, w := range wordings {
		m := w.marks
		m.Currency, m.Percent = true, true
		flags := w.flags + extra
		isShorter := len(found) == 0 || strings.Count(flags, "--") == strings.Count(found[0], "--")
		if _, _, err := m.parse(cell); err == nil && isShorter {
			found = append(found, flags)
		}
	}
	return strings.Join(slices.Compact(found), " or ")
}
