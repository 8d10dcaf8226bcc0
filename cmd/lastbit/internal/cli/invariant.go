package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// Names of axes: of a list of targets, and of numbers of ranks.
const (
	axisTarget = "target"
	axisRanks  = "ranks"
)

// invariantVerb is the command line of lastbit invariant.
type invariantVerb struct {
	*app
	specFlags
	revealFlags
	spans []*span
	html  string
}

func invariantCommand(a *app) *cobra.Command {
	_, cmd := newInvariant(a)
	return cmd
}

// newInvariant returns the verb, and the command that fills it.
func newInvariant(a *app) (*invariantVerb, *cobra.Command) {
	v := &invariantVerb{app: a}
	cmd := &cobra.Command{
		Use:   "invariant TARGET…",
		Short: "Find out whether the order changes with the batch size, or with another number",
		Long: `Invariant answers whether the first row of a result is computed alike whatever the
number of rows is: batch invariance. One flag takes many values, and each value is
a target: --m (rows), --cols, --threads, --align, --stride, --ranks, or -n (summands).
With rows, a target that computes dot products too is asked for a matrix product.
Values are written 64, 1..64, 1..64:8 (a step) or 1,2,4. A list of targets is
compared in the same way.

It gives all values the same inputs and groups them by their results. It reveals
one value of each group, and holds the others against that tree and arithmetic.
It prints the classes, the values between which the class changes, and the
smallest input found whose results differ there; --html draws them on a page. With
-n the rows are of different lengths, so it compares the families of the trees
instead.

--ranks answers whether a row changes with the number of processes or accelerators
that share its summands, as in tensor-parallel inference. sim: has models of the
reductions between GPUs (lastbit targets lists them), and mpi: runs real ranks.

The first line is "invariant", "not invariant", with an input that shows it, or "not
told apart": no difference was found, but some values are not verified; it names them.

Exit codes: 0 invariant; 1 not invariant, or not told apart; 2 it could not be done.`,
		Example: `  lastbit invariant gonum:blas32.Gemm --m 1..8 -n 64 --cols 64
  lastbit invariant py:numpy.matmul --m 1..16 -n 256 --html rows.html
  lastbit invariant go:pairwise -n 100..2000:100
  lastbit invariant sim:nccl-ring -n 512 --ranks 1,2,4,8 --dtype bf16
  lastbit invariant sim:fixed-tree -n 512 --ranks 1,2,4,8
  lastbit invariant go:naive gonum:floats.Sum go:pairwise -n 100 --dtype f64`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.completeTargets(0),
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.run(cmd.Context(), args)
		},
	}
	v.addSpans(cmd)
	v.specFlags.addOthers(cmd)
	v.revealFlags.add(cmd)
	cmd.Flags().StringVar(&v.html, "html", "", "write a page with all trees to this file as well")
	return v, cmd
}

// addSpans defines the flags that take many values.
func (v *invariantVerb) addSpans(cmd *cobra.Command) {
	fl := cmd.Flags()
	for _, f := range []struct {
		name, shorthand string
		value           int
		usage           string
	}{
		{"n", "n", defaultN, "number of summands, also as 1e6"},
		{"m", "", 0, "rows of a matrix (default chosen by the driver)"},
		{"cols", "", 0, "columns of gemm's second matrix (default chosen by the driver)"},
		{"stride", "", 1, "distance between elements, in elements"},
		{"align", "", 0, "start of the data, in bytes past a multiple of 64"},
		{"threads", "", 1, "threads; -1 is the implementation's own default"},
		{"ranks", "", 0, ranksUsage},
	} {
		s := newSpan(f.name, f.value)
		v.spans = append(v.spans, s)
		fl.VarP(s, f.name, f.shorthand, f.usage)
	}
}

func (v *invariantVerb) run(ctx context.Context, addresses []string) error {
	if err := checkOutput(v.html); err != nil {
		return err
	}
	progress := v.newProgress()
	defer progress.End()
	inv, err := v.find(ctx, addresses, progress.For(addresses[0]))
	progress.End()
	if err != nil {
		return err
	}
	if v.html != "" {
		write := func(w io.Writer) error { return describe.WriteInvariancePage(w, inv) }
		if err := v.write(v.html, write); err != nil {
			return err
		}
	}
	v.code = same
	if !inv.Invariant {
		v.code = other
	}
	if v.json {
		return v.printJSON(inv)
	}
	return describe.WriteInvariance(v.stdout, inv)
}

