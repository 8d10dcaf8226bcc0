// Package functions reads the tables of crmath's functions and writes the Go
// code that follows from them: sets of kernels, what stands in for assembly,
// and the rows of tests.
//
// The tables are functions.txt of crmath/internal/f64, which also serves the
// packages that call it, and of crmath/f32. A row is a function. A dash says
// that it has nothing in a column:
//
//   - function: crmath's name, in lower case.
//   - shape: unary; signed, for a result and a sign; pair, for two arguments;
//     point, for two arguments of which the kernel takes the second first;
//     integer, for a number and an integer.
//   - mpfr: MPFR's name, which lists of hard arguments have, too.
//   - kernel, call: the functions that internal/_asm/lanes compiles the vector
//     kernels and the single call from. Without a suffix, Lane or Call, they
//     have the function's name.
//   - typical: the limits of typical arguments, of which kernels decide most;
//     for a pair four numbers.
//   - binades: exponents of arguments whose results are neither constant nor
//     next to a limit.
//   - kinds: a variable of the tests with arguments of all kinds.
//   - math: a function of package math, or of the tests, to compare with.
//   - parity: even or odd.
//   - golden: hashes of results, of 2^16 and of 2^24 arguments, or of pairs.
//
// internal/_asm/lanes, which is a module of its own, reads the tables, too.
package functions

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Shapes are the shapes of functions.
var Shapes = []string{"unary", "signed", "pair", "point", "integer"}

// A Row is a function: its values by the names of columns. A dash is "".
type Row map[string]string

// Name returns the name of the function in Go.
func (r Row) Name() string { return title(r["function"]) }

// title returns an exported name.
func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// IsUnary reports whether the function has one argument.
func (r Row) IsUnary() bool { return r["shape"] == "unary" || r["shape"] == "signed" }

// IsPair reports whether the function has two arguments.
func (r Row) IsPair() bool { return r["shape"] == "pair" || r["shape"] == "point" }

// Read reads the table in a package's folder.
func Read(folder string) ([]Row, error) {
	path := filepath.Join(folder, "functions.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rows, err := parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return rows, nil
}

// parse parses a table. Lines that begin with # are comments, and the first
// other line names the columns.
func parse(text string) (rows []Row, err error) {
	var columns []string
	seen, n := map[string]bool{}, 0
	for line := range strings.Lines(text) {
		n++
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(fields[0], "#"):
			continue
		case columns == nil:
			columns = fields
			continue
		case len(fields) != len(columns):
			return nil, fmt.Errorf("%d: %d values for %d columns: write - where there is none", n,
				len(fields), len(columns))
		}
		r := Row{}
		for i, c := range columns {
			if fields[i] != "-" {
				r[c] = fields[i]
			}
		}
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("%d: %w", n, err)
		}
		if seen[r["function"]] {
			return nil, fmt.Errorf("%d: %s is there twice", n, r["function"])
		}
		seen[r["function"]] = true
		rows = append(rows, r)
	}
	return rows, nil
}

// check reports what is missing or contradicts itself.
func (r Row) check() error {
	name := r["function"]
	if name == "" || r["mpfr"] == "" {
		return fmt.Errorf("%q has no name, or none of MPFR", name)
	}
	if !slices.Contains(Shapes, r["shape"]) {
		return fmt.Errorf("%s: there is no shape %q: use one of %s", name, r["shape"],
			strings.Join(Shapes, ", "))
	}
	kernel, call := strings.TrimSuffix(r["kernel"], "Lane"), r["call"]
	call = strings.TrimSuffix(strings.TrimSuffix(call, "Lane"), "Call")
	want := name
	if r["shape"] == "integer" {
		want = ""
	}
	if kernel != want || call != want {
		return fmt.Errorf("%s is %s: it cannot have the kernel %q and the call %q", name,
			r["shape"], r["kernel"], r["call"])
	}
	return nil
}
