// Package dataset reads numbers as users have them on disk.
//
// Open reads columns of .npy, .npz, CSV, TSV, parquet and raw files as a stream, in
// memory that does not grow with the file: see Reader. Every number is what is stored:
// floats of 16 and 32 bits are float64 numbers, and an integer that is none is given as
// the sum of two. Text is another matter: a cell is the float64 nearest to the decimal
// that it holds. What cannot be read is an Error that names the file, the line or row,
// and the column.
//
// ReadNPY reads a whole array of floats.
package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/lastbit/lastbit/fp"
)

// Array is an array of values of one format, the last index running fastest.
type Array struct {
	Format fp.Format
	Shape  []int
	Values []float64
}

// ReadNPY reads a file that numpy.save wrote: binary64, binary32 or binary16, of
// either byte order, in C or Fortran order (the latter up to two dimensions).
// Every value is kept as it is, NaN and −0 too. The error says what is wrong
// with the file; it is no panic, whatever the file holds. Cost: one pass, eight
// bytes of memory a value.
func ReadNPY(name string) (Array, error) {
	f, err := os.Open(name)
	if err != nil {
		return Array{}, err
	}
	defer f.Close()
	return DecodeNPY(f)
}

// DecodeNPY is ReadNPY for a reader. What follows the array is not read.
func DecodeNPY(r io.Reader) (a Array, err error) {
	b := bufio.NewReader(r)
	h, err := readHeader(b)
	if err != nil {
		return a, err
	}
	order, format, err := parseType(h.descr)
	if err != nil {
		return a, err
	}
	n, err := size(h.shape)
	if err != nil {
		return a, err
	}
	a = Array{Format: format, Shape: h.shape}
	if a.Values, err = values(b, order, format, n); err != nil {
		return Array{}, err
	}
	if h.fortran && len(a.Shape) > 1 {
		if len(a.Shape) > 2 {
			return Array{}, fmt.Errorf("%d dimensions in Fortran order; two is the most", len(a.Shape))
		}
		a.Values = transposed(a.Values, a.Shape[0], a.Shape[1])
	}
	return a, nil
}

// parseType reads a NumPy type string, as "<f4".
func parseType(s string) (binary.ByteOrder, fp.Format, error) {
	formats := map[string]fp.Format{"f8": fp.Binary64, "f4": fp.Binary32, "f2": fp.Binary16}
	format := formats[strings.TrimLeft(s, "<>=|")]
	if format == 0 {
		return nil, 0, fmt.Errorf("values of type %q are none of float64, float32 and float16", s)
	}
	switch s[0] {
	case '>':
		return binary.BigEndian, format, nil
	case '<':
		return binary.LittleEndian, format, nil
	}
	return nil, 0, fmt.Errorf("the type %q does not tell the byte order", s)
}

// size is the number of values of a shape.
func size(shape []int) (int, error) {
	n := 1
	for _, d := range shape {
		if d > 0 && n > math.MaxInt32/d {
			return 0, fmt.Errorf("the shape %s is too large", shapeText(shape))
		}
		n *= d
	}
	return n, nil
}

// values reads n encoded values. Memory grows with what is there, not with what
// the header promises.
func values(r io.Reader, order binary.ByteOrder, f fp.Format, n int) ([]float64, error) {
	const chunk = 1 << 16
	buf := make([]byte, chunk*f.Bytes())
	var x []float64
	for len(x) < n {
		part := buf[:min(chunk, n-len(x))*f.Bytes()]
		if _, err := io.ReadFull(r, part); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = fmt.Errorf("the file ends before its %d values do", n)
			}
			return nil, err
		}
		for ; len(part) > 0; part = part[f.Bytes():] {
			x = append(x, f.FromBits(word(order, part[:f.Bytes()])))
		}
	}
	return x, nil
}

// word reads an unsigned integer of 2, 4 or 8 bytes.
func word(order binary.ByteOrder, b []byte) uint64 {
	switch len(b) {
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}

// transposed brings columns of a matrix into the order of rows.
func transposed(x []float64, rows, cols int) []float64 {
	out := make([]float64, len(x))
	for c := range cols {
		for r := range rows {
			out[r*cols+c] = x[c*rows+r]
		}
	}
	return out
}
