package sums

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lastbit/lastbit/binned"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/fp"
)

// An Algorithm computes an operation with the promise that its name states.
type Algorithm struct {
	name string // as given
	op   *Operation
	out  fp.Format
	// passes is the number of times the rows are read: 2 where their number or
	// their largest magnitude has to be known beforehand.
	passes int
	// start returns an empty total of a pass, for a group that had count rows
	// and the total last in the pass before.
	start func(pass int, last total, count int64) (total, error)
}

// ExactAlgorithm is the name of the default.
const ExactAlgorithm = "exact"

const (
	orderedAlgorithm = "ordered"
	binnedPrefix     = "binned:"
	// defaultLevels suffices for most data: see package binned.
	defaultLevels = 3
)

// binnedNames are the names of package binned's algorithms.
var binnedNames = []string{"algorithm3", "algorithm4", "doublesweep", "singlesweep", "onereduction"}

// AlgorithmNames returns the names that ParseAlgorithm takes.
func AlgorithmNames() []string {
	names := []string{ExactAlgorithm, orderedAlgorithm}
	for _, name := range binnedNames {
		names = append(names, binnedPrefix+name)
	}
	return names
}

// Exact returns the algorithm that sums exactly and rounds once, to out.
func Exact(op *Operation, out fp.Format) *Algorithm {
	return &Algorithm{
		name: ExactAlgorithm, op: op, out: out, passes: 1,
		start: func(int, total, int64) (total, error) { return newExactTotal(op), nil },
	}
}

// ParseAlgorithm reads --algorithm. An ordered sum, which holds all rows, takes
// at most memory bytes.
func ParseAlgorithm(s string, op *Operation, out fp.Format, memory int64) (*Algorithm, error) {
	kind, rest, _ := strings.Cut(s, ":")
	switch {
	case s == ExactAlgorithm:
		return Exact(op, out), nil
	case s == orderedAlgorithm:
		if !slices.Contains([]string{"sum", "asum", "norm", "dot"}, op.name) {
			return nil, lacks(s, op, "sum, asum, norm or dot")
		}
		left := maxOrdered(memory, int64(out.Bytes()))
		start := func(int, total, int64) (total, error) {
			return newOrderedTotal(op, out, &left), nil
		}
		return &Algorithm{name: s, op: op, out: out, passes: 1, start: start}, nil
	case kind+":" == binnedPrefix:
		if op.name != "sum" && op.name != "asum" {
			return nil, lacks(s, op, "sum or asum")
		}
		return parseBinned(s, rest, op, out)
	}
	return nil, BadUsage("--algorithm "+s, "unknown value",
		"use exact, ordered, or one of "+strings.Join(AlgorithmNames()[2:], ", "))
}

func lacks(name string, op *Operation, others string) error {
	return BadUsage("--algorithm "+name, "it does not compute --op "+op.name,
		"use it with "+others+", or leave it out: exact computes everything")
}

// parseBinned reads name[,k=levels] of an algorithm called s.
func parseBinned(s, rest string, op *Operation, out fp.Format) (*Algorithm, error) {
	name, option, given := strings.Cut(rest, ",")
	if !slices.Contains(binnedNames, name) {
		return nil, BadUsage("--algorithm "+binnedPrefix+" "+name, "unknown value",
			"use "+text.List(binnedNames))
	}
	k := defaultLevels
	if given {
		digits, ok := strings.CutPrefix(option, "k=")
		var err error
		if k, err = strconv.Atoi(digits); !ok || err != nil || k < 1 || k > binned.MaxLevels {
			return nil, BadUsage("--algorithm "+s,
				fmt.Sprintf("%q is not a number of levels", option),
				"write "+binnedPrefix+name+",k=3, or another number")
		}
	}
	a := &Algorithm{name: s, op: op, out: out, passes: 2}
	if name == "onereduction" {
		a.passes = 1
	}
	a.start = func(pass int, last total, count int64) (total, error) {
		if pass < a.passes {
			return &survey{}, nil
		}
		return startBinned(op, out, name, k, last, count)
	}
	return a, nil
}

// isExact reports whether totals can be merged and hashed.
func (a *Algorithm) isExact() bool { return a.name == ExactAlgorithm }

// promise returns the promise that the algorithm keeps.
func (a *Algorithm) promise() string {
	kind, _, _ := strings.Cut(a.name, ":")
	return kind
}
