package sqlsum

import (
	"fmt"
	"slices"
	"strings"
)

// Sums by bits. A finite double is ±m·2^(e − 1075), with an integer m < 2^53
// and an exponent e from 1 to 2046, as IEEE 754 stores it; a subnormal number
// has e = 1. Limbs of m, and of the product of two, are added for each e. Other
// summands are only counted.

const (
	fraction   = 1<<52 - 1 // the mask of a stored significand
	limb       = 1<<limbBits - 1
	maxExp     = 2047
	signBit    = 2048 // of the 12 bits of sign and exponent
	zeroBit    = 4096 // set for a fraction of 0
	nullSelect = 9999
)

// part returns the common tables of a part. The last one has the columns of a
// result.
func (w *writer) part(name string, p part) []string {
	switch {
	case w.isDecimal(p):
		return []string{name + " AS (\n  " + w.decimals(p) + "\n)"}
	case w.folds(p) && w.readsAgain():
		return w.foldGroups(name, p)
	case w.folds(p):
		return []string{name + " AS (\n  " + w.foldRows(p) + "\n)"}
	case p.isProduct():
		return []string{name + " AS (\n  " + w.products(p) + "\n)"}
	}
	return w.valueTables(name, p, w.source(p)+" AS "+w.n("s"))
}

// valueTables returns the tables of the sums of x, or of |x|. The last one has
// the columns of a result.
func (w *writer) valueTables(name string, p part, from string) []string {
	if w.countsHeads {
		return w.headTables(name, p, from)
	}
	return []string{name + " AS (\n  " + w.values(p, from) + "\n)"}
}

// headTables returns the sums by the 12 bits of sign and exponent: b >> 52, of
// which −1, 2047 and −2048 have NaN with infinities, and −0 with numbers. Where
// these occur, the table is read once more and infinities and −0 are counted. A
// query that gives other rows then may leave a number of rows below 0, which
// Finish refuses.
//
// A fraction is below 2^52, and a sum of 2^34 of them below 2^86: DuckDB adds
// in 128 bits, PostgreSQL in numeric.
func (w *writer) headTables(name string, p part, from string) []string {
	x, b, k, n := w.n("x"), w.n("b"), w.n("k"), w.n("n")
	sums := w.headSums(from)
	odd := strings.Replace(w.selects(name+"g", []string{w.as("1", "one")}), "SELECT",
		"SELECT DISTINCT",
		1) + fmt.Sprintf("\n  WHERE %s IN (-1, %d, -%d)", k, maxExp, signBit)
	exact := w.selects(w.joined(p, name+"o")+fmt.Sprintf("\n  WHERE %s = 0 OR %s IN ('Infinity', "+
		"'-Infinity')", x, x), []string{w.as(expand(w.bits, x), "b")})
	counted := w.selects(w.sub(exact, "e")+"\n  WHERE "+b+" <> 0",
		[]string{w.as(expand(w.shr, b, "52"), "k"), w.as(w.count(), "n")}, k)
	zero := w.integer(0)
	row := func(place, n string) []string {
		return []string{w.as(place, "place"), w.as(n, "n"), w.as(zero, "l0"), w.as(zero, "l1"),
			w.as(zero, "l2"), w.as(zero, "l3"), w.as(zero, "top")}
	}
	special := fmt.Sprintf("CASE WHEN %s = %d THEN %d WHEN %s = -1 THEN %d ELSE %d END", k, maxExp,
		posInf, k, negInf, negZero)
	instead := fmt.Sprintf("CASE WHEN %s = -%d THEN 1 ELSE %d END", k, signBit, nan)
	if p.summand == "magnitudes" {
		special = fmt.Sprintf("CASE WHEN %s = -%d THEN 1 ELSE %d END", k, signBit, posInf)
	}
	rows := w.headRows(p, name+"g") +
		"\n  UNION ALL " + w.selects(name+"s", row(expand(w.toInt, special), n)) +
		"\n  UNION ALL " + w.selects(name+"s", row(expand(w.toInt, instead), "0 - "+n))
	return []string{
		name + "g AS " + w.materialized + "(\n  " + sums + "\n)",
		name + "o AS " + w.materialized + "(\n  " + odd + "\n)",
		name + "s AS " + w.materialized + "(\n  " + counted + "\n)",
		name + " AS (\n  " + w.merged(rows) + "\n  WHERE " + w.n("sn") + " <> 0\n)",
	}
}

