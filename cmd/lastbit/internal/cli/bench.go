package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

func benchCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure the cost and the accuracy of each promise here",
		Example: "  lastbit bench sums --only exponential",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(benchBLASCommand(a), benchDigitsCommand(a), benchMathCommand(a),
		benchRevealCommand(a), benchStochCommand(a), benchSumsCommand(a))
	for _, c := range cmd.Commands() {
		c.Args = usage(c.Args)
	}
	return cmd
}

// experiments are the parts of bench sums.
var experiments = []string{"time", "condition", "exponential", "ranks"}

// benchSumsVerb holds the flags of lastbit bench sums.
type benchSumsVerb struct {
	only     []string
	maxN     int
	maxRanks int
	budget   time.Duration
	out      string
	rank     bool // this process is a rank of the job that measures ranks
}

func benchSumsCommand(a *app) *cobra.Command {
	var v benchSumsVerb
	cmd := &cobra.Command{
		Use:   "sums",
		Short: "Regenerate the figures of the papers on sums, on this machine",
		Long: `Sums measures the sums of this module beside sums that promise nothing: a loop,
Kahan's, gonum's, a plain sum in vector registers, and OpenBLAS's dasum if it is
installed.

  time         ns an element over n, on one core and on all
  condition    relative error over the condition number, n = 10^3 and 10^6, with the
               published bounds (Demmel and Nguyen 2013)
  exponential  error over n on exponential data (Arteaga, Fuhrer, Hoefler 2014, Figure 7)
  ranks        local sum and reductions over MPI ranks, with the first mpirun in PATH

It prints tables; --out also writes a picture of each. Times are the shortest of many;
all methods take turns. OpenBLAS runs in this process.`,
		Example: "  lastbit bench sums --only exponential --max-n 4096",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "only", "out"); err != nil {
				return err
			}
			return a.benchSums(cmd.Context(), v)
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&v.only, "only", nil, "experiments: "+text.List(experiments)+" (default all)")
	fl.IntVar(&v.maxN, "max-n", 1<<24,
		"largest number of summands for time; for exponential at most 2^20")
	fl.IntVar(&v.maxRanks, "max-ranks", 8, "largest number of MPI ranks")
	fl.DurationVar(&v.budget, "budget", time.Second, "how long the methods take turns for each n")
	fl.StringVar(&v.out, "out", "", "folder to write pictures to, as SVG")
	fl.BoolVar(&v.rank, "rank", false, "be one of the ranks")
	if err := fl.MarkHidden("rank"); err != nil {
		panic(err) // there is no such flag: a mistake in this package
	}
	complete(cmd, "only", experiments)
	return cmd
}

func (a *app) benchSums(ctx context.Context, v benchSumsVerb) error {
	if v.rank {
		return bench.Rank(a.stdout)
	}
	if err := v.check(); err != nil {
		return err
	}
	p := a.newProgress()
	defer p.End()
	var figures []*plots.Figure
	for _, name := range experiments {
		if len(v.only) > 0 && !slices.Contains(v.only, name) {
			continue
		}
		more, err := v.measure(ctx, name, p.Show)
		if errors.Is(err, bench.ErrNoMPI) && !slices.Contains(v.only, name) {
			fmt.Fprintln(a.stderr, "ranks are left out: there is no mpirun on this machine")
			continue
		}
		if err != nil {
			return benchFault(name, err)
		}
		figures = append(figures, more...)
	}
	p.End()
	if err := writePictures(v.out, figurePictures(figures)); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(struct {
			Figures []*plots.Figure `json:"figures"`
		}{figures})
	}
	for i, fig := range figures {
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		if err := fig.Table(a.stdout); err != nil {
			return err
		}
	}
	return nil
}

// check refuses flags that measure nothing, and a folder that cannot be
// written.
func (v *benchSumsVerb) check() error {
	for _, name := range v.only {
		if err := oneOf("only", name, experiments); err != nil {
			return err
		}
	}
	if v.maxN < 1<<10 || v.maxRanks < 1 || v.budget <= 0 {
		return &probe.Fault{
			ID: "bad-usage",
			Thing: fmt.Sprintf("--max-n %d --max-ranks %d --budget %v", v.maxN, v.maxRanks,
				v.budget),
			Cause: "at least 1024 summands are measured, on at least one rank, in some time",
			Cure:  "leave them out for the defaults",
		}
	}
	return checkPictures(v.out, nil)
}

// measure runs one experiment.
func (v *benchSumsVerb) measure(ctx context.Context, name string,
	progress bench.Progress) ([]*plots.Figure, error) {
	switch name {
	case "time":
		return bench.Times(ctx, v.maxN, v.budget, progress)
	case "condition":
		return bench.Conditions(ctx, progress)
	case "exponential":
		return bench.Exponential(ctx, min(v.maxN, 1<<20), progress)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return bench.Ranks(ctx, self, []string{"bench", "sums", "--rank"}, v.maxRanks, progress)
}

// benchFault returns the fault of an experiment that failed.
func benchFault(name string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, bench.ErrNoMPI) {
		return &probe.Fault{
			ID: "mpi-missing", Thing: "--only ranks", Cause: "there is no mpirun on this machine",
			Cure: "install Open MPI or MPICH (Debian: openmpi-bin, mpich)",
		}
	}
	return &probe.Fault{ID: "bench-failed", Thing: name, Cause: err.Error(),
		Cure: "leave it out, with --only"}
}

// A picture is drawn by svg, into a file of that name with the ending .svg.
type picture struct {
	name string
	svg  func(w io.Writer) error
}

// checkPictures makes the folder that pictures go to, if one is named, and
// refuses pictures that cannot be written there.
func checkPictures(folder string, names []string) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return sums.Unwritable(folder, err)
	}
	for _, name := range names {
		if err := writable(filepath.Join(folder, name+".svg")); err != nil {
			return err
		}
	}
	return nil
}

// barPictures returns the pictures of bar charts.
func barPictures(of []*plots.Bars) []picture {
	all := make([]picture, len(of))
	for i, d := range of {
		all[i] = picture{d.Name, d.SVG}
	}
	return all
}

// figurePictures returns the pictures of figures.
func figurePictures(of []*plots.Figure) []picture {
	all := make([]picture, len(of))
	for i, f := range of {
		all[i] = picture{f.Name, f.SVG}
	}
	return all
}

// writePictures writes pictures to a folder, if one is named.
func writePictures(folder string, pictures []picture) error {
	if folder == "" {
		return nil
	}
	for _, p := range pictures {
		var b bytes.Buffer
		if err := p.svg(&b); err != nil {
			return err
		}
		name := filepath.Join(folder, p.name+".svg")
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			return sums.Unwritable(name, err)
		}
	}
	return nil
}
