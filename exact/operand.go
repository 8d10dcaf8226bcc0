package exact

import (
	"math"

	"github.com/lastbit/lastbit/internal/kernel"
)

// op selects the summands that the elements of one or two slices make.
type op uint8

const (
	values     op = iota // x[i]
	magnitudes           // |x[i]|
	products             // x[i]·y[i]
)

// An operand holds the summands of one sum: slices of float64 or of float32.
type operand struct {
	op       op
	single   bool // float32
	x, y     []float64
	x32, y32 []float32
}

// over returns the operand of one slice, or for products of two. It panics if
// their lengths differ.
func over[T Float](o op, x, y []T) (r operand) {
	if o == products && len(x) != len(y) {
		panic("exact: the slices of a dot product differ in length")
	}
	r.op = o
	switch x := any(x).(type) {
	case []float32:
		r.single, r.x32, r.y32 = true, x, any(y).([]float32)
	case []float64:
		r.x, r.y = x, any(y).([]float64)
	}
	return r
}

func (o *operand) len() int {
	if o.single {
		return len(o.x32)
	}
	return len(o.x)
}

// part returns the summands i to j.
func (o *operand) part(i, j int) operand {
	p := operand{op: o.op, single: o.single}
	if o.single {
		p.x32 = o.x32[i:j]
	} else {
		p.x = o.x[i:j]
	}
	if o.op == products {
		if o.single {
			p.y32 = o.y32[i:j]
		} else {
			p.y = o.y[i:j]
		}
	}
	return p
}

// fold puts at most kernel.MaxFold summands through as few folds as they have a
// kernel for, and returns the number of elements of f.T used. These kernels are
// the inner loops of this package: see the contract of kernel.Folds, and
// package kernel for their bodies.
func (o *operand) fold(l kernel.Level, m *[3]float64, f *kernel.Folds) int {
	switch {
	case o.op == products && o.single:
		l.FoldDot2F32(o.x32, o.y32, m, f)
	case o.op == products:
		l.FoldDot(o.x, o.y, m, f)
		return 3
	case o.op == magnitudes && o.single:
		l.FoldAsum2F32(o.x32, m, f)
	case o.op == magnitudes:
		l.FoldAsum2(o.x, m, f)
	case o.single:
		l.FoldSum2F32(o.x32, m, f)
	default:
		l.FoldSum2(o.x, m, f)
	}
	return 2
}

// foldMore is fold with one more fold. It returns false if no kernel does that.
func (o *operand) foldMore(l kernel.Level, m *[3]float64, f *kernel.Folds) bool {
	if o.op != values || o.single {
		return false
	}
	l.FoldSum3(o.x, m, f)
	return true
}

// at returns summand i, rounded if it is a product.
func (o *operand) at(i int) float64 {
	var v float64
	if o.single {
		v = widened(o.x32[i])
		if o.op == products {
			v = float64(v * widened(o.y32[i]))
		}
	} else {
		v = o.x[i]
		if o.op == products {
			v = float64(v * o.y[i])
		}
	}
	if o.op == magnitudes {
		return math.Abs(v)
	}
	return v
}

// extent returns the largest and the smallest magnitude of every step-th
// summand, except zeros, as bits without a sign. Such bits are in the order of
// the magnitudes, infinities and NaN last. If all are zeros, the largest is 0.
func (o *operand) extent(step int) (most, least uint64) {
	switch {
	case o.op == products && o.single:
		return extentOfProducts(o.x32, o.y32, step)
	case o.op == products:
		return extentOfProducts(o.x, o.y, step)
	case o.single:
		return extentOf(o.x32, step)
	}
	return extentOf(o.x, step)
}

func extentOf[T Float](x []T, step int) (most, least uint64) {
	least = math.MaxUint64
	for i := 0; i < len(x); i += step {
		b := math.Float64bits(float64(x[i])) << 1
		most, least = max(most, b), min(least, b-1) // b − 1 of a zero is the largest uint64
	}
	return most >> 1, (least + 1) >> 1
}

func extentOfProducts[T Float](x, y []T, step int) (most, least uint64) {
	y, least = y[:len(x)], math.MaxUint64
	for i := 0; i < len(x); i += step {
		b := math.Float64bits(float64(float64(x[i])*float64(y[i]))) << 1
		most, least = max(most, b), min(least, b-1)
	}
	return most >> 1, (least + 1) >> 1
}

// negZeros returns the number of summands that are −0. No product underflows.
func (o *operand) negZeros() (n int64) {
	if o.op == values && !o.single {
		for _, v := range o.x {
			if math.Float64bits(v) == 1<<63 { //lastbit:ignore nankey compared with -0
				n++
			}
		}
		return n
	}
	for i := range o.len() {
		if math.Float64bits(o.at(i)) == 1<<63 { //lastbit:ignore nankey compared with -0
			n++
		}
	}
	return n
}

// addTo adds the summands to a one by one.
func (o *operand) addTo(a *long) {
	switch {
	case o.op == products && !o.single:
		for i, v := range o.x {
			a.addProduct(v, o.y[i])
		}
	case o.op == values && !o.single:
		for _, v := range o.x {
			a.add(v)
		}
	default: // each is a float64
		for i := range o.len() {
			a.add(o.at(i))
		}
	}
}

// widened returns float64(x), even if the processor flushes subnormals to zero.
func widened(x float32) float64 {
	b := math.Float32bits(x)
	if b<<1 == 0 || b<<1>>24 != 0 {
		return float64(x)
	}
	v := float64(int32(b<<9>>9)) * 0x1p-149
	return math.Copysign(v, float64(int32(b)|1))
}
