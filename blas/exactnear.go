package blas

import (
	"math"
	"math/bits"
	"sync"

	"github.com/lastbit/lastbit/internal/kernel"
)

// nearVec is α·op(A)·x + β·y, for m rows of n elements of A. The sums are
// computed nearly, by kernel.OffsetSums, and rounded where their bounds let
// them be; package exact computes the other elements.
type nearVec[T number, F float32 | float64] struct {
	*exactKit[T, F]
	kernels     kernel.Offset[F]
	alpha, beta scalar
	a           matrix[T]
	m, n        int
	x           operand      // of the rows, or of the columns
	factors     [2][]float64 // the parts of x, each alone
	largest     float64      // the largest magnitude of x
}

// nearRoom is memory for the sums of a block, of each part.
type nearRoom struct {
	high, changes [2][nearBlock]uint64
	low           [2][nearBlock]float64
}

// nearBlock is the number of sums of a block of columns: their memory stays in
// the first level of the cache. A block of rows has nearRows, whose elements
// have one offset.
const (
	nearBlock = 512
	nearRows  = 64
)

var nearRooms = sync.Pool{New: func() any { return new(nearRoom) }}

// nearSums are sums with what their integers mean.
type nearSums struct {
	kernel.OffsetSums
	base      uint64 // High of an empty sum
	unit, err float64
}

// sums returns n sums of a part.
func (r *nearRoom) sums(part, n int, o nearOffset) nearSums {
	s := kernel.OffsetSums{
		High: r.high[part][:n], Low: r.low[part][:n], Changes: r.changes[part][:n],
	}
	return nearSums{s, math.Float64bits(o.m) * uint64(o.lanes), o.unit, o.err}
}

// maxUnits bounds the units of a sum: float64 has all integers up to there.
const maxUnits = 1 << 53

// at returns a sum nearly.
func (s *nearSums) at(i int) near {
	units := int64(s.High[i] - s.base)
	if uint64(units+maxUnits) > 2*maxUnits || !s.StaysInBinade(i) {
		return unknown
	}
	return near{float64(units) * s.unit, s.Low[i], s.err}
}

// settle rounds sums from one on to elements of y, as settled64 does. It
// returns the first that is not certain, or the number of elements.
func (s *nearSums) settle(y []float64, from int) int {
	high, low, changes := s.High[:len(y)], s.Low[:len(y)], s.Changes[:len(y)]
	base, unit, bound := s.base, s.unit, float64(s.err*(1+0x1p-20))
	for i := from; i < len(y); i++ {
		units := int64(high[i] - base)
		hi := float64(float64(units) * unit)
		e := bound + float64(roundoff*math.Abs(low[i]))
		v := hi + (low[i] - e)
		if v != hi+(low[i]+e) || v == 0 || changes[i]>>52 != 0 ||
			uint64(units+maxUnits) > 2*maxUnits {
			return i
		}
		y[i] = v
	}
	return len(y)
}

// nearOffset is an offset, and the unit and the bound of its sums.
type nearOffset struct {
	m, unit, err float64
	lanes        int
}

// spareBits of an offset are for products that are larger than a sample shows.
const spareBits = 4

// offsetFor returns an offset for sums of n products in each lane of factors of
// at most some magnitudes. The offset is 0 if there is none: factors are all
// zero or not finite, too small or too large.
func offsetFor(lanes, n int, a, x float64) nearOffset {
	// 2^(e−1) is above the sum of a lane.
	e := exponentOf(a) + exponentOf(x) + 2 + bits.Len(uint(n)) + spareBits + 1
	if n > kernel.MaxOffset || e < -800 || e > 1000 || a == 0 || x == 0 {
		return nearOffset{}
	}
	m := math.Float64frombits(uint64(e+1023)<<52 | 1<<51)
	unit := math.Float64frombits(uint64(e+1023-52) << 52)
	return nearOffset{m, unit, kernel.OffsetBound(lanes, n, unit), lanes}
}

