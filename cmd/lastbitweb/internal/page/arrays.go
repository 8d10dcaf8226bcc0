package page

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/explain"
)

// A Comparison is how two arrays differ, and why.
type Comparison struct {
	*explain.Differences
	Explanation *explain.Explanation `json:"explanation"` // null without inputs
}

// Compare compares two arrays, the contents of .npy files. With an operation
// (sum, mean or matmul) and its inputs, x or the factors x and y, it looks for
// the cause. Sums and means are over all elements, or the axis that fits.
func Compare(a, b []byte, op string, x, y []byte) (*Comparison, error) {
	first, err := array("A", a)
	if err != nil {
		return nil, err
	}
	second, err := array("B", b)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(first.Shape, second.Shape) {
		return nil, fmt.Errorf("the arrays have the shapes %v and %v", first.Shape, second.Shape)
	}
	if first.Format != second.Format {
		return nil, fmt.Errorf("the arrays are of %v and %v", first.Format, second.Format)
	}
	c := explain.NewCounter(first.Format, first.Shape, false)
	c.Add(first.Values, second.Values)
	found := &Comparison{Differences: c.Differences()}
	if op == "" || found.Differing == 0 {
		return found, nil
	}
	problems, err := problems(op, x, y)
	if err != nil {
		return nil, err
	}
	fits := func(p *explain.Problem) bool { return p.Fits(first.Shape) }
	if !slices.ContainsFunc(problems, fits) {
		return nil, fmt.Errorf("no %s of these inputs has the shape %v of the arrays", op,
			first.Shape)
	}
	for _, p := range problems {
		if !fits(p) || found.Explanation != nil && found.Explanation.Explained {
			continue
		}
		found.Explanation, err = explain.Explain(context.Background(), p, explain.Array(first),
			explain.Array(second), explain.Options{})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// array reads a .npy file.
func array(name string, content []byte) (dataset.Array, error) {
	x, err := dataset.DecodeNPY(bytes.NewReader(content))
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return x, err
}

// problems returns the operation on the inputs in .npy files: of sums and means
// over all elements, and over each axis.
func problems(op string, x, y []byte) ([]*explain.Problem, error) {
	first, err := array("the first input", x)
	if err != nil {
		return nil, err
	}
	switch explain.Op(op) {
	case explain.Sum, explain.Mean:
		var all []*explain.Problem
		for axis := -1; axis < len(first.Shape); axis++ {
			p, err := explain.NewSum(explain.Op(op), explain.Array(first), axis)
			if err != nil {
				return nil, err
			}
			all = append(all, p)
		}
		return all, nil
	case explain.MatMul:
		second, err := array("the second input", y)
		if err != nil {
			return nil, err
		}
		p, err := explain.NewProduct(explain.MatMul, explain.Array(first), explain.Array(second))
		return []*explain.Problem{p}, err
	}
	return nil, fmt.Errorf("%s: the operations are sum, mean and matmul", op)
}
