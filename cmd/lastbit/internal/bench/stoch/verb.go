package stoch

import (
	"context"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/fp"
)

// Verb is lastbit bench stoch.
func Verb() experiment.Verb {
	return experiment.Verb{
		Name:    "stoch",
		Short:   "Measure the cost of stochastic arithmetic beside plain arithmetic",
		Long:    help,
		Example: "  lastbit bench stoch --only add-cache,mandelbrot --budget 10ms",
		New: func(experiment.Setup) experiment.Experiment {
			return &measurement{formats: []fp.Format{fp.Binary64, fp.Binary32},
				budget: 300 * time.Millisecond}
		},
	}
}

const help = `Stoch measures package stoch, which computes three samples of each number and detects
instabilities, beside the same programs in plain arithmetic: the benchmarks of Eberhart,
Brajard, Fortin and Jézéquel (2015).

  add-cache, mul-cache    an operation, repeated on each of 512 numbers in cache
  add-memory, mul-memory  an operation on each of 2^20 numbers in memory
  mandelbrot              an iteration of z = z² + c, with the test for escape (slices:
                          without)
  stencil                 a step of a wave in three dimensions, with 18 neighbours for each
                          point

Self-validation detects products of noise and divisions by noise; CESTAC needs it. All
detections are also cancellations, unstable branches and unstable arguments of functions.
Plain programs for slices are vector loops of the fastest instructions here. The shortest
time of many counts; all take turns, on one core.

It prints a table; --out also writes pictures, the paper's Figures 1 to 6 on this machine.`

// measurement is the experiment with its flags.
type measurement struct {
	formats []fp.Format
	only    []string
	budget  time.Duration
}

func (m *measurement) Flags() []experiment.Flag {
	return []experiment.Flag{
		{Name: "dtype", Usage: "formats: f64, f32", To: &m.formats,
			Values: []string{"f64", "f32"}},
		{Name: "only", Usage: "benchmarks, such as add-cache,stencil (default all)", To: &m.only,
			Values: names()},
		{Name: "budget", Usage: "how long the programs of each benchmark take turns",
			To: &m.budget},
	}
}

func (m *measurement) Check() error { return experiment.CheckBudget(m.budget) }

func (m *measurement) PictureNames() []string { return pictureNames() }

func (m *measurement) Measure(ctx context.Context, r experiment.Reporter) (experiment.Results,
	error) {
	all := new(Table)
	for _, format := range m.formats {
		rows, err := m.rows(ctx, format, r.Progress)
		if err != nil {
			return nil, err
		}
		all.Rows = append(all.Rows, rows...)
	}
	return all, nil
}

// JSON returns the table with the machine.
func (t *Table) JSON() any {
	return struct {
		Machine libm.Machine `json:"machine"`
		*Table
	}{libm.ThisMachine(), t}
}

// Pictures returns the charts of the table.
func (t *Table) Pictures() []experiment.Picture { return experiment.BarPictures(t.charts()) }
