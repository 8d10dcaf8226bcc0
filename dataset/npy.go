package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/lastbit/lastbit/fp"
)

// An Array is an array of values of one format, the last index running fastest.
type Array struct {
	Format fp.Format
	Shape  []int
	Values []float64
}

// ReadNPY reads a file that numpy.save wrote: binary64, binary32 or binary16,
// of either byte order, in C or Fortran order (the latter up to two
// dimensions). Every value is kept, NaN and −0 too. The error names the fault
// in the file; no content makes ReadNPY panic. Cost: one pass, eight bytes of
// memory for each value.
func ReadNPY(name string) (Array, error) {
	f, err := os.Open(name)
	if err != nil {
		return Array{}, err
	}
	defer f.Close()
	return DecodeNPY(f)
}

// DecodeNPY is ReadNPY for a reader. It reads no further than the array.
func DecodeNPY(r io.Reader) (Array, error) {
	b := bufio.NewReader(r)
	h, err := readHeader(b)
	if err != nil {
		return Array{}, err
	}
	if h.fields != nil {
		return Array{}, errors.New("its values are records of several fields")
	}
	enc, err := numpyEncoding(h.descr)
	switch {
	case enc.bytes == 0 || enc.class != float:
		return Array{}, fmt.Errorf("values of type %q are none of float64, float32 and float16",
			h.descr)
	case err != nil:
		return Array{}, err
	}
	n, err := h.count(math.MaxInt32)
	if err != nil {
		return Array{}, err
	}
	a := Array{Format: enc.format(), Shape: h.shape}
	if a.Values, err = decodeAll(b, enc, int(n)); err != nil {
		return Array{}, err
	}
	if h.fortran && len(a.Shape) > 1 {
		if len(a.Shape) > 2 {
			return Array{}, fmt.Errorf("%d dimensions in Fortran order; two is the most",
				len(a.Shape))
		}
		a.Values = transposed(a.Values, a.Shape[0], a.Shape[1])
	}
	return a, nil
}

// decodeAll reads n floats. Memory grows with the data read, not with n.
func decodeAll(r io.Reader, enc encoding, n int) ([]float64, error) {
	const chunk = 1 << 16
	var c Column
	buf := make([]byte, min(chunk, n)*enc.bytes)
	for len(c.Values) < n {
		at := len(c.Values)
		part := buf[:min(chunk, n-at)*enc.bytes]
		if _, err := io.ReadFull(r, part); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = fmt.Errorf("the file ends before its %d values do", n)
			}
			return nil, err
		}
		c.Values = append(c.Values, make([]float64, len(part)/enc.bytes)...)
		enc.decode(&c, at, part, enc.bytes)
	}
	return c.Values, nil
}

// transposed brings the columns of a matrix into the order of rows.
func transposed(x []float64, rows, cols int) []float64 {
	out := make([]float64, len(x))
	for c := range cols {
		for r := range rows {
			out[r*cols+c] = x[c*rows+r]
		}
	}
	return out
}
