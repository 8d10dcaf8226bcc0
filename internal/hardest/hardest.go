// Package hardest holds arguments of elementary functions of float64 whose
// values are hardest to round: they lie next to a representable number or next
// to the midpoint of two. Half of a function's arguments belong to each kind.
//
// The command crmath/internal/hard found them, by the call in the first line of
// a list.
package hardest

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed *.txt
var lists embed.FS

// Names returns the functions that have a list, in lower case.
func Names() (names []string) {
	files, err := lists.ReadDir(".")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".txt"))
	}
	return names
}

// Arguments returns the arguments of a function. y is nil for a function of one
// argument; both are nil for a function without a list.
func Arguments(name string) (x, y []float64) {
	text, err := lists.ReadFile(name + ".txt")
	if err != nil {
		return nil, nil
	}
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		fields := strings.Fields(line)
		x = append(x, parse(fields[0]))
		if len(fields) > 1 {
			y = append(y, parse(fields[1]))
		}
	}
	return x, y
}

// parse returns a number of a list, which is part of the program.
func parse(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(fmt.Sprintf("hardest: %v", err))
	}
	return x
}
