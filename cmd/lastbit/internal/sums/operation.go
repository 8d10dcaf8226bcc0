package sums

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
)

// summand is the part of a row that is added.
type summand uint8

const (
	values     summand = iota // x
	magnitudes                // |x|
	squares                   // x²
	products                  // x·y
)

// An Operation is a function of one or two sums.
type Operation struct {
	name     string
	about    string
	summands []summand
	// isSum marks operations whose value is their sum.
	isSum bool
	// exact returns the value of exact sums, rounded once to a format.
	exact func(s []exact.Accumulator, f fp.Format) float64
	// fraction returns the value of sums of n finite rows, or nil for NaN, and
	// whether its root is the result.
	fraction func(s []*big.Rat, n int64) (r *big.Rat, isRoot bool)
	// naive returns the value of the naive sums of n rows, with every operation
	// rounded to a format.
	naive func(s [2]float64, n int64, r rounding) float64
}

// operations are all operations, in the order of the help.
var operations = []*Operation{
	{"sum", "Σ x", []summand{values}, true, sumOf, fractionSum,
		naiveSum},
	{"mean", "Σ x / n", []summand{values}, false, meanOf, fractionMean,
		naiveMean},
	{"asum", "Σ |x|", []summand{magnitudes}, true, sumOf, fractionSum,
		naiveSum},
	{"norm", "√(Σ x²)", []summand{squares}, false, normOf, fractionNorm,
		naiveNorm},
	{"dot", "Σ x·y, of two columns or two files", []summand{products}, true, sumOf, fractionSum,
		naiveSum},
	{"variance", "Σ (x − mean)² / (n − 1)", []summand{values, squares}, false,
		varianceOf(1), fractionVariance(1, false), naiveVariance(1)},
	{"pvariance", "Σ (x − mean)² / n", []summand{values, squares}, false,
		varianceOf(0), fractionVariance(0, false), naiveVariance(0)},
	{"stdev", "the root of variance", []summand{values, squares}, false,
		deviationOf(1), fractionVariance(1, true), naiveDeviation(1)},
	{"pstdev", "the root of pvariance", []summand{values, squares}, false,
		deviationOf(0), fractionVariance(0, true), naiveDeviation(0)},
}

// OperationNames returns the names of all operations.
func OperationNames() []string {
	names := make([]string, len(operations))
	for i, op := range operations {
		names[i] = op.name
	}
	return names
}

// FindOperation returns the operation of a name, or nil.
func FindOperation(name string) *Operation {
	for _, op := range operations {
		if op.name == name {
			return op
		}
	}
	return nil
}

// AboutOperations describes the operations for a help text.
func AboutOperations() string {
	var s strings.Builder
	for _, op := range operations {
		fmt.Fprintf(&s, "  %-10s %s\n", op.name, op.about)
	}
	return s.String()
}

// IsOfPairs reports whether a row is two numbers.
func (op *Operation) IsOfPairs() bool { return op.summands[0] == products }

func sumOf(s []exact.Accumulator, f fp.Format) float64 {
	if f == fp.Binary32 {
		return float64(s[0].Float32())
	}
	return s[0].Float64()
}

func meanOf(s []exact.Accumulator, f fp.Format) float64 {
	if f == fp.Binary32 {
		return float64(s[0].Mean32())
	}
	return s[0].Mean()
}

func normOf(s []exact.Accumulator, f fp.Format) float64 {
	if f == fp.Binary32 {
		return float64(s[0].Sqrt32())
	}
	return s[0].Sqrt()
}

func varianceOf(ddof int64) func([]exact.Accumulator, fp.Format) float64 {
	return func(s []exact.Accumulator, f fp.Format) float64 {
		if f == fp.Binary32 {
			return float64(exact.VarianceOf[float32](&s[0], &s[1], ddof))
		}
		return exact.VarianceOf[float64](&s[0], &s[1], ddof)
	}
}

func deviationOf(ddof int64) func([]exact.Accumulator, fp.Format) float64 {
	return func(s []exact.Accumulator, f fp.Format) float64 {
		if f == fp.Binary32 {
			return float64(exact.StdDevOf[float32](&s[0], &s[1], ddof))
		}
		return exact.StdDevOf[float64](&s[0], &s[1], ddof)
	}
}
