package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

// benchDigitsVerb holds the flags of lastbit bench digits.
type benchDigitsVerb struct {
	only   []string
	budget time.Duration
}

func benchDigitsCommand(a *app) *cobra.Command {
	var v benchDigitsVerb
	cmd := &cobra.Command{
		Use:   "digits",
		Short: "Measure the cost of programs rewritten by lastbit digits",
		Long: `Digits measures four computations, in a program that lastbit digits has rewritten and
in the plain one: the rewritten program without perturbation (--off), with random
rounding, and with a record of every operation beside it, which the profile and --blame
need.

  matmul      the product of two matrices
  solve       a linear system, by elimination
  mandelbrot  iterations of z = z² + c with the test for escape
  stencil     steps on a grid of three dimensions, with 6 neighbours for each point

All take turns; the shortest time of each counts, without the start of the program.`,
		Example: "  lastbit bench digits --only solve --budget 100ms",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "only"); err != nil {
				return err
			}
			return a.benchDigits(cmd.Context(), v)
		},
	}
	fl := cmd.Flags()
	names := bench.DigitsKernels()
	fl.StringSliceVar(&v.only, "only", nil, "computations: "+text.List(names)+" (default all)")
	fl.DurationVar(&v.budget, "budget", 2*time.Second, "how long the programs take turns for each")
	complete(cmd, "only", names)
	return cmd
}

func (a *app) benchDigits(ctx context.Context, v benchDigitsVerb) error {
	for _, name := range v.only {
		if err := oneOf("only", name, bench.DigitsKernels()); err != nil {
			return err
		}
	}
	if v.budget <= 0 {
		return &probe.Fault{
			ID: "bad-usage", Thing: fmt.Sprintf("--budget %v", v.budget),
			Cause: "nothing can be measured in no time", Cure: "leave it out for the default",
		}
	}
	if err := needGo(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "lastbit-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := a.newProgress()
	defer p.End()
	t, err := bench.Digits(ctx, dir, func(name string) bool {
		return len(v.only) == 0 || slices.Contains(v.only, name)
	}, v.budget, p.Show)
	if err != nil {
		return benchFault("digits", err)
	}
	p.End()
	if a.json {
		return a.printJSON(struct {
			Machine libm.Machine `json:"machine"`
			*bench.DigitsTable
		}{libm.ThisMachine(), t})
	}
	t.Write(a.stdout)
	fmt.Fprintln(a.stdout, libm.ThisMachine())
	return nil
}
