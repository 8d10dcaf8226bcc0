package sqlsum

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
)

// A Fold describes sums by folds, of numbers |x| ≤ max ≤ 2^E.
//
// With M = 1.5·2^(u + 52), the double q = (x + M) − M is x rounded to a
// multiple of the unit 2^u, and x − q is exact, for every |x| ≤ 2^(u + 51): x +
// M stays in the binade of M, where doubles are multiples of 2^u. Three folds
// take x apart, at units of 2^(E − 27), 2^(E − 54) and 2^(E − 81). A number is
// counted where something is left then: where the remainder before the third
// fold is not its q. Where none is counted, these remainders are added in the
// place of q, which saves the subtraction of q.
//
// A sum of n doubles q is exact, in any order, while n·max|q| ≤ 2^53·2^u: every
// partial sum is a multiple of 2^u below 2^53 of them. In the first fold
// |q| ≤ ⌈max/2^u⌉·2^u ≤ 2^27·2^u, in the others |q| ≤ 2^26·2^u, half the unit
// of the fold before. So maxRows = ⌊2^53 / max(⌈max/2^u⌉, 2^26)⌋, which is 2^26
// to 2^27.
//
// References:
//   - [DemmelNguyen2013] James Demmel and Hong Diep Nguyen. Numerical
//     Reproducibility and Accuracy at ExaScale. 21st IEEE Symposium on Computer
//     Arithmetic (ARITH 21), pages 235–237, 2013.
type Fold struct {
	max     float64
	unit    int // the exponent of the third unit
	first   int64
	maxRows int64
}

const (
	minUnit = -1074 // of the smallest subnormal number
	// maxScale bounds E: sums of 2^53 first units stay far below the largest
	// double.
	maxScale = 960
)

// FoldsUpTo returns the folds of numbers |x| ≤ max.
func FoldsUpTo(max float64) (*Fold, error) {
	if !(max > 0) || math.IsInf(max, 1) {
		return nil, sums.BadUsage(fmt.Sprintf("--max %v", max), "it bounds no number",
			"give the largest |x|, such as the result of SELECT MAX(ABS(x))")
	}
	m, e := math.Frexp(max)
	if m == 0.5 {
		e--
	}
	if e > maxScale {
		return nil, sums.BadUsage(fmt.Sprintf("--max %v", max),
			fmt.Sprintf("folds take numbers up to 2^%d", maxScale),
			"leave it out, for sums by bits")
	}
	f := &Fold{max: max, unit: maxOf(e-3*limbBits, minUnit)}
	f.first = int64(math.Ceil(math.Ldexp(max, -(f.unit + 2*limbBits))))
	f.maxRows = 1 << 53 / maxOf(f.first, 1<<(limbBits-1))
	return f, nil
}

// FoldsOfScale returns the folds of numbers |x| ≤ 2^scale.
func FoldsOfScale(scale int) (*Fold, error) {
	if scale < minUnit || scale > maxScale {
		return nil, sums.BadUsage(fmt.Sprintf("--scale %d", scale),
			fmt.Sprintf("it is not an exponent of a bound from 2^%d to 2^%d", minUnit, maxScale),
			"give the E of |x| <= 2^E, or leave it out for sums by bits")
	}
	return FoldsUpTo(math.Ldexp(1, scale))
}

func maxOf[T int | int64](a, b T) T {
	if a > b {
		return a
	}
	return b
}

// constant returns the M of fold i, 0 for the first.
func (f *Fold) constant(i int) float64 {
	return math.Ldexp(1.5, f.unit+(2-i)*limbBits+52)
}

// number returns a literal.
func (w *writer) number(x float64) string {
	return expand(w.double, strconv.FormatFloat(x, 'e', -1, 64))
}

// within returns whether x is in the bound of the folds; no NaN is.
func (w *writer) within(x string) string {
	if w.Name == "clickhouse" { // where it is faster
		return fmt.Sprintf("ABS(%s) <= %s", x, w.number(w.Fold.max))
	}
	return fmt.Sprintf("%s BETWEEN %s AND %s", x, w.number(-w.Fold.max), w.number(w.Fold.max))
}

// foldsOf returns the rows of a table of x with q1, q2, q3, and r2, which is q3
// where nothing is left after it, and x itself. y is x where that is within the
// bound, and otherwise another expression, or if there is none x itself.
func (w *writer) foldsOf(p part, from, otherwise string) string {
	x, y := w.n("x"), w.n("x")
	if p.summand == "magnitudes" {
		y = w.call("ABS", x)
	}
	if otherwise != "" {
		y = fmt.Sprintf("CASE WHEN %s THEN %s%s END", w.within(x), y, otherwise)
	}
	keep, rest := []string{x}, "x"
	var steps [][2]string
	if y != x {
		steps, rest = append(steps, [2]string{"y", y}), "y"
	}
	for i := range 3 {
		m, q, r := w.number(w.Fold.constant(i)), fmt.Sprint("q", i+1), fmt.Sprint("r", i+1)
		steps = append(steps, [2]string{q, fmt.Sprintf("(%s + %s) - %s", w.n(rest), m, m)})
		if i < 2 {
			steps = append(steps, [2]string{r, w.n(rest) + " - " + w.n(q)})
		}
		rest = r
	}
	if w.aliases {
		columns := keep
		for _, s := range steps {
			columns = append(columns, w.as(s[1], s[0]))
		}
		return w.selects(from, columns)
	}
	rows, inner := "", from
	for i, s := range steps {
		columns := append(keep[:len(keep):len(keep)], w.as(s[1], s[0]))
		if s[0] == "r2" && w.barrier != "" {
			columns = append(columns, w.as(w.barrier, "c"))
		}
		rows = w.selects(inner, columns)
		inner = w.sub(rows, fmt.Sprint("f", i+1))
		keep = append(keep, w.n(s[0]))
	}
	return rows
}

