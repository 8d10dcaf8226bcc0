//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || (darwin && (amd64 || arm64)) || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (amd64 || arm64)) || (netbsd && amd64)

package sqlite

import (
	"database/sql/driver"

	modernc "modernc.org/sqlite"
)

func init() {
	for _, f := range functions {
		modernc.MustRegisterFunction(f.name, &modernc.FunctionImpl{
			NArgs:         f.args,
			Deterministic: true, // in SQLite's sense: equal arguments, equal results
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

// An aggregate is one evaluation of a function, with the methods that the
// driver calls.
type aggregate struct {
	*function
	total total
}

func (a *aggregate) Step(_ *modernc.FunctionContext, row []driver.Value) error {
	return a.step(&a.total, row)
}

// WindowInverse removes a row that Step added.
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
