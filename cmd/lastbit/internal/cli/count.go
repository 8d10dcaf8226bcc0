package cli

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// A countFlag is the value of a flag that counts something. It takes every
// integer that Go's literals take (1000, 1_000, 0x3e8), and scientific notation
// whose value is an integer: 1e3, 2.5E3.
type countFlag int

// countVar defines a flag that takes a count.
func countVar(fl *pflag.FlagSet, p *int, name, shorthand string, value int, usage string) {
	*p = value
	fl.VarP((*countFlag)(p), name, shorthand, usage)
}

var errNoCount = errors.New("it is not an integer, such as 1000000 or 1e6")

// Set implements pflag.Value.
func (c *countFlag) Set(s string) error {
	n, err := parseCount(s)
	if err == nil {
		*c = countFlag(n)
	}
	return err
}

// String implements pflag.Value.
func (c *countFlag) String() string { return strconv.Itoa(int(*c)) }

// Type implements pflag.Value: it returns the word for the value in a help.
func (c *countFlag) Type() string { return "int" }

// parseCount reads a count.
func parseCount(s string) (int, error) {
	n, err := strconv.ParseInt(s, 0, strconv.IntSize)
	if err == nil {
		return int(n), nil
	}
	digits, ok := expand(s)
	if errors.Is(err, strconv.ErrSyntax) && ok {
		n, err = strconv.ParseInt(digits, 10, strconv.IntSize)
	}
	switch {
	case err == nil:
		return int(n), nil
	case errors.Is(err, strconv.ErrRange):
		return 0, strconv.ErrRange
	}
	return 0, errNoCount
}

// maxExponent bounds the exponents that expand takes: no int has as many
// digits.
const maxExponent = 30

// expand writes an integer in scientific notation, as 2.5e3, with all its
// digits.
func expand(s string) (digits string, ok bool) {
	i := strings.IndexAny(s, "eE")
	if i < 1 {
		return "", false
	}
	exponent, err := strconv.ParseUint(strings.TrimPrefix(s[i+1:], "+"), 10, 64)
	if errors.Is(err, strconv.ErrRange) || err == nil && exponent > maxExponent {
		exponent, err = maxExponent, nil // out of range, unless all digits are 0
	}
	whole, fraction, _ := strings.Cut(s[:i], ".")
	fraction = strings.TrimRight(fraction, "0")
	zeros := int(exponent) - len(fraction)
	if err != nil || zeros < 0 {
		return "", false
	}
	return whole + fraction + strings.Repeat("0", zeros), true
}