// exponentOf returns the exponent of a number that is not zero or subnormal,
// NaN or infinite: of others one that is below all or above.
func exponentOf(v float64) int { return int(math.Float64bits(v)>>52&0x7ff) - 1023 }

// largestOf returns the largest magnitude of numbers. A NaN is larger than any.
func largestOf[F float32 | float64](x []F) float64 {
	var largest uint64
	for _, v := range x {
		largest = max(largest, math.Float64bits(float64(v))<<1)
	}
	return math.Float64frombits(largest >> 1)
}

// largestIn returns about the largest magnitude of rows of n elements.
func largestIn[F float32 | float64](a matrix[F], rows, n int) float64 {
	const someRows, someColumns = 8, 4
	var bits uint64
	rowStep, step := (rows+someRows-1)/someRows, (n+someColumns-1)/someColumns
	for i := 0; i < rows; i += rowStep {
		row := a.rowOf(i, n)
		for j := 0; j < n; j += step {
			bits = max(bits, math.Float64bits(float64(row[j]))<<1)
		}
	}
	largest := math.Float64frombits(bits >> 1)
	for i := 0; largest == 0 && i < rows; i++ {
		largest = largestOf(a.rowOf(i, n))
	}
	return largest
}

// newNearVec returns a product with the rows of a, or with its columns.
func newNearVec[T number, F float32 | float64](
	k *exactKit[T, F], m, n int, alpha T, a matrix[T], trans bool, x []T, beta T,
) nearVec[T, F] {
	level := kernel.Best()
	if k.setting.Level != nil {
		level = *k.setting.Level
	}
	v := nearVec[T, F]{
		exactKit: k, kernels: kernel.NewOffset[F](level),
		alpha: scalarOf[F](alpha), beta: scalarOf[F](beta), a: a, m: m, n: n,
		x: operandOf[F](x, a.conj, false),
	}
	v.factors = v.x
	if trans && k.parts > 1 {
		parts := partsOf[F](x)
		for part := range k.parts {
			v.factors[part] = make([]float64, len(x))
			for i := range x {
				v.factors[part][i] = float64(parts[k.parts*i+part])
			}
		}
	}
	for _, f := range v.factors[:k.parts] {
		v.largest = max(v.largest, largestOf(f))
	}
	return v
}

// stored returns the parts of the matrix.
func (v *nearVec[T, F]) stored() matrix[F] {
	return matrix[F]{
		data: partsOf[F](v.a.data), offset: v.a.offset * v.parts, row: v.a.row * v.parts, col: 1,
	}
}

// rows computes the elements of y from one to another, by rows of A.
func (v *nearVec[T, F]) rows(from, to int, y []T) {
	room := nearRooms.Get().(*nearRoom)
	defer nearRooms.Put(room)
	a, width, lanes := v.stored(), v.n*v.parts, v.kernels.Lanes()
	r := nearRounder[T, F]{nearVec: *v, y: y}
	for i := from; i < to; i += nearRows {
		block, count := a.from(i, 0), min(to-i, nearRows)
		r.offset = offsetFor(lanes, (width+lanes-1)/lanes,
			largestIn(block, count, width), v.largest)
		for part := range v.parts {
			sums := room.sums(part, count, r.offset)
			if r.offset.m != 0 {
				v.kernels.Dots(operandAt(block), v.factors[part], r.offset.m, sums.OffsetSums)
			}
			r.sums[part] = sums
		}
		r.block(i, count)
	}
}

// nearDepth is the number of rows that the sums of a block of columns are added
// from at once: the processor prefetches from as many pages.
const nearDepth = 32

// columns computes the elements of y from one to another, by columns of A.
func (v *nearVec[T, F]) columns(from, to int, y []T) {
	room := nearRooms.Get().(*nearRoom)
	defer nearRooms.Put(room)
	a := v.stored()
	r := nearRounder[T, F]{nearVec: *v, y: y, trans: true}
	for j := from; j < to; j += nearBlock / v.parts {
		count := min(to-j, nearBlock/v.parts)
		block, width := a.from(0, j*v.parts), count*v.parts
		r.offset = offsetFor(1, v.m, largestIn(block, v.m, width), v.largest)
		for part := range v.parts {
			r.sums[part] = room.sums(part, width, r.offset)
			r.sums[part].Begin(r.offset.m)
		}
		for i := 0; i < v.m && r.offset.m != 0; i += nearDepth {
			end := min(i+nearDepth, v.m)
			for part := range v.parts {
				v.kernels.AddRows(v.factors[part][i:end], operandAt(block.from(i, 0)),
					r.sums[part].OffsetSums)
			}
		}
		r.block(j, count)
	}
}