// units returns a sum of fold i as an integer of units.
func (w *writer) units(sum string, i int) string {
	e := -(w.Fold.unit + (2-i)*limbBits)
	return expand(w.toInt, fmt.Sprintf("%s * %s * %s", sum,
		w.number(math.Ldexp(1, e/2)), w.number(math.Ldexp(1, e-e/2))))
}

// foldRows returns the sums by folds of the rows that they take, and by bits of
// all others, row by row.
func (w *writer) foldRows(p part) string {
	folds := w.foldsOf(p, w.source(p)+" AS "+w.n("s"), " ELSE "+w.number(0))
	clean := fmt.Sprintf("%s AND %s = %s", w.within(w.n("x")), w.n("q3"), w.n("r2"))
	if p.summand != "magnitudes" {
		clean += fmt.Sprintf(" AND NOT (%s)", w.isMinusZero())
	}
	columns := append(w.names("x", "q1", "q2", "q3"),
		w.as("CASE WHEN "+clean+" THEN 1 ELSE 0 END", "f"))
	flagged := w.selects(w.sub(folds, "i"), columns)
	// A number that is folded has nothing to take apart.
	return w.foldRowSums(p, flagged)
}

// isMinusZero returns a predicate of x, or one that holds for any zero.
func (w *writer) isMinusZero() string {
	x := w.n("x")
	if w.isMinus == "" {
		return fmt.Sprintf("%s = %s AND %s < 0", x, w.number(0), expand(w.bits, x))
	}
	return fmt.Sprintf("ABS(%s) = 0 AND %s", x, expand(w.isMinus, x))
}

// foldRowSums returns the sums of rows with q1, q2, q3 and f, which is 1 for a
// row to fold.
func (w *writer) foldRowSums(p part, rows string) string {
	f := w.n("f")
	isFolded := func(yes, no string) string {
		return fmt.Sprintf("CASE WHEN %s = 1 THEN %s ELSE %s END", f, yes, no)
	}
	apart := w.apartWith(w.sub(rows, "j"), w.names("q1", "q2", "q3", "f"))
	routed := w.selects(w.sub(apart, "a"), []string{
		w.as(isFolded(fmt.Sprint(folded), w.placeOfOne(p)), "place"),
		w.n("q1"), w.n("q2"), w.n("q3"),
		w.as(isFolded("0", w.bySign(p, expand(w.and, w.n("mx"), fmt.Sprint(limb)))), "r0"),
		w.as(isFolded("0", w.bySign(p, expand(w.shr, w.n("mx"), "27"))), "r1"),
	})
	place := w.n("place")
	columns := []string{w.as(expand(w.toInt, place), "place0"), w.as(w.count(), "n")}
	for i, low := range []string{"r0", "r1", ""} {
		sum := w.call("SUM", w.n(fmt.Sprint("q", 3-i)))
		sum = fmt.Sprintf("COALESCE(%s, %s)", sum, w.number(0))
		units, bits := w.units(sum, 2-i), w.integer(0)
		if low != "" {
			bits = w.total(w.n(low))
		}
		columns = append(columns, w.as(fmt.Sprintf("CASE WHEN %s = %d THEN %s ELSE %s END",
			place, folded, units, bits), fmt.Sprint("l", i)))
	}
	columns = append(columns, w.as(w.integer(0), "l3"), w.as(w.integer(0), "top"))
	grouped := w.selects(w.sub(routed, "q"), columns, place)
	return w.selects(w.sub(grouped, "r"), append([]string{w.n("place0") + " AS " + place},
		w.names("n", "l0", "l1", "l2", "l3", "top")...))
}

// apartWith is apart for x, with other columns of the rows.
func (w *writer) apartWith(from string, others []string) string {
	with := *w
	with.keys = append(w.keys[:len(w.keys):len(w.keys)], others...)
	return with.apart(from, "x")
}

