package digits

import (
	"context"
	"os"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
)

// Verb is lastbit bench digits.
func Verb() experiment.Verb {
	return experiment.Verb{
		Name:    "digits",
		Short:   "Measure the cost of programs rewritten by lastbit digits",
		Long:    help,
		Example: "  lastbit bench digits --only solve --budget 100ms",
		NeedsGo: true,
		New: func(experiment.Setup) experiment.Experiment {
			return &measurement{budget: 2 * time.Second}
		},
	}
}

const help = `Digits measures four computations, in a program that lastbit digits has rewritten and
in the plain one: the rewritten program without perturbation (--off), with random
rounding, and with a record of every operation beside it, which the profile and --blame
need.

  matmul      the product of two matrices
  solve       a linear system, by elimination
  mandelbrot  iterations of z = z² + c with the test for escape
  stencil     steps on a grid of three dimensions, with 6 neighbours for each point

All take turns; the shortest time of each counts, without the start of the program.`

// measurement is the experiment with its flags.
type measurement struct {
	only   []string
	budget time.Duration
}

func (m *measurement) Flags() []experiment.Flag {
	return []experiment.Flag{
		{Name: "only", Usage: "computations: " + text.List(names()) + " (default all)",
			To: &m.only, Values: names()},
		{Name: "budget", Usage: "how long the programs take turns for each", To: &m.budget},
	}
}

func (m *measurement) Check() error { return experiment.CheckBudget(m.budget) }

func (m *measurement) Measure(ctx context.Context, r experiment.Reporter) (experiment.Results,
	error) {
	dir, err := os.MkdirTemp("", "lastbit-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	t, err := m.run(ctx, dir, r.Progress)
	if err != nil {
		return nil, experiment.Failed("digits", err)
	}
	return t, nil
}

// JSON returns the table with the machine.
func (t *Table) JSON() any {
	return struct {
		Machine libm.Machine `json:"machine"`
		*Table
	}{libm.ThisMachine(), t}
}

// Pictures returns none.
func (t *Table) Pictures() []experiment.Picture { return nil }
