package sqlsum

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
)

// Complete queries. PostgreSQL's numeric adds and multiplies integers of any
// length, and becomes the float64 nearest to its value: so the engine can round
// once by itself. A double is a multiple of 2^−1074, a product of two of
// 2^−2148; a sum S is an integer of such units. A quotient S/n has 1000 decimal
// places: a double, and a point half-way between two, is a multiple of half a
// unit, so that the quotient is one exactly, or is further from it than those
// places.

// completes are the operations of complete queries. None takes a root, which
// numeric would round before the result is rounded.
var completes = map[string]bool{
	"sum": true, "mean": true, "asum": true, "dot": true, "variance": true, "pvariance": true,
}

// Complete returns a query whose rows are results: the keys, and a double for
// each aggregate, which is NULL for no numbers, as a SUM is.
func (q *Query) Complete() (string, error) {
	if q.Dialect.Name != "postgres" {
		return "", sums.BadUsage("--complete", q.Dialect.Title+" cannot round an exact sum once",
			"leave it out, and give the rows to lastbit sql --finish -")
	}
	if q.Fold != nil {
		return "", sums.BadUsage("--complete", "it adds by bits",
			"leave out --max and --scale, or --complete")
	}
	if len(q.Decimals) > 0 {
		return "", sums.BadUsage("--complete --decimals", "SUM of numeric is exact by itself",
			"leave out one of them")
	}
	for _, a := range q.Aggregates {
		if !completes[a.Op] {
			return "", sums.BadUsage("--complete "+a.name(), "PostgreSQL would round a root twice",
				"leave --complete out, and give the rows to lastbit sql --finish -")
		}
	}
	w := &writer{Query: q, Dialect: q.Dialect, p: q.prefix(), keepsKeys: true}
	w.table, _ = q.table()
	if q.From == "" {
		w.table = subquery(q.Select)
	}
	w.nameKeys()
	all := parts(q.Aggregates)
	var with []string
	for i, p := range all {
		name := fmt.Sprintf("%sp%d", w.p, i+1)
		with = append(with, w.part(name, p)...)
		with = append(with, fmt.Sprintf("%st%d AS (\n  %s\n)", w.p, i+1, w.numerics(p, name)))
	}
	with = append(with, w.n("e")+" AS (\n  "+w.typeErrors(all)+"\n)")
	return w.completeComment(all) + "WITH\n" + strings.Join(with, ",\n") + "\n" +
		w.completed(all) + "\n", nil
}

func (w *writer) completeComment(all []part) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- Exact sums in %s, rounded once there, by numeric.\n", w.Title)
	for i, p := range all {
		fmt.Fprintf(&b, "-- Part %d: %s, by bits: integers, added for each exponent.\n", i+1,
			p.formula())
	}
	return b.String()
}

// numerics returns for each group the sum of a part as an integer of its unit,
// and the counts of its summands.
func (w *writer) numerics(p part, name string) string {
	first := 1 // the place whose unit is 2^−1074 or 2^−2148
	if p.isProduct() {
		first = 2
	}
	limbs := "CAST(" + w.n("l0") + " AS numeric)"
	for i := 1; i < 4; i++ {
		limbs += fmt.Sprintf(" + CAST(%s AS numeric) * %v", w.n(fmt.Sprint("l", i)),
			new(big.Int).Lsh(big.NewInt(1), uint(limbBits*i)))
	}
	counted := func(place int, as string) string {
		return fmt.Sprintf("COALESCE(SUM(%s) FILTER (WHERE %s = %d), 0) AS %s", w.n("n"), w.n(
			"place"),
			place, w.n(as))
	}
	return w.selects(name, []string{
		fmt.Sprintf("COALESCE(SUM(%s) FILTER (WHERE %s <> %d), 0) AS %s", w.n("n"), w.n("place"),
			null,
			w.n("some")),
		counted(nan, "nan"), counted(posInf, "pos"), counted(negInf, "neg"), counted(negZero,
			"zero"),
		fmt.Sprintf("COALESCE(SUM((%s) * pg_catalog.power(CAST(2 AS numeric), %s - %d)) "+
			"FILTER (WHERE %s < %d), 0) AS %s", limbs, w.n("place"), first, w.n("place"), nan,
			w.n("sum")),
	}, []string{}...)
}

// typeErrors returns a query that is NULL for columns that doubles hold, as
// Finish takes them, and otherwise an error of PostgreSQL: that a text is not a
// double. The text depends on the type of the column, so that no planner
// computes the error for other columns.
func (w *writer) typeErrors(all []part) string {
	var types, checks []string
	for i, c := range w.columns() {
		of := w.n(fmt.Sprint("y", i+1))
		types = append(types, expand(w.typeOf, "MAX("+w.n("t")+"."+w.quote(c)+")")+" AS "+of)
		refusal := func(condition, cause string) {
			checks = append(checks, fmt.Sprintf("WHEN %s THEN CAST('lastbit: column ' || "+
				"pg_catalog.convert_from(pg_catalog.decode('%x', 'hex'), 'UTF8') || "+
				"' is of type ' || %s || '%s' "+
				"AS double precision)", condition, oneLine(c), of, cause))
		}
		refusal(of+" NOT IN ('"+strings.Join(slices.Concat(w.floats, w.integers, w.long), "', '")+
			"')", ", which a double does not hold exactly; SUM of numeric is exact by itself")
		for j, p := range all {
			for k, column := range p.columns {
				if column != c {
					continue
				}
				exponent := w.n("place")
				if p.isProduct() {
					exponent = fmt.Sprintf("%s / %d %% %d", w.n("top"),
						[]int{topStep, 1}[k], topStep)
				}
				refusal(fmt.Sprintf("%s IN ('%s') AND EXISTS (SELECT 1 FROM %sp%d "+
					"WHERE %s < %d AND %s >= %d)", of, strings.Join(w.long, "', '"), w.p, j+1,
					w.n("place"), nan, exponent, maxWhole),
					" with numbers beyond 2^53, which a double rounds")
			}
		}
	}
	return "SELECT CASE " + strings.Join(checks, "\n  ") + " END AS " + w.n("error") +
		"\n  FROM (SELECT " + strings.Join(types, ", ") + " FROM " + w.table + " AS " + w.n("t") +
		" WHERE 1 = 0) AS " + w.n("y")
}

