package trees

import (
	"unsafe"

	"github.com/lastbit/lastbit/cmd/liblastbit/internal/array"
	"github.com/lastbit/lastbit/ordered"
)

// Op is an operation on each row. The numbers are in liblastbit.h.
type Op int32

// The operations. Sums store one number for a row, others a row.
const (
	Sum             Op = iota + 1 // Σ x
	Dot                           // Σ x⊗y
	Squares                       // Σ x⊗x
	Mean                          // Σ x ⊘ n
	Softmax                       // of x
	SafeSoftmax                   // the same, 0 for rows of −∞
	LogSoftmax                    // of x
	SoftmaxSlope                  // x is the gradient, and y the result
	LogSoftmaxSlope               // the same
	LayerNorm                     // of x; stores means and reciprocal deviations too
	LayerNormSlope                // x is the gradient, and y the argument
)

// Rows are rows of N elements, each in one piece behind the row before it.
type Rows struct {
	Op           Op
	Format       array.Format // Float32 or Float64
	Rows, N      int
	X, Y         unsafe.Pointer // Y of operations with two arguments
	Weight, Bias unsafe.Pointer // N elements each, or nil
	Out          unsafe.Pointer
	Means, Scale unsafe.Pointer // one for each row
	Epsilon      float64
}

// Run stores the results.
func (r *Rows) Run() error {
	switch r.Format {
	case array.Float32:
		return runRows[float32](r)
	case array.Float64:
		return runRows[float64](r)
	}
	return ErrUnknown
}

// rowWork is Rows with its elements.
type rowWork[T number] struct {
	functions[T]
	n                       int
	x, y, weight, bias, out []T
	means, scale            []T
	epsilon                 T
	scratch                 [][]T // two rows for each goroutine
}

// minRows is the number of elements that a goroutine takes at a time, at least.
const minRows = 1 << 13

func runRows[T number](r *Rows) error {
	if r.Rows == 0 {
		return nil
	}
	w := rowWork[T]{functions: functionsOf[T](), n: r.N, epsilon: T(r.Epsilon)}
	row := w.operation(r.Op)
	if row == nil {
		return ErrUnknown
	}
	all := r.Rows * r.N
	w.x, w.y = elements[T](r.X, all), elementsOrNil[T](r.Y, all)
	w.weight, w.bias = elementsOrNil[T](r.Weight, r.N), elementsOrNil[T](r.Bias, r.N)
	w.means, w.scale = elementsOrNil[T](r.Means, r.Rows), elementsOrNil[T](r.Scale, r.Rows)
	w.out = elements[T](r.Out, r.Op.results(r.Rows, r.N))
	group := max(1, minRows/max(1, r.N))
	parts := (r.Rows + group - 1) / group
	n := workers(parts, all)
	w.scratch = make([][]T, n)
	share(n, parts, func(worker, part int) {
		for i := part * group; i < min((part+1)*group, r.Rows); i++ {
			row(worker, i)
		}
	})
	return nil
}

// elementsOrNil returns n elements, or nil for a nil pointer.
func elementsOrNil[T number](at unsafe.Pointer, n int) []T {
	if at == nil {
		return nil
	}
	return elements[T](at, n)
}

// results returns the number of results.
func (op Op) results(rows, n int) int {
	if op <= Mean {
		return rows
	}
	return rows * n
}

// operation returns the function for row i, or nil.
func (w *rowWork[T]) operation(op Op) func(worker, i int) {
	switch op {
	case Sum:
		return func(_, i int) { w.out[i] = ordered.Sum(w.row(w.x, i)) }
	case Dot:
		return func(_, i int) { w.out[i] = ordered.Dot(w.row(w.x, i), w.row(w.y, i)) }
	case Squares:
		return func(_, i int) { w.out[i] = ordered.Dot(w.row(w.x, i), w.row(w.x, i)) }
	case Mean:
		return func(_, i int) { w.out[i] = ordered.Sum(w.row(w.x, i)) / T(w.n) }
	case Softmax, SafeSoftmax:
		return func(_, i int) {
			w.softmax(w.row(w.out, i), w.row(w.x, i), op == SafeSoftmax)
		}
	case LogSoftmax:
		return func(_, i int) { w.logSoftmax(w.row(w.out, i), w.row(w.x, i)) }
	case SoftmaxSlope:
		return func(_, i int) { softmaxSlope(w.row(w.out, i), w.row(w.x, i), w.row(w.y, i)) }
	case LogSoftmaxSlope:
		return func(_, i int) { w.logSoftmaxSlope(w.row(w.out, i), w.row(w.x, i), w.row(w.y, i)) }
	case LayerNorm:
		return func(_, i int) { w.layerNorm(i) }
	case LayerNormSlope:
		return w.layerNormSlope
	}
	return nil
}

// row returns row i.
func (w *rowWork[T]) row(of []T, i int) []T { return of[i*w.n : (i+1)*w.n : (i+1)*w.n] }