// headSums returns the sums of fractions by sign and exponent: columns k, n and
// sum.
func (w *writer) headSums(from string) string {
	x, b, k := w.n("x"), w.n("b"), w.n("k")
	if w.bytes == "" {
		bits := w.selects(from, []string{w.as(expand(w.bits, x), "b")})
		return w.selects(w.sub(bits, "u"), []string{w.as(expand(w.shr, b, "52"), "k"),
			w.as(w.count(), "n"),
			w.as(w.call("SUM", expand(w.and, b, fmt.Sprint(fraction))), "sum")}, k)
	}
	// Parts of 27 and 25 bits add as 32-bit integers. Behind the barrier the
	// engine expects few groups, and so uses several processes.
	bytes := w.selects(from, []string{w.as(expand(w.bytes, x), "b"), w.as(w.barrier, "c")})
	sums := w.selects(w.sub(bytes, "u"), []string{w.as(expand(w.head, b), "k"),
		w.as(w.count(), "n"), w.as("CAST("+w.call("SUM", expand(w.highBytes, b))+" AS numeric) * "+
			fmt.Sprint(limb+1)+" + "+w.call("SUM", expand(w.lowBytes, b)), "sum")}, k)
	signed := fmt.Sprintf("CASE WHEN %s >= %d THEN %s - %d ELSE %s END", k, signBit, k, 2*signBit,
		k)
	return w.selects(w.sub(sums, "w"), []string{w.as(expand(w.toInt, signed), "k"), w.n("n"),
		w.n("sum")})
}

// headRows returns places and limbs of the sums of fractions for each sign and
// exponent.
func (w *writer) headRows(p part, from string) string {
	k, n, sum := w.n("k"), w.n("n"), w.n("sum")
	exponent := expand(w.and, k, fmt.Sprint(maxExp))
	place := fmt.Sprintf("CASE WHEN %s IS NULL THEN %d WHEN %s = %d THEN %d WHEN %s = 0 THEN 1 "+
		"ELSE %s END", k, null, exponent, maxExp, nan, exponent, exponent)
	part := func(sum string) string {
		return expand(w.toInt, expand(w.mod, sum, fmt.Sprint(
			limb+1)))
	}
	high := expand(w.quotient, sum, fmt.Sprint(limb+1))
	hidden := fmt.Sprintf("CASE WHEN %s = 0 THEN 0 ELSE %s * %d END", exponent, n, 1<<(52-limbBits))
	limbs := []string{part(sum), "(" + part(high) + " + " + hidden + ")",
		expand(w.toInt, expand(w.quotient, high, fmt.Sprint(limb+1)))}
	columns := []string{w.as(expand(w.toInt, place), "place"), n}
	for i, l := range limbs {
		signed := l
		if p.summand != "magnitudes" {
			signed = fmt.Sprintf("CASE WHEN %s < 0 THEN 0 - %s ELSE %s END", k, l, l)
		}
		columns = append(columns, w.as(fmt.Sprintf(
			"CASE WHEN %s IS NULL OR %s = %d THEN %s ELSE %s END",
			k, exponent, maxExp, w.integer(0), signed), fmt.Sprint("l", i)))
	}
	return w.selects(from, append(columns, w.as(w.integer(0), "l3"), w.as(w.integer(0), "top")))
}