// completed joins the parts of a group and rounds.
func (w *writer) completed(all []part) string {
	var columns []string
	for i, k := range w.keys {
		columns = append(columns, fmt.Sprintf("%st1.%s AS %s", w.p, k, w.quote(w.By[i])))
	}
	for _, a := range w.Aggregates {
		of := parts([]Aggregate{a})
		var tables []string
		for _, p := range of {
			for i := range all {
				if all[i].equal(p) {
					tables = append(tables, fmt.Sprintf("%st%d", w.p, i+1))
				}
			}
		}
		name := a.Op + "(" + strings.Join(a.Columns, ",") + ")"
		columns = append(columns, w.rounded(a, tables)+" AS "+w.quote(name))
	}
	from := w.p + "t1"
	for i := range all[1:] {
		table := fmt.Sprintf("%st%d", w.p, i+2)
		on := "TRUE"
		for _, k := range w.keys {
			on += " AND " + expand(w.same, w.p+"t1."+k, table+"."+k)
		}
		from += " JOIN " + table + " ON " + on
	}
	s := "SELECT " + strings.Join(columns, ",\n  ") + "\nFROM " + from
	if len(w.keys) > 0 {
		s += "\nORDER BY "
		for i, k := range w.keys {
			if i > 0 {
				s += ", "
			}
			s += w.p + "t1." + k
		}
	}
	return s
}

// rounded returns the value of an aggregate, a double. An integer of units in
// numeric becomes a double by one exact product and one conversion. Conversions
// of numbers that round to 0 or ±Inf are errors in PostgreSQL, and are not
// made.
func (w *writer) rounded(a Aggregate, tables []string) string {
	t := tables[0]
	c := func(name string) string { return t + "." + w.n(name) }
	sum, some := c("sum"), c("some")
	unit := 1074
	value, isNone := sum, some+" = 0"
	special := fmt.Sprintf("WHEN %[1]s > 0 OR %[2]s > 0 AND %[3]s > 0 THEN 'NaN' "+
		"WHEN %[2]s > 0 THEN 'Infinity' WHEN %[3]s > 0 THEN '-Infinity' "+
		"WHEN %[4]s = %[5]s THEN '-0' ", c("nan"), c("pos"), c("neg"), c("zero"), some)
	switch a.Op {
	case "mean":
		value = fmt.Sprintf("(%s * %s) / %s", sum, scaleOfQuotient, some)
	case "dot":
		unit = 2148
	case "variance", "pvariance":
		unit = 2148
		divisor := some
		if a.Op == "variance" {
			divisor = "(" + some + " - 1)"
			isNone = some + " < 2"
		}
		square := tables[1] + "." + w.n("sum")
		value = fmt.Sprintf("((%s * %s - %s * %s) * %s) / (%s * %s)", some, square, sum, sum,
			scaleOfQuotient, some, divisor)
		special = fmt.Sprintf("WHEN %s > 0 OR %s > 0 OR %s > 0 THEN 'NaN' ", c("nan"), c("pos"),
			c("neg"))
	}
	half := new(big.Int).Lsh(big.NewInt(1), uint(unit-1075+1)) // twice 2^−1075, in units
	least := fmt.Sprintf("%v", half)
	// The least number that is ±Inf: 2^1024 − 2^970.
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(1024+unit)),
		new(big.Int).Lsh(big.NewInt(1), uint(970+unit)))
	return fmt.Sprintf("(SELECT CASE WHEN (SELECT %s FROM %s) IS NOT NULL OR %s THEN NULL ",
		w.n("error"), w.n("e"), isNone) + special +
		fmt.Sprintf("WHEN 2 * ABS(%[1]s) <= %[2]s AND %[1]s < 0 THEN '-0' "+
			"WHEN 2 * ABS(%[1]s) <= %[2]s THEN '0' WHEN %[1]s >= %[3]v THEN 'Infinity' "+
			"WHEN %[1]s <= -%[3]v THEN '-Infinity' ELSE CAST(%[1]s * %[4]s AS double precision) "+
			"END FROM (SELECT %[5]s AS %[1]s) AS %[6]s)::double precision",
			w.n("v"), least, most, powerOfTwo(-unit), value, w.n("w"))
}

// scaleOfQuotient is a 1 that gives a quotient 1000 decimal places.
var scaleOfQuotient = "1." + strings.Repeat("0", 1000)

// powerOfTwo returns all decimal digits of 2^e, e < 0.
func powerOfTwo(e int) string {
	r := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(-e)))
	return r.FloatString(-e)
}
