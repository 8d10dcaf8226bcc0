package cli

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/probe"
)

// benchRevealVerb holds the flags of lastbit bench reveal.
type benchRevealVerb struct {
	only   []string
	maxN   int
	budget time.Duration
	out    string
}

func benchRevealCommand(a *app) *cobra.Command {
	var v benchRevealVerb
	cmd := &cobra.Command{
		Use:   "reveal",
		Short: "Measure how long it takes to reveal an order, beside FPRev's algorithm",
		Long: `Reveal measures two ways to find the order of the same targets: lastbit reveal, with
certificate and replay, and the algorithm of FPRev (Xie et al. 2025, Algorithm 4), one
probe a call, up to the tree that it claims. The start of an interpreter does not count.
The shortest of three runs does, or the only one if it takes more than a second.

  goals     targets that lastbit should reveal in a given time
  sums      seconds over n for the sums of NumPy, PyTorch and JAX
  products  seconds over n for NumPy's dot, gemv and gemm

It prints tables; --out also writes pictures of sums and products. A library that is
missing on this machine is named with the reason.`,
		Example: "  lastbit bench reveal --only products --max-n 512",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := notEmpty(cmd, "only", "out"); err != nil {
				return err
			}
			return a.benchReveal(cmd.Context(), v)
		},
	}
	fl := cmd.Flags()
	names := bench.RevealExperiments()
	fl.StringSliceVar(&v.only, "only", nil, "experiments: "+text.List(names)+" (default all)")
	fl.IntVar(&v.maxN, "max-n", 1<<13, "largest number of summands for sums and products")
	fl.DurationVar(&v.budget, "budget", 30*time.Second, "longest time of one reveal")
	fl.StringVar(&v.out, "out", "", "folder to write pictures to, as SVG")
	complete(cmd, "only", names)
	return cmd
}

// check refuses flags that measure nothing, and a folder that cannot be
// written.
func (v *benchRevealVerb) check() error {
	for _, name := range v.only {
		if err := oneOf("only", name, bench.RevealExperiments()); err != nil {
			return err
		}
	}
	if v.maxN < 16 || v.budget <= 0 {
		return &probe.Fault{
			ID: "bad-usage", Thing: fmt.Sprintf("--max-n %d --budget %v", v.maxN, v.budget),
			Cause: "at least 16 summands are measured, in some time",
			Cure:  "leave them out for the defaults",
		}
	}
	return checkPictures(v.out, nil)
}

func (a *app) benchReveal(ctx context.Context, v benchRevealVerb) error {
	if err := v.check(); err != nil {
		return err
	}
	p := a.newProgress()
	defer p.End()
	t, err := bench.Reveal(ctx, a.drivers.Open, v.only, v.maxN, v.budget, p.Show)
	if err != nil {
		return benchFault("reveal", err)
	}
	p.End()
	// an error of the pictures is reported after the table
	undrawn := writePictures(v.out, figurePictures(t.Figures))
	return cmp.Or(undrawn, a.printReveal(t))
}

// printReveal prints the table, as JSON or for people.
func (a *app) printReveal(t *bench.RevealTable) error {
	if a.json {
		return a.printJSON(struct {
			Machine libm.Machine `json:"machine"`
			*bench.RevealTable
		}{libm.ThisMachine(), t})
	}
	return t.Write(a.stdout)
}
