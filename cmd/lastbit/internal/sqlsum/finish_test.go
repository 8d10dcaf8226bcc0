package sqlsum

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// A result is rows as an engine gives them, before they are written.
type result struct {
	q    *Query
	rows [][]string
}

// testRun is the run of results for tests.
const testRun = "1796098210787590"

// resultOf returns a result with the header of a query on columns of some
// types, or all of one.
func resultOf(q *Query, kinds ...string) *result {
	encoded, mark := q.about().encoded()
	if len(kinds) == 1 {
		kinds = slices.Repeat(kinds, len(columnsOf(q.Aggregates)))
	}
	types := strings.Join(kinds, "|")
	r := &result{q: q}
	r.rows = append(r.rows, []string{
		mark + ":about:" + encoded + ":" + hex.EncodeToString([]byte(types)),
		"", "0", "0", "0", "0", "0", "0", "0", "0", ""})
	return r
}

// add adds a row.
func (r *result) add(keys string, part, place, n int64, limbs ...int64) {
	_, mark := r.q.about().encoded()
	row := []string{mark + ":" + keys, "", fmt.Sprint(part), fmt.Sprint(place), fmt.Sprint(n)}
	for i := range 5 { // with top
		l := int64(0)
		if i < len(limbs) {
			l = limbs[i]
		}
		row = append(row, fmt.Sprint(l))
	}
	r.rows = append(r.rows, append(row, ""))
}

// text writes the rows as CSV, with their number and checks.
func (r *result) text() string {
	lines := []string{strings.Join(rowNames, ",")}
	for _, row := range r.rows {
		row = slices.Clone(row)
		var v [8]int64
		for i := range v {
			v[i], _ = integer(row[i+2])
		}
		sum := v[0] + 3*v[1]
		for i, n := range v[2:] {
			sum += int64(2*i+5) * (n % chkModulus)
		}
		row[1], row[10] = fmt.Sprint(len(r.rows)), fmt.Sprint(sum%chkModulus)
		if r.q.Dialect.run != "" {
			row[0] += ":" + testRun
		}
		if len(r.q.By) > 0 {
			row[0] += ":" + sealOf(row[0], sum%chkModulus)
		}
		lines = append(lines, strings.Join(row, ","))
	}
	return strings.Join(lines, "\n") + "\n"
}

func sumQuery(t *testing.T, by []string, fold *Fold, aggregates ...string) *Query {
	t.Helper()
	q := &Query{Dialect: dialects[0], From: "t", By: by, Fold: fold}
	for _, s := range aggregates {
		a, err := ParseAggregate(s)
		if err != nil {
			t.Fatal(err)
		}
		q.Aggregates = append(q.Aggregates, a)
	}
	return q
}

// small returns the rows of the numbers 1, 1.5 and −0, of one NULL, by a key.
func small(t *testing.T) *result {
	r := resultOf(sumQuery(t, []string{"k"}, nil, "sum(x)"), "DOUBLE")
	r.add("x61", 1, 1023, 2, 0, 1<<25+1<<25+1<<24)
	r.add("x61", 1, negZero, 1)
	r.add("null", 1, null, 1)
	return r
}

