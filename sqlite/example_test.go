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
