package explainfiles

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/libm"
	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/probe"
)

// A Question asks for the cause of a difference.
type Question struct {
	Op       string
	Axis     int      // of a sum, from 0, or from −1 for the last one; or AllAxes
	Inputs   []string // files of the inputs, in order
	Options  dataset.Options
	Progress func(step string, done, total int)
	Memory   int64 // free bytes, 0 if unknown

	// Python and Open call the libraries of this machine; nil for none.
	Python libm.Python
	Open   func(ctx context.Context, address string, s probe.Spec) (probe.Target, error)
}

// bytesEach is the memory for each value of the results and inputs: the value,
// a copy in another order, and its share of the search.
const bytesEach = 32

// CheckInputs opens the inputs, so that a file that cannot be read is named
// before a long comparison. It leaves out streams, which are read once.
func (q *Question) CheckInputs() error {
	places, err := q.places()
	if err != nil {
		return err
	}
	for _, p := range places {
		if isStream(p.File) {
			continue
		}
		s, err := p.open(q.Options)
		if err != nil {
			return err
		}
		s.Close()
	}
	return nil
}

// isStream reports whether a file is standard input, a pipe or a device.
func isStream(file string) bool {
	info, err := os.Stat(file)
	return file == "-" || err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// Answer explains the difference of two results.
func (q *Question) Answer(ctx context.Context, a, b Place) (*explain.Explanation, error) {
	var results, inputs []explain.Array
	left := math.MaxInt // values that fit into memory
	if q.Memory > 0 {
		left = int(q.Memory / bytesEach)
	}
	for _, p := range []Place{a, b} {
		r, err := readUpTo(ctx, p, q.Options, left)
		if err != nil {
			return nil, err
		}
		left -= len(r.Values)
		results = append(results, r)
	}
	places, err := q.places()
	if err != nil {
		return nil, err
	}
	for _, p := range places {
		x, err := readUpTo(ctx, p, q.Options, left)
		if err != nil {
			return nil, err
		}
		left -= len(x.Values)
		inputs = append(inputs, x)
	}
	x, err := q.cause(ctx, inputs, results)
	if err == nil && !x.Explained && q.isShort(a, results[0]) && q.isShort(b, results[1]) {
		x.Reason += "; the texts have the digits of float32 numbers: if they are, add --dtype f32"
	}
	return x, err
}

// cause explains the difference of two results of the inputs.
func (q *Question) cause(
	ctx context.Context, inputs, results []explain.Array,
) (*explain.Explanation, error) {
	opt := explain.Options{Progress: q.Progress}
	var p *explain.Problem
	var err error
	switch op := explain.Op(q.Op); op {
	case explain.Sum, explain.Mean:
		if q.Axis, err = axisOf(inputs[0], q.Axis); err != nil {
			return nil, err
		}
		p, err = explain.NewSum(op, inputs[0], q.Axis)
	case explain.Dot, explain.MatMul:
		p, err = explain.NewProduct(op, inputs[0], inputs[1])
	default:
		return q.function(ctx, inputs, results)
	}
	if err != nil {
		return nil, err
	}
	opt.Trees = q.trees(p, inputs, results)
	return explain.Explain(ctx, p, results[0], results[1], opt)
}

// isShort reports whether a text has no dtype, and its values are decimals of
// float32 numbers: for each number the shortest that rounds to it.
func (q *Question) isShort(p Place, r explain.Array) bool {
	if q.Options.DType != "" || !q.Options.IsText(p.File) {
		return false
	}
	return !slices.ContainsFunc(r.Values, func(v float64) bool {
		digits := strconv.FormatFloat(float64(float32(v)), 'g', -1, 32)
		short, err := strconv.ParseFloat(digits, 64)
		return err != nil || short != v && v == v
	})
}

// AllAxes is the axis of a sum over all elements, or of one that is not known.
const AllAxes = math.MinInt

// axisOf returns an axis of x as explain.NewSum takes it: from 0, or −1 for all
// elements. A negative one counts from the last, as in NumPy.
func axisOf(x explain.Array, axis int) (int, error) {
	switch from := axis + len(x.Shape); {
	case axis == AllAxes:
		return -1, nil
	case axis >= 0:
		return axis, nil
	case from >= 0:
		return from, nil
	}
	return 0, &explain.Error{
		Cause: fmt.Sprintf("the input has %d dimensions, and none with the number %d",
			len(x.Shape), axis),
		Cure: "count the axes from 0, or from -1 for the last one",
	}
}
