package stoch

import (
	"context"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/kernel"
	"github.com/lastbit/lastbit/internal/stopwatch"
	"github.com/lastbit/lastbit/stoch"
)

// Table holds the cost of stochastic arithmetic, beside plain arithmetic.
type Table struct {
	Rows []Row `json:"rows"`
}

// Row is a benchmark in a format. Times are nanoseconds of a unit.
type Row struct {
	Benchmark string    `json:"benchmark"`
	DType     fp.Format `json:"dtype"`
	Unit      string    `json:"unit"`

	Plain      *float64 `json:"plain_ns"`       // a loop
	PlainSlice *float64 `json:"plain_slice_ns"` // vector instructions; null if there are none here
	Scalar     Cost     `json:"scalar"`
	Slice      Cost     `json:"slice"`
}

// Cost holds times of stochastic arithmetic, and these over the times of
// plain arithmetic of the same kind: null where one is missing.
type Cost struct {
	Validation      *float64 `json:"self_validation_ns"` // detecting that products are not valid
	All             *float64 `json:"all_ns"`             // detecting all instabilities
	ValidationRatio *float64 `json:"self_validation_ratio"`
	AllRatio        *float64 `json:"all_ratio"`
}

// compare computes the ratios.
func (c *Cost) compare(plain *float64) {
	over := func(t *float64) *float64 {
		if t == nil || plain == nil {
			return nil
		}
		r := *t / *plain
		return &r
	}
	c.ValidationRatio, c.AllRatio = over(c.Validation), over(c.All)
}

// benchmark is a benchmark by its name. Its data are made when it runs.
type benchmark struct {
	name string
	make func() programs
}

// programs has functions that each compute units, or nil.
type programs struct {
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
	small   = 512      // elements that a first-level cache holds
	large   = 64 << 20 // bytes of plain elements that no cache is to hold
	repeats = 128      // operations on each, where operations are to bound the time
	runs    = 2        // runs over all, where memory is to bound it
)

// names returns the names of the benchmarks.
func names() (names []string) {
	for _, b := range benchmarks[float64]() {
		names = append(names, b.name)
	}
	return names
}

// rows measures the benchmarks of Eberhart, Brajard, Fortin and Jézéquel (2015)
// in a format.
func (m *measurement) rows(ctx context.Context, format fp.Format,
	progress experiment.Progress) (rows []Row, err error) {
	all := benchmarks[float64]()
	if format == fp.Binary32 {
		all = benchmarks[float32]()
	}
	for i, b := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !experiment.Wants(m.only, b.name) {
			continue
		}
		progress(b.name+" "+format.String(), i, len(all))
		rows = append(rows, b.make().measure(b.name, format, m.budget))
	}
	return rows, nil
}

// measure times the functions of a benchmark, which take turns.
func (c programs) measure(name string, format fp.Format, budget time.Duration) Row {
	r := Row{Benchmark: name, DType: format, Unit: c.unit}
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

// benchmarks returns the benchmarks in the format T.
func benchmarks[T stoch.Float]() []benchmark {
	var all []benchmark
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
		all = append(all, benchmark{op.name + "-cache", op.compute},
			benchmark{op.name + "-memory", op.memory})
	}
	return append(all, benchmark{"mandelbrot", mandelbrot[T]},
		benchmark{"stencil", stencil[T]})
}

// both returns a function for each set of detections.
func both[T stoch.Float](f func(a *stoch.Arithmetic[T])) [2]func() {
	validation := stoch.New[T](stoch.Options{Ignore: validationOnly})
	full := stoch.New[T](stoch.Options{})
	return [2]func(){func() { f(validation) }, func() { f(full) }}
}
