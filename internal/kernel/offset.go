package kernel

import (
	"math"
	"unsafe"
)

// OffsetSums are sums of products that are known nearly, with a bound of the
// error. Each begins at an offset M = 1.5·2^e:
//
//	h = RN(x·y + s)   q = h − s   r = RN(x·y − q)   s = h
//
// While s stays in the binade of M, q is exact, bits(s) − bits(M) is s − M in
// units of U = ulp(M) = 2^(e−52), and |x·y − q| ≤ U/2: this is the split of
// [Folds], with the accumulator for the constant. The sum of the r, each step
// rounded, goes to Low.
//
// A kernel adds to a number of lanes, [Offset.Lanes], so that the sum of N
// products in each lane is
//
//	(High − lanes·bits(M))·U + Low
//
// with an error that [OffsetBound] returns, if no change has left the binade
// of M. NaN and infinities leave it. No product has a promised lane: use a sum
// only to round it, after the test that the error does not matter.
type OffsetSums struct {
	High    []uint64  // the sum of bits(s) of all lanes
	Low     []float64 // the sum of all r
	Changes []uint64  // or of bits(h) xor bits(s)
}

// MaxOffset bounds the products in a lane of a sum.
const MaxOffset = 1 << 20

// StaysInBinade reports whether sum i has stayed in the binade of M.
func (s OffsetSums) StaysInBinade(i int) bool { return s.Changes[i]>>52 == 0 }

// part returns the sums from one to another.
func (s OffsetSums) part(from, to int) OffsetSums {
	return OffsetSums{s.High[from:to], s.Low[from:to], s.Changes[from:to]}
}

// Begin sets sums of no products, of one lane each.
func (s OffsetSums) Begin(m float64) {
	for i := range s.High {
		s.High[i] = math.Float64bits(m)
	}
	clear(s.Low)
	clear(s.Changes)
}

// offset holds the bodies of a level for OffsetSums.
type offset[T float32 | float64] struct {
	lanes, rows int // of dots
	dots        func(n int, a *T, aRow int, x *float64, m float64, high *uint64, low *float64,
		changes *uint64)
	addRows func(rows, n int, a *T, aRow int, x *float64, high *uint64, low *float64,
		changes *uint64)
}

// Offset holds the kernels of [OffsetSums] at one level.
type Offset[T float32 | float64] struct{ body *offset[T] }

// NewOffset returns the kernels of a level. It panics for a level that does not
// run here.
func NewOffset[T float32 | float64](level Level) Offset[T] {
	b := level.bodies()
	if unsafe.Sizeof(T(0)) == 8 {
		return Offset[T]{(*offset[T])(unsafe.Pointer(b.offsetFloat64))}
	}
	return Offset[T]{(*offset[T])(unsafe.Pointer(b.offsetFloat32))}
}

// Lanes returns the number of lanes of the sums of Dots. The sums of AddRows
// have one lane.
func (o Offset[T]) Lanes() int { return o.body.lanes }

// OffsetBound returns the bound of the error of a sum of n ≤ MaxOffset products
// in each lane, for the unit U.
//
// Step k of a lane rounds r, by at most u·U/2, and adds it to at most k·U/2,
// u = 2^-53. Three additions of lanes of n·U/2 follow:
//
//	lanes·u·U/2·(n + n(n+1)/2 + 3n) = lanes·n·(n + 9)/2 · u·U/2
//
// plus terms of u², which 7 more than the 9 cover.
func OffsetBound(lanes, n int, unit float64) float64 {
	return float64(lanes) * float64(n) * float64(n+16) * 0x1p-55 * unit
}

// Dots sets sum i, for each row i of a, to the sum over j of a(i, j)·x[j] from
// m on. The columns of a are neighbours: Col is 1.
func (o Offset[T]) Dots(a Operand[T], x []float64, m float64, s OffsetSums) {
	n, rows := len(s.High), o.body.rows
	if n < rows {
		for i := range n {
			o.dot(a.Element(i, 0), x, m, s.part(i, i+1))
		}
		return
	}
	for i := 0; i < n; i += rows {
		first := min(i, n-rows) // the last rows may be added twice
		to := s.part(first, first+rows)
		o.body.dots(len(x), a.Element(first, 0), a.Row, data(x), m, data(to.High), data(to.Low),
			data(to.Changes))
	}
}

// maxOffsetRows bounds the rows of a call of a body.
const maxOffsetRows = 8

// dot is Dots for one row.
func (o Offset[T]) dot(a *T, x []float64, m float64, s OffsetSums) {
	var high, changes [maxOffsetRows]uint64
	var low [maxOffsetRows]float64
	o.body.dots(len(x), a, 0, data(x), m, hidden(&high[0]), hidden(&low[0]), hidden(&changes[0]))
	s.High[0], s.Low[0], s.Changes[0] = high[0], low[0], changes[0]
}

// AddRows adds x[i] times row i of a to sums of one lane, as many as a has
// columns, for i < len(x). The columns of a are neighbours: Col is 1.
func (o Offset[T]) AddRows(x []float64, a Operand[T], s OffsetSums) {
	if len(x) > 0 && len(s.High) > 0 {
		o.body.addRows(len(x), len(s.High), a.At, a.Row, data(x), data(s.High), data(s.Low),
			data(s.Changes))
	}
}

// offsetGeneric returns the portable bodies.
func offsetGeneric[T float32 | float64]() *offset[T] {
	return &offset[T]{
		lanes: 1, rows: 1, dots: offsetDotsGeneric[T], addRows: offsetRowsGeneric[T],
	}
}

// offsetStep adds a product to a sum.
func offsetStep(a, x, high, low float64) (h, l float64) {
	h = math.FMA(a, x, high)
	return h, low + math.FMA(a, x, -(h-high))
}

// offsetDotsGeneric is the portable body of Dots for one row.
func offsetDotsGeneric[T float32 | float64](
	n int, a *T, _ int, px *float64, m float64, high *uint64, low *float64, changes *uint64,
) {
	x := unsafe.Slice(px, n)
	s, rest, changed := m, 0.0, uint64(0)
	for j, v := range unsafe.Slice(a, n) {
		h, l := offsetStep(float64(v), x[j], s, rest)
		changed |= math.Float64bits(h) ^ math.Float64bits(s)
		s, rest = h, l
	}
	*high, *low, *changes = math.Float64bits(s), rest, changed
}

// offsetRowsGeneric is the portable body of AddRows.
func offsetRowsGeneric[T float32 | float64](
	rows, n int, a *T, aRow int, px *float64, phigh *uint64, plow *float64, pchanges *uint64,
) {
	high, low := unsafe.Slice(phigh, n), unsafe.Slice(plow, n)
	changes, m := unsafe.Slice(pchanges, n), Operand[T]{a, aRow, 1}
	for i, factor := range unsafe.Slice(px, rows) {
		for j, v := range unsafe.Slice(m.Element(i, 0), n) {
			before := high[j]
			h, l := offsetStep(float64(v), factor, math.Float64frombits(before), low[j])
			high[j], low[j] = math.Float64bits(h), l
			changes[j] |= high[j] ^ before
		}
	}
}
