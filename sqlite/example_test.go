//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || (darwin && (amd64 || arm64)) || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (amd64 || arm64)) || (netbsd && amd64)

package sqlite_test

import (
	"database/sql"
	"fmt"
	"log"

	_ "github.com/lastbit/lastbit/sqlite"
)

func Example() {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	var theirs, ours float64
	err = db.QueryRow(`
		WITH t(x) AS (VALUES (1e100), (1e50), (1.0), (-1e50), (-1e100))
		SELECT sum(x), exact_sum(x) FROM t`).Scan(&theirs, &ours)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("sum", theirs, "exact_sum", ours)
	// Output: sum 0 exact_sum 1
}

// A sum over a moving window of three rows: a row that leaves it leaves no
// trace.
func Example_window() {
	rows := query(`
		WITH t(i, x) AS (VALUES (1, 1e100), (2, 1.0), (3, 2.0), (4, 3.0))
		SELECT exact_sum(x) OVER (ORDER BY i ROWS 2 PRECEDING) FROM t`)
	fmt.Println(rows...)
	// Output: 1e+100 1e+100 1e+100 6
}

// Two tables, which could be on two machines, are summed apart and merged.
func Example_states() {
	fmt.Println(query(`
		WITH here(x) AS (VALUES (0.1), (1e16)), there(x) AS (VALUES (0.2), (-1e16))
		SELECT exact_value(exact_merge(s)) FROM (
			SELECT exact_state(x) AS s FROM here UNION ALL SELECT exact_state(x) FROM there)`)...)
	// Output: 0.30000000000000004
}

// INTEGER stays INTEGER.
func Example_integers() {
	fmt.Println(query(`
		WITH t(n) AS (VALUES (9223372036854775807), (9223372036854775807), (-9223372036854775807))
		SELECT exact_sum(n) FROM t`)...)
	// Output: 9223372036854775807
}

// query returns the first column of the result of a query.
func query(q string) (column []any) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(q)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var v any
		if err := rows.Scan(&v); err != nil {
			log.Fatal(err)
		}
		column = append(column, v)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	return column
}
