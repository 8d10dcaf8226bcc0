//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || (darwin && (amd64 || arm64)) || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (amd64 || arm64)) || (netbsd && amd64)

package sqlite

import (
	"bytes"
	"database/sql"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/exact"
)

// open returns an empty database in memory.
func open(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1) // every connection would be a database of its own
	t.Cleanup(func() { db.Close() })
	return db
}

// table creates a table with the columns that ddl lists, and inserts rows.
func table(t testing.TB, db *sql.DB, name, ddl string, rows [][]any) {
	t.Helper()
	must(t, db, "CREATE TABLE "+name+" ("+ddl+")")
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	marks := "(" + strings.TrimSuffix(strings.Repeat("?,", strings.Count(ddl, ",")+1), ",") + ")"
	insert, err := tx.Prepare("INSERT INTO " + name + " VALUES " + marks)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if _, err := insert.Exec(r...); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

func must(t testing.TB, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.Exec(query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// column returns a table's rows of one column.
func column[T any](x ...T) (rows [][]any) {
	for _, v := range x {
		rows = append(rows, []any{v})
	}
	return rows
}

// query returns the values of the result's only column.
func query(t testing.TB, db *sql.DB, q string) (values []any) {
	t.Helper()
	rows, err := db.Query(q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	defer rows.Close()
	for rows.Next() {
		var v any
		if err := rows.Scan(&v); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		values = append(values, v)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	return values
}

// equal compares values and their types, and floats by their bits.
func equal(a, b any) bool {
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		return ok && math.Float64bits(x) == math.Float64bits(y)
	}
	if x, ok := a.([]byte); ok {
		y, ok := b.([]byte)
		return ok && bytes.Equal(x, y)
	}
	return a == b
}

func TestAggregates(t *testing.T) {
	const beyond = 1<<53 + 1
	inf := math.Inf(1)
	for _, c := range []struct {
		x     []any
		query string
		want  any
	}{
		{[]any{}, "exact_sum(x)", nil},
		{[]any{}, "exact_avg(x)", nil},
		{[]any{}, "exact_total(x)", 0.},
		{[]any{}, "exact_state(x)", nil},
		{[]any{}, "exact_merge(x)", nil},
		{[]any{}, "exact_dot(x, x)", nil},
		{[]any{nil, nil}, "exact_sum(x)", nil},
		{[]any{nil, nil}, "exact_total(x)", 0.},
		{[]any{nil, nil}, "exact_avg(x)", nil},
		{[]any{1, nil, 3}, "exact_sum(x)", int64(4)},
		{[]any{1, nil, 3}, "exact_total(x)", 4.},
		{[]any{1, nil, 3}, "exact_avg(x)", 2.},
		{[]any{1, nil, 3.}, "exact_sum(x)", 4.},
		{[]any{.1, .2, .3}, "exact_sum(x)", exact.Sum([]float64{.1, .2, .3})},
		{[]any{1e300, 1, -1e300}, "exact_sum(x)", 1.},
		{[]any{1e300, 1, -1e300}, "exact_avg(x)", 1. / 3},
		{[]any{math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64}, "exact_sum(x)",
			math.MaxFloat64},
		{[]any{math.MaxFloat64, math.MaxFloat64}, "exact_sum(x)", inf},
		{[]any{math.MaxFloat64, math.MaxFloat64}, "exact_avg(x)", math.MaxFloat64},
		{[]any{inf, 1}, "exact_sum(x)", inf},
		{[]any{inf, -inf}, "exact_sum(x)", nil},
		{[]any{inf, -inf}, "exact_avg(x)", nil},
		{[]any{0x1p-1074, 0x1p-1074}, "exact_sum(x)", 0x1p-1073},
		{[]any{beyond, beyond}, "exact_sum(x)", int64(2 * beyond)},
		{[]any{beyond, -0x1p53}, "exact_sum(x)", 1.},
		{[]any{beyond, -(1 << 53)}, "exact_avg(x)", .5},
		{[]any{beyond, beyond + 2, beyond}, "exact_avg(x)", (3*(1<<53) + 5.) / 3},
		{[]any{math.MaxInt64, 1, -1}, "exact_sum(x)", int64(math.MaxInt64)},
		{[]any{math.MinInt64, -1, 1}, "exact_sum(x)", int64(math.MinInt64)},
		{[]any{math.MinInt64, math.MaxInt64}, "exact_sum(x)", int64(-1)},
		{[]any{math.MaxInt64, math.MaxInt64}, "exact_total(x)", 0x1p64},
		{[]any{math.MaxInt64, -0x1p63}, "exact_sum(x)", -1.},
		{[]any{1, 1, 2}, "exact_sum(DISTINCT x)", int64(3)},
		{[]any{1, 2, 30}, "exact_sum(x) FILTER (WHERE x < 10)", int64(3)},
		{[]any{beyond, -0x1p53}, "exact_dot(x, 3)", 3.},
		{[]any{math.MinInt64}, "exact_dot(x, x)", 0x1p126},
		{[]any{math.MinInt64, math.MaxInt64}, "exact_dot(x, 1)", -1.},
		{[]any{beyond, -(1 << 53)}, fmt.Sprintf("exact_dot(x, %d)", beyond), float64(beyond)},
		{[]any{inf}, fmt.Sprintf("exact_dot(x, %d)", -(1 << 60)), -inf},
		{[]any{inf}, "exact_dot(x, 0)", nil},
		{[]any{0.}, "exact_dot(x, -5)", math.Copysign(0, -1)},
		{[]any{0.}, fmt.Sprintf("exact_dot(x, %d)", -beyond), math.Copysign(0, -1)},
		{[]any{-(1 << 53)}, "exact_dot(x, 0.0)", math.Copysign(0, -1)},
		{[]any{0}, "exact_dot(x, -5)", 0.},
		{[]any{0}, fmt.Sprintf("exact_dot(%d, x)", -beyond), 0.},
		{[]any{2, nil, 3}, "exact_dot(x, x)", 13.},
		{[]any{1e200, 1, -1e200}, "exact_dot(x, 1e200)", 1e200},
		{[]any{1, .5}, "exact_value(exact_state(x))", 1.5},
		{[]any{1, .5}, "exact_value(exact_merge(NULL))", nil},
		{[]any{1}, "exact_digest(NULL)", nil},
	} {
		db := open(t)
		table(t, db, "t", "x", column(c.x...))
		if got := query(t, db, "SELECT "+c.query+" FROM t"); len(got) != 1 ||
			!equal(got[0], c.want) {
			t.Errorf("%s of %v: %v (%[3]T), want %v", c.query, c.x, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		x     any
		query string
		want  string
	}{
		{"1.5", "exact_sum(x)", "exact_sum: a TEXT is not a number"},
		{"abc", "exact_avg(x)", "exact_avg: a TEXT is not a number"},
		{[]byte("12"), "exact_total(x)", "exact_total: a BLOB is not a number"},
		{"", "exact_dot(1, x)", "exact_dot: a TEXT is not a number"},
		{"", "exact_dot(x, 1)", "exact_dot: a TEXT is not a number"},
		{"x", "exact_sum(x) OVER ()", "exact_sum: a TEXT is not a number"},
		{math.MaxInt64, "exact_sum(x + 0) FROM (SELECT x FROM t UNION ALL SELECT x FROM t)",
			"exact_sum: integer overflow: the sum is about 1.8446744073709552e+19"},
		{1, "exact_merge(x)", "exact_merge: a state is a BLOB"},
		{"lbxa", "exact_value(x)", "exact_value: a state is a BLOB"},
		{[]byte("lbxa"), "exact_merge(x)", "exact_merge: exact: these bytes are not a state"},
		{[]byte("lbxa\x02\x00\x00\x00\x00\x00\x00"), "exact_value(x)", "version"},
		{[]byte{}, "exact_digest(x)", "exact_digest: exact: these bytes are not a state"},
		{1, "exact_sum(x, x)", "wrong number of arguments"},
	} {
		db := open(t)
		table(t, db, "t", "x", column(c.x))
		q := "SELECT " + c.query
		if !strings.Contains(q, "FROM") {
			q += " FROM t"
		}
		var v any
		if err := db.QueryRow(q).Scan(&v); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %v: %v, %v; want an error with %q", c.query, c.x, v, err, c.want)
		}
	}
	db := open(t)
	table(t, db, "t", "x", column("1.5", "2"))
	if got := query(t, db, "SELECT exact_sum(CAST(x AS REAL)) FROM t"); !equal(got[0], 3.5) {
		t.Errorf("the sum of cast TEXT is %v", got)
	}
}

// wide draws n numbers of very different size that cancel, with integers among
// them.
func wide(rng *rand.Rand, n int) []any {
	x := make([]any, n)
	for i := range x {
		switch rng.IntN(4) {
		case 0:
			x[i] = rng.Int64() - rng.Int64()
		case 1:
			x[i] = nil
		default:
			x[i] = math.Ldexp(rng.Float64()*2-1, rng.IntN(200)-100)
			if i > 0 && rng.IntN(2) == 0 {
				if v, ok := x[rng.IntN(i)].(float64); ok {
					x[i] = -v
				}
			}
		}
	}
	return x
}

// rationalSum returns the sum of numbers in package big's fractions, rounded by
// it; nil if all are NULL; and how many there are.
func rationalSum(x []any) (sum, mean any) {
	s, n, reals := new(big.Rat), 0, false
	for _, v := range x {
		switch v := v.(type) {
		case int64:
			s.Add(s, new(big.Rat).SetInt64(v))
			n++
		case float64:
			s.Add(s, new(big.Rat).SetFloat64(v))
			n++
			reals = true
		}
	}
	if n == 0 {
		return nil, nil
	}
	f, _ := s.Float64()
	m, _ := new(big.Rat).Quo(s, big.NewRat(int64(n), 1)).Float64()
	if !reals {
		return s.Num().Int64(), m
	}
	return f, m
}

// TestOrder inserts the same rows in random orders. SQLite's sum has not one
// result.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := wide(rng, 100)
	for _, v := range x { // so that little is left
		switch v := v.(type) {
		case int64:
			x = append(x, -v)
		case float64:
			x = append(x, -v)
		}
	}
	x = append(x, .1, .2)
	sum, mean := rationalSum(x)
	theirs := map[uint64]bool{}
	var first []byte
	for range 30 {
		rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		db := open(t)
		table(t, db, "t", "x", column(x...))
		if got := query(t, db, "SELECT exact_sum(x) FROM t")[0]; !equal(got, sum) {
			t.Fatalf("exact_sum is %v, want %v", got, sum)
		}
		if got := query(t, db, "SELECT exact_avg(x) FROM t")[0]; !equal(got, mean) {
			t.Fatalf("exact_avg is %v, want %v", got, mean)
		}
		state := query(t, db, "SELECT exact_state(x) FROM t")[0].([]byte)
		if first == nil {
			first = state
		}
		if !bytes.Equal(state, first) {
			t.Fatal("exact_state depends on the order of the rows")
		}
		theirs[math.Float64bits(query(t, db, "SELECT sum(x) FROM t")[0].(float64))] = true
	}
	if len(theirs) < 2 {
		t.Error("SQLite's own sum was the same in 30 orders: these rows show nothing")
	}
	t.Logf("SQLite's sum had %d results in 30 orders", len(theirs))
}

func TestGroupBy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x := wide(rng, 500)
	groups := make([][]any, 7)
	var rows [][]any
	for _, v := range x {
		g := rng.IntN(len(groups))
		groups[g] = append(groups[g], v)
		rows = append(rows, []any{g, v})
	}
	db := open(t)
	table(t, db, "t", "g, x", rows)
	sums := query(t, db, "SELECT exact_sum(x) FROM t GROUP BY g ORDER BY g")
	means := query(t, db, "SELECT exact_avg(x) FROM t GROUP BY g ORDER BY g")
	for g, x := range groups {
		sum, mean := rationalSum(x)
		if !equal(sums[g], sum) || !equal(means[g], mean) {
			t.Errorf("group %d: sum %v and mean %v, want %v and %v", g, sums[g], means[g], sum,
				mean)
		}
	}
}

// TestWindows holds every frame against the sum of its rows alone.
func TestWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x := wide(rng, 200)
	for i := 40; i < 50; i++ { // frames without numbers, and without REAL
		x[i] = nil
	}
	for i := 100; i < 120; i++ {
		x[i] = rng.Int64N(1<<59) - 1<<58
	}
	var rows [][]any
	for i, v := range x {
		rows = append(rows, []any{i, v})
	}
	db := open(t)
	table(t, db, "t", "i, x", rows)
	n := len(x)
	for _, c := range []struct {
		frame       string
		first, last func(i int) int
	}{
		{"ROWS BETWEEN 5 PRECEDING AND CURRENT ROW", func(i int) int { return i - 5 },
			func(i int) int { return i }},
		{"ROWS BETWEEN 2 PRECEDING AND 3 FOLLOWING", func(i int) int { return i - 2 },
			func(i int) int { return i + 3 }},
		{"ROWS BETWEEN 4 FOLLOWING AND 9 FOLLOWING", func(i int) int { return i + 4 },
			func(i int) int { return i + 9 }},
		{"ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", func(int) int { return 0 },
			func(i int) int { return i }},
		{"ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", func(i int) int { return i },
			func(int) int { return n }},
	} {
		over := func(f string) []any {
			return query(t, db, "SELECT "+f+" OVER (ORDER BY i "+c.frame+") FROM t ORDER BY i")
		}
		sums, means, totals, states := over("exact_sum(x)"), over("exact_avg(x)"),
			over("exact_total(x)"), over("exact_state(x)")
		for i := range x {
			first := min(max(c.first(i), 0), n)
			frame := x[first:max(first, min(c.last(i)+1, n))]
			sum, mean := rationalSum(frame)
			if !equal(sums[i], sum) || !equal(means[i], mean) {
				t.Fatalf("%s, row %d: sum %v and mean %v, want %v and %v", c.frame, i, sums[i],
					means[i], sum, mean)
			}
			var a exact.Accumulator
			for _, v := range frame {
				switch v := v.(type) {
				case int64:
					a.AddInt64(v)
				case float64:
					a.Add(v)
				}
			}
			if !equal(totals[i], a.Float64()) {
				t.Fatalf("%s, row %d: total %v, want %v", c.frame, i, totals[i], a.Float64())
			}
			want, _ := a.MarshalBinary()
			if sum == nil {
				want = nil
			}
			if got, _ := states[i].([]byte); !bytes.Equal(got, want) {
				t.Fatalf("%s, row %d: state % x, want % x", c.frame, i, got, want)
			}
		}
	}
}

// TestMerge sums the parts of a table in databases of their own.
func TestMerge(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	x := wide(rng, 400)
	sum, _ := rationalSum(x)
	whole := open(t)
	table(t, whole, "t", "x", column(x...))
	state := query(t, whole, "SELECT exact_state(x) FROM t")[0].([]byte)
	var parts [][]any
	for rest := x; len(rest) > 0; {
		cut := 1 + rng.IntN(min(len(rest), 90))
		db := open(t)
		table(t, db, "t", "x", column(rest[:cut]...))
		parts = append(parts, []any{query(t, db, "SELECT exact_state(x) FROM t")[0]})
		rest = rest[cut:]
	}
	parts = append(parts, []any{nil})
	db := open(t)
	table(t, db, "p", "s", parts)
	if got := query(t, db, "SELECT exact_merge(s) FROM p")[0]; !equal(got, state) {
		t.Errorf("the merged state is % x, want % x", got, state)
	}
	if got := query(t, db, "SELECT exact_value(exact_merge(s)) FROM p")[0]; !equal(got, sum) {
		t.Errorf("the merged sum is %v, want %v", got, sum)
	}
	const frame = "(ROWS BETWEEN CURRENT ROW AND CURRENT ROW)"
	got := query(t, db, "SELECT exact_merge(s) OVER "+frame+" FROM p")
	if !equal(got[0], parts[0][0]) ||
		!equal(got[len(got)-1], nil) {
		t.Errorf("a window of one state is another state")
	}
	var a exact.Accumulator
	if err := a.UnmarshalBinary(state); err != nil || !equal(a.Float64(), sum) {
		t.Errorf("package exact reads %v, %v; want %v", a.Float64(), err, sum)
	}
	d := a.Digest()
	digest := query(t, db, "SELECT exact_digest(exact_merge(s)) FROM p")[0]
	if digest != hex.EncodeToString(d[:]) {
		t.Errorf("the digest is %v, want %x", digest, d)
	}
}

// TestConnections uses the functions on many connections at once.
func TestConnections(t *testing.T) {
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for range 20 {
				db := open(t)
				table(t, db, "t", "x", column(1e100, 1., -1e100))
				if got := query(t, db, "SELECT exact_sum(x) FROM t")[0]; !equal(got, 1.) {
					t.Error(got)
				}
			}
		})
	}
}
