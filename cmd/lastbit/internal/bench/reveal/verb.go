package reveal

import (
	"context"
	"fmt"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

// Verb is lastbit bench reveal.
func Verb() experiment.Verb {
	return experiment.Verb{
		Name:    "reveal",
		Short:   "Measure how long it takes to reveal an order, beside FPRev's algorithm",
		Long:    help,
		Example: "  lastbit bench reveal --only products --max-n 512",
		New: func(s experiment.Setup) experiment.Experiment {
			return &measurement{open: s.Open, maxN: 1 << 13, budget: 30 * time.Second}
		},
	}
}

const help = `Reveal measures two ways to find the order of the same targets: lastbit reveal, with
certificate and replay, and the algorithm of FPRev (Xie et al. 2025, Algorithm 4), one
probe a call, up to the tree that it claims. The start of an interpreter does not count.
The shortest run does, of those that begin within two seconds, nine at most.

  goals     targets that lastbit should reveal in a given time
  sums      seconds over n for the sums of NumPy, PyTorch and JAX
  products  seconds over n for NumPy's dot, gemv and gemm

It prints tables; --out also writes pictures of sums and products. A library that is
missing on this machine is named with the reason.`

// measurement is the experiment with its flags.
type measurement struct {
	open   probe.Opener
	only   []string
	maxN   int
	budget time.Duration
}

func (m *measurement) Flags() []experiment.Flag {
	return []experiment.Flag{
		{Name: "only", Usage: "experiments: " + text.List(parts()) + " (default all)",
			To: &m.only, Values: parts()},
		{Name: "max-n", Usage: "largest number of summands for sums and products", To: &m.maxN},
		{Name: "budget", Usage: "longest time of one reveal", To: &m.budget},
	}
}

func (m *measurement) Check() error {
	if m.maxN >= 16 && m.budget > 0 {
		return nil
	}
	return &probe.Fault{
		ID: "bad-usage", Thing: fmt.Sprintf("--max-n %d --budget %v", m.maxN, m.budget),
		Cause: "at least 16 summands are measured, in some time",
		Cure:  "leave them out for the defaults",
	}
}

func (m *measurement) PictureNames() []string { return nil }

func (m *measurement) Measure(ctx context.Context, r experiment.Reporter) (experiment.Results,
	error) {
	t, err := Reveal(ctx, m.open, m.only, m.maxN, m.budget, r.Progress)
	if err != nil {
		return nil, experiment.Failed("reveal", err)
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

// Pictures returns the figures of the table.
func (t *Table) Pictures() []experiment.Picture { return experiment.FigurePictures(t.Figures) }
