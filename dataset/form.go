package dataset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A form is the arrangement of the rows of a file. Rows of two files belong
// together only if the forms match: values are read in the order they are
// stored in, and the place of an array's value in that depends on shape and
// order.
type form struct {
	rows    int64 // −1 if unknown before the end
	shape   []int // of an array whose values are the rows; nil without one
	fortran bool  // the first index runs fastest
}

// form returns the form of all values of an array.
func (h *npyHead) form() form {
	return form{rows: h.values, shape: h.shape, fortran: h.fortran}
}

// match returns an error if the rows do not belong to the rows of another file
// or column, of form o.
func (f form) match(o form, name string) error {
	switch {
	case f.shape != nil && o.shape != nil && len(f.shape)+len(o.shape) > 2 &&
		!slices.Equal(f.shape, o.shape):
		cure := "bring both into one shape, with numpy.reshape or numpy.transpose"
		if f.rows != o.rows {
			cure = "they have different numbers of elements; give two arrays of one shape"
		}
		return &Error{
			Cause: fmt.Sprintf("its shape is %s, and that of %s is %s", shapeText(f.shape), name,
				shapeText(o.shape)),
			Cure: cure,
		}
	case f.rows >= 0 && o.rows >= 0 && f.rows != o.rows:
		return &Error{
			Cause: fmt.Sprintf("it has %d rows, and %s has %d", f.rows, name, o.rows),
			Cure:  "give columns of as many rows",
		}
	case !f.isFlat() && !o.isFlat() && f.fortran != o.fortran:
		return &Error{
			Cause: fmt.Sprintf("its values are stored in %s order, and those of %s in %s order",
				f.order(), name, o.order()),
			Cure: "write both in one order, with numpy.ascontiguousarray",
		}
	case !f.isFlat() && o.shape == nil:
		return &Error{
			Cause: fmt.Sprintf("its shape is %s, and the rows of %s have none", shapeText(f.shape),
				name),
			Cure: "write it as a vector: x.ravel()",
		}
	case f.shape == nil && !o.isFlat():
		return &Error{
			Cause: fmt.Sprintf("its rows have no shape, and that of %s is %s", name,
				shapeText(o.shape)),
			Cure: "write that as a vector: x.ravel()",
		}
	}
	return nil
}

// isFlat reports whether rows have only one order.
func (f form) isFlat() bool {
	long := 0
	for _, n := range f.shape {
		if n > 1 {
			long++
		}
	}
	return long < 2
}

func (f form) order() string {
	if f.fortran {
		return "Fortran"
	}
	return "C"
}

// shapeText returns a shape as Python prints it.
func shapeText(shape []int) string {
	s := make([]string, len(shape))
	for i, n := range shape {
		s[i] = strconv.Itoa(n)
	}
	if len(s) == 1 {
		return "(" + s[0] + ",)"
	}
	return "(" + strings.Join(s, ", ") + ")"
}
