//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || (darwin && (amd64 || arm64)) || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (amd64 || arm64)) || (netbsd && amd64)

// Package sqlite gives SQLite aggregates that keep the promise exact. A program gets
// them by
//
//	import _ "github.com/lastbit/lastbit/sqlite"
//
// which registers them, and modernc.org/sqlite as the driver "sqlite" of database/sql:
// every connection that is opened afterwards has them. That is what the import is for, and
// all that it does; it panics if functions of these names are registered already.
//
//	exact_sum(x)      Σ x. INTEGER if every x is, else REAL
//	exact_total(x)    Σ x as REAL, and 0.0 of nothing
//	exact_avg(x)      Σ x / n as REAL
//	exact_dot(x, y)   Σ x·y as REAL, the products exact too
//	exact_state(x)    the sum as it is, before it is rounded: a BLOB
//	exact_merge(s)    the BLOB of all that went into the BLOBs s
//	exact_value(s)    the sum that a BLOB holds, as REAL; no aggregate
//	exact_digest(s)   the SHA-256 hash of a BLOB, in hexadecimal TEXT; no aggregate
//
// A REAL is the real result rounded once, to nearest, ties to even, whatever the order
// of the rows, the query plan and the machine: the bits of package exact. SQLite's own
// sum of REAL depends on the order of the rows, although it compensates its errors.
//
// They all are aggregates and, but for the last two, window functions, whose frames
// are moved on by taking rows away exactly: after any number of steps the value is that
// of the frame alone.
//
// INTEGER is taken as it is, beyond 2^53 too. A sum of INTEGER that no INTEGER holds
// is an error, as in SQLite's sum, but only if the sum of all is one, not one on the way;
// exact_total rounds it. NULL is left out; where there is nothing else the result is
// NULL, but for exact_total. A NaN, as of the sum of both infinities, is NULL: SQLite
// has none. TEXT and BLOB are errors where a number is due: SQLite's sum takes them for
// the number that they begin with, or 0, and so hides what is no number. CAST(x AS REAL)
// says that this is meant.
//
// The BLOB of exact_state is what exact.Accumulator's MarshalBinary gives: canonical
// bytes, the same for the same numbers, in every database. So partial sums merge across
// databases, processes and machines to the bits of a sum over everything:
//
//	SELECT exact_value(exact_merge(s)) FROM (
//		SELECT exact_state(x) AS s FROM a.t UNION ALL SELECT exact_state(x) FROM b.t)
//
// A BLOB does not know whether its numbers were INTEGER. Bytes that are none are an error.
package sqlite

import (
	"database/sql/driver"

	modernc "modernc.org/sqlite"
)

func init() {
	for _, f := range functions {
		modernc.MustRegisterFunction(f.name, &modernc.FunctionImpl{
			NArgs:         f.args,
			Deterministic: true, // what SQLite calls so: equal arguments, equal results
			VolatileArgs:  true,
			MakeAggregate: func(modernc.FunctionContext) (modernc.AggregateFunction, error) {
				return &aggregate{function: f}, nil
			},
		})
	}
	for _, f := range scalars {
		modernc.MustRegisterFunction(f.name, &modernc.FunctionImpl{
			NArgs:         1,
			Deterministic: true,
			VolatileArgs:  true,
			Scalar: func(_ *modernc.FunctionContext, args []driver.Value) (driver.Value, error) {
				return f.call(args[0])
			},
		})
	}
}

// aggregate is one evaluation of a function, as the driver calls it.
type aggregate struct {
	*function
	total total
}

func (a *aggregate) Step(_ *modernc.FunctionContext, row []driver.Value) error {
	return a.step(&a.total, row)
}

// WindowInverse takes away a row that Step has added.
func (a *aggregate) WindowInverse(_ *modernc.FunctionContext, row []driver.Value) error {
	var one total
	if err := a.step(&one, row); err != nil {
		return err
	}
	a.total.sub(&one)
	return nil
}

func (a *aggregate) WindowValue(*modernc.FunctionContext) (driver.Value, error) {
	return a.read(&a.total)
}

func (a *aggregate) Final(*modernc.FunctionContext) {}
