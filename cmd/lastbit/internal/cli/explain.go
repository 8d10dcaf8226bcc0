package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/explainfiles"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/hdf"
	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/probe"
)

// explainVerb is the command line of lastbit explain.
type explainVerb struct {
	*app
	op, lhs, rhs, input, second string
	format, dtype, order, html  string
	columns                     []string
	axis                        int
	alone, trace                bool
	fileFlags
}

func explainCommand(a *app) *cobra.Command {
	_, cmd := newExplain(a)
	return cmd
}

// newExplain returns the verb, and the command that fills it.
func newExplain(a *app) (*explainVerb, *cobra.Command) {
	v := &explainVerb{app: a}
	cmd := &cobra.Command{
		Use:   "explain A B",
		Short: "Explain why two results differ: where, how far, and the cause",
		Long: `Explain compares two arrays bit for bit. It counts the elements that differ, measures
the differences in ULPs, and shows where they are and which bits differ. Two NaN are equal;
+0 and -0 differ, at a distance of 0 ULPs.

A and B are .npy, .npz, .csv, .tsv, .parquet, .raw, .nc or .h5 files (the last two with
--column for the variable), or two folders or .npz archives whose arrays are matched by
their names. They may be larger than memory,
unless --op is given. Texts are read as by lastbit sum, with --separator, --decimal and
the like.

With the inputs, explain also finds the cause. It replays the operation in many ways:
orders of addition, fused products, accumulators, shorter inputs, flushed subnormals,
directions of rounding, units of matrix accelerators, libraries of elementary functions.
A model counts where it reproduces every element of a result, bit for bit. The cause is
the difference of two such models, those with the fewest differences. Where no model
reproduces a result, or the results are too few to tell models apart, the difference is
unexplained.

Operations (--op): sum and mean of --input, over all elements or --axis; dot and matmul
of --lhs and --rhs, matrices or vectors; or an elementary function of --input (and
--second, for pow, atan2 and hypot), such as exp. --column names the columns of inputs,
too: one that all inputs have, or one for each in their order.

Unless --no-libraries is given, the libraries of this machine are asked too: the C
library and NumPy for functions, NumPy, PyTorch and BLAS for orders.

With --trace, A and B are two traces of one program: folders of arrays in the order of
the steps, or logs of PyTorch's DebugMode with hashes of tensors and their inputs, as
debug_string or as save_logs (JSON) writes them. Explain finds the first step whose
inputs are equal and whose outputs differ, and explains it. An array that is named
STEP.in0.npy, STEP.in1.npy or STEP.out.npy is an input or the output of a step such as
0012.mm; those of a log left.log are in the folder left.

Exit codes: 0 nothing differs; 1 something does; 2 it could not be done.`,
		Example: `  lastbit explain a.npy b.npy
  lastbit explain a.npy b.npy --op exp --input x.npy
  lastbit explain a.npy b.npy --html page.html --json
  lastbit explain --trace left right`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd, args) },
	}
	v.add(cmd)
	return v, cmd
}

// explained lists the operations of --op.
func explained() []string {
	return append([]string{"sum", "mean", "dot", "matmul"}, explainfiles.FunctionNames()...)
}

func (v *explainVerb) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	choiceVar(cmd, fl, &v.op, "op", "", choices{words: explained(), fault: probe.Fault{
		ID: "bad-op", Cause: "explain has no operation of that name"}},
		"operation: sum, mean, dot, matmul, or a function such as exp")
	fl.StringVar(&v.input, "input", "", "the input of a sum, a mean or a function")
	fl.StringVar(&v.second, "second", "", "the second input of pow, atan2 or hypot")
	fl.StringVar(&v.lhs, "lhs", "", "the first factor of dot or matmul")
	fl.StringVar(&v.rhs, "rhs", "", "the second factor of dot or matmul")
	fl.IntVar(&v.axis, "axis", 0, "sum, mean: over this axis (default over all elements)")
	fl.BoolVar(&v.alone, "no-libraries", false, "do not call the libraries of this machine")
	choiceVar(cmd, fl, &v.format, "format", "", choices{words: dataset.Formats()},
		"format of the files: "+text.List(dataset.Formats())+" (default by their names)")
	fl.StringSliceVar(&v.columns, "column", nil,
		"columns of texts and parquet files, fields of records, or arrays of .npz files")
	fl.StringVar(&v.dtype, "dtype", "", "format of values in raw files and texts (default f64)")
	fl.BoolVar(&v.trace, "trace", false, "A and B are traces: explain the first step that differs")
	fl.StringVar(&v.html, "html", "", "write a page with pictures to this file as well")
	fl.StringVar(&v.order, "order", "little", "raw: byte order: little or big")
	v.fileFlags.add(fl)
	complete(cmd, "dtype", formatNames)
	complete(cmd, "order", []string{"little", "big"})
}

