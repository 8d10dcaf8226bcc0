package digits

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lastbit/lastbit/crmath"
)

// token is a word of a line: text without spaces.
type token struct {
	text    string
	numbers []number
}

// number is a number in a token, at text[from:to].
type number struct {
	from, to int
	text     string
	value    float64
	printed  int  // significant digits
	isWhole  bool // without a point and an exponent
	isNext   bool // after another number, as an imaginary part
}

// split returns the lines of an output, and the tokens of each.
func split(out []byte) [][]token {
	text := strings.TrimSuffix(string(out), "\n")
	if text == "" {
		return nil
	}
	var lines [][]token
	for line := range strings.SplitSeq(text, "\n") {
		var all []token
		for word := range strings.FieldsSeq(line) {
			all = append(all, token{word, numbers(word)})
		}
		lines = append(lines, all)
	}
	return lines
}

var numeral = regexp.MustCompile(
	`[-+]?(?:0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][-+]?[0-9]+|` +
		`(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|Inf\b|NaN\b)`)

// numbers returns the numbers in a word: digits that are not part of a name.
func numbers(word string) []number {
	var all []number
	name := 0 // the end of a name, which goes on in .2 of v1.2
	for _, at := range numeral.FindAllStringIndex(word, -1) {
		from, to := at[0], at[1]
		if isName(before(word, from)) || name == from && from > 0 {
			// A sign between a name and digits, as in x-1, belongs to the name.
			name = to
			continue
		}
		isNext := from > 0 && isDigit(word[from-1])
		if s := word[from]; (s == '-' || s == '+') && isNext &&
			!(to < len(word) && word[to] == 'i') {
			from++ // 1-2; the sign of the imaginary part of 1-2i is its own
		}
		text := word[from:to]
		isWhole := !strings.ContainsAny(text, ".eEpP")
		if isWhole && startsName(word[to:]) {
			continue // 3rd
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil && !math.IsInf(v, 0) {
			continue
		}
		all = append(all, number{from, to, text, v, significant(text), isWhole, isNext})
	}
	return all
}

func before(word string, at int) rune {
	r, _ := utf8.DecodeLastRuneInString(word[:at])
	return r
}

func isName(r rune) bool { return unicode.IsLetter(r) || r == '_' }

func isDigit(b byte) bool { return '0' <= b && b <= '9' || b == '.' }

// startsName reports whether the text after a number makes a name of it, except
// the i of an imaginary number.
func startsName(after string) bool {
	r, n := utf8.DecodeRuneInString(after)
	return isName(r) && !(r == 'i' && !startsName(after[n:]))
}

// significant returns the number of significant decimal digits of a numeral;
// trailing zeros count, and so do all zeros of a numeral that is 0.
func significant(s string) int {
	s = strings.TrimLeft(s, "+-")
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		significand, _, _ := strings.Cut(strings.ToLower(s[2:]), "p")
		digits := len(strings.ReplaceAll(significand, ".", ""))
		//lastbit:ignore floatconv a number of digits
		return 1 + int(float64(digits-1)*crmath.Log10(16))
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		s = s[:i]
	}
	all := strings.ReplaceAll(s, ".", "")
	if rest := strings.TrimLeft(all, "0"); rest != "" {
		return len(rest)
	}
	return max(1, len(all)-1) // of 0.000, the zeros after the point
}
