package explainfiles

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/sums"
	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
)

// A Place is an array in a file.
type Place struct {
	File  string
	Array string // of an archive, or a column of several, "" otherwise

	bare bool // no column that is named is one of the file
}

// String returns the file, and the array.
func (p Place) String() string {
	if p.Array == "" {
		return p.File
	}
	return p.File + ":" + p.Array
}

// options returns the options that read one array.
func (p Place) options(o dataset.Options) dataset.Options {
	if p.Array != "" {
		if isArchive(p.File, o) {
			o.Format = "npz"
		}
		o.Columns = []string{p.Array}
	} else if p.bare {
		o.Columns = nil
	}
	return o
}

// fault makes a fault of an error about a file. Explain leaves no values out.
func fault(err error) error {
	err = sums.DataFault(err)
	if f, ok := err.(*probe.Fault); ok {
		f.Cure = strings.TrimSuffix(f.Cure, ", or add --skip-empty")
	}
	return err
}

// stream is an open array of floats.
type stream struct {
	*dataset.Reader
	format  fp.Format
	round   bool // values of a text become the format
	shape   []int
	fortran bool
}

// open opens an array of floats.
func (p Place) open(o dataset.Options) (*stream, error) {
	o = p.options(o)
	if len(o.Columns) > 1 {
		return nil, &probe.Fault{ID: "bad-data", Thing: p.String(),
			Cause: "several columns are named, for a file of a folder or for an input",
			Cure:  "name one column, or compare two files"}
	}
	text := o.IsText(p.File)
	dtype := o.DType
	r, err := dataset.Open(p.File, o)
	if err != nil {
		return nil, fault(err)
	}
	s := &stream{Reader: r, format: r.FloatFormat()}
	s.shape, s.fortran = r.Shape()
	if text && dtype != "" {
		if s.format, err = fp.Parse(dtype); err != nil {
			s.format = 0
		}
		s.round = s.format != fp.Binary64
	}
	if s.format == 0 {
		r.Close()
		return nil, &probe.Fault{ID: "bad-data", Thing: p.String(),
			Cause: "its values are not floating-point numbers, which alone have ULPs",
			Cure:  "give floats of 16, 32 or 64 bits: x.astype(…)"}
	}
	return s, nil
}

// narrow rounds the values of a text.
func (s *stream) narrow(v []float64) {
	if s.round {
		for i, x := range v {
			v[i] = s.format.Round(x, fp.NearestEven)
		}
	}
}

// Read reads a whole array into memory.
func Read(ctx context.Context, p Place, o dataset.Options) (explain.Array, error) {
	return readUpTo(ctx, p, o, math.MaxInt)
}

// readUpTo reads a whole array of at most some number of values. Where the file
// has its shape in front, it refuses a larger one before it reads.
func readUpTo(
	ctx context.Context, p Place, o dataset.Options, most int,
) (explain.Array, error) {
	s, err := p.open(o)
	if err != nil {
		return explain.Array{}, err
	}
	defer s.Close()
	a := explain.Array{Format: s.format, Shape: s.shape}
	if a.Shape != nil {
		n := 1
		for _, k := range a.Shape {
			n *= k
		}
		if n > most {
			return a, tooLarge(p)
		}
		a.Values = make([]float64, 0, n)
	}
	var b dataset.Block
	for {
		err := s.Next(&b)
		if err == io.EOF {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return a, fault(err)
		}
		if len(a.Values)+len(b.Columns[0].Values) > most {
			return a, tooLarge(p)
		}
		s.narrow(b.Columns[0].Values)
		a.Values = append(a.Values, b.Columns[0].Values...)
	}
	if a.Shape == nil {
		a.Shape = []int{len(a.Values)}
	}
	if s.fortran {
		a.Values = byRows(a.Values, a.Shape)
	}
	return a, nil
}

// tooLarge returns the fault of an array that memory cannot hold.
func tooLarge(p Place) error {
	return &probe.Fault{ID: "bad-data", Thing: p.String(),
		Cause: "to find a cause, results and inputs have to fit into memory, and they do not",
		Cure:  "leave --op out, or give the same rows or columns of all of them"}
}

// byRows brings the values of an array whose first index runs fastest into the
// order of the last.
func byRows(v []float64, shape []int) []float64 {
	out := make([]float64, len(v))
	index := make([]int, len(shape))
	for _, x := range v {
		at := 0
		for k, i := range index {
			at = at*shape[k] + i
		}
		out[at] = x
		for k := range index {
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
	}
	return out
}

// Compare counts the differences of two arrays, in memory that does not grow
// with their length unless they are stored in different orders.
func Compare(
	ctx context.Context, a, b Place, o dataset.Options,
	progress func(step string, done, total int),
) (*explain.Differences, error) {
	left, err := a.open(o)
	if err != nil {
		return nil, err
	}
	right, err := b.open(o)
	if err != nil {
		left.Close()
		return nil, err
	}
	if left.format != right.format {
		left.Close()
		right.Close()
		return nil, &probe.Fault{ID: "bad-data", Thing: b.String(),
			Cause: fmt.Sprintf("its values are %s, and those of %s are %s", right.format, a,
				left.format),
			Cure: "compare results of one format"}
	}
	if left.fortran != right.fortran && slices.Equal(left.shape, right.shape) {
		left.Close()
		right.Close()
		return compareWhole(ctx, a, b, o)
	}
	both, err := dataset.Pair(left.Reader, right.Reader)
	if err != nil {
		return nil, fault(err)
	}
	defer both.Close()
	c := explain.NewCounter(left.format, left.shape, left.fortran)
	var block dataset.Block
	for {
		err := both.Next(&block)
		if err == io.EOF {
			return c.Differences(), nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fault(err)
		}
		x, y := block.Columns[0].Values, block.Columns[1].Values
		left.narrow(x)
		right.narrow(y)
		c.Add(x, y)
		if done, total := both.Progress(); progress != nil && total > 0 {
			const percent = 100
			progress("comparing "+a.String()+", %", int(percent*done/total), percent)
		}
	}
}

// compareWhole is Compare in memory.
func compareWhole(
	ctx context.Context, a, b Place, o dataset.Options,
) (*explain.Differences, error) {
	x, err := Read(ctx, a, o)
	if err != nil {
		return nil, err
	}
	y, err := Read(ctx, b, o)
	if err != nil {
		return nil, err
	}
	c := explain.NewCounter(x.Format, x.Shape, false)
	c.Add(x.Values, y.Values)
	return c.Differences(), nil
}
