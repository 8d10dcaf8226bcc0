package explain

import (
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// Op is an operation whose results are explained.
type Op string

// The operations with an order. All others are elementary functions.
const (
	Sum    Op = "sum"
	Mean   Op = "mean"
	Dot    Op = "dot"
	MatMul Op = "matmul"
)

// Array is an array of values of one format, the last index running fastest.
type Array struct {
	Format fp.Format
	Shape  []int
	Values []float64
}

// Problem is an operation on inputs: each element of the result is a sum, or a
// sum of products, of N summands.
type Problem struct {
	Op    Op
	In    fp.Format // of the inputs
	N     int       // summands of an element
	Shape []int     // of the result

	x    []float64 // rows of N summands or first factors
	y    []float64 // rows of N second factors, nil for sums
	cols int       // of the result as a matrix; element e takes row e%cols of y
}

// An Error is a fault in the shapes or formats of the inputs.
type Error struct{ Cause, Cure string }

// Error returns the cause and the cure.
func (e *Error) Error() string { return "explain: " + e.Cause + "; " + e.Cure }

// NewSum returns the sum, or the mean, of the elements of x: of all of them
// with axis −1, and otherwise over one axis.
func NewSum(op Op, x Array, axis int) (*Problem, error) {
	p := &Problem{Op: op, In: x.Format, cols: 1}
	if axis < 0 {
		p.N, p.x, p.Shape = len(x.Values), x.Values, []int{}
		return p, p.check()
	}
	if axis >= len(x.Shape) {
		return nil, &Error{
			Cause: fmt.Sprintf("the input has %d dimensions, and none with the number %d",
				len(x.Shape), axis),
			Cure: "count the axes from 0",
		}
	}
	p.N = x.Shape[axis]
	p.Shape = slices.Delete(slices.Clone(x.Shape), axis, axis+1)
	inner := product(x.Shape[axis+1:])
	p.x = x.Values
	if inner > 1 {
		if axis > 0 { // libraries add one matrix after the other
			p.cols = inner
		}
		p.x = make([]float64, len(x.Values))
		for i, v := range x.Values {
			outer, k, j := i/(inner*p.N), i/inner%p.N, i%inner
			p.x[(outer*inner+j)*p.N+k] = v
		}
	}
	return p, p.check()
}

// NewProduct returns the product of two matrices, of a matrix and a vector, or
// of two vectors, as NumPy's matmul defines them.
func NewProduct(op Op, a, b Array) (*Problem, error) {
	bad := &Error{
		Cause: fmt.Sprintf("matrices of the shapes %v and %v have no product", a.Shape, b.Shape),
		Cure:  "give vectors or matrices, the first with as many columns as the second has rows",
	}
	switch {
	case a.Format != b.Format:
		return nil, &Error{
			Cause: fmt.Sprintf("the factors are %s and %s", a.Format, b.Format),
			Cure:  "give both in the format that the operation takes",
		}
	case len(a.Shape) < 1 || len(a.Shape) > 2 || len(b.Shape) < 1 || len(b.Shape) > 2,
		a.Shape[len(a.Shape)-1] != b.Shape[0],
		op == Dot && (len(a.Shape) > 1 || len(b.Shape) > 1):
		return nil, bad
	}
	p := &Problem{Op: op, In: a.Format, N: b.Shape[0], x: a.Values, y: b.Values, cols: 1,
		Shape: []int{}}
	if len(a.Shape) == 2 {
		p.Shape = append(p.Shape, a.Shape[0])
	}
	if len(b.Shape) == 2 {
		p.cols = b.Shape[1]
		p.Shape = append(p.Shape, p.cols)
		p.y = make([]float64, len(b.Values))
		for i, v := range b.Values {
			p.y[i%p.cols*p.N+i/p.cols] = v
		}
	}
	return p, p.check()
}

func (p *Problem) check() error {
	if p.N < 1 {
		return &Error{Cause: "the elements are sums of no summands", Cure: "give inputs"}
	}
	return nil
}

// products reports whether the summands are products.
func (p *Problem) products() bool { return p.y != nil }

// Elements returns the number of elements of the result.
func (p *Problem) Elements() int { return product(p.Shape) }

// row returns the row of x that an element takes: its own, or the one of its
// row in a product.
func (p *Problem) row(e int) int {
	if p.products() {
		return e / p.cols
	}
	return e
}

// Element returns the summands of an element, or its factors.
func (p *Problem) Element(e int) (x, y []float64) {
	r := p.row(e)
	x = p.x[r*p.N : (r+1)*p.N]
	if p.y != nil {
		c := e % p.cols
		y = p.y[c*p.N : (c+1)*p.N]
	}
	return x, y
}

// Fits reports whether a result has the shape of the problem's, dimensions of 1
// aside.
func (p *Problem) Fits(shape []int) bool {
	return slices.Equal(squeezed(p.Shape), squeezed(shape))
}

func squeezed(shape []int) []int {
	return slices.DeleteFunc(slices.Clone(shape), func(n int) bool { return n == 1 })
}

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// range of magnitudes of values that are not zero; 0, 0 where there are none.
func magnitudes(v []float64) (least, largest float64) {
	least = math.Inf(1)
	for _, x := range v {
		if m := math.Abs(x); m > 0 && m <= math.MaxFloat64 {
			least, largest = min(least, m), max(largest, m)
		}
	}
	if largest == 0 {
		return 0, 0
	}
	return least, largest
}

// mayUnderflow reports whether a product, a sum or a partial sum may be
// subnormal in a format: where every summand is a multiple of a normal number's
// last place, no sum is.
func (p *Problem) mayUnderflow(f fp.Format) bool {
	bound := math.Ldexp(f.MinNormal(), f.Precision())
	least, _ := magnitudes(p.x)
	if p.products() {
		other, _ := magnitudes(p.y)
		return least > 0 && other > 0 && (least < bound || other < bound || least*other < bound)
	}
	return least > 0 && least < bound
}