func (v *explainVerb) run(cmd *cobra.Command, args []string) error {
	o, err := v.files(cmd, args)
	if err != nil {
		return err
	}
	if v.trace {
		return v.runTrace(cmd.Context(), args, o)
	}
	progress := v.newProgress()
	defer progress.End()
	m, list, err := v.compareAll(cmd, args, o, progress.Show)
	progress.End()
	if err != nil {
		return err
	}
	return v.report(m, list)
}

// files checks the flags, and returns how the files are read.
func (v *explainVerb) files(cmd *cobra.Command, args []string) (dataset.Options, error) {
	o := dataset.Options{Format: v.format, Columns: v.columns, DType: v.dtype,
		BigEndian: v.order == "big", Stdin: v.stdin}
	err := v.check(cmd)
	if err == nil {
		err = usedFlags(cmd, append(v.inputs(), args...), v.format, fileFormats)
	}
	if err != nil {
		return o, err
	}
	o.Foreign, o.KeepFill = v.noted(hdf.Opener(cmd.Context(), v.python().Script)), true
	v.fileFlags.set(cmd, &o)
	return o, nil
}

// noted returns a function that opens variables and prints how their values are
// computed, each sentence once.
func (v *explainVerb) noted(open func(dataset.ForeignRequest) (*dataset.Foreign, error),
) func(dataset.ForeignRequest) (*dataset.Foreign, error) {
	var said []string
	return func(q dataset.ForeignRequest) (*dataset.Foreign, error) {
		f, err := open(q)
		if err != nil {
			return nil, err
		}
		for _, n := range f.Notes {
			if n = q.File + ": " + n; !slices.Contains(said, n) {
				said = append(said, n)
				v.note(n)
			}
		}
		return f, nil
	}
}

// compareAll compares all pairs of arrays of two files.
func (v *explainVerb) compareAll(
	cmd *cobra.Command, args []string, o dataset.Options, show func(string, int, int),
) (*explainfiles.Matches, []*explainfiles.Report, error) {
	m, err := explainfiles.FindResults(args[0], args[1], v.inputs(), o)
	if err != nil {
		return nil, nil, err
	}
	if v.op != "" && len(m.Pairs)+len(m.OnlyA)+len(m.OnlyB) > 1 {
		return nil, nil, badUsage(cmd, "--op explains one pair of arrays, and there are several",
			"choose one with --column, or name two files;")
	}
	var list []*explainfiles.Report
	for _, pair := range m.Pairs {
		r, err := v.compare(cmd.Context(), pair, o, show)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, r)
	}
	return m, list, nil
}

// report prints what was found.
func (v *explainVerb) report(m *explainfiles.Matches, list []*explainfiles.Report) error {
	all := explainfiles.Gather(list, m)
	if !all.Same() {
		v.code = other
	}
	if v.html != "" {
		page := func(w io.Writer) error { return explainfiles.WriteHTML(w, list, v.op != "") }
		if err := v.write(v.html, page); err != nil {
			return err
		}
	}
	single := len(m.Pairs) == 1 && m.Pairs[0].Name == ""
	switch {
	case v.json && single:
		return v.printJSON(list[0])
	case v.json:
		return v.printJSON(all)
	case single:
		explainfiles.Write(v.stdout, list[0], v.op != "")
	default:
		explainfiles.WriteAll(v.stdout, all)
	}
	return nil
}

