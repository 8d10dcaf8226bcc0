package sumtree

import (
	"math"
	"slices"
	"sync"
)

// Masked is an input of huge masks that cancel and small whole numbers, for
// sums in the orders of many families. It is safe for concurrent use.
type Masked struct {
	x      []float64
	masks  []int     // ascending
	before []float64 // sums of the first i numbers, without masks; nil where one is not whole
	added  sync.Map  // laneSums by laneRange: many families have the same lanes
}

// laneRange is every width-th summand of lo … hi−1, from each of the first
// width on.
type laneRange struct{ lo, hi, width int }

// laneSums are the sums of lanes.
type laneSums struct {
	sums  []float64
	known []bool // that no mask is among the summands
}

// The least mask, and the largest total of the other numbers.
const (
	leastMask = 0x1p100
	maxWhole  = 1 << 52
)

// NewMasked prepares x, which does not change afterwards.
func NewMasked(x []float64) *Masked {
	m := &Masked{x: x, before: make([]float64, len(x)+1)}
	var total float64
	whole := true
	for i, v := range x {
		if math.Abs(v) >= leastMask {
			m.masks = append(m.masks, i)
			v = 0
		}
		total += math.Abs(v)
		whole = whole && v == math.Floor(v)
		m.before[i+1] = m.before[i] + v
	}
	if !whole || !(total <= maxWhole) {
		m.before = nil
	}
	return m
}

// Sum returns f.Masked of the input. It adds summands next to each other at
// once where no mask lies between them: their sum is the same in any order.
func (m *Masked) Sum(f Family) float64 {
	alg := maskedAlgebra()
	if m.before != nil {
		alg.run, alg.next, alg.lanes = m.run, m.next, m.lanes
	}
	return fold(f, 0, len(m.x), func(i int) float64 { return m.x[i] }, alg)
}

// run returns the sum of the summands lo … hi−1 if none of them is a mask.
func (m *Masked) run(lo, hi int) (sum float64, ok bool) {
	k, _ := slices.BinarySearch(m.masks, lo)
	if k < len(m.masks) && m.masks[k] < hi {
		return 0, false
	}
	return m.before[hi] - m.before[lo], true
}

// next returns the first mask of the summands lo … hi−1, or hi.
func (m *Masked) next(lo, hi int) int {
	if k, _ := slices.BinarySearch(m.masks, lo); k < len(m.masks) {
		return min(m.masks[k], hi)
	}
	return hi
}

// lanes returns the sums of every width-th of the summands lo … hi−1, and
// whether no mask is among them.
func (m *Masked) lanes(lo, hi, width int) (sums []float64, known []bool) {
	at := laneRange{lo, hi, width}
	l, ok := m.added.Load(at)
	if !ok {
		l, _ = m.added.LoadOrStore(at, m.addLanes(at))
	}
	held := l.(*laneSums)
	return slices.Clone(held.sums), held.known
}

// addLanes adds the summands of lanes.
func (m *Masked) addLanes(r laneRange) *laneSums {
	l := &laneSums{make([]float64, r.width), slices.Repeat([]bool{true}, r.width)}
	for at := r.lo; at < r.hi; at += r.width {
		for k, v := range m.x[at:min(at+r.width, r.hi)] {
			l.sums[k] += v
		}
	}
	for _, i := range m.masks {
		if r.lo <= i && i < r.hi {
			l.known[(i-r.lo)%r.width] = false
		}
	}
	return l
}

// Masked returns the sum of x in the family's order in float64 arithmetic, with
// fused sums aligned to their largest operand. Where x holds huge masks that
// cancel and small integers, every narrower arithmetic gives the same sum.
func (f Family) Masked(x []float64) float64 {
	return fold(f, 0, len(x), func(i int) float64 { return x[i] }, maskedAlgebra())
}

func maskedAlgebra() algebra[float64] {
	return algebra[float64]{
		add:  func(a, b float64) float64 { return a + b },
		fuse: fuseMasked,
	}
}

// fuseMasked adds as one fused operation: operands below 2^-53 of the largest
// one do not count.
func fuseMasked(v []float64) float64 {
	var top float64
	for _, t := range v {
		top = max(top, math.Abs(t))
	}
	least := math.Ldexp(top, -53)
	var s float64
	for _, t := range v {
		if math.Abs(t) >= least {
			s += t
		}
	}
	return s
}
