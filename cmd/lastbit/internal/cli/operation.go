package cli

import (
	"fmt"
	"math"
	"math/big"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
)

// summand is what is added of a row.
type summand uint8

const (
	values     summand = iota // x
	magnitudes                // |x|
	squares                   // x²
	products                  // x·y
)

// An operation is a function of one or two sums.
type operation struct {
	name  string
	about string
	sums  []summand
	// exact is the value of exact sums, rounded once.
	exact func(s []exact.Accumulator, f fp.Format) float64
	// naive is the value of n rows' naive sums, every operation rounded to a format.
	naive func(s [2]float64, n int64, r rounding) float64
}

// operations are the operations in the order in which they are listed.
var operations = []*operation{
	{"sum", "Σ x", []summand{values}, exactSum, naiveSum},
	{"mean", "Σ x / n", []summand{values}, exactMean, naiveMean},
	{"asum", "Σ |x|", []summand{magnitudes}, exactSum, naiveSum},
	{"norm", "√(Σ x²)", []summand{squares}, exactNorm, naiveNorm},
	{"dot", "Σ x·y, of two columns or two files", []summand{products}, exactSum, naiveSum},
	{"variance", "Σ (x − mean)² / (n − 1)", []summand{values, squares}, exactVariance(1, quotient), naiveVariance(1)},
	{"pvariance", "Σ (x − mean)² / n", []summand{values, squares}, exactVariance(0, quotient), naiveVariance(0)},
	{"stdev", "the root of variance", []summand{values, squares}, exactVariance(1, root), naiveDeviation(1)},
	{"pstdev", "the root of pvariance", []summand{values, squares}, exactVariance(0, root), naiveDeviation(0)},
}

// operationNames are the operations' names.
func operationNames() []string {
	names := make([]string, len(operations))
	for i, op := range operations {
		names[i] = op.name
	}
	return names
}

// findOperation returns the operation of a name, or nil.
func findOperation(name string) *operation {
	for _, op := range operations {
		if op.name == name {
			return op
		}
	}
	return nil
}

// aboutOperations lists what the operations compute, for a help.
func aboutOperations() string {
	s := ""
	for _, op := range operations {
		s += fmt.Sprintf("  %-10s %s\n", op.name, op.about)
	}
	return s
}

// pairs tells whether a row is two numbers.
func (op *operation) pairs() bool { return op.sums[0] == products }

func exactSum(s []exact.Accumulator, f fp.Format) float64 {
	if f == fp.Binary32 {
		return float64(s[0].Float32())
	}
	return s[0].Float64()
}

func exactMean(s []exact.Accumulator, f fp.Format) float64 {
	a := fractionOf(&s[0])
	switch {
	case !a.finite:
		return a.special
	case a.count.Sign() > 0 && a.multiple.Sign() == 0:
		return s[0].Float64() // with its sign
	}
	return quotient(a.multiple, a.count, digitUnit, f)
}

func exactNorm(s []exact.Accumulator, f fp.Format) float64 {
	a := fractionOf(&s[0])
	if !a.finite {
		return a.special
	}
	return root(a.multiple, big.NewInt(1), digitUnit, f)
}

// exactVariance returns how (n·Σx² − (Σx)²) / (n·(n − lost)) is read of a sum and one of
// squares.
func exactVariance(lost int64, read func(num, den *big.Int, e int, f fp.Format) float64) func([]exact.Accumulator, fp.Format) float64 {
	return func(s []exact.Accumulator, f fp.Format) float64 {
		a, b := fractionOf(&s[0]), fractionOf(&s[1])
		if !a.finite || !b.finite {
			return math.NaN()
		}
		// n·Σx² is a multiple of the unit, and (Σx)² of its square.
		num := new(big.Int).Mul(a.count, b.multiple)
		num.Lsh(num, uint(-digitUnit))
		num.Sub(num, new(big.Int).Mul(a.multiple, a.multiple))
		den := new(big.Int).Sub(a.count, big.NewInt(lost))
		return read(num, den.Mul(den, a.count), 2*digitUnit, f)
	}
}

// rounding rounds the result of an operation to a format.
type rounding func(float64) float64

// roundingTo returns the rounding to float64 or float32. One operation on float32
// numbers in float64, rounded once more, is that operation in float32: 53 bits are
// more than 2·24 + 1, so that the first rounding does no harm.
func roundingTo(f fp.Format) rounding {
	if f == fp.Binary32 {
		return func(x float64) float64 { return float64(float32(x)) }
	}
	return func(x float64) float64 { return x }
}

func naiveSum(s [2]float64, _ int64, _ rounding) float64 { return s[0] }

func naiveMean(s [2]float64, n int64, r rounding) float64 { return r(s[0] / r(float64(n))) }

func naiveNorm(s [2]float64, _ int64, r rounding) float64 { return r(math.Sqrt(s[0])) }

// naiveVariance is the formula of one pass, (Σx² − (Σx)²/n) / (n − lost).
func naiveVariance(lost int64) func([2]float64, int64, rounding) float64 {
	return func(s [2]float64, n int64, r rounding) float64 {
		square := r(float64(s[0] * s[0]))
		return r(r(s[1]-r(square/r(float64(n)))) / r(float64(n-lost)))
	}
}

func naiveDeviation(lost int64) func([2]float64, int64, rounding) float64 {
	variance := naiveVariance(lost)
	return func(s [2]float64, n int64, r rounding) float64 { return r(math.Sqrt(variance(s, n, r))) }
}

// addNaively adds rows to a sum, from left to right, in a format.
func addNaively[T float32 | float64](s float64, what summand, x, y []float64) float64 {
	t := T(s)
	switch what {
	case values:
		for _, v := range x {
			t += T(v)
		}
	case magnitudes:
		for _, v := range x {
			t += T(math.Abs(v))
		}
	case squares:
		for _, v := range x {
			t += T(T(v) * T(v))
		}
	case products:
		y = y[:len(x)]
		for i, v := range x {
			t += T(T(v) * T(y[i]))
		}
	}
	return float64(t)
}
