//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || (darwin && (amd64 || arm64)) || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (amd64 || arm64)) || (netbsd && amd64)

// Package sqlite gives SQLite aggregate functions that keep the promise exact.
//
//	import _ "github.com/lastbit/lastbit/sqlite"
//
//	db, err := sql.Open("sqlite", "trades.db")
//	…
//	db.QueryRow(`SELECT exact_sum(amount) FROM trades`).Scan(&total)
//
// The import registers the functions, and modernc.org/sqlite as the driver
// "sqlite" of database/sql: every connection that is opened afterwards has
// them. It does nothing else. It panics if functions of these names are
// registered already.
//
//	exact_sum(x)      Σ x: INTEGER if every x is, otherwise REAL
//	exact_total(x)    Σ x as REAL, and 0.0 for no rows
//	exact_avg(x)      Σ x / n as REAL
//	exact_dot(x, y)   Σ x·y as REAL, of exact products
//	exact_state(x)    the sum before it is rounded, as a BLOB
//	exact_merge(s)    the BLOB of all numbers in the BLOBs s
//	exact_value(s)    the sum in a BLOB, as REAL
//	exact_digest(s)   the SHA-256 hash of a BLOB, as TEXT in hexadecimal
//
// The last two are scalar functions, the others aggregate and window functions.
// A window moves on by removing rows exactly: after any number of steps, the
// value depends on the rows in its frame only.
//
// # Promise
//
// A REAL is the real result rounded once, to nearest, ties to even, for any
// order of the rows, any query plan and any machine: the bits of package exact.
// SQLite's own sum of REAL depends on the order of the rows, although it
// compensates its rounding errors.
//
// # Special values
//
// INTEGER is added exactly, beyond 2^53 too. A sum of INTEGER that no INTEGER
// holds is an error, as in SQLite's sum, but only if the final sum is one, not
// an intermediate one; exact_total rounds it instead.
//
// NULL is left out. Without other rows the result is NULL, except for
// exact_total. A NaN, such as ∞ − ∞, is NULL: SQLite has no NaN.
//
// TEXT and BLOB are errors where a number is due. SQLite's sum takes them for
// the number they begin with, or for 0, and so hides wrong data; CAST(x AS
// REAL) asks for that.
//
// # States
//
// The BLOB of exact_state is the result of exact.Accumulator's MarshalBinary:
// canonical bytes, the same for the same numbers in every database. So partial
// sums merge across databases, processes and machines to the bits of one sum
// over everything:
//
//	SELECT exact_value(exact_merge(s)) FROM (
//		SELECT exact_state(x) AS s FROM a.t UNION ALL
//		SELECT exact_state(x) FROM b.t)
//
// A BLOB does not record whether its numbers were INTEGER. Bytes that are not a
// state are an error.
//
// # Cost
//
// A row costs a call from SQLite to Go. A group takes 80 bytes, more if its
// exponents span more than 64 places, and a state 11 to 590 bytes.
package sqlite
