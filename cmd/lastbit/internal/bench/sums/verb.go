package sums

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

// Verb is lastbit bench sums.
func Verb() experiment.Verb {
	return experiment.Verb{
		Name:    "sums",
		Short:   "Regenerate the figures of the papers on sums, on this machine",
		Long:    help,
		Example: "  lastbit bench sums --only exponential --max-n 4096",
		New: func(experiment.Setup) experiment.Experiment {
			return &measurement{maxN: 1 << 24, maxRanks: 8, budget: time.Second}
		},
	}
}

const help = `Sums measures the sums of this module beside sums that promise nothing: a loop,
Kahan's, gonum's, a plain sum in vector registers, and OpenBLAS's dasum if it is
installed.

  time         ns an element over n, on one core and on all
  condition    relative error over the condition number, n = 10^3 and 10^6, with the
               published bounds (Demmel and Nguyen 2013)
  exponential  error over n on exponential data (Arteaga, Fuhrer, Hoefler 2014, Figure 7)
  ranks        local sum and reductions over MPI ranks, with the first mpirun in PATH

It prints tables; --out also writes a picture of each. Times are the shortest of many;
all methods take turns. OpenBLAS runs in this process.`

// measurement is the experiment with its flags.
type measurement struct {
	only     []string
	maxN     int
	maxRanks int
	budget   time.Duration
	rank     bool // this process is a rank of the job that measures ranks
}

// parts are the names of the parts.
var parts = []string{"time", "condition", "exponential", "ranks"}

func (m *measurement) Flags() []experiment.Flag {
	return []experiment.Flag{
		{Name: "only", Usage: "experiments: " + text.List(parts) + " (default all)",
			To: &m.only, Values: parts},
		{Name: "max-n", Usage: "largest number of summands for time; for exponential at most 2^20",
			To: &m.maxN},
		{Name: "max-ranks", Usage: "largest number of MPI ranks", To: &m.maxRanks},
		{Name: "budget", Usage: "how long the methods take turns for each n", To: &m.budget},
		{Name: "rank", Usage: "be one of the ranks", To: &m.rank, Hidden: true},
	}
}

func (m *measurement) Check() error {
	if m.maxN >= 1<<10 && m.maxRanks >= 1 && m.budget > 0 {
		return nil
	}
	return &probe.Fault{
		ID:    "bad-usage",
		Thing: fmt.Sprintf("--max-n %d --max-ranks %d --budget %v", m.maxN, m.maxRanks, m.budget),
		Cause: "at least 1024 summands are measured, on at least one rank, in some time",
		Cure:  "leave them out for the defaults",
	}
}

func (m *measurement) PictureNames() []string { return nil }

func (m *measurement) IsHelper() bool { return m.rank }

// Help runs in every rank of a job.
func (m *measurement) Help(w io.Writer) error { return Rank(w) }

func (m *measurement) Measure(ctx context.Context, r experiment.Reporter) (experiment.Results,
	error) {
	var all figures
	for _, name := range parts {
		if !experiment.Wants(m.only, name) {
			continue
		}
		more, err := m.part(ctx, name, r.Progress)
		if errors.Is(err, ErrNoMPI) && !slices.Contains(m.only, name) {
			r.Note("ranks are left out: there is no mpirun on this machine")
			continue
		}
		if errors.Is(err, ErrNoMPI) {
			return nil, &probe.Fault{
				ID: "mpi-missing", Thing: "--only ranks",
				Cause: "there is no mpirun on this machine",
				Cure:  "install Open MPI or MPICH (Debian: openmpi-bin, mpich)",
			}
		}
		if err != nil {
			return nil, experiment.Failed(name, err)
		}
		all = append(all, more...)
	}
	return all, nil
}

// part measures one part.
func (m *measurement) part(ctx context.Context, name string,
	progress experiment.Progress) ([]*plots.Figure, error) {
	switch name {
	case "time":
		return Times(ctx, m.maxN, m.budget, progress)
	case "condition":
		return Conditions(ctx, progress)
	case "exponential":
		return Exponential(ctx, min(m.maxN, 1<<20), progress)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return Ranks(ctx, self, []string{"bench", "sums", "--rank"}, m.maxRanks, progress)
}

// figures are the results.
type figures []*plots.Figure

func (f figures) JSON() any {
	return struct {
		Figures []*plots.Figure `json:"figures"`
	}{f}
}

func (f figures) Pictures() []experiment.Picture { return experiment.FigurePictures(f) }

func (f figures) Write(w io.Writer) error {
	for i, fig := range f {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := fig.Table(w); err != nil {
			return err
		}
	}
	return nil
}
