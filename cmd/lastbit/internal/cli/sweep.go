package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/describe"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/sweep"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// sweepVerb is the command line of lastbit sweep.
type sweepVerb struct {
	*app
	variables []sweep.Variable
	asked     []asked // one for each combination
	runs      []sweep.Run
}

// asked is the command of a combination.
type asked struct {
	target     string
	spec       probe.Spec
	dtypeGiven bool
	options    reveal.Options
}

func sweepCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "sweep NAME=a,b… [NAME=…] -- reveal TARGET [flags]",
		Short: "Find out which settings and shapes change the order, and which have no effect",
		Long: `Sweep reveals a target under every combination of settings, and groups those that
compute alike. A setting is a variable of the target's environment, such as
OPENBLAS_CORETYPE, or the name of a place in the command: {M} becomes the value of M.
Values are separated by commas; 1..64 and 1..64:8 are ranges of numbers, and an empty
value sets nothing. The command is that of lastbit reveal; unless it has --threads,
the environment and the library choose the number of threads.

All combinations get the same inputs. It prints the classes, the neighbours between
which the class changes, and an input whose results differ there. Every setting of the
environment is shown to have taken effect: the library reports its value, or another
value changes the order or the report. If none of these holds, the first line reports
no effect.

Exit codes: 0 one tree and arithmetic for all, verified, and every setting took effect;
1 anything else was found; 2 it could not be done.`,
		Example: `  lastbit sweep OPENBLAS_NUM_THREADS=1,2 -- reveal py:numpy.dot -n 20000
  lastbit sweep M=1..16 -- reveal py:numpy.matmul --shape {M}x64x256 --out-index 0,0
  lastbit sweep ROWS=1..8 -- reveal gonum:blas32.Gemm --m {ROWS} --cols 16 -n 64`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v := &sweepVerb{app: a}
			return v.run(cmd.Context(), cmd, args)
		},
	}
}

func (v *sweepVerb) run(ctx context.Context, cmd *cobra.Command, args []string) error {
	dash := cmd.ArgsLenAtDash()
	if dash < 1 || len(args) < dash+2 || args[dash] != "reveal" {
		return badUsage(cmd, "needs settings, and the command after --",
			"write for example "+firstExample(cmd)+", or")
	}
	for _, arg := range args[:dash] {
		variable, err := sweep.Parse(arg, expandRange)
		if err != nil {
			return err
		}
		v.variables = append(v.variables, variable)
	}
	command := args[dash+1:]
	if err := sweep.Settle(v.variables, command); err != nil {
		return err
	}
	progress := v.newProgress()
	defer progress.End()
	for _, c := range sweep.Combinations(v.variables) {
		one, err := v.parse(cmd, c, command, progress.For("sweep"))
		if err != nil {
			return err
		}
		v.asked = append(v.asked, one)
		v.runs = append(v.runs, sweep.Run{Values: c})
	}
	w, err := v.sweep()
	if err != nil {
		return err
	}
	inv, err := reveal.Invariant(ctx, w, v.asked[0].options)
	progress.End()
	if err != nil {
		return err
	}
	return v.finish(inv)
}

// expandRange returns the numbers of a range such as 1..64, nil for any other
// text.
func expandRange(part string) ([]string, error) {
	if !strings.Contains(part, "..") || part[0] < '0' || part[0] > '9' {
		return nil, nil
	}
	var s span
	numbers, err := s.parsePart(part, part)
	if err != nil {
		return nil, err
	}
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return words, nil
}

// parse reads the command of a combination. verb is the sweep itself.
func (v *sweepVerb) parse(
	verb *cobra.Command, c sweep.Combination, command []string, progress func(string, int, int),
) (one asked, err error) {
	var spec specFlags
	var examine revealFlags
	cmd := &cobra.Command{Use: verb.Name()}
	(&cobra.Command{Use: verb.Parent().Name()}).AddCommand(cmd) // for their path in messages
	spec.add(cmd)
	examine.add(cmd)
	if err := cmd.ParseFlags(c.Fill(v.variables, command)); err != nil {
		return one, v.explainInner(verb, cmd, err)
	}
	if cmd.Flags().NArg() != 1 {
		return one, badUsage(cmd, "needs TARGET; "+given(cmd.Flags().Args()))
	}
	one.target = cmd.Flags().Arg(0)
	if !cmd.Flags().Changed("threads") {
		spec.threads = -1
	}
	if one.spec, err = spec.spec(); err != nil {
		return one, err
	}
	one.spec.Env = slices.Concat(one.spec.Env, c.Env(v.variables))
	one.dtypeGiven = cmd.Flags().Changed("dtype")
	one.options, err = examine.options(progress)
	return one, err
}

