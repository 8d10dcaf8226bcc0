package sqlsum

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/probe"
)

// Sums of decimals. A decimal of 18 digits is an integer of units of
// 10^−digits, below 2^60; a BIGINT is one of digits 0. The query multiplies by
// 10^digits, in decimals, and casts to 64 bits. Three limbs of that, by shifts
// that round down, are added for each group: l0 and l1 below 2^27, and l2 from
// −2^9 to 2^9 − 1. A number that is not the integer is counted as unread.

// maxDecimalDigits bounds the digits after the point.
const maxDecimalDigits = 18

// ParseDecimals reads the columns of decimals: price=2, with the number of
// digits after the point.
func ParseDecimals(texts []string) (map[string]int, error) {
	columns := map[string]int{}
	for _, s := range texts {
		at := strings.LastIndexByte(s, '=')
		bad := func(cause string) (map[string]int, error) {
			return nil, sums.BadUsage("--decimals "+oneLine(s), cause,
				"write NAME=DIGITS, such as price=2 for DECIMAL(18,2)")
		}
		if at < 0 {
			return bad("it has no number of digits")
		}
		name := s[:at]
		digits, err := strconv.Atoi(s[at+1:])
		if cause := checkName(name); cause != "" {
			return bad(cause)
		}
		if err != nil || digits < 0 || digits > maxDecimalDigits {
			return bad(fmt.Sprintf("the number of digits is not 0 to %d", maxDecimalDigits))
		}
		if _, isTwice := columns[name]; isTwice {
			return bad("the column is given twice")
		}
		columns[name] = digits
	}
	return columns, nil
}

// checkDecimals refuses columns of decimals that cannot be summed.
func (q *Query) checkDecimals() error {
	for _, name := range slices.Sorted(maps.Keys(q.Decimals)) {
		refuse := func(cause, cure string) error {
			return sums.BadUsage("--decimals "+oneLine(name), cause, cure)
		}
		if q.Dialect.scaled == "" {
			return refuse("no test has summed decimals in "+q.Dialect.Title,
				"leave it out: SUM of decimals is exact in the engine itself")
		}
		if !slices.Contains(columnsOf(q.Aggregates), name) {
			return refuse("no aggregate is of that column", "name a column that is summed")
		}
		for _, a := range q.Aggregates {
			for _, p := range parts([]Aggregate{a}) {
				if p.isProduct() && slices.Contains(p.columns, name) {
					return refuse(a.name()+" takes products, which are not summed of decimals",
						"ask for sum, avg and asum; or cast the column to a double in --query, "+
							"which rounds each number")
				}
			}
		}
	}
	return nil
}

// digitsOf returns the digits after the point of a part's column of decimals.
func (a *about) digitsOf(p part) (digits int, isDecimal bool) {
	digits, isDecimal = a.Decimals[p.columns[0]]
	return digits, isDecimal && !p.isProduct()
}

// checkDecimals checks the description of the columns of decimals.
func (a *about) checkDecimals(all []part) error {
	for _, digits := range a.Decimals {
		if digits < 0 || digits > maxDecimalDigits {
			return fmt.Errorf("a column of decimals has %d digits after its point", digits)
		}
	}
	for _, p := range all {
		for _, c := range p.columns {
			if _, isDecimal := a.Decimals[c]; isDecimal && p.isProduct() {
				return errors.New("it has products of decimals")
			}
		}
	}
	return nil
}

// isDecimal reports whether a part is summed as integers of units.
func (w *writer) isDecimal(p part) bool {
	_, found := w.Decimals[p.columns[0]]
	return found && !p.isProduct()
}

// isDecimal reports whether part i is summed as integers of units.
func (r *Result) isDecimal(i int) bool {
	_, isDecimal := r.about.digitsOf(r.parts[i])
	return isDecimal
}

// unreadDecimals refuses n numbers that are not integers of units.
func (r *Result) unreadDecimals(i int, n int64) error {
	column := r.parts[i].columns[0]
	return &probe.Fault{ID: "bad-column", Thing: "column " + oneLine(column),
		Cause: fmt.Sprintf("%d of its numbers have more than the %d digits of --decimals after "+
			"the point, or are too large for 64 bits", n, r.about.Decimals[column]),
		Cure: "give --decimals the digits that the numbers have"}
}