// find compares the values of the axis.
func (v *invariantVerb) find(
	ctx context.Context, addresses []string, show func(string, int, int),
) (*reveal.Invariance, error) {
	sweep, err := v.sweep(ctx, addresses)
	if err != nil {
		return nil, err
	}
	opt, err := v.options(show)
	if err != nil {
		return nil, err
	}
	return reveal.Invariant(ctx, sweep, opt)
}

// sweep returns the sweep of a command line.
func (v *invariantVerb) sweep(ctx context.Context, addresses []string) (reveal.Sweep, error) {
	axis, err := v.axis(addresses)
	if err != nil {
		return reveal.Sweep{}, err
	}
	if axis == nil {
		s, err := v.specOf(nil, 0)
		return reveal.Sweep{Axis: axisTarget, Values: addresses,
			Open: func(ctx context.Context, i int) (probe.Target, error) {
				return v.open(ctx, addresses[i], s, v.dtype != "")
			}}, err
	}
	w := reveal.Sweep{Axis: axis.name}
	specs := make([]probe.Spec, len(axis.values))
	for i, value := range axis.values {
		if specs[i], err = v.specOf(axis, value); err != nil {
			return w, err
		}
		w.Values = append(w.Values, strconv.Itoa(value))
	}
	if axis.name == "m" || axis.name == "cols" {
		most := slices.Index(axis.values, slices.Max(axis.values)) // a vector may be one row
		op := v.withRows(ctx, addresses[0], specs[most])
		for i := range specs {
			specs[i].Op = op
		}
	}
	w.Open = func(ctx context.Context, i int) (probe.Target, error) {
		return v.open(ctx, addresses[0], specs[i], v.dtype != "")
	}
	return w, nil
}

// withRows returns the operation of a sweep over rows or columns: the one that
// was asked for, or the target's default, or a matrix product where that has no
// rows.
func (v *invariantVerb) withRows(ctx context.Context, address string, s probe.Spec) probe.Op {
	if s.Op != "" {
		return s.Op
	}
	for _, op := range []probe.Op{"", probe.Gemm, probe.Gemv} {
		s.Op = op
		if t, err := v.open(ctx, address, s, v.dtype != ""); err == nil {
			t.Close()
			return op
		}
	}
	return "" // its error names the fault
}

// axis returns the flag with several values, or nil where there are several
// targets.
func (v *invariantVerb) axis(addresses []string) (axis *span, err error) {
	for _, s := range v.spans {
		if len(s.values) == 1 {
			continue
		}
		if axis != nil || len(addresses) > 1 {
			first := "several targets"
			if axis != nil {
				first = dashed(axis.name) + " " + axis.text
			}
			return nil, &probe.Fault{
				ID: "bad-usage", Thing: first + " and " + dashed(s.name) + " " + s.text,
				Cause: "only one thing can vary at a time", Cure: "give one value for all others",
			}
		}
		axis = s
	}
	if axis == nil && len(addresses) < 2 {
		return nil, &probe.Fault{
			ID: "bad-usage", Thing: addresses[0], Cause: "nothing varies",
			Cure: "give a range to one flag, such as --m 1..64, or several targets",
		}
	}
	return axis, nil
}

// specOf returns the Spec for a value of an axis.
func (v *invariantVerb) specOf(axis *span, value int) (probe.Spec, error) {
	f := v.specFlags
	for k, p := range []*int{&f.n, &f.m, &f.cols, &f.stride, &f.align, &f.threads,
		&f.ranks} {
		if *p = v.spans[k].values[0]; v.spans[k] == axis {
			*p = value
		}
	}
	if axis != nil && value < 1 && (axis.name == "m" || axis.name == "cols") {
		return probe.Spec{}, &probe.Fault{
			ID: "bad-usage", Thing: fmt.Sprintf("--%s %d", axis.name, value),
			Cause: "a matrix has at least 1 row and 1 column", Cure: "begin with 1",
		}
	}
	if axis != nil && value < 1 && axis.name == axisRanks {
		return probe.Spec{}, &probe.Fault{
			ID: "bad-usage", Thing: fmt.Sprintf("--%s %d", axis.name, value),
			Cause: "at least 1 rank computes", Cure: "begin with 1",
		}
	}
	return f.spec()
}