// heads returns the sums of fractions by sign and exponent, which Finish takes
// apart: such a query is short, and so planned fast. No x is NULL. l2 counts
// the fractions that are 0, as for infinities and zeros.
func (w *writer) heads(from string) string {
	b, k, zero := w.n("b"), w.n("k"), w.integer(0)
	bits := w.selects(from, []string{w.as(expand(w.bits, w.n("x")), "b")})
	fractions := expand(w.and, b, fmt.Sprint(fraction))
	sums := []string{w.as(expand(w.shr, b, "52"), "k"), w.as(w.count(), "n"),
		w.as(expand(w.toInt, expand(w.countIf, fractions+" = 0")), "l2")}
	l0, l1 := w.n("l0"), w.n("l1")
	if w.quotient == "" {
		sums = append(sums, w.as(w.total(expand(w.and, b, fmt.Sprint(limb))), "l0"),
			w.as(w.total(expand(w.shr, fractions, "27")), "l1"))
	} else {
		sums = append(sums, w.as(w.call("SUM", fractions), "sum"))
		radix := fmt.Sprint(limb + 1)
		l0 = w.as(expand(w.toInt, expand(w.mod, w.n("sum"), radix)), "l0")
		l1 = w.as(expand(w.toInt, expand(w.quotient, w.n("sum"), radix)), "l1")
	}
	return w.selects(w.sub(w.selects(w.sub(bits, "u"), sums, k), "v"), []string{
		w.as(expand(w.toInt, fmt.Sprintf("%d + %s", head, expand(w.and, k, "4095"))), "place"),
		w.n("n"), l0, l1, w.n("l2"), w.as(zero, "l3"), w.as(zero, "top"),
	})
}

// values returns the sums of x, or of |x|.
func (w *writer) values(p part, from string) string {
	if w.bits == "" {
		return w.decoded(p, from)
	}
	x, b, k, lo, hi := w.n("x"), w.n("b"), w.n("k"), w.n("lo"), w.n("hi")
	bits := w.selects(from, []string{x, w.as(expand(w.bits, x), "b")})
	head := fmt.Sprintf("CASE WHEN %s IS NULL THEN %d ELSE %s + "+
		"CASE WHEN %s = 0 THEN %d ELSE 0 END END",
		x, nullSelect, expand(w.and, expand(w.shr, b, "52"), "4095"),
		expand(w.and, b, fmt.Sprint(fraction)), zeroBit)
	split := w.selects(w.sub(bits, "u"), []string{
		w.as(head, "k"), w.as(expand(w.and, b, fmt.Sprint(limb)), "lo"),
		w.as(expand(w.and, expand(w.shr, b, "27"), fmt.Sprint(fraction>>limbBits)), "hi"),
	})
	sums := w.selects(w.sub(split, "v"), []string{k, w.as(w.count(), "n"),
		w.as(w.total(lo), "slo"), w.as(w.total(hi), "shi")}, k)
	return w.merged(w.signed(p, sums))
}

// signed returns places and limbs of sums of magnitudes by sign and exponent.
func (w *writer) signed(p part, sums string) string {
	k, n := w.n("k"), w.n("n")
	exponent := expand(w.and, k, fmt.Sprint(maxExp))
	isNegative := expand(w.and, k, fmt.Sprint(signBit)) + " <> 0"
	signed := func(sum string) string {
		if p.summand == "magnitudes" {
			return fmt.Sprintf("CASE WHEN %s = %d THEN 0 ELSE %s END", exponent, maxExp, sum)
		}
		return fmt.Sprintf("CASE WHEN %s = %d THEN 0 WHEN %s THEN 0 - %s ELSE %s END",
			exponent, maxExp, isNegative, sum, sum)
	}
	infinite := fmt.Sprintf("CASE WHEN %s THEN %d ELSE %d END", isNegative, negInf, posInf)
	minus := fmt.Sprint(negZero)
	if p.summand == "magnitudes" {
		infinite, minus = fmt.Sprint(posInf), "1"
	}
	place := fmt.Sprintf("CASE WHEN %[1]s = %[2]d THEN %[3]d "+
		"WHEN %[4]s = %[5]d THEN CASE WHEN %[1]s < %[6]d THEN %[7]d ELSE %[8]s END "+
		"WHEN %[1]s = %[9]d THEN %[10]s WHEN %[4]s = 0 THEN 1 ELSE %[4]s END",
		k, nullSelect, null, exponent, maxExp, zeroBit, nan, infinite, zeroBit+signBit, minus)
	hidden := fmt.Sprintf("CASE WHEN %s = 0 THEN 0 ELSE %s * %d END", exponent, n, 1<<(52-limbBits))
	isNull := func(s string) string {
		return fmt.Sprintf("CASE WHEN %s = %d THEN 0 ELSE %s END", k, nullSelect, s)
	}
	return w.selects(w.sub(sums, "g"), []string{
		w.as(expand(w.toInt, place), "place"), n,
		w.as(expand(w.toInt, isNull(signed(w.n("slo")))), "l0"),
		w.as(expand(w.toInt, isNull(signed("("+w.n("shi")+" + "+hidden+")"))), "l1"),
		w.as(w.integer(0), "l2"), w.as(w.integer(0), "l3"), w.as(w.integer(0), "top"),
	})
}

