package sqlsum

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/pyenv"
	"github.com/lastbit/lastbit/internal/require"
)

// A trial is a query on a table.
type trial struct {
	Table, SQL, Format string
	query              *Query
}

// trials returns queries for a dialect on the tables of hardTables.
func trials(t *testing.T, d *Dialect) []trial {
	t.Helper()
	var all []trial
	var decimals map[string]int
	formats := []string{"csv", "tsv", "json", "parquet"}
	add := func(table string, by []string, fold *Fold, aggregates ...string) {
		q := &Query{Dialect: d, From: table, By: by, Fold: fold, Decimals: decimals}
		for _, s := range aggregates {
			a, err := ParseAggregate(s)
			if err != nil {
				t.Fatal(err)
			}
			q.Aggregates = append(q.Aggregates, a)
		}
		if len(all)%2 == 1 { // by a query, which ends in a comment
			q.Select, q.From = "SELECT * FROM "+d.quote(table)+" ; -- all;", ""
		}
		if err := q.Check(); err != nil {
			t.Fatal(err)
		}
		all = append(all, trial{table, q.Text(), formats[len(all)%4], q})
	}
	money, err := FoldsUpTo(1e5)
	if err != nil {
		t.Fatal(err)
	}
	near, err := FoldsOfScale(0)
	if err != nil {
		t.Fatal(err)
	}
	k := []string{"k"}
	add("hard", nil, nil, "sum(wide)", "avg(wide)", "asum(wide)", "var_samp(wide)", "norm(wide)")
	add("hard", nil, nil, "sum(special)", "sum(money)", "dot(money,small)", "dot(special,mixed)")
	add("hard", k, nil, "sum(special)", "asum(special)", "dot(wide,special)", "norm(special)")
	add("hard", k, nil, "sum(cancel)", "avg(mixed)", "var_pop(mixed)", "stddev_samp(money)",
		"stddev_pop(single)", "dot(whole,small)", "sum(r)", "asum(r)", "norm(r)", "dot(r,r)")
	add("hard", []string{"k", "small"}, nil, "sum(mixed)", "sum(whole)")
	add("groups", k, nil, "sum(x)", "avg(x)", "asum(x)", "norm(x)", "dot(x,x)")
	add("empty", nil, nil, "sum(x)", "dot(x,y)")
	add("empty", k, nil, "sum(x)")
	add("nulls", k, nil, "sum(x)", "norm(x)")
	add("minus", nil, nil, "sum(x)", "avg(x)")
	add("odd", []string{"select"}, nil, "sum(inf)", "sum(nan)", "sum(\"q\"\"uote\")",
		"sum(`back``tick`)", `sum(back\slash)`, `sum("x); DROP TABLE hard; --")`, "sum(lb_x)",
		`sum("a,b")`, "sum(lb_k1)", "sum(total)")
	add("hard", nil, money, "sum(money)", "avg(money)", "sum(small)", "asum(small)", "norm(money)")
	add("hard", k, money, "sum(money)", "sum(mixed)", "asum(mixed)", "sum(special)", "sum(r)")
	add("hard", nil, near, "sum(wide)", "asum(cancel)", "sum(single)")
	add("hard", nil, money, "sum(mixed)", "asum(special)", "sum(r)")
	add("groups", k, near, "sum(x)", "asum(x)")
	add("empty", nil, near, "sum(x)")
	add("minus", nil, near, "sum(x)")
	add("nulls", k, near, "sum(x)")
	add("signs", []string{"zero"}, near, "sum(x)", "norm(x)")
	add("signs", []string{"zero"}, nil, "sum(x)", "norm(x)")
	if d.Name != "postgres" && d.Name != "clickhouse" { // which take text, or no such column
		add("nulls", k, nil, "sum(x)", "norm(x)")
		q := all[len(all)-1].query
		q.From, q.Select = "", "SELECT "+d.quote("k")+", NULL AS x FROM "+d.quote("nulls")
		all[len(all)-1].SQL = q.Text()
	}
	decimals = map[string]int{"cents": 2, "long": 0}
	add("hard", k, money, "sum(cents)", "avg(cents)", "asum(cents)", "sum(long)", "asum(long)",
		"avg(money)")
	add("hard", nil, nil, "avg(long)", "sum(cents)")
	return all
}

// checkResult compares the lines of a result with the sums of the table.
func checkResult(t *testing.T, tables []table, of trial, rows []byte, format string) {
	t.Helper()
	for _, out := range []fp.Format{fp.Binary64, fp.Binary32} {
		r, err := Finish(bytes.NewReader(rows), "rows", format, nil)
		if err != nil {
			t.Errorf("%v: %v\n%.300s", of.query.about(), err, rows)
			return
		}
		lines, err := r.Lines(out, true)
		if err != nil {
			t.Fatal(err)
		}
		got, want := linesText(lines), linesText(expected(tableOf(tables, of.Table), of.query, out))
		if got != want {
			t.Errorf("%v:\n%s", of.query.about(), firstDifference(got, want))
			return
		}
	}
}

