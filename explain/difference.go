package explain

import (
	"math"
	"math/bits"
	"slices"

	"github.com/lastbit/lastbit/fp"
)

// Differences describes where, and how far, two arrays differ.
type Differences struct {
	Format    fp.Format `json:"dtype"`
	Shape     []int     `json:"shape"`
	Count     int64     `json:"count"`
	Differing int64     `json:"differing"`

	// MaxULPs and MedianULPs are over the pairs of different numbers, the
	// infinities included: see fp.Format.Distance. Zeros of different signs are
	// at distance 0. Pairs of a NaN and a number count in NaN alone.
	MaxULPs    uint64  `json:"max_ulps"`
	MedianULPs float64 `json:"median_ulps"`

	First []int `json:"first"` // the index of the first difference, nil for none
	Worst []int `json:"worst"` // the index of the largest distance, nil for none

	SignFlips  int64 `json:"sign_flips"` // numbers of different signs, none of them zero
	NaN        int64 `json:"nan"`        // NaN in one of the two
	Inf        int64 `json:"inf"`        // an infinity in one of the two, or of each sign
	Zeros      int64 `json:"zeros"`      // +0 and −0
	Subnormals int64 `json:"subnormals"` // a subnormal in one of the two, or in both

	Histogram []Bin   `json:"histogram"` // of distances, without empty bins
	Bits      []int64 `json:"bits"`      // differences in each bit, the lowest first
	Where     Where   `json:"where"`
}

// Bin counts the differences of From to To ULPs.
type Bin struct {
	From  uint64 `json:"from"`
	To    uint64 `json:"to"`
	Count int64  `json:"count"`
}

// exactDistances bounds the large distances that are kept one by one. Beyond
// that number the median keeps 16 significant bits.
const exactDistances = 1 << 22

// smallDistance is the least distance that is not counted in a table.
const smallDistance = 1 << 16

// A Counter counts the differences of two arrays that come in parts. Its memory
// does not grow with their length.
type Counter struct {
	d       Differences
	next    int64 // the number of elements so far
	first   int64
	worst   int64
	order   []int // dimensions, from the one that runs fastest
	small   []int64
	large   []uint64         // distances from smallDistance on; nil once they are too many
	coarse  map[uint64]int64 // the same, to 16 significant bits
	numbers int64            // pairs that have a distance
	place   *places
}

// NewCounter returns a counter for arrays of a format and a shape. A nil shape
// means a vector of unknown length. With fortran, the first index runs fastest
// in the values to come.
func NewCounter(f fp.Format, shape []int, fortran bool) *Counter {
	c := &Counter{first: -1, worst: -1, small: make([]int64, smallDistance)}
	c.d.Format, c.d.Shape = f, slices.Clone(shape)
	c.d.Bits = make([]int64, 8*f.Bytes())
	for i := range shape {
		k := len(shape) - 1 - i
		if fortran {
			k = i
		}
		c.order = append(c.order, k)
	}
	c.place = newPlaces(shape)
	return c
}

// Add counts the next elements of both arrays.
func (c *Counter) Add(a, b []float64) {
	for i, v := range a {
		if !same(v, b[i]) {
			c.differ(c.next+int64(i), v, b[i])
		}
	}
	c.next += int64(len(a))
}

// same reports whether two values have the same bits, or are both NaN.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// differ counts a difference.
func (c *Counter) differ(at int64, a, b float64) {
	d, f := &c.d, c.d.Format
	d.Differing++
	if c.first < 0 {
		c.first = at
	}
	c.place.add(c.index(at))
	for x := f.Bits(a) ^ f.Bits(b); x != 0; x &= x - 1 {
		d.Bits[bits.TrailingZeros64(x)]++
	}
	if a != a || b != b {
		d.NaN++
		return
	}
	switch {
	case a == 0 && b == 0:
		d.Zeros++
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		d.Inf++
	case a != 0 && b != 0 && math.Signbit(a) != math.Signbit(b):
		d.SignFlips++
	}
	if isSubnormal(a, f) || isSubnormal(b, f) {
		d.Subnormals++
	}
	c.distance(at, f.Distance(a, b))
}