// nearRounder rounds the sums of blocks.
type nearRounder[T number, F float32 | float64] struct {
	nearVec[T, F]
	y      []T
	trans  bool
	offset nearOffset
	sums   [2]nearSums // of each part of x
	lines  line        // nil: not needed so far
	exact  *combination
}

// block rounds the sums of some elements from one on.
func (r *nearRounder[T, F]) block(from, count int) {
	switch {
	case r.offset.m == 0:
		for i := range count {
			r.redo(from + i)
		}
	case r.parts > 1:
		for i := range count {
			if !r.round(from+i, i) {
				r.redo(from + i)
			}
		}
	default:
		r.realBlock(from, count)
	}
}

// realBlock is block for real numbers.
func (r *nearRounder[T, F]) realBlock(from, count int) {
	sums, isLinear := &r.sums[0], r.alpha.re != 1 || r.beta.re != 0
	switch y := any(r.y[from : from+count]).(type) {
	case []float64:
		if !isLinear {
			for i := sums.settle(y, 0); i < count; i = sums.settle(y, i+1) {
				r.redo(from + i)
			}
			return
		}
		for i, old := range y {
			v, ok := settled64(sums.at(i).linear(r.alpha.re, r.beta.re, old))
			if y[i] = v; !ok {
				y[i] = old
				r.redo(from + i)
			}
		}
	case []float32:
		for i, old := range y {
			sum := sums.at(i)
			if isLinear {
				sum = sum.linear(r.alpha.re, r.beta.re, float64(old))
			}
			v, ok := quickly32(sum)
			if !ok {
				v, ok = settled32(sum)
			}
			if y[i] = v; !ok {
				y[i] = old
				r.redo(from + i)
			}
		}
	}
}

// round rounds element i from the sums of an index. It reports whether they
// allow it.
func (r *nearRounder[T, F]) round(i, at int) bool {
	element := r.number(r.y, i)
	var rounded [2]F
	for part := range element {
		sum := r.sum(at, part).scaled(r.alpha.re)
		if r.alpha.im != 0 {
			sum = sum.plus(r.sum(at, 1-part).scaled(r.alpha.crossed(part)))
		}
		if r.beta.re != 0 || r.beta.im != 0 {
			sum = sum.plus(times(r.beta.re, float64(element[part])))
		}
		if r.beta.im != 0 {
			sum = sum.plus(times(r.beta.crossed(part), float64(element[1-part])))
		}
		var ok bool
		if rounded[part], ok = settled[F](sum); !ok {
			return false
		}
	}
	copy(element, rounded[:])
	return true
}

// sum returns a part of op(A)·x nearly.
func (r *nearRounder[T, F]) sum(at, part int) near {
	if !r.trans || r.parts == 1 {
		return r.sums[part].at(at)
	}
	// r.sums[q] has the sums of both parts of a column, times part q of x.
	re, im := r.sums[part].at(2*at), r.sums[1-part].at(2*at+1)
	if (part == 0) != r.a.conj {
		im.hi, im.lo = -im.hi, -im.lo
	}
	return re.plus(im)
}

// redo computes element i exactly.
func (r *nearRounder[T, F]) redo(i int) {
	if r.lines == nil {
		r.lines, r.exact = linesOf[F](r.trans, fullRows(r.a, r.n), r.m), new(combination)
	}
	first, elements := r.lines(i)
	r.exact.reset()
	r.exact.add(r.alpha, elements, r.x.slice(first, len(elements)))
	storeCombination(r.exact, r.beta, r.number(r.y, i))
}
