package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/probe"
)

// benchStochVerb holds the flags of lastbit bench stoch.
type benchStochVerb struct {
	dtypes, only []string
	budget       time.Duration
	out          string
}

func benchStochCommand(a *app) *cobra.Command {
	var v benchStochVerb
	cmd := &cobra.Command{
		Use:   "stoch",
		Short: "Measure the cost of stochastic arithmetic beside plain arithmetic",
		Long: `Stoch measures package stoch, which computes three samples of each number and detects
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

It prints a table; --out also writes pictures, the paper's Figures 1 to 6 on this machine.`,
		Example: "  lastbit bench stoch --only add-cache,mandelbrot --budget 10ms",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "dtype", "only", "out"); err != nil {
				return err
			}
			return a.benchStoch(cmd.Context(), v)
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&v.dtypes, "dtype", mathFormats, "formats: f64, f32")
	fl.StringSliceVar(&v.only, "only", nil, "benchmarks, such as add-cache,stencil (default all)")
	fl.DurationVar(&v.budget, "budget", 300*time.Millisecond,
		"how long the programs of each benchmark take turns")
	fl.StringVar(&v.out, "out", "", "folder to write pictures to, as SVG")
	complete(cmd, "dtype", mathFormats)
	complete(cmd, "only", bench.StochBenchmarks())
	return cmd
}

func (a *app) benchStoch(ctx context.Context, v benchStochVerb) error {
	for _, name := range v.dtypes {
		if err := oneOf("dtype", name, mathFormats); err != nil {
			return err
		}
	}
	formats, err := mathDTypes(v.dtypes)
	if err != nil {
		return err
	}
	for _, name := range v.only {
		if err := oneOf("only", name, bench.StochBenchmarks()); err != nil {
			return err
		}
	}
	if v.budget <= 0 {
		return &probe.Fault{
			ID: "bad-usage", Thing: fmt.Sprintf("--budget %v", v.budget),
			Cause: "nothing can be measured in no time", Cure: "leave it out for the default",
		}
	}
	if err := checkPictures(v.out, bench.StochPictureNames()); err != nil {
		return err
	}
	p := a.newProgress()
	defer p.End()
	isChosen := func(name string) bool { return len(v.only) == 0 || slices.Contains(v.only, name) }
	all := new(bench.StochTable)
	for _, format := range formats {
		t, err := bench.Stoch(ctx, format, isChosen, v.budget, p.Show)
		if err != nil {
			return err
		}
		all.Rows = append(all.Rows, t.Rows...)
	}
	p.End()
	// an error of the pictures is reported after the table
	undrawn := writePictures(v.out, barPictures(all.Pictures()))
	return cmp.Or(undrawn, a.printStoch(all))
}

// printStoch prints the table, as JSON or for people.
func (a *app) printStoch(t *bench.StochTable) error {
	if a.json {
		return a.printJSON(struct {
			Machine libm.Machine `json:"machine"`
			*bench.StochTable
		}{libm.ThisMachine(), t})
	}
	t.Write(a.stdout)
	fmt.Fprintln(a.stdout)
	fmt.Fprintln(a.stdout, libm.ThisMachine())
	return nil
}
