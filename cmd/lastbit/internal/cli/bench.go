package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/plots"
	"github.com/lastbit/lastbit/probe"
)

func (a *app) benchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure what each promise costs here, and how accurate it is",
		Example: "  lastbit bench sums --only exponential",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.benchSumsCommand(), a.benchMathCommand())
	for _, c := range cmd.Commands() {
		c.Args = usage(c.Args)
	}
	return cmd
}

// experiments are the parts of bench sums.
var experiments = []string{"time", "condition", "exponential", "ranks"}

// benchFlags say what of bench sums is measured.
type benchFlags struct {
	only   []string
	most   int
	ranks  int
	budget time.Duration
	out    string
	rank   bool // this is a rank of the job that ranks runs
}

func (a *app) benchSumsCommand() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "sums",
		Short: "Regenerate the figures of the papers on sums, on this machine",
		Long: `Sums measures the sums of this module beside those that promise nothing: a loop,
Kahan's, gonum's, a plain sum in vector registers, and OpenBLAS's dasum where it is.

  time         ns an element over n, on one core and on all
  condition    relative error over the condition number, n = 10^3 and 10^6, with the
               published bounds (Demmel and Nguyen 2013)
  exponential  error over n on exponential data (Arteaga, Fuhrer, Hoefler 2014, Figure 7)
  ranks        local sum and reductions over MPI ranks, with the mpirun that is found

It prints tables; --out writes a picture of each as well. Times are the shortest of
many, with all methods taking turns. OpenBLAS runs in this process.`,
		Example: "  lastbit bench sums --only exponential --max-n 4096",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "only", "out"); err != nil {
				return err
			}
			return a.benchSums(cmd.Context(), f)
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&f.only, "only", nil, "experiments: "+list(experiments)+" (default all)")
	fl.IntVar(&f.most, "max-n", 1<<24, "largest number of summands for time; for exponential at most 2^20")
	fl.IntVar(&f.ranks, "max-ranks", 8, "largest number of MPI ranks")
	fl.DurationVar(&f.budget, "budget", time.Second, "how long the methods take turns for each n")
	fl.StringVar(&f.out, "out", "", "folder to write pictures to, as SVG")
	fl.BoolVar(&f.rank, "rank", false, "be one of the ranks")
	if err := fl.MarkHidden("rank"); err != nil {
		panic(err) // there is no such flag: a mistake in this package
	}
	complete(cmd, "only", experiments)
	return cmd
}

func (a *app) benchSums(ctx context.Context, f benchFlags) error {
	if f.rank {
		return bench.Rank(a.stdout)
	}
	if err := f.check(); err != nil {
		return err
	}
	p := a.newProgress()
	defer p.end()
	var figures []*plots.Figure
	for _, name := range experiments {
		if len(f.only) > 0 && !slices.Contains(f.only, name) {
			continue
		}
		more, err := f.measure(ctx, name, p.show)
		if errors.Is(err, bench.ErrNoMPI) && !slices.Contains(f.only, name) {
			fmt.Fprintln(a.stderr, "ranks are left out: there is no mpirun on this machine")
			continue
		}
		if err != nil {
			return benchFault(name, err)
		}
		figures = append(figures, more...)
	}
	p.end()
	if err := f.draw(figures); err != nil {
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

func (f *benchFlags) check() error {
	for _, name := range f.only {
		if err := oneOf("only", name, experiments); err != nil {
			return err
		}
	}
	if f.most < 1<<10 || f.ranks < 1 || f.budget <= 0 {
		return &probe.Fault{ID: "bad-usage", Thing: fmt.Sprintf("--max-n %d --max-ranks %d --budget %v", f.most, f.ranks, f.budget),
			Cause: "at least 1024 summands are measured, on at least one rank, in some time", Cure: "leave them out for the defaults"}
	}
	return nil
}

// measure runs one experiment.
func (f *benchFlags) measure(ctx context.Context, name string, progress bench.Progress) ([]*plots.Figure, error) {
	switch name {
	case "time":
		return bench.Times(ctx, f.most, f.budget, progress)
	case "condition":
		return bench.Conditions(ctx, progress)
	case "exponential":
		return bench.Exponential(ctx, min(f.most, 1<<20), progress)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return bench.Ranks(ctx, self, []string{"bench", "sums", "--rank"}, f.ranks, progress)
}

// benchFault makes a fault of what kept an experiment from ending.
func benchFault(name string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, bench.ErrNoMPI) {
		return &probe.Fault{ID: "mpi-missing", Thing: "--only ranks", Cause: "there is no mpirun on this machine", Cure: "install Open MPI or MPICH (Debian: openmpi-bin, mpich)"}
	}
	return &probe.Fault{ID: "bench-failed", Thing: name, Cause: err.Error(), Cure: "leave it out, with --only"}
}

// draw writes the pictures.
func (f *benchFlags) draw(figures []*plots.Figure) error {
	if f.out == "" {
		return nil
	}
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return unwritable(f.out, err)
	}
	for _, fig := range figures {
		name := filepath.Join(f.out, fig.Name+".svg")
		file, err := os.Create(name)
		if err != nil {
			return unwritable(name, err)
		}
		if err := errors.Join(fig.SVG(file), file.Close()); err != nil {
			return unwritable(name, err)
		}
	}
	return nil
}

// unwritable is the fault of a file that cannot be written.
// writable finds out whether a file can be written, before the work that fills it. It leaves no file where there was none.
func writable(name string) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil // what reads a pipe would see its end
	}
	_, missing := os.Lstat(name)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err == nil {
		err = f.Close()
	}
	if err == nil && missing != nil {
		err = os.Remove(name)
	}
	if err != nil {
		return unwritable(name, err)
	}
	return nil
}

func unwritable(name string, err error) error {
	return &probe.Fault{ID: "write-failed", Thing: name, Cause: "it cannot be written", Cure: "name a folder that can be written to, on a disk that is not full", Err: err}
}