// decimals returns the sums of a part as integers of units.
func (w *writer) decimals(p part) string {
	digits := w.Decimals[p.columns[0]]
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	x, y, u := w.n("x"), w.n("y"), w.n("u")
	value := expand(strings.ReplaceAll(w.scaled, "$3", fmt.Sprint(digits)), x, fmt.Sprint(power))
	if p.summand == "magnitudes" {
		value = w.call("ABS", value)
	}
	scaled := w.selects(w.source(p)+" AS "+w.n("s"), []string{x, w.as(value, "y")})
	whole := w.selects(w.sub(scaled, "a"), []string{x, y, w.as(expand(w.toInt, y), "u")})
	isRead := u + " = " + y
	if p.summand == "magnitudes" {
		isRead += " AND " + u + " >= 0" // not |−2^63| where that wraps around
	}
	limbs := w.selects(w.sub(whole, "b"), []string{
		w.as(fmt.Sprintf("CASE WHEN %s IS NULL THEN %d WHEN %s THEN %d ELSE %d END",
			x, null, isRead, decimal, unread), "place"),
		w.as(w.orZero(u, expand(w.and, u, fmt.Sprint(limb))), "r0"),
		w.as(w.orZero(u, expand(w.and, expand(w.shr, u, fmt.Sprint(limbBits)),
			fmt.Sprint(limb))), "r1"),
		w.as(w.orZero(u, expand(w.shr, u, fmt.Sprint(2*limbBits))), "r2"),
	})
	return w.summed(p, limbs, 3, w.call("MAX", "0"))
}

// orZero returns an expression, or 0 where x is NULL.
func (w *writer) orZero(x, expression string) string {
	return fmt.Sprintf("CASE WHEN %s IS NULL THEN %s ELSE %s END", x, w.integer(0), expression)
}

// decimalType takes the name of a type of decimals apart.
var decimalType = regexp.MustCompile(`\((\d+),\s*(\d+)\)`)

// scaleOf returns the digits before and after the point of a type, if its name
// has them.
func scaleOf(name string) (before, after int, ok bool) {
	m := decimalType.FindStringSubmatch(name)
	if m == nil {
		return 0, 0, false
	}
	all, err1 := strconv.Atoi(m[1])
	after, err2 := strconv.Atoi(m[2])
	return all - after, after, err1 == nil && err2 == nil
}

// checkDecimalType refuses a column that --decimals names wrongly.
func (r *Result) checkDecimalType(d *Dialect, column, name string) error {
	digits := r.about.Decimals[column]
	base := baseType(name)
	isInteger := slices.Contains(d.integers, base) || slices.Contains(d.long, base)
	_, after, hasScale := scaleOf(name)
	switch {
	case isInteger && digits == 0, slices.Contains(d.decimals, base) && !hasScale,
		slices.Contains(d.decimals, base) && after == digits:
		return nil
	}
	cure := "leave it out of --decimals"
	if isInteger {
		after, hasScale = 0, true
	}
	if hasScale {
		cure = fmt.Sprintf("give --decimals %s=%d", oneLine(column), after)
	}
	return &probe.Fault{ID: "bad-column", Thing: "column " + oneLine(column),
		Cause: fmt.Sprintf("it is of type %.60q in %s, which has other digits than the %d of "+
			"--decimals", name, d.Title, digits),
		Cure: cure}
}

// cureOfDecimals returns what to do about a column of decimals that
// --decimals does not name.
func cureOfDecimals(d *Dialect, column, name string) string {
	const general = "SUM of decimals is exact in the engine itself"
	before, after, hasScale := scaleOf(name)
	switch {
	case d.scaled == "" || !slices.Contains(d.decimals, baseType(name)):
		return "name a column of floating-point numbers or of integers; " + general
	case !hasScale:
		return fmt.Sprintf("give --decimals %s=DIGITS, the digits after the point", oneLine(column))
	case before+after > maxDecimalDigits:
		return fmt.Sprintf("give --decimals %s=%d, for numbers of at most %d digits; %s",
			oneLine(column), after, maxDecimalDigits, general)
	}
	return fmt.Sprintf("give --decimals %s=%d", oneLine(column), after)
}