// merged returns rows with their columns, one for each place.
func (w *writer) merged(rows string) string {
	names := []string{"n", "l0", "l1", "l2", "l3"}
	columns := []string{w.n("place")}
	for _, name := range names {
		columns = append(columns, w.as(w.total(w.n(name)), "s"+name))
	}
	columns = append(columns, w.as(expand(w.toInt, w.call("MAX", w.n("top"))), "stop"))
	grouped := w.selects(w.sub(rows, "h"), columns, w.n("place"))
	renamed := []string{w.n("place")}
	for _, name := range append(names, "top") {
		renamed = append(renamed, w.n("s"+name)+" AS "+w.n(name))
	}
	return w.selects(w.sub(grouped, "m"), renamed)
}

// A number taken apart has a place (an exponent, or one of nan, posInf for both
// infinities, null and unread), a significand and a sign.

// apart returns the rows of a table with a number x, or x and y, taken apart:
// columns px, mx and sx.
func (w *writer) apart(from string, numbers ...string) string {
	if w.bits == "" {
		return w.apartByPowers(from, numbers...)
	}
	var bits, columns []string
	for _, x := range numbers {
		bits = append(bits, w.n(x), w.as(expand(w.bits, w.n(x)), "b"+x))
		b := w.n("b" + x)
		e := expand(w.and, expand(w.shr, b, "52"), fmt.Sprint(maxExp))
		f := expand(w.and, b, fmt.Sprint(fraction))
		columns = append(columns, w.n(x),
			w.as(fmt.Sprintf("CASE WHEN %s IS NULL THEN %d WHEN %s = %d THEN "+
				"CASE WHEN %s = 0 THEN %d ELSE %d END WHEN %s = 0 THEN 1 ELSE %s END",
				w.n(x), null, e, maxExp, f, posInf, nan, e, e), "p"+x),
			w.as(fmt.Sprintf("CASE WHEN %s IS NULL OR %s = %d THEN 0 WHEN %s = 0 THEN %s "+
				"ELSE %s + %d END", w.n(x), e, maxExp, e, f, f, 1<<52), "m"+x),
			w.as(fmt.Sprintf("CASE WHEN %s < 0 THEN 1 ELSE 0 END", b), "s"+x))
	}
	return w.selects(w.sub(w.selects(from, bits), "u"), columns)
}