// compare compares one pair, and explains it where there is an operation.
func (v *explainVerb) compare(
	ctx context.Context, pair explainfiles.Match, o dataset.Options,
	progress func(string, int, int),
) (*explainfiles.Report, error) {
	q := v.question(o, progress)
	q.Op, q.Axis, q.Inputs = v.op, v.axis, v.inputs()
	if err := q.CheckInputs(); err != nil {
		return nil, err
	}
	d, err := explainfiles.Compare(ctx, pair.A, pair.B, o, progress)
	if err != nil {
		return nil, err
	}
	r := &explainfiles.Report{Name: pair.Name, Differences: d, A: pair.A, B: pair.B,
		Explanation: &explain.Explanation{Causes: []explain.Cause{}}}
	if v.op == "" || d.Differing == 0 {
		return r, nil
	}
	r.Explanation, err = q.Answer(ctx, pair.A, pair.B)
	var bad *explain.Error
	if errors.As(err, &bad) {
		return nil, badData("--op "+v.op, bad.Cause, bad.Cure, nil)
	}
	return r, err
}

// question returns a question about a cause, without the operation.
func (v *explainVerb) question(
	o dataset.Options, progress func(string, int, int),
) *explainfiles.Question {
	q := &explainfiles.Question{
		Options: o, Progress: progress, Memory: memoryLimit("/proc/meminfo"),
	}
	if !v.alone {
		q.Python = v.python().Script
		q.Open = v.drivers.Open
	}
	return q
}

// runTrace finds the first step of two traces that differs, and explains it.
func (v *explainVerb) runTrace(ctx context.Context, args []string, o dataset.Options) error {
	left, err := explainfiles.ReadTrace(args[0], o)
	if err != nil {
		return err
	}
	right, err := explainfiles.ReadTrace(args[1], o)
	if err != nil {
		return err
	}
	progress := v.newProgress()
	defer progress.End()
	d, err := explainfiles.Diverge(ctx, left, right, o)
	if err == nil {
		err = d.Explain(ctx, v.question(o, progress.Show))
	}
	progress.End()
	var bad *explain.Error
	if errors.As(err, &bad) {
		return badData("step "+d.Name, bad.Cause, bad.Cure, nil)
	}
	if err != nil {
		return err
	}
	if d.Step >= 0 || d.Reason != "" {
		v.code = other
	}
	if v.json {
		return v.printJSON(d)
	}
	explainfiles.WriteTrace(v.stdout, d)
	return nil
}

// inputs returns the files of the inputs.
func (v *explainVerb) inputs() []string {
	var files []string
	for _, f := range []string{v.input, v.second, v.lhs, v.rhs} {
		if f != "" {
			files = append(files, f)
		}
	}
	return files
}

// check refuses flags that do not fit the operation.
func (v *explainVerb) check(cmd *cobra.Command) error {
	err := notEmpty(cmd, "op", "input", "second", "lhs", "rhs", "format", "column", "dtype", "html",
		"separator", "decimal", "thousands")
	if err == nil {
		err = v.fileFlags.check()
	}
	if err == nil {
		err = oneOf("order", v.order, []string{"little", "big"})
	}
	if err == nil && v.dtype != "" && !slices.Contains(dataset.DTypes(), v.dtype) {
		err = choices{words: dataset.DTypes(), fault: probe.Fault{ID: "bad-data",
			Cause: "there is no type of that name"}}.refuse("dtype", v.dtype)
	}
	if err == nil {
		err = checkOutput(v.html)
	}
	if err != nil {
		return err
	}
	if v.trace && (v.op != "" || v.html != "") {
		return badUsage(cmd, "--trace reads the operation from the trace, and writes no page;"+
			" leave --op and --html out")
	}
	var needed []string
	switch {
	case v.op == "":
	case v.op == "dot" || v.op == "matmul":
		needed = []string{"lhs", "rhs"}
	case explainfiles.IsBinary(v.op):
		needed = []string{"input", "second"}
	default:
		needed = []string{"input"}
	}
	for _, name := range []string{"input", "second", "lhs", "rhs"} {
		given := cmd.Flags().Changed(name)
		switch {
		case given && v.op == "":
			return badUsage(cmd, "--"+name+" has no effect without --op")
		case given && !slices.Contains(needed, name):
			return badUsage(cmd, fmt.Sprintf("--%s is not for --op %s", name, v.op))
		case !given && slices.Contains(needed, name):
			return badUsage(cmd, fmt.Sprintf("--op %s needs --%s", v.op, name))
		}
	}
	switch {
	case !cmd.Flags().Changed("axis"):
		v.axis = explainfiles.AllAxes
	case v.op != "sum" && v.op != "mean":
		return badUsage(cmd, "--axis is for --op sum and mean")
	}
	return nil
}