// explainInner explains an error in the flags of the command after --. Flags of
// sweep itself, and reveal's flags for its output, have a cure of their own.
func (v *sweepVerb) explainInner(verb, cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return explainFlag(cmd, err)
	}
	name := typedFlag(unknown)
	switch {
	case verb.Flags().Lookup(name) != nil:
		return &probe.Fault{ID: "bad-usage", Thing: dashed(name),
			Cause: "it belongs to sweep, and not to the command after --",
			Cure:  "write it before --"}
	case revealCommand(v.app).Flags().Lookup(name) != nil:
		return &probe.Fault{ID: "bad-usage", Thing: dashed(name),
			Cause: "it chooses what reveal prints, and sweep prints the classes",
			Cure:  "leave it out; sweep has --json"}
	}
	return explainFlag(cmd, err)
}

// sweep returns the sweep over all combinations.
func (v *sweepVerb) sweep() (reveal.Sweep, error) {
	w := reveal.Sweep{Axis: describe.SettingAxis, Open: v.openRun}
	for _, r := range v.runs {
		w.Values = append(w.Values, r.Values.Label(v.variables))
	}
	sameN := !slices.ContainsFunc(v.asked, func(a asked) bool {
		return a.spec.N != v.asked[0].spec.N
	})
	if sameN {
		return w, nil
	}
	if len(v.variables) > 1 {
		return w, &probe.Fault{ID: "bad-usage", Thing: "lastbit sweep",
			Cause: "sums of different numbers of summands have no inputs in common, " +
				"so the number can only vary alone",
			Cure: "give one setting, or one number of summands"}
	}
	w.Axis = reveal.AxisN
	for i, a := range v.asked {
		w.Values[i] = strconv.Itoa(a.spec.N)
	}
	return w, nil
}

// openRun opens the target of a combination, and notes what its library
// reports.
func (v *sweepVerb) openRun(ctx context.Context, i int) (probe.Target, error) {
	one := v.asked[i]
	t, err := v.open(ctx, one.target, one.spec, one.dtypeGiven)
	if err == nil {
		v.runs[i].Key = t.Key()
		v.runs[i].Report = sweep.Report(t.Key())
	}
	return t, v.at(v.runs[i].Values, err)
}

// at names the combination in a fault. The command has no --env to leave out:
// its variables are settings without a place in it.
func (v *sweepVerb) at(c sweep.Combination, err error) error {
	var f *probe.Fault
	if !errors.As(err, &f) || f.ID == "cancelled" {
		return err
	}
	named := *f
	if label := c.Label(v.variables); !strings.Contains(f.Cause, label) {
		named.Thing = "with " + label + ": " + f.Thing
	}
	placeless := func(s sweep.Variable) bool { return !s.Placeholder }
	if i := slices.IndexFunc(v.variables, placeless); i >= 0 {
		named.Cure = strings.Replace(f.Cure, "leave --env out", "write {"+v.variables[i].Name+
			"} where its value belongs in the command after --", 1)
	}
	return &named
}

// finish prints the result.
func (v *sweepVerb) finish(inv *reveal.Invariance) error {
	for k, c := range inv.Classes {
		for _, i := range c.Indices {
			v.runs[i].Class = k
		}
	}
	r := &sweep.Result{
		Variables: v.variables, Runs: v.runs, Classes: inv,
		Outcomes: sweep.Outcomes(v.variables, v.runs),
	}
	r.Conclude()
	if v.code = same; inv.Conclusion != reveal.Same || !r.Took() {
		v.code = other
	}
	if v.json {
		return v.printJSON(r)
	}
	return sweep.WriteText(v.stdout, r)
}