// apartByPowers takes numbers apart without their bits. c is about log2 |x|,
// and at least −1021; then |x|·2^(53 − c) is an integer below 2^55 for a
// logarithm that is wrong by less than one. The power is in two factors, so
// that neither it nor a product is beyond a double; both products are exact,
// since they go from |x| to an integer. A result that is not an integer is
// counted as unread.
func (w *writer) apartByPowers(from string, numbers ...string) string {
	var logs, scaled, columns []string
	const minExp, largest = -1021, "1.7976931348623157e308"
	for _, name := range numbers {
		x, c, y := w.n(name), w.n("c"+name), w.n("y"+name)
		c0 := expand(w.toInt, "FLOOR("+expand(w.log2, "ABS("+x+")")+")")
		logs = append(logs, x, w.as(fmt.Sprintf(
			"CASE WHEN ABS(%[1]s) > 0 AND ABS(%[1]s) <= %[2]s THEN "+
				"CASE WHEN %[3]s < %[4]d THEN %[4]d ELSE %[3]s END END",
			x, expand(w.double, largest), c0, minExp), "c"+name))
		half := expand(w.shr, c, "1")
		power := func(e string) string {
			return expand(w.power, expand(w.double, "2.0"), expand(w.toDouble, e))
		}
		scaled = append(scaled, x, c, w.as("ABS("+x+") * "+power("0 - "+half)+" * "+
			power("53 - ("+c+" - "+half+")"), "y"+name))
		m := expand(w.toInt, y)
		columns = append(columns, x,
			w.as(fmt.Sprintf("CASE WHEN %[1]s IS NULL THEN %[2]d WHEN %[3]s IS NOT NULL THEN "+
				"CASE WHEN %[4]s = %[5]s THEN %[3]s + 1022 ELSE %[6]d END "+
				"WHEN %[7]s THEN %[8]d WHEN ABS(%[1]s) = 0 THEN 1 ELSE %[9]d END",
				x, null, c, expand(w.toDouble, m), y, unread, expand(w.isNaN, x), nan, posInf),
				"p"+name),
			w.as(fmt.Sprintf("CASE WHEN %s IS NULL THEN 0 ELSE %s END", c, m), "m"+name),
			w.as(fmt.Sprintf("CASE WHEN ABS(%[1]s) = 0 THEN CASE WHEN %[2]s THEN 1 ELSE 0 END "+
				"WHEN %[1]s < 0 THEN 1 ELSE 0 END", x, expand(w.isMinus, x)), "s"+name))
	}
	return w.selects(w.sub(w.selects(w.sub(w.selects(from, logs), "u"), scaled), "v"), columns)
}

// placeOfOne returns the place of a number x that was taken apart.
func (w *writer) placeOfOne(p part) string {
	px, mx, sx := w.n("px"), w.n("mx"), w.n("sx")
	if p.summand == "magnitudes" {
		return px
	}
	return fmt.Sprintf("CASE WHEN %[1]s = %[2]d AND %[3]s = 1 THEN %[4]d "+
		"WHEN %[1]s = 1 AND %[5]s = 0 AND %[3]s = 1 THEN %[6]d ELSE %[1]s END",
		px, posInf, sx, negInf, mx, negZero)
}

// decoded returns the sums of x, or of |x|, of numbers that are taken apart.
func (w *writer) decoded(p part, from string) string {
	return w.summed(p, w.selects(w.sub(w.apart(from, "x"), "a"), []string{
		w.as(w.placeOfOne(p), "place"),
		w.as(w.bySign(p, expand(w.and, w.n("mx"), fmt.Sprint(limb))), "r0"),
		w.as(w.bySign(p, expand(w.shr, w.n("mx"), "27")), "r1"),
	}), 2, w.call("MAX", "0"))
}

// bySign returns a limb of a magnitude with the sign of x.
func (w *writer) bySign(p part, limb string) string {
	if p.summand == "magnitudes" {
		return limb
	}
	return w.withSign(limb, w.n("sx"))
}

// withSign returns a limb of a magnitude with a sign. It subtracts from 0:
// DataFusion takes −(a & b) for a negation of bits.
func (w *writer) withSign(limb, sign string) string {
	return fmt.Sprintf("CASE WHEN %s = 1 THEN 0 - %s ELSE %s END", sign, limb, limb)
}

// summed returns the sums of rows with a place and limbs, and an aggregate.
func (w *writer) summed(p part, rows string, limbs int, top string) string {
	columns := []string{w.as(expand(w.toInt, w.n("place")), "place0"), w.as(w.count(), "n")}
	for i := range 4 {
		name := fmt.Sprint("l", i)
		if i < limbs {
			columns = append(columns, w.as(w.total(w.n(fmt.Sprint("r", i))), name))
		} else {
			columns = append(columns, w.as(w.integer(0), name))
		}
	}
	columns = append(columns, w.as(expand(w.toInt, top), "top"))
	grouped := w.selects(w.sub(rows, "q"), columns, w.n("place"))
	return w.selects(w.sub(grouped, "r"), append([]string{w.n("place0") + " AS " + w.n("place")},
		w.names("n", "l0", "l1", "l2", "l3", "top")...))
}

