//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || (darwin && (amd64 || arm64)) || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (amd64 || arm64)) || (netbsd && amd64)

package sqlite

import (
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/lastbit/lastbit/exact"
)

// A total is the sum of the rows of an aggregate or a window.
type total struct {
	sum   exact.Accumulator
	rows  int64 // rows without a NULL
	reals int64 // rows that are REAL
}

func (t *total) sub(u *total) {
	t.sum.Sub(&u.sum)
	t.rows -= u.rows
	t.reals -= u.reals
}

// A function is an aggregate of SQL.
type function struct {
	name  string
	args  int32
	add   func(t *total, row []driver.Value) error // a row without NULL
	value func(t *total) (driver.Value, error)     // of at least one row
	empty driver.Value                             // the value without rows
}

var functions = []*function{
	{name: "exact_sum", args: 1, add: addNumber, value: sumValue},
	{name: "exact_total", args: 1, add: addNumber, value: realValue, empty: 0.0},
	{name: "exact_avg", args: 1, add: addNumber, value: meanValue},
	{name: "exact_dot", args: 2, add: addProduct, value: realValue},
	{name: "exact_state", args: 1, add: addNumber, value: stateValue},
	{name: "exact_merge", args: 1, add: addState, value: stateValue},
}

// step adds a row.
func (f *function) step(t *total, row []driver.Value) error {
	for _, v := range row {
		if v == nil {
			return nil
		}
	}
	if err := f.add(t, row); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	t.rows++
	return nil
}

// read returns the value of the rows.
func (f *function) read(t *total) (driver.Value, error) {
	if t.rows == 0 {
		return f.empty, nil
	}
	v, err := f.value(t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return v, nil
}

// addNumber adds row[0].
func addNumber(t *total, row []driver.Value) error {
	switch v := row[0].(type) {
	case int64:
		t.sum.AddInt64(v)
		return nil
	case float64:
		t.sum.Add(v)
		t.reals++
		return nil
	}
	return noNumber(row[0])
}

// noNumber returns the error about a v that is neither INTEGER nor REAL.
func noNumber(v driver.Value) error {
	name := "TEXT"
	if _, ok := v.([]byte); ok {
		name = "BLOB"
	}
	const cure = "CAST(x AS REAL) makes one of it, which is 0.0 where it does not begin with one"
	return fmt.Errorf("a %s is not a number; %s", name, cure)
}

// addProduct adds row[0]·row[1].
func addProduct(t *total, row []driver.Value) error {
	x, xRest, err := parts(row[0])
	if err != nil {
		return err
	}
	y, yRest, err := parts(row[1])
	if err != nil {
		return err
	}
	_, i := row[0].(int64)
	_, j := row[1].(int64)
	if i && j && (x == 0 || y == 0) {
		t.sum.AddInt64(0) // no INTEGER is −0
		return nil
	}
	t.sum.AddWideProduct(x, xRest, y, yRest)
	return nil
}

// parts returns two float64 numbers whose exact sum is v. The second one is 0
// if the first suffices, and the first has the sign of v.
func parts(v driver.Value) (hi, lo float64, err error) {
	switch v := v.(type) {
	case int64:
		const low = 1<<32 - 1
		if f := float64(v); f > -1<<53 && f < 1<<53 {
			return f, 0, nil
		}
		return float64(v &^ low), float64(v & low), nil
	case float64:
		return v, 0, nil
	}
	return 0, 0, noNumber(v)
}

// addState adds the numbers of a BLOB.
func addState(t *total, row []driver.Value) error {
	a, err := decode(row[0])
	if err == nil {
		t.sum.Merge(a)
	}
	return err
}

// decode returns the state in a BLOB.
func decode(v driver.Value) (*exact.Accumulator, error) {
	b, ok := v.([]byte)
	if !ok {
		return nil, errors.New("a state is a BLOB, which exact_state(x) gives")
	}
	a := new(exact.Accumulator)
	return a, a.UnmarshalBinary(b)
}

// sumValue returns an INTEGER if every row is one, otherwise a REAL.
func sumValue(t *total) (driver.Value, error) {
	if t.reals != 0 {
		return t.sum.Float64(), nil
	}
	v, ok := t.sum.Int64()
	if !ok {
		const cure = "exact_total(x) gives it as REAL"
		return nil, fmt.Errorf("integer overflow: the sum is about %v; %s", t.sum.Float64(), cure)
	}
	return v, nil
}

func realValue(t *total) (driver.Value, error) { return t.sum.Float64(), nil }

func meanValue(t *total) (driver.Value, error) { return t.sum.Mean(), nil }

func stateValue(t *total) (driver.Value, error) { return t.sum.MarshalBinary() }

// A scalar is a function of one state.
type scalar struct {
	name  string
	value func(a *exact.Accumulator) driver.Value
}

var scalars = []*scalar{
	{"exact_value", func(a *exact.Accumulator) driver.Value { return a.Float64() }},
	{"exact_digest", func(a *exact.Accumulator) driver.Value {
		d := a.Digest()
		return hex.EncodeToString(d[:])
	}},
}

func (s *scalar) call(v driver.Value) (driver.Value, error) {
	if v == nil {
		return nil, nil
	}
	a, err := decode(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	return s.value(a), nil
}
