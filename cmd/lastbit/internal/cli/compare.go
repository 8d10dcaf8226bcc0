package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// compareVerb is the command line of lastbit compare.
type compareVerb struct {
	*app
	specFlags
	revealFlags
}

func compareCommand(a *app) *cobra.Command {
	v := &compareVerb{app: a}
	cmd := &cobra.Command{
		Use:   "compare A B [C…]",
		Short: "Compare targets: which agree bit for bit, and where they differ",
		Long: `Compare reveals every target and runs all of them on the same inputs. Targets of
one group agreed in every bit. For every two groups it prints how often they
differ on random inputs, the smallest input that distinguishes them, both results,
and the place where the trees part. Where only the findings differ, it derives an
input from them whose predicted results differ, and runs it too. Targets that agree
so far are asked the questions that revealed the others, and inputs with NaN, with
infinities and with sums that overflow.

The first line is one of three. "The same": all are verified, with one tree and
arithmetic, and treat NaN alike. "Different": an input shows it. "Not told apart": no
difference was found, but some are not verified; it names them.

Exit codes: 0 the same; 1 different, or not told apart; 2 it could not be done.`,
		Example: `  lastbit compare go:naive go:pairwise --dtype f64 -n 100
  lastbit compare go:naive py:numpy.sum gonum:floats.Sum --dtype f64 -n 1000`,
		Args:              cobra.MinimumNArgs(2),
		ValidArgsFunction: a.completeTargets(0),
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.run(cmd.Context(), args)
		},
	}
	v.specFlags.add(cmd)
	v.revealFlags.add(cmd)
	return cmd
}

func (v *compareVerb) run(ctx context.Context, addresses []string) error {
	s, err := v.spec()
	if err != nil {
		return err
	}
	progress := v.newProgress()
	defer progress.End()
	opt, err := v.options(progress.For("compare"))
	if err != nil {
		return err
	}
	targets, err := v.openTargets(ctx, addresses, s)
	if err != nil {
		return err
	}
	defer closeAll(targets)
	c, err := reveal.Compare(ctx, targets, opt)
	progress.End()
	if err != nil {
		return err
	}
	if v.code = same; c.Conclusion != reveal.Same {
		v.code = other
	}
	if v.json {
		return v.printJSON(c)
	}
	return describe.WriteComparison(v.stdout, c)
}

// openTargets opens all targets. Without --dtype it is f64, f16 or bf16, the
// first that all of them take, where one of them does not take f32.
func (v *compareVerb) openTargets(
	ctx context.Context, addresses []string, s probe.Spec,
) ([]probe.Target, error) {
	targets, err := v.openAll(ctx, addresses, s)
	var f *probe.Fault
	if v.dtype == "" && errors.As(err, &f) &&
		slices.Contains([]string{"unsupported", "unsupported-dtype"}, f.ID) {
		for _, s.DType = range []fp.Format{fp.Binary64, fp.Binary16, fp.BFloat16} {
			if again, no := v.openAll(ctx, addresses, s); no == nil {
				return again, nil
			}
		}
	}
	return targets, err
}

// openAll opens targets for one key, all or none.
func (v *compareVerb) openAll(
	ctx context.Context, addresses []string, s probe.Spec,
) ([]probe.Target, error) {
	var targets []probe.Target
	for _, address := range addresses {
		t, err := v.open(ctx, address, s, true)
		if err != nil {
			closeAll(targets)
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, nil
}

func closeAll(targets []probe.Target) {
	for _, t := range targets {
		_ = t.Close()
	}
}
