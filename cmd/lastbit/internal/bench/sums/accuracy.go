package sums

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"

	"github.com/lastbit/lastbit/binned"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/exact"
)

// Conditions measures the accuracy of sums over the condition number Σ|x| /
// |Σx|, for 10^3 and for 10^6 numbers: the experiment of Demmel and Nguyen
// (2013). Errors are exact, relative to the exact sum.
//
// References:
//   - [DemmelNguyen2013] James Demmel and Hong Diep Nguyen. Numerical
//     Reproducibility and Accuracy at ExaScale. 21st IEEE Symposium on Computer
//     Arithmetic (ARITH 21), pages 235–237, 2013.
func Conditions(ctx context.Context, progress experiment.Progress) ([]*plots.Figure, error) {
	const steps, step = 50, 5
	var figures []*plots.Figure
	for _, n := range []int{1_000, 1_000_000} {
		f := &plots.Figure{
			Name:  fmt.Sprintf("condition-n=%d", n),
			Title: fmt.Sprintf("Accuracy of sums of %d numbers", n),
			X:     "condition number", Y: "relative error",
			Notes: []string{"Dashed: the published bounds. " +
				"exact.Sum is within half an ulp, 2^-53, everywhere."},
		}
		for e := 0; e <= steps; e += step {
			progress(f.Title, e, steps)
			conditionPoint(f,
				illConditioned(rand.New(rand.NewPCG(uint64(n), uint64(e))), n, math.Ldexp(1, e)))
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		figures = append(figures, f)
	}
	return figures, nil
}

// conditionPoint adds to a figure the errors of all methods for x.
func conditionPoint(f *plots.Figure, x []float64) {
	n, largest := int64(len(x)), binned.MaxAbs(x)
	exactly := exact.Sum(x)
	condition := exact.Asum(x) / math.Abs(exactly)
	// Rounded, so that all methods share the columns of the figure's table.
	//lastbit:ignore floatconv,libm a condition of about that size
	condition = math.Ldexp(1, int(math.Round(math.Log2(condition))))
	three, four, fourTwo := must(binned.Algorithm3(x, 1)), must(binned.Algorithm4(x, 1)),
		must(binned.Algorithm4(x, 2))
	relative := func(s float64) float64 { return math.Abs(errorOf(x, s) / exactly) }
	f.Add("Go loop", condition, relative(loop(x)))
	f.Add("Demmel–Nguyen 3", condition, relative(three))
	f.Add("Demmel–Nguyen 4", condition, relative(four))
	f.Add("Demmel–Nguyen 4, k=2", condition, relative(fourTwo))
	f.Add("exact.Sum", condition, relative(exactly))
	f.AddBound("bound of the loop", condition, float64(n-1)*0x1p-53*condition)
	f.AddBound("bound of 3", condition,
		binned.BoundAlgorithm3(n, 1, largest, three)/math.Abs(exactly))
	f.AddBound(
		"bound of 4",
		condition,
		binned.BoundAlgorithm4(n, 1, largest, four)/math.Abs(exactly),
	)
	f.AddBound("bound of 4, k=2", condition,
		binned.BoundAlgorithm4(n, 2, largest, fourTwo)/math.Abs(exactly))
}

// errorOf returns s − Σx, rounded once.
func errorOf(x []float64, s float64) float64 {
	var sum, e exact.Accumulator
	sum.AddSlice(x)
	e.Add(s)
	e.Sub(&sum)
	return e.Float64()
}

// illConditioned draws n numbers from [−1, 1), or [0, 1) for condition 1, and
// changes one of them so that the sum has about that condition number.
func illConditioned(rng *rand.Rand, n int, condition float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.Float64()
		if condition > 1 {
			x[i] = 2*x[i] - 1
		}
	}
	if condition > 1 {
		// Two steps: the first changes a large number, and the second corrects
		// its rounding error with a small one.
		for _, i := range []int{n / 2, n / 3} {
			x[i] += errorOf(x, exact.Asum(x)/condition)
		}
	}
	rng.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
	return x
}

// Exponential measures the error of sums of exponentially distributed numbers,
// of rate 10^-8, over their number, up to maxN: Figure 7 of Arteaga, Fuhrer and
// Hoefler (2014). The error of the single sweep rises and falls with n, because
// its grid of extractors suits some n better than others. An error of 0, on the
// lower edge, is an exact sum.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
func Exponential(ctx context.Context, maxN int,
	progress experiment.Progress) ([]*plots.Figure, error) {
	f := &plots.Figure{
		Name: "exponential", Title: "Error on exponential data, rate 1e-8", X: "n",
		Y: "absolute error of the sum",
		Notes: []string{"A sum without error is on the lower edge. " +
			"exact.Sum is off by its one rounding."},
	}
	rng := rand.New(rand.NewPCG(7, 8))
	all := make([]float64, maxN)
	for i := range all {
		all[i] = rng.ExpFloat64() * 1e8 //lastbit:ignore libm random data
	}
	for n := 64; n <= maxN; n *= 2 {
		progress(f.Title, n, maxN)
		x := all[:n]
		abs := func(s float64) float64 { return math.Abs(errorOf(x, s)) }
		f.Add("Go loop", float64(n), abs(loop(x)))
		for k := 1; k <= 3; k++ {
			f.Add(fmt.Sprintf("single sweep, k=%d", k), float64(n),
				abs(must(binned.SingleSweep(x, k))))
		}
		for k := 1; k <= 2; k++ {
			f.Add(fmt.Sprintf("double sweep, k=%d", k), float64(n),
				abs(must(binned.DoubleSweep(x, k))))
		}
		f.Add("exact.Sum", float64(n), abs(exact.Sum(x)))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return []*plots.Figure{f}, nil
}