func isSubnormal(x float64, f fp.Format) bool {
	return x != 0 && math.Abs(x) < f.MinNormal()
}

// distance counts the distance of two numbers.
func (c *Counter) distance(at int64, ulps uint64) {
	c.numbers++
	if c.worst < 0 || ulps > c.d.MaxULPs {
		c.worst, c.d.MaxULPs = at, ulps
	}
	switch {
	case ulps < smallDistance:
		c.small[ulps]++
	case c.coarse != nil:
		c.coarse[coarsened(ulps)]++
	default:
		if c.large = append(c.large, ulps); len(c.large) > exactDistances {
			c.coarse = map[uint64]int64{}
			for _, v := range c.large {
				c.coarse[coarsened(v)]++
			}
			c.large = nil
		}
	}
}

// coarsened returns a distance with its 16 highest bits.
func coarsened(ulps uint64) uint64 {
	drop := bits.Len64(ulps) - 16
	return ulps >> drop << drop
}

// index returns the index of an element by its number in the file.
func (c *Counter) index(at int64) []int {
	if c.d.Shape == nil {
		return []int{int(at)}
	}
	index := make([]int, len(c.d.Shape))
	for _, k := range c.order {
		n := int64(c.d.Shape[k])
		index[k], at = int(at%n), at/n
	}
	return index
}

// Differences returns what was counted.
func (c *Counter) Differences() *Differences {
	d := c.d
	d.Count = c.next
	if d.Shape == nil {
		d.Shape = []int{int(c.next)}
	}
	if c.first >= 0 {
		d.First = c.index(c.first)
	}
	if c.worst >= 0 {
		d.Worst = c.index(c.worst)
	}
	d.MedianULPs = c.median()
	d.Histogram = c.histogram()
	d.Where = c.place.where(d.Shape, d.Differing)
	return &d
}

// each calls f for every distance, in ascending order.
func (c *Counter) each(f func(ulps uint64, count int64)) {
	for v, n := range c.small {
		if n > 0 {
			f(uint64(v), n)
		}
	}
	large := c.coarse
	if large == nil {
		large = map[uint64]int64{}
		for _, v := range c.large {
			large[v]++
		}
	}
	keys := make([]uint64, 0, len(large))
	for v := range large {
		keys = append(keys, v)
	}
	slices.Sort(keys)
	for _, v := range keys {
		f(v, large[v])
	}
}

// median returns the median distance: of an even number of them, the mean of
// the two in the middle.
func (c *Counter) median() float64 {
	if c.numbers == 0 {
		return 0
	}
	lower, upper := (c.numbers-1)/2, c.numbers/2
	var at int64
	var sum float64
	c.each(func(ulps uint64, count int64) {
		if at <= lower && lower < at+count {
			sum += float64(ulps) / 2 //lastbit:ignore fma half of an integer is exact
		}
		if at <= upper && upper < at+count {
			sum += float64(ulps) / 2 //lastbit:ignore fma half of an integer is exact
		}
		at += count
	})
	return sum
}

// histogram counts the distances 0, 1, 2, 3 and 4, then together from 5 to 8,
// from 9 to 16 and so on.
func (c *Counter) histogram() []Bin {
	bins := []Bin{}
	c.each(func(ulps uint64, count int64) {
		from, to := ulps, ulps
		if ulps > 4 {
			k := bits.Len64(ulps - 1)
			from, to = 1<<(k-1)+1, 1<<k
			if k == 64 {
				to = math.MaxUint64
			}
		}
		if n := len(bins); n > 0 && bins[n-1].From == from {
			bins[n-1].Count += count
			return
		}
		bins = append(bins, Bin{from, to, count})
	})
	return bins
}
