package sqlsum

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/probe"
)

// Queries convert columns to double. For floats and for integers of 32 bits
// that is exact, for longer integers below 2^53. Columns of other types are
// refused.

// wrappers are what engines write around the name of a type.
var wrappers = regexp.MustCompile(`^(?:nullable|lowcardinality)\((.*)\)$`)

// baseType returns the name of a type, in lower case and alone: float64 of
// Nullable(Float64), number of NUMBER(38,0).
func baseType(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	for {
		m := wrappers.FindStringSubmatch(name)
		if m == nil {
			break
		}
		name = m[1]
	}
	name, _, _ = strings.Cut(name, "(")
	name, _, _ = strings.Cut(name, "[")
	return strings.TrimSpace(name)
}

// checkTypes refuses columns whose numbers the query may have rounded.
func (r *Result) checkTypes(d *Dialect) error {
	columns := columnsOf(r.about.Aggregates)
	if len(r.types) == 1 && r.types[0] == "?" {
		return nil // the dialect does not name types
	}
	if len(r.types) != len(columns) {
		return fmt.Errorf("it has %d types for %d columns", len(r.types), len(columns))
	}
	for i, name := range r.types {
		if _, isDecimal := r.about.Decimals[columns[i]]; isDecimal {
			if err := r.checkDecimalType(d, columns[i], name); err != nil {
				return err
			}
			continue
		}
		base := baseType(name)
		if slices.Contains(d.floats, base) || slices.Contains(d.integers, base) ||
			slices.Contains(d.long, base) {
			continue
		}
		return &probe.Fault{ID: "bad-column", Thing: fmt.Sprintf("column %s", oneLine(columns[i])),
			Cause: fmt.Sprintf("it is of type %.60q in %s, which a double does not hold exactly",
				name,
				d.Title),
			Cure: cureOfDecimals(d, columns[i], name)}
	}
	return nil
}

// maxWhole is the exponent of the first integers that a double rounds, 2^53.
const maxWhole = 1076

// checkWhole refuses a row whose integers may have been rounded: integers of 64
// bits or more become doubles exactly up to 2^53 only. By bits, numbers from
// 2^53 on have a place of 1076 at least; by powers, of 1074, since the
// logarithm of 2^53 may be off.
func (r *Result) checkWhole(i int, of *row) error {
	p := of.numbers[atPlace]
	isFolded := p == folded || p == foldedAll
	if p >= nan && p < head && !isFolded { // decimals among them
		return nil
	}
	if p >= head {
		p = (p - head) & maxExp
	}
	d, err := FindDialect(r.about.Dialect)
	if err != nil {
		return err
	}
	limit := int64(maxWhole)
	if d.bits == "" {
		limit = 1074
	}
	columns := columnsOf(r.about.Aggregates)
	tops := []int64{of.numbers[atTop] / topStep, of.numbers[atTop] % topStep}
	for k, c := range r.parts[i].columns {
		at := slices.Index(columns, c)
		if len(r.types) != len(columns) || !slices.Contains(d.long, baseType(r.types[at])) {
			continue
		}
		var isBeyond bool
		switch {
		case isFolded:
			isBeyond = r.about.Max != nil && *r.about.Max > math.Ldexp(1, 53)
		case r.parts[i].isProduct():
			isBeyond = tops[k] >= limit
		default:
			isBeyond = p >= limit
		}
		if isBeyond {
			return &probe.Fault{ID: "bad-column", Thing: fmt.Sprintf("column %s", oneLine(c)),
				Cause: fmt.Sprintf("it is of type %s and may have numbers beyond %s, "+
					"which a double rounds", r.types[at],
					map[int64]string{maxWhole: "2^53", 1074: "2^52"}[limit]),
				Cure: cureOfIntegers(d, c)}
		}
	}
	return nil
}

// cureOfIntegers returns what to do about a column of long integers.
func cureOfIntegers(d *Dialect, column string) string {
	cure := "SUM of integers is exact in the engine itself; or make it a double in --query"
	if d.scaled != "" {
		cure = fmt.Sprintf("give --decimals %s=0, for sum, avg and asum; %s", oneLine(column), cure)
	}
	return cure
}
