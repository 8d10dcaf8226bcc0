package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// listed returns the functions that kernels, or single calls, are compiled
// from, in the order of the table functions.txt of a package. Functions of the
// last shapes come last. crmath/internal/functions documents the table.
func listed(folder string, calls bool, last []string) (names []string, err error) {
	path := filepath.Join(folder, "functions.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	column := "kernel"
	if calls {
		column = "call"
	}
	var columns, ends []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(fields[0], "#"):
			continue
		case columns == nil:
			columns = fields
			continue
		case len(fields) != len(columns):
			return nil, fmt.Errorf("%s: %d values for %d columns: %s", path, len(fields),
				len(columns), strings.TrimSpace(line))
		}
		name, shape := cell(columns, fields, column), cell(columns, fields, "shape")
		switch {
		case name == "-":
		case slices.Contains(last, shape):
			ends = append(ends, name)
		default:
			names = append(names, name)
		}
	}
	return append(names, ends...), nil
}

// cell returns a row's value of a column, or "-".
func cell(columns, fields []string, column string) string {
	if i := slices.Index(columns, column); i >= 0 {
		return fields[i]
	}
	return "-"
}