// products returns the sums of x·y, or of x². Significands below 2^55 are cut
// into two limbs below 2^28; the limbs of the product are its sum of products
// of limbs, below 2^58 each, carried on to the next: so every limb but the last
// is below 2^27, and the last below 2^29.
func (w *writer) products(p part) string {
	numbers := []string{"x", "y"}
	px, py, mx, my, sx, sy := w.n("px"), w.n("py"), w.n("mx"), w.n("my"), w.n("sx"), w.n("sy")
	if p.summand == "squares" {
		numbers, py, my, sy = numbers[:1], px, mx, sx
	}
	from := w.source(p) + " AS " + w.n("s")
	place := fmt.Sprintf("CASE WHEN %[1]s = %[3]d OR %[2]s = %[3]d THEN %[3]d "+
		"WHEN %[1]s = %[4]d OR %[2]s = %[4]d THEN %[4]d "+
		"WHEN %[1]s = %[5]d OR %[2]s = %[5]d THEN %[5]d "+
		"WHEN %[1]s = %[6]d OR %[2]s = %[6]d THEN "+
		"CASE WHEN %[1]s = 1 AND %[7]s = 0 OR %[2]s = 1 AND %[8]s = 0 THEN %[5]d "+
		"WHEN %[9]s <> %[10]s THEN %[11]d ELSE %[6]d END "+
		"WHEN (%[7]s = 0 OR %[8]s = 0) AND %[9]s <> %[10]s THEN %[12]d ELSE %[1]s + %[2]s END",
		px, py, null, unread, nan, posInf, mx, my, sx, sy, negInf, negZero)
	finite := func(exponent string) string {
		return fmt.Sprintf("CASE WHEN %s < %d AND %s < %d THEN %s ELSE 0 END", px, nan, py, nan,
			exponent)
	}
	low := func(m string) string { return expand(w.and, m, fmt.Sprint(limb)) }
	high := func(m string) string { return expand(w.shr, m, "27") }
	halves := w.selects(w.sub(w.apart(from, numbers...), "a"), []string{
		w.as(place, "place"), w.as(finite(px), "topx"), w.as(finite(py), "topy"),
		w.as(fmt.Sprintf("CASE WHEN %s <> %s THEN 1 ELSE 0 END", sx, sy), "sxy"),
		w.as(low(mx)+" * "+low(my), "d0"),
		w.as(low(mx)+" * "+high(my)+" + "+high(mx)+" * "+low(my), "d1"),
		w.as(high(mx)+" * "+high(my), "d2"),
	})
	// The carries, one subquery for each.
	kept := w.names("place", "topx", "topy", "sxy")
	first := w.selects(w.sub(halves, "b1"), slices.Concat(kept, []string{
		w.as(low(w.n("d0")), "e0"), w.as(w.n("d1")+" + "+high(w.n("d0")), "e1"), w.n("d2")}))
	second := w.selects(w.sub(first, "b2"), slices.Concat(kept, []string{
		w.n("e0"), w.as(low(w.n("e1")), "f1"), w.as(w.n("d2")+" + "+high(w.n("e1")), "f2")}))
	limbs := []string{w.n("e0"), w.n("f1"), low(w.n("f2")), high(w.n("f2"))}
	columns := w.names("place", "topx", "topy")
	for i, limb := range limbs {
		if p.summand == "products" {
			limb = w.withSign(limb, w.n("sxy"))
		}
		columns = append(columns, w.as(limb, fmt.Sprint("r", i)))
	}
	third := w.selects(w.sub(second, "b3"), columns)
	tops := fmt.Sprintf("%s * %d + %s", w.call("MAX", w.n("topx")), topStep,
		w.call("MAX", w.n("topy")))
	return w.summed(p, third, 4, tops)
}
