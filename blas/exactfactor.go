package blas

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/blas/internal/residue"
	"github.com/lastbit/lastbit/internal/kernel"
)

// factor is the left factor of a product, or the transposed right one: its rows
// are the rows of A, or the columns of B.
type factor struct {
	n, depth  int
	whole     matrix[float64] // row i begins at offset + i·row
	high, low []float64       // the halves of the rows; nil for one product
	weights   []weights
}

// weights are the weights of a row's halves and of the whole row. A row that
// does not take part has infinite ones.
type weights struct{ high, low, whole float64 }

// row returns elements of row i.
func (f *factor) row(i, from, to int) []float64 {
	at := f.whole.offset + i*f.whole.row
	return f.whole.data[at+from : at+to]
}

// rows returns all rows.
func (f *factor) rows() residue.Rows {
	return residue.Rows{Data: f.whole.data, Offset: f.whole.offset, Stride: f.whole.row, N: f.n,
		Depth: f.depth}
}

// leftFactor returns the n rows of a matrix, each with the parts of depth
// elements. With own it copies them.
func leftFactor[T number, F float32 | float64](
	k *exactKit[T, F], n, depth int, a matrix[T], own bool,
) *factor {
	if v, ok := any(a).(matrix[float64]); ok && a.col == 1 && !own {
		return &factor{n: n, depth: depth, whole: v, weights: make([]weights, n)}
	}
	f := emptyFactor(n, depth*k.parts)
	if v, ok := any(a).(matrix[float64]); ok && n > 0 && depth > 0 {
		kernels := kernel.NewChain[float64](k.setting.Best())
		k.parallel(n, depth, func(i, end int) {
			kernels.Pack(kernel.Operand[float64]{At: f.whole.at(i, 0), Row: f.whole.row, Col: 1},
				kernel.Operand[float64]{At: v.at(i, 0), Row: v.row, Col: v.col}, end-i, depth, 1)
		})
		return f
	}
	src, sign := partsOf[F](a.data), 1.0
	if a.conj {
		sign = -1
	}
	k.parallel(n, f.depth, func(i, end int) {
		copyRows(depth, i, end, func(r, p int) {
			at := (a.offset + r*a.row + p*a.col) * k.parts
			dst := f.whole.data[r*f.depth+p*k.parts:]
			dst[0] = float64(src[at])
			if k.parts > 1 {
				dst[1] = sign * float64(src[at+1])
			}
		})
	})
	return f
}

// rightFactor returns the n columns of a matrix of depth elements as rows. A
// column of complex numbers becomes two rows: the two vectors of its [operand].
func rightFactor[T number, F float32 | float64](
	k *exactKit[T, F], n, depth int, b matrix[T], own bool,
) *factor {
	if k.parts == 1 {
		return leftFactor(k, n, depth, b.transposed(), own)
	}
	f := emptyFactor(2*n, 2*depth)
	src, sign := partsOf[F](b.data), 1.0
	if b.conj {
		sign = -1
	}
	k.parallel(n, 2*f.depth, func(j, end int) {
		copyRows(depth, j, end, func(j, p int) {
			at := 2 * (b.offset + p*b.row + j*b.col)
			re, im := float64(src[at]), sign*float64(src[at+1])
			dst := f.whole.data[2*j*f.depth+2*p:]
			dst[0], dst[1] = re, -im
			dst[f.depth], dst[f.depth+1] = im, re
		})
	})
	return f
}

// emptyFactor returns n rows of zeros.
func emptyFactor(n, depth int) *factor {
	whole := matrix[float64]{data: make([]float64, n*depth), row: depth, col: 1}
	return &factor{n: n, depth: depth, whole: whole, weights: make([]weights, n)}
}

// copyRows calls set for the elements of the rows from i to end, a few rows at
// a time, since rows of a transposed matrix share cache lines.
func copyRows(depth, i, end int, set func(r, p int)) {
	const block = 8
	for ; i < end; i += block {
		for p := range depth {
			for r := i; r < min(i+block, end); r++ {
				set(r, p)
			}
		}
	}
}

// prepare splits the rows, for products with two halves, and weighs them.
func (f *factor) prepare(run func(n, work int, do func(i, end int)), halves bool) {
	if halves {
		f.high, f.low = make([]float64, f.n*f.depth), make([]float64, f.n*f.depth)
	}
	run(f.n, f.depth, func(i, end int) {
		for ; i < end; i++ {
			f.prepareRow(i, halves)
		}
	})
}

// maxExponent bounds the exponents of rows that are split: no weight
// overflows, and no product of two high halves underflows.
const maxExponent = 400

func (f *factor) prepareRow(i int, halves bool) {
	row := f.row(i, 0, f.depth)
	largest := 0.0
	for _, v := range row {
		if a := math.Abs(v); a > largest || a != a {
			largest = a
		}
	}
	if largest == 0 {
		return
	}
	exponent := math.Ilogb(largest) + 1
	if !(math.Abs(float64(exponent)) <= maxExponent) {
		f.weights[i] = weights{math.Inf(1), math.Inf(1), math.Inf(1)}
		return
	}
	if !halves {
		f.weights[i].whole = weigh(row)
		return
	}
	// Multiples of 2^(exponent − width) of at most width bits: depth products
	// of two are at most 2^53 units.
	width := (53 - bits.Len(uint(f.depth-1))) / 2
	shift := math.Ldexp(1.5, exponent-width+52)
	high := f.high[i*f.depth : (i+1)*f.depth]
	low := f.low[i*f.depth : (i+1)*f.depth]
	for p, v := range row {
		h := (v + shift) - shift
		high[p], low[p] = h, v-h
	}
	f.weights[i] = weights{weigh(high), weigh(low), weigh(row)}
}

// weigh returns a bound of the weight of a row: the root of the sum of (depth −
// p)·x[p]².
func weigh(x []float64) float64 {
	var sums [4]float64
	isZero := true
	left := float64(len(x))
	for len(x) >= 4 {
		for l := range 4 {
			v := x[l]
			sums[l] += float64(float64(v*v) * left)
			isZero = isZero && v == 0
		}
		x, left = x[4:], left-4
	}
	for _, v := range x {
		sums[0] += float64(float64(v*v) * left)
		isZero = isZero && v == 0
	}
	if isZero {
		return 0
	}
	// Squares that underflow are below 2^-1074 each.
	return float64(math.Sqrt(sums[0]+sums[1]+sums[2]+sums[3])*(1+0x1p-20)) + 0x1p-500
}

// slice returns the columns from one to another.
func (f *factor) slice(from, to int) *factor {
	return &factor{
		n: f.n, depth: to - from, whole: f.whole.from(0, from), weights: make([]weights, f.n),
	}
}

// lowerFactor returns the rows of a lower triangle, with zeros beside it.
func lowerFactor[T number, F float32 | float64](
	k *exactKit[T, F], unit bool, n int, l matrix[T],
) *factor {
	f := emptyFactor(n, n*k.parts)
	for i := range n {
		row := f.row(i, 0, f.depth)
		for p := range i + 1 {
			v := [1]T{*l.at(i, p)}
			if l.conj {
				v[0] = k.conj(v[0])
			}
			if unit && p == i {
				v[0] = 1
			}
			for part, x := range partsOf[F](v[:]) {
				row[p*k.parts+part] = float64(x)
			}
		}
	}
	return f
}
