package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/text"
	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// replayVerb is the command line of lastbit replay.
type replayVerb struct {
	*app
	dtype string
}

func replayCommand(a *app) *cobra.Command {
	v := &replayVerb{app: a}
	cmd := &cobra.Command{
		Use:   "replay TREE DATA.npy [DATA2.npy]",
		Short: "Recompute a sum in a revealed order, bit for bit",
		Long: `Replay adds the numbers of a .npy file in the order and the arithmetic of a
finding, and prints the bits that the implementation gives. TREE is a file of
lastbit reveal --json, or a tree in brackets such as "((0 1) 2)". Its additions are
all rounded to --dtype.

Each row of a matrix gives one result. A row holds the summands of sum, the first
factors of dot, gemv and gemm (a row of the first matrix), the input of sumsq and
rmsnorm, a column of the values of attention, or the exponentials exp(x − max) of
softmax. DATA2.npy holds the second factors: the vector, or a column of the second
matrix. Values of bf16 come in files of float32.

NaN and infinities, and sums that overflow, are refused where the finding notes
that the implementation does not treat them as IEEE 754 does.`,
		Example: `  lastbit reveal py:numpy.sum -n 1000 --json > tree.json
  lastbit replay tree.json data.npy`,
		Args:              cobra.RangeArgs(2, 3),
		ValidArgsFunction: completeReplay,
		RunE:              func(_ *cobra.Command, args []string) error { return v.run(args) },
	}
	format := formatChoices
	format.words = []string{"f64", "f32", "f16"}
	choiceVar(cmd, cmd.Flags(), &v.dtype, "dtype", "", format,
		"format of the additions, for a tree in brackets: "+text.List(format.words))
	return cmd
}

// replayed is the result of a replay.
type replayed struct {
	Results []replayedResult `json:"results"`
	DType   fp.Format        `json:"dtype"`
	Promise string           `json:"promise"`
}

type replayedResult struct {
	Value reveal.Numbers `json:"value"` // one, not always a JSON number
	Bits  string         `json:"bits"`
}

func (v *replayVerb) run(args []string) error {
	f, err := readTree(args[0], v.dtype, len(args) == 3)
	if err != nil {
		return err
	}
	tree, arith := f.Tree, *f.Arithmetic
	n := arith.Inputs(tree)
	x, y, err := readOperands(args, n, arith)
	if err == nil {
		err = checkSpecial(args[1], x, f)
	}
	if err == nil && y != nil {
		err = checkSpecial(args[2], y, f)
	}
	if err != nil {
		return err
	}
	r, err := sumtree.NewReplayer(tree, arith)
	if err != nil {
		return badData(args[0], "its tree and its arithmetic do not fit each other",
			"make it again with lastbit reveal --json", err)
	}
	res := replayed{DType: arith.Out, Promise: "replayed"}
	for row := range slices.Chunk(x, n) {
		sum, err := r.Sum(row, y)
		if err == nil {
			err = checkOverflow(args[1], len(res.Results), sum, f)
		}
		if err != nil {
			return err
		}
		one := replayedResult{reveal.Numbers{sum}, text.Hex(sum, arith.Out)}
		res.Results = append(res.Results, one)
	}
	if v.json {
		return v.printJSON(res)
	}
	for _, one := range res.Results {
		fmt.Fprintf(v.stdout, "%s  %s\n", text.Decimal(one.Value[0], arith.Out), one.Bits)
	}
	return nil
}

// readOperands reads the rows of n summands or factors, and the second factors
// of products.
func readOperands(args []string, n int, arith sumtree.Arithmetic) (x, y []float64, err error) {
	pairs := arith.Products && !arith.Squares
	switch {
	case pairs && len(args) == 2:
		return nil, nil, badData(args[0], "it is a sum of products, which needs two files",
			"give the second factors as well: DATA.npy DATA2.npy", nil)
	case arith.Squares && len(args) == 3:
		return nil, nil, badData(args[2], "the tree is that of squares, whose factors are the same",
			"leave the second file out", nil)
	case !pairs && len(args) == 3:
		return nil, nil, badData(args[2], "the tree is that of a plain sum, without second factors",
			"leave the second file out", nil)
	}
	first, err := readVectors(args[1], arith.In, n)
	if err == nil && arith.After != nil && arith.After.Kind == sumtree.Softmax {
		err = checkExponentials(args[1], first.Values, n)
	}
	if err != nil || !pairs {
		return first.Values, nil, err
	}
	second, err := readVectors(args[2], arith.In, n)
	if err != nil {
		return nil, nil, err
	}
	if len(second.Values) != n {
		return nil, nil, badData(args[2], "the second factors are a matrix", "give one row", nil)
	}
	return first.Values, second.Values, nil
}

// checkExponentials refuses rows of n values that cannot be exp(x − max).
func checkExponentials(name string, values []float64, n int) error {
	for row := range slices.Chunk(values, n) {
		if !(slices.Min(row) >= 0 && slices.Max(row) == 1) {
			return badData(name,
				"the tree adds exponentials, which are from 0 to 1 with a 1 in each row",
				"give exp(x − max) as the implementation computes it, since its last bit differs "+
					"among implementations", nil)
		}
	}
	return nil
}

// readVectors reads rows of n values of a format. No .npy file holds bf16, so
// its values come as f32.
func readVectors(name string, format fp.Format, n int) (dataset.Array, error) {
	a, err := dataset.ReadNPY(name)
	switch {
	case err != nil:
		return a, badData(name, "it cannot be read as a .npy file", "write it with numpy.save",
			cause(err))
	case format == fp.BFloat16 && a.Format == fp.Binary32:
		if err := checkHeld(name, format, a); err != nil {
			return a, err
		}
	case a.Format != format:
		return a, badData(name,
			fmt.Sprintf("its values are %s, and the tree adds %s", a.Format, format),
			"save the values that the implementation adds", nil)
	}
	switch {
	case len(a.Shape) < 1 || len(a.Shape) > 2 || a.Shape[len(a.Shape)-1] != n:
		return a, badData(name,
			fmt.Sprintf("its shape is %v, and the tree takes %d values", a.Shape, n),
			fmt.Sprintf("give a vector of %d values, or a matrix of such rows", n), nil)
	case len(a.Values) == 0:
		return a, badData(name, "it has no rows", "give at least one", nil)
	}
	return a, nil
}

// checkHeld refuses values that a format does not hold.
func checkHeld(name string, f fp.Format, a dataset.Array) error {
	for i, v := range a.Values {
		if v == v && f.Round(v, fp.NearestEven) != v {
			return badData(name,
				fmt.Sprintf("its value %s at %d is not one of %s", text.Decimal(v, a.Format), i, f),
				fmt.Sprintf("round the values to %s first", f), nil)
		}
	}
	return nil
}
