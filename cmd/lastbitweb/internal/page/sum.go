package page

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
)

// MaxNumbers bounds the numbers of a list.
const MaxNumbers = 1_000_000

// A Number is a float64 as people and as machines read it.
type Number struct {
	Text string `json:"text"`
	Bits string `json:"bits"`
}

// numberOf returns a number in both forms, NaN as one value.
func numberOf(x float64) Number {
	if x != x {
		x = math.NaN()
	}
	return Number{strconv.FormatFloat(x, 'g', -1, 64), fmt.Sprintf("0x%016x", math.Float64bits(x))}
}

// A Total holds the sums of some numbers.
type Total struct {
	Count  int    `json:"count"`
	Plain  Number `json:"plain"`  // one after the other, in float64
	Exact  Number `json:"exact"`  // the real sum, rounded once
	ULPs   string `json:"ulps"`   // between the two; "" where one is not a number
	Digest string `json:"digest"` // of the exact sum: of the numbers in any order
}

// Numbers reads the numbers of a text: decimal or hexadecimal, with spaces,
// line ends or semicolons between them, with commas before a space, or in the
// brackets of a list. A comma in a number is refused, since it is a decimal
// point to some and a separator to others. So is a space that does not break
// between two digits, as spreadsheets write thousands.
func Numbers(text string) ([]float64, error) {
	text = strings.TrimSpace(text)
	inner, isList := strings.CutPrefix(text, "[")
	if isList {
		var closed bool
		if inner, closed = strings.CutSuffix(inner, "]"); !closed {
			return nil, fmt.Errorf("the list has no closing bracket")
		}
		text = inner
	}
	if group := thousands.FindString(text); group != "" {
		return nil, fmt.Errorf("%s has a space that does not break between two digits: leave it "+
			"out of a number, or write a plain space between two", strconv.Quote(group))
	}
	if missing.MatchString(text) {
		return nil, fmt.Errorf("a number is missing before a comma or a semicolon: write it, or " +
			"leave the separator out")
	}
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || r == ';' || isList && r == ','
	})
	if len(words) > MaxNumbers {
		return nil, fmt.Errorf("%d numbers are more than %d", len(words), MaxNumbers)
	}
	var x []float64
	for i, word := range words {
		if word = strings.TrimSuffix(word, ","); strings.Contains(word, ",") {
			return nil, fmt.Errorf("number %d, %q, has a comma: write a decimal point, "+
				"or a space after commas", i+1, word)
		}
		v, err := strconv.ParseFloat(word, 64)
		if err != nil && v != v+1 {
			return nil, fmt.Errorf("number %d, %q, is not a number", i+1, word)
		}
		if err != nil {
			return nil, fmt.Errorf("number %d, %q, is beyond the largest float64", i+1, word)
		}
		x = append(x, v)
	}
	if len(x) == 0 {
		return nil, fmt.Errorf("there are no numbers")
	}
	return x, nil
}

// thousands matches groups of digits with a space that does not break, or a
// thin one.
var thousands = regexp.MustCompile(`[-+.\d]*\d[\x{a0}\x{2007}\x{2009}\x{202f}]\d[\d.]*`)

// missing matches separators without a number before them.
var missing = regexp.MustCompile(`(^|[,;])\s*[,;]`)

// Sum adds numbers up in two ways.
func Sum(x []float64) Total {
	plain := x[0]
	for _, v := range x[1:] {
		plain += v
	}
	var a exact.Accumulator
	a.AddSlice(x)
	right := a.Float64()
	t := Total{Count: len(x), Plain: numberOf(plain), Exact: numberOf(right),
		Digest: fmt.Sprintf("%x", a.Digest())}
	if plain == plain && right == right {
		t.ULPs = strconv.FormatUint(fp.Binary64.Distance(plain, right), 10)
	}
	return t
}

// Shuffle puts numbers into an order that a seed chooses.
func Shuffle(x []float64, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
}
