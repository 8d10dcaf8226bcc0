// Package accel measures how fast package mma computes as matrix units do.
package accel

import (
	"context"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
)

// Verb is lastbit bench accel.
func Verb() experiment.Verb {
	return experiment.Verb{
		Name:    "accel",
		Short:   "Measure the emulated matrix units, and list their arithmetic",
		Long:    help,
		Example: "  lastbit bench accel --only h100,cdna3 --budget 10ms",
		New: func(experiment.Setup) experiment.Experiment {
			return &measurement{budget: 50 * time.Millisecond}
		},
	}
}

const help = `Accel multiplies a matrix of 16 rows and one of 16 columns, with 512 products for each
result, in every matrix unit of package mma, on one core, and prints million
multiply-adds a second. The values are normally distributed, and rounded to the format
of the inputs. The shortest time of many counts. The goal is 20.

The table holds the arithmetic of each unit: the products of a group and how they are
added (package mma describes the words), the fraction bits that aligned terms keep, the
bits of a result, and the source of these figures.`

// measurement is the experiment with its flags.
type measurement struct {
	only   []string
	budget time.Duration
}

func (m *measurement) Flags() []experiment.Flag {
	return []experiment.Flag{
		{Name: "only", Usage: "units, such as h100,cdna3 (default all)", To: &m.only,
			Values: names()},
		{Name: "budget", Usage: "how long each unit computes", To: &m.budget},
	}
}

func (m *measurement) Check() error { return experiment.CheckBudget(m.budget) }

func (m *measurement) Measure(ctx context.Context, r experiment.Reporter) (experiment.Results,
	error) {
	t, err := m.measure(ctx, r.Progress)
	if err != nil {
		return nil, err
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
