package bench

import (
	"context"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/internal/stopwatch"
	"github.com/lastbit/lastbit/stoch"
)

// StochTable holds the cost of stochastic arithmetic, beside plain arithmetic.
type StochTable struct {
	Rows []StochRow `json:"rows"`
}

// StochRow is a benchmark in a format. Times are nanoseconds of a unit.
type StochRow struct {
	Benchmark string    `json:"benchmark"`
	DType     fp.Format `json:"dtype"`
	Unit      string    `json:"unit"`

	Plain      *float64  `json:"plain_ns"`       // a loop
	PlainSlice *float64  `json:"plain_slice_ns"` // vector instructions; null if there are none here
	Scalar     StochCost `json:"scalar"`
	Slice      StochCost `json:"slice"`
}

// StochCost holds times of stochastic arithmetic, and these over the times of
// plain arithmetic of the same kind: null where one is missing.
type StochCost struct {
	Validation      *float64 `json:"self_validation_ns"` // detecting that products are not valid
	All             *float64 `json:"all_ns"`             // detecting all instabilities
	ValidationRatio *float64 `json:"self_validation_ratio"`
	AllRatio        *float64 `json:"all_ratio"`
}

// compare computes the ratios.
func (c *StochCost) compare(plain *float64) {
	over := func(t *float64) *float64 {
		if t == nil || plain == nil {
			return nil
		}
		r := *t / *plain
		return &r
	}
	c.ValidationRatio, c.AllRatio = over(c.Validation), over(c.All)
}

// stochBenchmark is a benchmark by its name. Its data are made when it runs.
type stochBenchmark struct {
	name string
	make func() stochCase
}

// stochCase has functions that each compute units, or nil.
type stochCase struct {
	unit              string
	units             int
	plain, plainSlice func()
	scalar, slice     [2]func() // self-validation, all
}

// validationOnly leaves the detections out that CESTAC does not need to be
// valid.
var validationOnly = []stoch.Kind{stoch.Cancellation, stoch.Branching, stoch.Mathematical}

// Sizes of the benchmarks.
const (
	stochSmall   = 512      // elements that a first-level cache holds
	stochLarge   = 64 << 20 // bytes of plain elements that no cache is to hold
	stochRepeats = 128      // operations on each, where operations are to bound the time
	stochRuns    = 2        // runs over all, where memory is to bound it
)

// StochBenchmarks returns the names of the benchmarks.
func StochBenchmarks() (names []string) {
	for _, b := range stochBenchmarks[float64]() {
		names = append(names, b.name)
	}
	return names
}

// Stoch measures the benchmarks of Eberhart, Brajard, Fortin and Jézéquel
// (2015) in a format.
func Stoch(ctx context.Context, format fp.Format, only func(name string) bool,
	budget time.Duration, progress Progress) (*StochTable, error) {
	if format == fp.Binary32 {
		return measureStoch(ctx, format, stochBenchmarks[float32](), only, budget, progress)
	}
	return measureStoch(ctx, format, stochBenchmarks[float64](), only, budget, progress)
}

func measureStoch(ctx context.Context, format fp.Format, benchmarks []stochBenchmark,
	only func(name string) bool, budget time.Duration, progress Progress) (*StochTable, error) {
	t := new(StochTable)
	for i, b := range benchmarks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !only(b.name) {
			continue
		}
		progress(b.name+" "+format.String(), i, len(benchmarks))
		t.Rows = append(t.Rows, b.make().measure(b.name, format, budget))
	}
	return t, nil
}

// measure times the functions of a benchmark, which take turns.
func (c stochCase) measure(name string, format fp.Format, budget time.Duration) StochRow {
	r := StochRow{Benchmark: name, DType: format, Unit: c.unit}
	var functions []func()
	var times []**float64
	for _, m := range []struct {
		f    func()
		time **float64
	}{
		{c.plain, &r.Plain}, {c.plainSlice, &r.PlainSlice},
		{c.scalar[0], &r.Scalar.Validation}, {c.scalar[1], &r.Scalar.All},
		{c.slice[0], &r.Slice.Validation}, {c.slice[1], &r.Slice.All},
	} {
		if m.f != nil {
			functions, times = append(functions, m.f), append(times, m.time)
		}
	}
	for i, ns := range stopwatch.Minima(budget, functions...) {
		ns /= float64(c.units)
		*times[i] = &ns
	}
	r.Scalar.compare(r.Plain)
	r.Slice.compare(r.PlainSlice)
	return r
}

// stochBenchmarks returns the benchmarks in the format T.
func stochBenchmarks[T stoch.Float]() []stochBenchmark {
	var all []stochBenchmark
	for _, op := range []pairOp[T]{
		{
			name: "add", factor: 0.3,
			plain: plainAdd[T], vector: kernel.PlainAdd[T],
			scalar: scalarAdd[T], slice: (*stoch.Arithmetic[T]).AddSlices,
		},
		{
			name: "mul", factor: 0.9999,
			plain: plainMul[T], vector: kernel.PlainMul[T],
			scalar: scalarMul[T], slice: (*stoch.Arithmetic[T]).MulSlices,
		},
	} {
		all = append(all, stochBenchmark{op.name + "-cache", op.compute},
			stochBenchmark{op.name + "-memory", op.memory})
	}
	return append(all, stochBenchmark{"mandelbrot", mandelbrot[T]},
		stochBenchmark{"stencil", stencil[T]})
}

// both returns a function for each set of detections.
func both[T stoch.Float](f func(a *stoch.Arithmetic[T])) [2]func() {
	validation := stoch.New[T](stoch.Options{Ignore: validationOnly})
	full := stoch.New[T](stoch.Options{})
	return [2]func(){func() { f(validation) }, func() { f(full) }}
}
