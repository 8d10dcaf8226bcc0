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
	Changes []uint64  // or of bits(h) xor bits(s), from bit 52 on; below, anything
}

// MaxOffset bounds the products in a lane of a sum.
const MaxOffset = 1 << 20

// StaysInBinade reports whether sum i has stayed in the binade of M.
func (s OffsetSums) StaysInBinade(i int) bool { return s.Changes[i]>>52 == 0 }

// part returns the sums from one to another.
func (s OffsetSums) part(from, to int) OffsetSums {
	return OffsetSums{s.High[from:to], s.Low[from:to], s.Changes[from:to]}
}

// offset holds the bodies of a level for OffsetSums.
type offset[T float32 | float64] struct {
	lanes, rows int // of dots
	dots        func(n int, a *T, aRow int, x *float64, m float64, high *uint64, low *float64,
		changes *uint64)
	addRows func(rows, n int, a *T, aRow int, x *float64, m float64, high *uint64,
		low *float64, changes *uint64)
	round func(n int, high *uint64, low *float64, changes *uint64, base uint64,
		unit, bound float64, y *float64) int
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
	px, high, low, changes := data(x), data(s.High), data(s.Low[:n]), data(s.Changes[:n])
	for i := 0; i < n; i += rows {
		first := min(i, n-rows) // the last rows may be added twice
		o.body.dots(len(x), a.Element(first, 0), a.Row, px, m, elementAt(high, first),
			elementAt(low, first), elementAt(changes, first))
	}
}

// elementAt returns the address of element i.
func elementAt[T any](p *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
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

// SetRows sets sums of one lane, as many as a has columns, to the sums over
// i < len(x) of x[i] times row i of a from m on. There is at least one row, and
// the columns of a are neighbours: Col is 1.
func (o Offset[T]) SetRows(x []float64, a Operand[T], m float64, s OffsetSums) {
	if n := len(s.High); n > 0 {
		o.body.addRows(len(x), n, a.At, a.Row, data(x), m, data(s.High), data(s.Low[:n]),
			data(s.Changes[:n]))
	}
}

// AddRows is SetRows for sums that go on from what they are.
func (o Offset[T]) AddRows(x []float64, a Operand[T], s OffsetSums) { o.SetRows(x, a, 0, s) }

// maxOffsetLanes bounds the elements of a register.
const maxOffsetLanes = 8

// Round sets y[i] to sum i, rounded once to float64, for i < len(y) and one
// after another until one is not certain: the two ends of the range that an
// error of at most bound leaves are rounded to different numbers, or to zero,
// or the sum has left its binade. It returns the index of this one, or len(y).
//
// base is High of an empty sum: a sum is (High − base)·unit + Low.
func (o Offset[T]) Round(s OffsetSums, base uint64, unit, bound float64, y []float64) int {
	bound *= 1 + 0x1p-20
	n := len(y)
	high, low, changes, to := data(s.High[:n]), data(s.Low[:n]), data(s.Changes[:n]), data(y)
	for i := 0; i < n; {
		i += o.body.round(n-i, elementAt(high, i), elementAt(low, i), elementAt(changes, i),
			base, unit, bound, elementAt(to, i))
		// A body stops before a register with an element that is not certain.
		for end := min(i+maxOffsetLanes, n); i < end; i++ {
			if offsetRoundGeneric(1, elementAt(high, i), elementAt(low, i), elementAt(changes, i),
				base, unit, bound, elementAt(to, i)) == 0 {
				return i
			}
		}
	}
	return n
}

// offsetGeneric returns the portable bodies.
func offsetGeneric[T float32 | float64]() *offset[T] {
	return &offset[T]{
		lanes: 1, rows: 1, dots: offsetDotsGeneric[T], addRows: offsetRowsGeneric[T],
		round: offsetRoundGeneric,
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
	rows, n int, a *T, aRow int, px *float64, m float64, phigh *uint64, plow *float64,
	pchanges *uint64,
) {
	high, low := unsafe.Slice(phigh, n), unsafe.Slice(plow, n)
	changes, matrix := unsafe.Slice(pchanges, n), Operand[T]{a, aRow, 1}
	if m != 0 {
		for j := range high {
			high[j] = math.Float64bits(m)
		}
		clear(low)
		clear(changes)
	}
	for i, factor := range unsafe.Slice(px, rows) {
		for j, v := range unsafe.Slice(matrix.Element(i, 0), n) {
			before := high[j]
			h, l := offsetStep(float64(v), factor, math.Float64frombits(before), low[j])
			high[j], low[j] = math.Float64bits(h), l
			changes[j] |= high[j] ^ before
		}
	}
}

// offsetRoundoff bounds the relative error of a rounded operation, with room
// for the rounding of the bounds themselves.
const offsetRoundoff = 0x1p-53 * (1 + 0x1p-20)

// maxOffsetUnits bounds the units of a sum: all integers below 2^52, and some
// beyond, are numbers of float64.
const maxOffsetUnits = 1 << 51

// offsetRoundGeneric is the portable body of Round, with the rounded bound.
func offsetRoundGeneric(
	n int, phigh *uint64, plow *float64, pchanges *uint64, base uint64, unit, bound float64,
	py *float64,
) int {
	high, low := unsafe.Slice(phigh, n), unsafe.Slice(plow, n)
	changes, y := unsafe.Slice(pchanges, n), unsafe.Slice(py, n)
	for i, rest := range low {
		units := int64(high[i] - base)
		sum := float64(float64(units) * unit)
		err := float64(offsetRoundoff*math.Abs(rest)) + bound
		v := sum + (rest - err)
		if v != sum+(rest+err) || v == 0 || (changes[i]|uint64(units+maxOffsetUnits))>>52 != 0 {
			return i
		}
		y[i] = v
	}
	return n
}
