//go:build unix

package sqlsum

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/pgserver"
)

// created returns SQL that makes a table.
func created(of table) string {
	types := map[string]string{"double": "double precision", "float": "real", "int32": "integer",
		"int64": "bigint", "text": "text", "decimal": "numeric(18,2)",
		"wide": "numeric(38,2)"}
	var columns, rows []string
	for _, c := range of.Columns {
		columns = append(columns, doubleQuoted(c.Name)+" "+types[c.Type])
	}
	for i := range of.Columns[0].Values {
		var cells []string
		for _, c := range of.Columns {
			cells = append(cells, literal(c, i))
		}
		rows = append(rows, "("+strings.Join(cells, ",")+")")
	}
	s := "CREATE TABLE " + doubleQuoted(of.Name) + " (" + strings.Join(columns, ",") + ");\n"
	if len(rows) > 0 {
		s += "INSERT INTO " + doubleQuoted(of.Name) + " VALUES\n" + strings.Join(rows, ",\n") +
			";\n"
	}
	return s
}

func literal(c column, i int) string {
	switch v := c.Values[i]; {
	case v == nil:
		return "NULL"
	case c.Type == "double" || c.Type == "float":
		return "'" + strconv.FormatFloat(*c.numbers[i], 'g', -1, 64) + "'"
	default:
		return "'" + strings.ReplaceAll(fmt.Sprint(v), "'", "''") + "'"
	}
}

func TestPostgres(t *testing.T) {
	address := pgserver.Start(t)
	d, err := FindDialect("postgres")
	if err != nil {
		t.Fatal(err)
	}
	// Functions of the user, with arguments that fit better than the server's.
	var shadows strings.Builder
	for _, f := range []string{"div(numeric, integer)", "power(numeric, integer)",
		"power(numeric, bigint)"} {
		fmt.Fprintf(&shadows, "CREATE FUNCTION %s RETURNS numeric LANGUAGE sql IMMUTABLE AS "+
			"'SELECT CAST(7 AS numeric)';\n", f)
	}
	if _, err := Run(t.Context(), address, shadows.String()); err != nil {
		t.Fatal(err)
	}
	tables := hardTables(rand.New(rand.NewPCG(3, 4)))
	for _, table := range tables {
		if _, err := Run(t.Context(), address, created(table)); err != nil {
			t.Fatal(err)
		}
	}
	var runs [2][]byte
	for i := range runs {
		var err error
		if runs[i], err = Run(t.Context(), address, trials(t, d)[0].SQL); err != nil {
			t.Fatal(err)
		}
	}
	checkRuns(t, runs[0], runs[1])
	for _, q := range trials(t, d) {
		rows, err := Run(t.Context(), address, q.SQL)
		if err != nil {
			t.Errorf("%s:\n%.3000s\n%v", q.Table, q.SQL, err)
			continue
		}
		checkResult(t, tables, q, rows, "csv")
		if q.Table != "signs" { // numbers there, which GROUP BY joins
			completed(t, address, tables, q)
		}
	}
	for _, q := range refusals(t, d) {
		if rows, err := Run(t.Context(), address, q.SQL); err == nil {
			checkRefused(t, q, rows)
		}
		completeRefused(t, address, q)
	}
	defined(t, address, tables)
}

// completed compares the results of a complete query with the sums of the
// table.
func completed(t *testing.T, address string, tables []table, of trial) {
	t.Helper()
	if len(of.query.Decimals) > 0 {
		return
	}
	q := *of.query
	q.Fold, q.Aggregates = nil, nil
	for _, a := range of.query.Aggregates {
		if completes[a.Op] {
			q.Aggregates = append(q.Aggregates, a)
		}
	}
	query, err := q.Complete()
	if err != nil {
		t.Fatal(err)
	}
	// A result is a double also where texts of doubles have 15 digits.
	const digits = "SET extra_float_digits = 0;\nCREATE TEMPORARY TABLE result AS "
	text, err := Run(t.Context(), address, digits+query+
		";\nSET extra_float_digits = 1;\nTABLE result")
	if err != nil {
		t.Errorf("%s:\n%.2000s\n%v", of.Table, query, err)
		return
	}
	// The reader leaves out the line of a single NULL.
	rows, err := csv.NewReader(strings.NewReader(
		strings.ReplaceAll(string(text), "\n\n", "\n\"\"\n"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, row := range rows[1:] {
		for i := range q.Aggregates {
			keys := row[:len(q.By)]
			got[fmt.Sprintf("%d %q %s", i, keys, bitsOf(t, row[len(q.By)+i]))]++
		}
	}
	lines := expected(tableOf(tables, of.Table), &q, fp.Binary64)
	groups := len(lines) / len(q.Aggregates)
	for i, l := range lines {
		a := q.Aggregates[i/groups]
		value := l.Bits
		least := int64(1)
		if a.Op == "variance" {
			least = 2
		}
		if l.Count < least {
			value = ""
		}
		var keys []string
		for _, k := range append(l.Keys, l.Key) {
			if k != nil {
				keys = append(keys, *k)
			} else if len(keys) < len(q.By) {
				keys = append(keys, "")
			}
		}
		if len(q.By) == 0 {
			keys = nil
		}
		name := fmt.Sprintf("%d %q %s", i/groups, keys, value)
		if got[name]--; got[name] < 0 {
			t.Errorf("%s: %.60q…: there is no row %s", of.Table, query, name)
			for other := range got {
				if strings.HasPrefix(other, fmt.Sprintf("%d %q", i/groups, keys)) {
					t.Errorf("but %s", other)
				}
			}
			return
		}
	}
}

// completeRefused checks that a complete query ends in an error for a column
// whose numbers a double rounds.
func completeRefused(t *testing.T, address string, of trial) {
	t.Helper()
	if a := of.query.Aggregates[0]; !completes[a.Op] || len(of.query.Decimals) > 0 {
		return
	}
	query, err := of.query.Complete()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Run(t.Context(), address, query)
	column := of.query.Aggregates[0].Columns[0]
	if err == nil || column != "nowhere" &&
		!strings.Contains(err.Error(), "lastbit: column "+column+" is of type") {
		t.Errorf("complete %s: %v\n%s", of.query.Aggregates[0].name(), err, rows)
	}
}

// bitsOf returns the bits of a double that PostgreSQL wrote, "" for NULL.
func bitsOf(t *testing.T, text string) string {
	t.Helper()
	if text == "" {
		return ""
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Errorf("%q is not a number", text)
	}
	if x != x {
		x = math.Float64frombits(0x7ff8 << 48)
	}
	return fmt.Sprintf("0x%016x", math.Float64bits(x))
}

// defined compares the aggregate of --functions with package exact.
func defined(t *testing.T, address string, tables []table) {
	t.Helper()
	d, _ := FindDialect("postgres")
	functions, err := d.Functions()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), address, functions); err != nil {
		t.Fatal(err)
	}
	for _, column := range []string{"wide", "cancel", "special", "money", "r", "small", "single",
		"cents", "long"} {
		rows, err := Run(t.Context(), address, "SELECT exact_sum("+column+") FROM hard")
		if err != nil {
			t.Fatal(err)
		}
		q := &Query{Dialect: d, From: "hard", Aggregates: []Aggregate{{"sum", []string{column}}},
			Decimals: map[string]int{"cents": 2, "long": 0}}
		want := expected(tableOf(tables, "hard"), q, fp.Binary64)[0].Bits
		if got := strings.Fields(string(rows)); len(got) != 2 || bitsOf(t, got[1]) != want {
			t.Errorf("exact_sum(%s) = %q, not %s", column, rows, want)
		}
	}
}