// foldGroups returns the sums by folds of the groups that they take, and by
// bits of all others: tables of the groups, of the keys of the others, and of
// all. Groups with zeros are read once more, to count −0.
func (w *writer) foldGroups(name string, p part) []string {
	x := w.n("x")
	from := w.source(p) + " AS " + w.n("s")
	some := expand(w.toInt, w.call("COUNT", x))
	bad := expand(w.toInt, expand(w.countIf, w.n("q3")+" <> "+w.n("r2")+" OR NOT ("+
		w.within(x)+")"))
	first := w.call("SUM", w.n("q1"))
	if w.clamps {
		// Only q1 is as large as x.
		first += " FILTER (WHERE " + w.within(x) + ")"
	}
	zeros := w.integer(0)
	if p.summand != "magnitudes" {
		zeros = expand(w.toInt, expand(w.countIf, x+" = "+w.number(0)))
	}
	folds := w.selects(w.sub(w.foldsOf(p, from, ""), "i"), []string{
		w.as(w.count(), "all"), w.as(some, "some"), w.as(bad, "bad"), w.as(zeros, "zeros"),
		w.as(first, "s1"), w.as(w.call("SUM", w.n("q2")), "s2"),
		w.as(w.call("SUM", w.n("r2")), "s3"), // of q3, where none is bad
	}, []string{}...)
	isClean := fmt.Sprintf("%s = 0 AND %s <= %d", w.n("bad"), w.n("all"), w.Fold.maxRows)
	// A table of groups is small, and ClickHouse plans a materialized one
	// slowly.
	once := w.materialized
	if w.aliases {
		once = ""
	}
	chosen := func(condition string) string {
		return once + "(\n  " + w.selects(name+"f", []string{w.as("1", "one")}) +
			"\n  WHERE " + condition + "\n)"
	}
	rows := w.foldedRow(name+"f", isClean) + "\n  UNION ALL " + w.others(p, name+"b")
	tables := []string{
		name + "f AS " + w.materialized + "(\n  " + folds + "\n)",
		name + "b AS " + chosen("NOT ("+isClean+")"),
	}
	if p.summand != "magnitudes" {
		tables = append(tables, name+"z AS "+chosen(isClean+" AND "+w.n("zeros")+" > 0"))
		rows += "\n  UNION ALL " + w.minusZeros(p, name+"z")
	}
	return append(tables, name+" AS (\n  "+rows+"\n)")
}

// minusZeros returns how many of the folded numbers are −0.
func (w *writer) minusZeros(p part, groups string) string {
	zeros := w.selects(w.joined(p, groups)+"\n  WHERE "+w.isMinusZero(),
		[]string{w.as(w.count(), "n")}, []string{}...)
	columns := []string{w.as(w.integer(minusFolded), "place"), w.n("n")}
	for _, name := range []string{"l0", "l1", "l2", "l3", "top"} {
		columns = append(columns, w.as(w.integer(0), name))
	}
	return w.selects(w.sub(zeros, "c"), columns) + "\n  WHERE " + w.n("n") + " > 0"
}

// foldedRow returns a row of each group: how many rows it has, how many of them
// are not NULL, and its sums if it was folded. It is one row, since an engine
// may compute the groups again for another.
func (w *writer) foldedRow(groups, isClean string) string {
	zero := w.integer(0)
	ifClean := func(yes, no string) string {
		return "CASE WHEN " + isClean + " THEN " + yes + " ELSE " + no + " END"
	}
	place := ifClean(w.integer(foldedAll), w.integer(unfolded))
	columns := []string{w.as(place, "place"), w.as(w.n("all"), "n")}
	for i := range 3 {
		// The sums of other groups may be no integers.
		sum := ifClean(fmt.Sprintf("COALESCE(%s, %s)", w.n(fmt.Sprint("s", 3-i)), w.number(0)),
			w.number(0))
		columns = append(columns, w.as(w.units(sum, 2-i), fmt.Sprint("l", i)))
	}
	columns = append(columns, w.n("some")+" AS "+w.n("l3"), w.as(zero, "top"))
	return w.selects(groups, columns) + "\n  WHERE " + w.n("all") + " > 0"
}

// others returns the sums by bits of the groups that were not folded, without
// their NULLs.
func (w *writer) others(p part, groups string) string {
	from := w.joined(p, groups) + "\n  WHERE " + w.n("x") + " IS NOT NULL"
	if w.bits == "" {
		return w.values(p, from)
	}
	return w.heads(from)
}

// joined returns the rows of the table in the groups of others, which may be
// none: then no engine reads the table.
func (w *writer) joined(p part, others string) string {
	s, o := w.n("s"), w.n("o")
	switch {
	case len(w.keys) == 0 && w.Name == "postgres":
		// A join may begin with the table.
		return "(SELECT " + s + "." + w.n("x") + " AS " + w.n("x") + " FROM " + w.source(p) +
			" AS " +
			s + " WHERE EXISTS (SELECT 1 FROM " + others + ")) AS " + w.n("z")
	case len(w.keys) == 0:
		return w.source(p) + " AS " + s + " CROSS JOIN " + others + " AS " + o
	}
	var columns, on []string
	for _, k := range w.keys {
		columns = append(columns, s+"."+k+" AS "+k)
		on = append(on, expand(w.same, s+"."+k, o+"."+k))
	}
	columns = append(columns, s+"."+w.n("x")+" AS "+w.n("x"))
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + w.source(p) + " AS " + s +
		" JOIN " +
		others + " AS " + o + " ON " + strings.Join(on, " AND ") + ") AS " + w.n("z")
}
