package blas

import (
	"math"
	"math/bits"

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
	x           operand // of the rows, or of the columns
	factors     operand // the parts of x, each alone
	largest     float64 // the largest magnitude of x
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

// nearSums are sums with what their integers mean.
type nearSums struct {
	kernel.OffsetSums
	base      uint64 // High of an empty sum
	unit, err float64
}

// empty makes n sums of a part.
func (r *nearRoom) empty(s *nearSums, part, n int, o nearOffset) {
	s.High, s.Low, s.Changes = r.high[part][:n], r.low[part][:n], r.changes[part][:n]
	s.base, s.unit, s.err = math.Float64bits(o.m)*uint64(o.lanes), o.unit, o.err
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
	var largest, other uint64 // two chains take half as long as one
	for i := 1; i < len(x); i += 2 {
		largest = max(largest, math.Float64bits(float64(x[i-1]))<<1)
		other = max(other, math.Float64bits(float64(x[i]))<<1)
	}
	if len(x)%2 == 1 {
		largest = max(largest, math.Float64bits(float64(x[len(x)-1]))<<1)
	}
	return math.Float64frombits(max(largest, other) >> 1)
}

// largestIn returns about the largest magnitude of rows of n elements.
func largestIn[F float32 | float64](a kernel.Operand[F], rows, n int) float64 {
	const someRows, someColumns = 8, 4
	var bits uint64
	rowStep, step := (rows+someRows-1)/someRows, (n+someColumns-1)/someColumns
	for i := 0; i < rows; i += rowStep {
		row := a.RowOf(i, n)
		for j := 0; j < n; j += step {
			bits = max(bits, math.Float64bits(float64(row[j]))<<1)
		}
	}
	largest := math.Float64frombits(bits >> 1)
	for i := 0; largest == 0 && i < rows; i++ {
		largest = largestOf(a.RowOf(i, n))
	}
	return largest
}

// begin makes a product with the rows of a, or with its columns.
func (v *nearVec[T, F]) begin(
	k *exactKit[T, F], m, n int, alpha T, a *matrix[T], trans bool, x []T, beta T,
) {
	level := kernel.Best()
	if k.setting.Level != nil {
		level = *k.setting.Level
	}
	v.exactKit, v.kernels = k, kernel.NewOffset[F](level)
	v.alpha, v.beta = scalarOf[F](alpha), scalarOf[F](beta)
	v.a, v.m, v.n = *a, m, n
	v.x, v.largest = operandOf[F](x, a.conj, false), 0
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
}

// stored returns the parts of the matrix.
func (v *nearVec[T, F]) stored() kernel.Operand[F] {
	return kernel.Operand[F]{
		At: &partsOf[F](v.a.data)[v.a.offset*v.parts], Row: v.a.row * v.parts, Col: 1,
	}
}

// nearRounder computes elements of a product, block by block.
type nearRounder[T number, F float32 | float64] struct {
	nearVec[T, F]
	y      []T
	trans  bool
	offset nearOffset
	sums   [2]nearSums // of each part of x
	lines  line        // nil: not needed so far
	exact  *combination
	room   nearRoom
}

// rounder returns a rounder that is idle, until it is given back.
func (k *exactKit[T, F]) rounder() *nearRounder[T, F] {
	if r, ok := k.rounders.Get().(*nearRounder[T, F]); ok {
		return r
	}
	return new(nearRounder[T, F])
}

// giveBack makes a rounder idle. It forgets the user's memory.
func (k *exactKit[T, F]) giveBack(r *nearRounder[T, F]) {
	r.a.data, r.x, r.factors, r.y, r.lines = nil, operand{}, operand{}, nil, nil
	k.rounders.Put(r)
}

// rows computes the elements of y from one to another, by rows of A.
func (r *nearRounder[T, F]) rows(from, to int) {
	a, width, lanes := r.stored(), r.n*r.parts, r.kernels.Lanes()
	r.trans = false
	for i := from; i < to; i += nearRows {
		block, count := a.From(i, 0), min(to-i, nearRows)
		r.offset = offsetFor(lanes, (width+lanes-1)/lanes,
			largestIn(block, count, width), r.largest)
		for part := range r.parts {
			sums := &r.sums[part]
			r.room.empty(sums, part, count, r.offset)
			if r.offset.m != 0 {
				r.kernels.Dots(block, r.factors[part], r.offset.m, sums.OffsetSums)
			}
		}
		r.block(i, count)
	}
}

// nearDepth is the number of rows that the sums of a block of columns are added
// from at once: the processor prefetches from as many pages.
const nearDepth = 32

// columns computes the elements of y from one to another, by columns of A.
func (r *nearRounder[T, F]) columns(from, to int) {
	a := r.stored()
	r.trans = true
	for j := from; j < to; j += nearBlock / r.parts {
		count := min(to-j, nearBlock/r.parts)
		block, width := a.From(0, j*r.parts), count*r.parts
		r.offset = offsetFor(1, r.m, largestIn(block, r.m, width), r.largest)
		for part := range r.parts {
			r.room.empty(&r.sums[part], part, width, r.offset)
		}
		for i := 0; i < r.m && r.offset.m != 0; i += nearDepth {
			r.addRows(i, min(i+nearDepth, r.m), block)
		}
		r.block(j, count)
	}
}

// addRows adds rows of a block of columns, from one to another, to the sums.
// Those from row 0 on are new.
func (r *nearRounder[T, F]) addRows(from, to int, block kernel.Operand[F]) {
	for part := range r.parts {
		x, a, sums := r.factors[part][from:to], block.From(from, 0), r.sums[part].OffsetSums
		if from == 0 {
			r.kernels.SetRows(x, a, r.offset.m, sums)
		} else {
			r.kernels.AddRows(x, a, sums)
		}
	}
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
			for i := 0; ; i++ {
				if i += r.settle(sums, i, y); i == count {
					return
				}
				r.redo(from + i)
			}
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

// settle rounds sums from one on to elements of y, up to one that is not
// certain. It returns how many are.
func (r *nearRounder[T, F]) settle(s *nearSums, from int, y []float64) int {
	rest := kernel.OffsetSums{High: s.High[from:], Low: s.Low[from:], Changes: s.Changes[from:]}
	return r.kernels.Round(rest, s.base, s.unit, s.err, y[from:])
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