// firstDifference returns the first line of two texts that differs.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d of %d is\n%s\nnot, of %d,\n%s", i+1, len(a), a[i], len(b),
				b[i])
		}
	}
	return fmt.Sprintf("there are %d lines, not %d", len(a), len(b))
}

func linesText(lines []sums.Line) string {
	var b strings.Builder
	for _, l := range lines {
		text, _ := json.Marshal(l)
		b.Write(append(text, '\n'))
	}
	return b.String()
}

func tableOf(tables []table, name string) *table {
	for i := range tables {
		if tables[i].Name == name {
			return &tables[i]
		}
	}
	return nil
}

// A reply is the reply of testdata/engine.py.
type reply struct {
	Results []struct {
		File   string
		Error  string
		Values [][]any
	}
	Fsum map[string]string
}

// runPython runs queries in an engine for Python.
func runPython(t *testing.T, engine, module string, tables []table, queries []trial) reply {
	t.Helper()
	python := pyenv.Python(t)
	if exec.Command(python, "-c", "import "+module).Run() != nil {
		require.Missing(t, "a Python with "+module)
	}
	folder := t.TempDir()
	request, err := json.Marshal(map[string]any{
		"engine": engine, "tables": tables, "queries": lowered(queries), "folder": folder,
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "testdata/engine.py")
	cmd.Stdin = bytes.NewReader(request)
	cmd.Env = append(os.Environ(), "SPARK_LOCAL_IP=127.0.0.1", "TMPDIR="+folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %.3000s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(folder, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r reply
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func lowered(queries []trial) []map[string]string {
	var all []map[string]string
	for _, q := range queries {
		all = append(all, map[string]string{"sql": q.SQL, "format": q.Format})
	}
	return all
}

// formatRead is the format that rows are read in: their first bytes show it.
const formatRead = ""

// testPython compares the sums of an engine with the sums of package exact, and
// of Python.
func testPython(t *testing.T, name, module string) {
	d, err := FindDialect(name)
	if err != nil {
		t.Fatal(err)
	}
	tables := hardTables(rand.New(rand.NewPCG(1, 2)))
	queries := trials(t, d)
	refused := refusals(t, d)
	if name == "spark" { // which compiles each query for seconds
		queries = []trial{queries[2], queries[12], queries[len(queries)-3], queries[len(queries)-1]}
		refused = []trial{refused[0], refused[4], refused[6], refused[8]}
	}
	// The first query runs again, before the refused ones.
	all := slices.Concat(queries, []trial{queries[0]}, refused)
	replies := runPython(t, name, module, tables, all)
	var first []byte
	for i, q := range all[:len(queries)+1] {
		r := replies.Results[i]
		if r.Error != "" {
			t.Errorf("%v: %s", q.query.about(), r.Error)
			continue
		}
		rows, err := os.ReadFile(r.File)
		if err != nil {
			t.Fatal(err)
		}
		checkResult(t, tables, q, rows, formatRead)
		switch i {
		case 0:
			first = rows
		case len(queries):
			checkRuns(t, first, rows)
		}
	}
	for i, q := range refused {
		r := replies.Results[len(queries)+1+i]
		if r.Error != "" {
			continue // the engine's own error
		}
		rows, err := os.ReadFile(r.File)
		if err != nil {
			t.Fatal(err)
		}
		checkRefused(t, q, rows)
	}
	checkFsum(t, tables, replies.Fsum)
}

// checkRuns mixes the rows of two runs of a query, as CSV.
func checkRuns(t *testing.T, first, second []byte) {
	t.Helper()
	describing := func(rows []byte) string {
		return regexp.MustCompile(`(?m)^.*:about:.*$`).FindString(string(rows))
	}
	mixed := strings.Replace(string(first), describing(first), describing(second), 1)
	_, err := Finish(strings.NewReader(mixed), "rows", "csv", nil)
	if err == nil || !strings.Contains(err.Error(), "two runs") {
		t.Errorf("rows of two runs: %v\n%.500s", err, mixed)
	}
}

// refusals returns queries of columns that cannot be summed.
func refusals(t *testing.T, d *Dialect) []trial {
	var all []trial
	for _, tt := range []struct {
		aggregate string
		decimals  map[string]int
	}{{"sum(long)", nil}, {"dot(long,long)", nil}, {"norm(long)", nil}, {"sum(text)", nil},
		{"sum(decimal)", nil}, {"sum(nowhere)", nil},
		{"sum(decimal)", map[string]int{"decimal": 1}},
		{"sum(text)", map[string]int{"text": 0}},
		{"asum(least)", map[string]int{"least": 0}},
		// The last one: chdb writes the header of a failed query before the
		// next one's.
		{"sum(large)", map[string]int{"large": 2}}} {
		a, err := ParseAggregate(tt.aggregate)
		if err != nil {
			t.Fatal(err)
		}
		q := &Query{Dialect: d, From: "refused", Aggregates: []Aggregate{a}, Decimals: tt.decimals}
		all = append(all, trial{"refused", q.Text(), "csv", q})
	}
	return all
}

func checkRefused(t *testing.T, q trial, rows []byte) {
	t.Helper()
	column := q.query.Aggregates[0].Columns[0]
	if _, err := Finish(bytes.NewReader(rows), "rows", "", nil); err == nil ||
		!strings.Contains(err.Error(), "column "+column) || column == "nowhere" {
		t.Errorf("%s of %s: %v\n%.300s", q.query.Aggregates[0].Op, column, err, rows)
	}
}

// checkFsum compares the sums that the tests expect with Python's.
func checkFsum(t *testing.T, tables []table, fsum map[string]string) {
	t.Helper()
	if len(fsum) < 5 {
		t.Errorf("Python summed %d columns", len(fsum))
	}
	for name, text := range fsum {
		of, column, _ := strings.Cut(name, ".")
		q := &Query{From: of, Dialect: dialects[0],
			Aggregates: []Aggregate{{"sum", []string{column}}}}
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		got := expected(tableOf(tables, of), q, fp.Binary64)[0]
		if math.Copysign(want, 1) == 0 && got.Value.String() == "-0" {
			continue // math.fsum has one zero
		}
		if got.Bits != fmt.Sprintf("0x%016x", math.Float64bits(want)) {
			t.Errorf("%s: %s, and math.fsum gives %v", name, got.Bits, want)
		}
	}
}

func TestDuckDB(t *testing.T) { testPython(t, "duckdb", "duckdb, pyarrow") }

// The macro of DuckDB: exact, or an error.
func TestDuckDBFunctions(t *testing.T) {
	d := dialects[0]
	macro, err := d.Functions()
	if err != nil {
		t.Fatal(err)
	}
	tables := hardTables(rand.New(rand.NewPCG(5, 6)))
	var queries []trial
	for _, sql := range []string{macro, "SELECT exact_sum(money) FROM hard",
		"SELECT exact_sum(small) FROM hard", "SELECT exact_sum(x) FROM empty",
		"SELECT exact_sum(money, places := 70) FROM hard", "SELECT exact_sum(x) FROM tie",
		"SELECT exact_sum(y) FROM tie", "SELECT exact_sum(wide) FROM hard",
		"SELECT exact_sum(special) FROM hard", "SELECT exact_sum(cancel) FROM hard",
		"SELECT exact_sum(cents) FROM hard", "SELECT exact_sum(long) FROM hard",
		"SELECT exact_sum(x, places := 40.5) FROM tie",
		"SELECT exact_sum(x, places := -1) FROM tie",
		"SELECT exact_sum(x, places := NULL) FROM tie"} {
		queries = append(queries, trial{SQL: sql, Format: "values"})
	}
	replies := runPython(t, "duckdb", "duckdb, pyarrow", tables, queries).Results
	for i, name := range map[int]string{1: "hard.money", 2: "hard.small", 4: "hard.money",
		5: "tie.x", 6: "tie.y"} {
		table, column, _ := strings.Cut(name, ".")
		q := &Query{Dialect: d, From: table, Aggregates: []Aggregate{{"sum", []string{column}}}}
		want := expected(tableOf(tables, table), q, fp.Binary64)[0].Bits
		text, _ := replies[i].Values[0][0].(string)
		got, err := strconv.ParseFloat(text, 64)
		if err != nil || fmt.Sprintf("0x%016x", math.Float64bits(got)) != want {
			t.Errorf("%s: %v, %s, not %s", queries[i].SQL, replies[i].Values, replies[i].Error,
				want)
		}
	}
	if replies[3].Error != "" || replies[3].Values[0][0] != nil {
		t.Errorf("no rows: %v %s", replies[3].Values, replies[3].Error)
	}
	for i := 7; i < len(replies); i++ {
		if replies[i].Error == "" {
			t.Errorf("%s: %v", queries[i].SQL, replies[i].Values)
		}
	}
}

func TestClickHouse(t *testing.T) { testPython(t, "clickhouse", "chdb, pyarrow") }

// Limits of a session that leave out groups or rows without an error.
func TestClickHouseLimits(t *testing.T) {
	d, err := FindDialect("clickhouse")
	if err != nil {
		t.Fatal(err)
	}
	q := &Query{Dialect: d, Select: "SELECT toFloat64(number) AS x, number AS k FROM " +
		"numbers(1000000)", By: []string{"k"}, Aggregates: []Aggregate{{"sum", []string{"x"}}}}
	var queries []trial
	for _, set := range []string{"max_rows_to_group_by = 50, group_by_overflow_mode = 'any'",
		"max_rows_to_group_by = 0, max_rows_to_read = 1000, read_overflow_mode = 'break'"} {
		queries = append(queries, trial{SQL: "SET " + set, Format: "csv"},
			trial{SQL: q.Text(), Format: "csv"})
	}
	replies := runPython(t, "clickhouse", "chdb, pyarrow", []table{}, queries).Results
	for i, r := range replies {
		if (r.Error != "") != (i%2 == 1) {
			t.Errorf("%s: %s", queries[i].SQL, r.Error)
		}
	}
}

func TestSpark(t *testing.T) {
	require.Program(t, "java")
	testPython(t, "spark", "pyspark, pyarrow")
}

func TestDataFusion(t *testing.T) { testPython(t, "datafusion", "datafusion, pyarrow") }
