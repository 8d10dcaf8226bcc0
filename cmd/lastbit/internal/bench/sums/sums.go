package sums

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/openblas"

	"gonum.org/v1/gonum/floats"

	"github.com/lastbit/lastbit/binned"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/internal/stopwatch"
	"github.com/lastbit/lastbit/ordered"
)

// A method is a way to sum.
type method struct {
	name string
	sum  func(x []float64) float64
}

// must returns a sum whose parameters are valid.
func must(s float64, err error) float64 {
	if err != nil {
		panic(err)
	}
	return s
}

// loop is the plain loop.
func loop(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

// kahan is Kahan's compensated sum.
//
// References:
//   - [Kahan1965] William Kahan. Further remarks on reducing truncation errors.
//     Communications of the ACM 8(1):40, 1965.
func kahan(x []float64) (s float64) {
	c := 0.0
	for _, v := range x {
		y := v - c
		t := s + y
		c = (t - s) - y
		s = t
	}
	return s
}

// plain returns the sums that promise nothing: loops, gonum's, and OpenBLAS's
// if it is installed.
func plain() []method {
	m := []method{{"Go loop", loop}, {"Kahan", kahan}, {"gonum floats.Sum", floats.Sum}}
	if best := kernel.Best(); best.HasPlain() {
		m = append(m, method{best.String() + ", no promise", best.PlainSum})
	}
	if b, ok := openBLAS(); ok {
		m = append(m, b)
	}
	return m
}

// ours returns the sums of this module.
func ours() []method {
	of := func(f func([]float64, int) (float64, error), k int) func([]float64) float64 {
		return func(x []float64) float64 { return must(f(x, k)) }
	}
	return []method{
		{"ordered.Sum", ordered.Sum[float64]},
		{"exact.Sum", exact.Sum[float64]},
		{"Demmel–Nguyen 3, k=1", of(binned.Algorithm3[float64], 1)},
		{"Demmel–Nguyen 3, k=2", of(binned.Algorithm3[float64], 2)},
		{"Demmel–Nguyen 4, k=2", of(binned.Algorithm4[float64], 2)},
		{"one reduction, k=3", of(binned.OneReduction[float64], 3)},
		{"double sweep, k=2", of(binned.DoubleSweep[float64], 2)},
		{"single sweep, k=2", of(binned.SingleSweep[float64], 2)},
		{"single sweep, k=3", of(binned.SingleSweep[float64], 3)},
	}
}

// openBLAS returns cblas_dasum of the system's OpenBLAS, on one thread: the sum
// of numbers that are not negative.
func openBLAS() (method, bool) {
	l, err := openblas.Load()
	if err != nil {
		return method{}, false
	}
	l.SetThreads(1)
	return method{"OpenBLAS dasum (" + l.Core + ")", l.Dasum}, true
}

// Times measures the time of an element of a sum of 2^10, 2^12 … up to maxN
// uniform numbers, on one core and, for the methods that use them, on all. It
// takes about budget for each line of a figure. The functions of each n take
// turns.
func Times(ctx context.Context, maxN int, budget time.Duration,
	progress experiment.Progress) ([]*plots.Figure, error) {
	one := &plots.Figure{Name: "time-one-core", Title: "Sums on one core", X: "n",
		Y: "ns an element"}
	all := &plots.Figure{Name: "time-all-cores",
		Title: fmt.Sprintf("Sums on %d cores", runtime.GOMAXPROCS(0)), X: "n", Y: "ns an element"}
	figures := []*plots.Figure{one}
	sharing := append(plain()[:3:3], ours()[:2]...)
	if runtime.GOMAXPROCS(0) > 1 {
		figures = append(figures, all)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1 << 10; n <= maxN; n *= 4 {
		progress(fmt.Sprintf("times, n = %d", n), n, maxN)
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.Float64()
		}
		cores := runtime.GOMAXPROCS(1)
		measure(one, append(plain(), ours()...), x, budget)
		runtime.GOMAXPROCS(cores)
		if cores > 1 {
			measure(all, sharing, x, budget)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return figures, nil
}

// measure adds to a figure the time of each method for an element of x.
func measure(f *plots.Figure, methods []method, x []float64, budget time.Duration) {
	runs := make([]func(), len(methods))
	for i, m := range methods {
		runs[i] = func() { m.sum(x) }
	}
	n := float64(len(x))
	for i, t := range stopwatch.Minima(budget, runs...) {
		f.Add(methods[i].name, n, t/n)
	}
}