func finished(t *testing.T, text string) *Result {
	t.Helper()
	r, err := Finish(strings.NewReader(text), "rows", "", nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

// Rows whose keys were changed, or changed places.
func TestSeal(t *testing.T) {
	text := small(t).text()
	lines := strings.Split(text, "\n")
	mark := strings.Split(lines[2], ":")[0]
	cut := func(line string) (keys, rest string) {
		keys, rest, _ = strings.Cut(line, ",")
		return keys, rest
	}
	null, numbers := cut(lines[4])
	a, others := cut(lines[2])
	exchange := strings.NewReplacer(lines[4], a+","+numbers, lines[2], null+","+others)
	for what, changed := range map[string]string{
		"another letter":  strings.Replace(text, mark+":x61", mark+":x62", 1),
		"no key":          strings.Replace(text, mark+":x61", mark+":null", 1),
		"keys exchanged":  exchange.Replace(text),
		"another seal":    strings.Replace(text, a, a[:len(a)-1]+"g", 1),
		"no seal":         strings.ReplaceAll(text, a, a[:len(a)-sealDigits-1]),
		"no seal of many": regexp.MustCompile(`(?m):[0-9a-f]{8},`).ReplaceAllString(text, ","),
	} {
		if changed == text {
			t.Fatalf("%s: nothing is changed", what)
		}
		if _, err := Finish(strings.NewReader(changed), "rows", "", nil); err == nil {
			t.Errorf("%s: the rows are taken\n%s", what, changed)
		}
	}
}

// Rows of one query that ran twice.
func TestRuns(t *testing.T) {
	r := resultOf(sumQuery(t, nil, nil, "sum(x)"), "DOUBLE")
	r.add("", 1, 1023, 2, 0, 1<<25)
	r.add("", 1, negZero, 1)
	lines := strings.Split(r.text(), "\n")
	if got := finished(t, strings.Join(lines, "\n")).groups; len(got) != 1 {
		t.Errorf("%d groups", len(got))
	}
	for i := 1; i < len(lines)-1; i++ {
		mixed := slices.Clone(lines)
		mixed[i] = strings.Replace(mixed[i], testRun, testRun+"1", 1)
		_, err := Finish(strings.NewReader(strings.Join(mixed, "\n")), "rows", "", nil)
		if err == nil || !strings.Contains(err.Error(), "two runs") {
			t.Errorf("line %d of another run: %v", i, err)
		}
	}
}

// A result without runs and seals, which some queries make.
func TestWithoutSeal(t *testing.T) {
	r := small(t)
	a := r.q.about()
	a.HasRun, a.Sealed = false, false
	encoded, mark := a.encoded()
	_, sealed := r.q.about().encoded()
	types := strings.Split(r.rows[0][0], ":")[3]
	r.rows[0][0] = mark + ":about:" + encoded + ":" + types
	for _, row := range r.rows[1:] {
		row[0] = strings.Replace(row[0], sealed, mark, 1)
	}
	text := regexp.MustCompile(`(?m):`+testRun+`:[0-9a-f]{8},`).ReplaceAllString(r.text(), ",")
	if got := finished(t, text).groups; len(got) != 2 {
		t.Errorf("%d groups", len(got))
	}
}

// Rows that are as the query makes them, in every format and order.
func TestFinish(t *testing.T) {
	text := small(t).text()
	want := `{"op":"sum","key":"a","count":3,"value":2.5,"bits":"0x4004000000000000",` +
		`"promise":"exact",` +
		`"exact":"2.5"}` + "\n" +
		`{"op":"sum","keys":[null],"count":0,"value":0,"bits":"0x0000000000000000",` +
		`"promise":"exact",` +
		`"exact":"0","missing":1}` + "\n"
	lines := strings.Split(strings.TrimSpace(text), "\n")
	shuffled := strings.Join([]string{lines[0], lines[4], lines[2], lines[1], lines[3]}, "\n")
	for name, text := range map[string]string{
		"csv": text, "tsv": strings.ReplaceAll(text, ",", "\t"), "shuffled": shuffled,
		"without header": strings.Join(lines[1:], "\n"), "crlf": strings.ReplaceAll(text, "\n",
			"\r\n"),
		"quoted": strings.ReplaceAll("\""+strings.ReplaceAll(strings.TrimSpace(text), "\n",
			"\"\n\"")+"\"", ",", `","`),
		"json lines": objects(lines, "", "\n", ""), "json list": objects(lines, "[", ",\n", "]"),
		"mark": "\ufeff" + text, "semicolons": strings.ReplaceAll(text, ",", ";"),
		"capital letters": regexp.MustCompile(`"\w+":`).ReplaceAllStringFunc(
			objects(lines, "", "\n", ""), strings.ToUpper),
	} {
		r := finished(t, text)
		got, err := r.Lines(fp.Binary64, false)
		if err != nil || linesText(got) != want {
			t.Errorf("%s: %v\n%s", name, err, linesText(got))
		}
	}
}

// objects writes lines of CSV as JSON.
func objects(lines []string, begin, between, end string) string {
	names := strings.Split(lines[0], ",")
	var all []string
	for _, line := range lines[1:] {
		var fields []string
		for i, cell := range strings.Split(line, ",") {
			if i == 0 || i%2 == 1 { // some engines write 64-bit integers as texts
				cell = `"` + cell + `"`
			}
			fields = append(fields, fmt.Sprintf("%q:%s", names[i], cell))
		}
		all = append(all, "{"+strings.Join(fields, ",")+"}")
	}
	return begin + strings.Join(all, between) + end
}

// Rows that are not the whole, unchanged result of one query.
func TestFinishRefuses(t *testing.T) {
	text := small(t).text()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	other := resultOf(sumQuery(t, []string{"k"}, nil, "sum(y)"), "DOUBLE")
	other.add("x61", 1, 1023, 1, 0, 1<<25)
	others := strings.Split(strings.TrimSpace(other.text()), "\n")
	join := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	changed := func(f func(r *result)) string {
		r := small(t)
		f(r)
		return r.text()
	}
	for _, tt := range []struct{ name, text, cause string }{
		{"nothing", "", "it has no rows"},
		{"UTF-16", "\xff\xfel\x00a\x00", "in UTF-16"},
		{"one column", "rows\n", "it has 1 column, and"},
		{"a header only", join(lines[0]), "it has no rows"},
		{"cut off", join(lines[:4]...), "there are 3 rows, and the query made 4"},
		{"cut off in a row", text[:len(text)-12], ""},
		{"a row twice", join(append(lines, lines[2])...), "there are 5 rows, and the query made 4"},
		{"a row for another", join(lines[0], lines[1], lines[2], lines[2], lines[4]),
			"occurs twice"},
		{"mixed", join(lines[0], lines[1], lines[2], lines[3], others[2]), "another query"},
		{"two results", join(append(lines, others[1:]...)...), "two results are mixed"},
		{"no description", join(lines[0], lines[2], lines[3], lines[4]),
			"describes the query is missing"},
		{"not rows", "a,b\n1,2\n", "it has 2 columns"},
		{"words", "one\ttwo\n", "it has 2 columns"},
		{"a rounded number", strings.Replace(text, ",83886080,", ",83886081,", 1),
			"changed on the way"},
		{"a float", strings.Replace(text, ",83886080,", ",8.388608e7,", 1), "is not an integer"},
		{"a point", strings.Replace(text, ",83886080,", ",83886080.0,", 1), "is not an integer"},
		{"a word", strings.Replace(text, ",83886080,", ",many,", 1), "is not an integer"},
		{"a long number", strings.Replace(text, ",83886080,", ",99999999999999999999,", 1),
			"64 bits"},
		{"an empty cell", strings.Replace(text, ",83886080,", ",,", 1), "is not an integer"},
		{"a quote", strings.Replace(text, ",83886080,", ",\"83886080,", 1), ""},
		{"json", "{", ""},
		{"json of another kind", `{"a":1}`, "column lastbit: it is missing"},
		{"a list that is open", "[" + strings.TrimSuffix(objects(lines, "", ",", ""), "\n"), ""},
		{"a list and more", objects(lines, "[", ",", "]") + "[]", "something follows"},
		{"parquet", "PAR1, not at all", ""},
		{"zero rows", changed(func(r *result) { r.add("x61", 1, 1024, 0, 0, 0) }),
			"it is of 0 rows"},
		{"a part", changed(func(r *result) { r.add("x61", 2, 1024, 1, 0, 0) }),
			"has 1 parts, not 2"},
		{"a place", changed(func(r *result) { r.add("x61", 1, 3000, 1, 0, 0) }),
			"place is not one"},
		{"a key", changed(func(r *result) { r.add("61", 1, 1024, 1, 0, 0) }), "hexadecimal"},
		{"two keys", changed(func(r *result) { r.add("x61.x62", 1, 1024, 1, 0, 0) }),
			"another number of keys"},
		{"a limb", changed(func(r *result) { r.add("x61", 1, 1024, 1, 1<<27, 0) }), "column l0"},
		{"a limb of a NaN", changed(func(r *result) { r.add("x61", 1, nan, 1, 1) }), "column l0"},
		{"folds", changed(func(r *result) { r.add("x61", 1, folded, 1, 1) }), "the query has none"},
		{"unread", changed(func(r *result) { r.add("x61", 1, unread, 1) }), "take 1 numbers apart"},
	} {
		_, err := Finish(strings.NewReader(tt.text), "rows", "", nil)
		var fault *probe.Fault
		if !errors.As(err, &fault) || fault.ID != "bad-rows" || !strings.Contains(fault.Cause,
			tt.cause) ||
			strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "dataset:") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// Sums of different rows.
func TestFinishRefusesOtherRows(t *testing.T) {
	r := resultOf(sumQuery(t, nil, nil, "sum(x)", "sum(y)"), "DOUBLE")
	r.add("", 1, 1023, 2, 0, 1<<26)
	r.add("", 2, 1023, 3, 0, 1<<26)
	_, err := Finish(strings.NewReader(r.text()), "rows", "", nil)
	if err == nil || !strings.Contains(err.Error(), "different numbers of rows") {
		t.Error(err)
	}
}

// The types of columns.
func TestFinishTypes(t *testing.T) {
	for _, tt := range []struct {
		dialect, kind string
		place         int64
		ok            bool
	}{
		{"duckdb", "DOUBLE", 2046, true}, {"duckdb", "FLOAT", 1100, true},
		{"duckdb", "BIGINT", 1075, true}, {"duckdb", "BIGINT", 1076, false},
		{"duckdb", "HUGEINT", 1200, false}, {"duckdb", "INTEGER", 1050, true},
		{"duckdb", "DECIMAL(18,2)", 1023, false}, {"duckdb", "VARCHAR", 1023, false},
		{"duckdb", "DOUBLE[]", 1023, true}, // refused by the engine
		{"duckdb", `"NULL"`, 1023, true}, {"spark", "void", 1023, true},
		{"clickhouse", "Nullable(Float64)", 2000, true}, {"clickhouse", "Nullable(Int64)", 1076,
			false},
		{"clickhouse", "LowCardinality(Nullable(Float32))", 1100, true},
		{"clickhouse", "Decimal(9, 2)", 1023, false},
		{"postgres", "numeric", 1023, false}, {"postgres", "double precision", 2000, true},
		{"spark", "bigint", 1073, true}, {"spark", "bigint", 1074, false},
		{"spark", "decimal(10,0)", 1023, false}, {"datafusion", "Int64", 1074, false},
		{"datafusion", "Float32", 1100, true}, {"bigquery", "?", 1023, true},
	} {
		q := sumQuery(t, nil, nil, "sum(x)")
		q.Dialect, _ = FindDialect(tt.dialect)
		r := resultOf(q, tt.kind)
		r.add("", 1, tt.place, 1, 0, 1<<25)
		_, err := Finish(strings.NewReader(r.text()), "rows", "", nil)
		var fault *probe.Fault
		if tt.ok != (err == nil) || !tt.ok && (!errors.As(err, &fault) ||
			fault.ID != "bad-column") {
			t.Errorf("%s of %s, 2^%d: %v", tt.kind, tt.dialect, tt.place-1023, err)
		}
	}
}

// The factors of a product have largest exponents of their own: integers are
// small beside a large double.
func TestFinishFactors(t *testing.T) {
	for _, tt := range []struct {
		first, second string
		x, y          int64
		refuse        string
	}{
		{"DOUBLE", "BIGINT", 2046, 1075, ""}, {"BIGINT", "DOUBLE", 1075, 2046, ""},
		{"DOUBLE", "BIGINT", 1023, 1076, "column y"},
		{"BIGINT", "DOUBLE", 1076, 1023, "column x"},
	} {
		r := resultOf(sumQuery(t, nil, nil, "dot(x,y)"), tt.first, tt.second)
		r.add("", 1, 2100, 1, 1, 0, 0, 1<<20, tt.x*topStep+tt.y)
		_, err := Finish(strings.NewReader(r.text()), "rows", "", nil)
		if (err == nil) != (tt.refuse == "") || err != nil &&
			!strings.Contains(err.Error(), tt.refuse) {
			t.Errorf("%s %d, %s %d: %v", tt.first, tt.x, tt.second, tt.y, err)
		}
	}
}

// Limbs and numbers of rows at their bounds add without an overflow, and beyond
// them are refused.
func TestFinishBounds(t *testing.T) {
	const n = maxRows
	q := sumQuery(t, nil, nil, "sum(x)", "norm(x)")
	limits := [][]int64{{1<<27 - 1, 1<<28 - 1, 1}, {1<<27 - 1, 1<<27 - 1, 1<<27 - 1, 1<<29 - 1}}
	for i, limbs := range limits {
		want := new(big.Int)
		full := make([]int64, len(limbs))
		for j := len(limbs) - 1; j >= 0; j-- {
			full[j] = limbs[j] * n // below 2^63
			want.Lsh(want, limbBits).Add(want, big.NewInt(full[j]))
		}
		for _, sign := range []int64{1, -1} {
			r := resultOf(q, "DOUBLE")
			signed := slices.Clone(full)
			for j := range signed {
				signed[j] *= sign
			}
			r.add("", int64(i+1), 1075*int64(i+1), n, signed...)
			r.add("", int64(2-i), null, n)
			got := finished(t, r.text()).groups[""].sums[i]
			exact, ok := new(big.Int).SetString(strings.TrimPrefix(got.Decimal(), "-"), 10)
			if !ok || exact.Cmp(want) != 0 || got.Sign() != int(sign) {
				t.Errorf("part %d: %s, not %v", i+1, got.Decimal(), want)
			}
			for j := range signed {
				r := resultOf(q, "DOUBLE")
				beyond := slices.Clone(signed)
				beyond[j] += sign
				r.add("", int64(i+1), 1075*int64(i+1), n, beyond...)
				if _, err := Finish(strings.NewReader(r.text()), "rows", "", nil); err == nil {
					t.Errorf("part %d: limb %d beyond its bound is taken", i+1, j)
				}
			}
		}
		r := resultOf(q, "DOUBLE")
		r.add("", int64(i+1), 1075, n+1, 0, 0, 0)
		if _, err := Finish(strings.NewReader(r.text()), "rows", "", nil); err == nil {
			t.Errorf("part %d: %d rows are taken", i+1, int64(n+1))
		}
	}
}

// Folds are exact up to their number of rows, which is derived for each bound.
func TestFolds(t *testing.T) {
	for _, max := range []float64{5e-324, 1e-300, 1, 3, 1e5, math.Ldexp(1, 20), math.Ldexp(1,
		maxScale)} {
		f, err := FoldsUpTo(max)
		if err != nil {
			t.Fatal(max, err)
		}
		if f.maxRows < 1<<26 || f.maxRows > 1<<27 {
			t.Errorf("%v: %d rows", max, f.maxRows)
		}
		// A sum of as many of the largest q of every fold is exact.
		for i, q := range []int64{f.first, 1 << 26, 1 << 26} {
			if new(big.Int).Mul(big.NewInt(q), big.NewInt(f.maxRows)).Cmp(big.NewInt(1<<53)) > 0 {
				t.Errorf("%v: sums of fold %d may round", max, i+1)
			}
		}
		for _, x := range []float64{max, -max, max / 3, math.Nextafter(max, 0), max * 1e-9, 0} {
			var sum exact.Accumulator
			rest := x
			for i := range 3 {
				m := f.constant(i)
				q := float64(rest+m) - m
				unit := math.Ldexp(1, f.unit+(2-i)*limbBits)
				bound := float64(f.first)
				if i > 0 {
					bound = 1 << 26
				}
				if units := q / unit; units != math.Trunc(units) || math.Abs(units) > bound {
					t.Errorf("%v of %v: fold %d gives %v units", x, max, i+1, units)
				}
				sum.Add(q)
				rest -= q
			}
			sum.Add(rest)
			if sum.Add(-x); sum.Sign() != 0 {
				t.Errorf("%v of %v: folds lose %s", x, max, sum.Decimal())
			}
		}
	}
	for _, max := range []float64{0, -1, math.NaN(), math.Inf(1), math.MaxFloat64} {
		if _, err := FoldsUpTo(max); err == nil {
			t.Errorf("folds up to %v", max)
		}
	}
	f, _ := FoldsUpTo(1)
	q := sumQuery(t, nil, f, "sum(x)")
	for _, tt := range []struct {
		n, limb int64
		ok      bool
	}{{f.maxRows, f.maxRows * f.first, true}, {f.maxRows + 1, 0, false}, {1, f.first + 1, false}} {
		r := resultOf(q, "DOUBLE")
		r.add("", 1, folded, tt.n, 0, 0, tt.limb)
		_, err := Finish(strings.NewReader(r.text()), "rows", "", nil)
		if tt.ok != (err == nil) {
			t.Errorf("%d rows: %v", tt.n, err)
		}
	}
}

// Sums by folds, by bits, or both, of a query that gave other rows each time it
// was computed, beside the number of rows that one of them had.
func TestOtherRows(t *testing.T) {
	for _, c := range []struct {
		folds, bits, all int64
		refused          bool
	}{
		{3, 0, 3, false}, {0, 3, 3, false}, {3, 0, 0, false},
		{3, 3, 3, true}, {0, 0, 3, true}, {2, 0, 3, true}, {0, 3, 2, true},
	} {
		fold, err := FoldsUpTo(8)
		if err != nil {
			t.Fatal(err)
		}
		r := resultOf(sumQuery(t, nil, fold, "sum(x)"), "DOUBLE")
		if c.folds > 0 {
			r.add("", 1, folded, c.folds)
		}
		if c.bits > 0 {
			r.add("", 1, 1023, c.bits)
		}
		if c.all > 0 {
			r.add("", 1, counted, c.all)
		}
		_, err = Finish(strings.NewReader(r.text()), "rows", "", nil)
		isOther := err != nil && strings.Contains(err.Error(), "gave other rows each time")
		if isOther != c.refused || err != nil && !isOther {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
