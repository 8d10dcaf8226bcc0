package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/fp"
)

// Decimal returns the shortest decimal that reads back as x in a format.
func Decimal(x float64, f fp.Format) string {
	size := 64
	if f != fp.Binary64 {
		size = 32
	}
	return strconv.FormatFloat(x, 'g', -1, size)
}

// Hex returns the encoding of x in a format, in hexadecimal.
func Hex(x float64, f fp.Format) string {
	return fmt.Sprintf("0x%0*x", 2*f.Bytes(), f.Bits(x))
}

// Decimals joins values with commas.
func Decimals(x []float64, f fp.Format) string {
	s := make([]string, len(x))
	for i, v := range x {
		s[i] = Decimal(v, f)
	}
	return strings.Join(s, ", ")
}

// WithBits joins values with commas, each followed by its encoding.
func WithBits(x []float64, f fp.Format) string {
	s := make([]string, len(x))
	for i, v := range x {
		s[i] = Decimal(v, f) + " (" + Hex(v, f) + ")"
	}
	return strings.Join(s, ", ")
}

// Whole writes integers.
func Whole(x []float64) string {
	s := make([]string, len(x))
	for i, v := range x {
		s[i] = fmt.Sprintf("%.0f", v)
	}
	return strings.Join(s, ", ")
}

// ULPs writes a distance between two results of one format.
func ULPs(n uint64) string {
	switch n {
	case 1:
		return "1 ULP"
	case ^uint64(0):
		return "one is not a number"
	}
	return fmt.Sprintf("%d ULPs", n)
}

// Bounds of the entries of a long input that Sparse prints: the first ones, and
// those that are not the commonest value.
const (
	maxShown  = 6
	maxOthers = 12
)

// Sparse writes a long input briefly: its commonest value, and the first
// entries that differ from it.
func Sparse(x []float64, f fp.Format) string {
	if len(x) <= maxShown {
		return "[" + Decimals(x, f) + "]"
	}
	fill, times := commonest(x)
	if times < 3 {
		return fmt.Sprintf("[%s … (%d in all; --json has them)]", Decimals(x[:maxShown], f), len(x))
	}
	var shown []string
	others := 0
	for i, v := range x {
		if fp.Binary64.Bits(v) == fp.Binary64.Bits(fill) {
			continue
		}
		if others++; others <= maxOthers {
			shown = append(shown, fmt.Sprintf("[%d] = %s", i, Decimal(v, f)))
		}
	}
	s := Decimal(fill, f) + " everywhere"
	if others > 0 {
		s += " but " + strings.Join(shown, ", ")
	}
	if others > maxOthers {
		s += fmt.Sprintf(" … (%d others in all; --json has them)", others)
	}
	return s
}

// At writes the elements of y at the places where x is not +0, the first few of
// them, and all of y where x has no such places.
func At(y, x []float64, f fp.Format) string {
	var shown []string
	places := 0
	for i, v := range x {
		if fp.Binary64.Bits(v) == 0 {
			continue
		}
		if places++; places <= maxShown {
			shown = append(shown, fmt.Sprintf("[%d] = %s", i, Decimal(y[i], f)))
		}
	}
	switch {
	case places == 0, places == len(x):
		return Sparse(y, f)
	case places > maxShown:
		shown = append(shown, fmt.Sprintf("… (%d places in all; --json has them)", places))
	}
	return strings.Join(shown, ", ") + " where x is not 0"
}

// commonest returns the value that x holds most often, and how often.
func commonest(x []float64) (value float64, times int) {
	count := map[uint64]int{}
	for _, v := range x {
		b := fp.Binary64.Bits(v)
		count[b]++
		if count[b] > times {
			value, times = v, count[b]
		}
	}
	return value, times
}
