package exact

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// A Histogram holds the exact count and the exact sum of the numbers in each of
// some bins, and counts the others: NaN, ±Inf, and finite numbers below and
// above all bins. NewHistogram makes one; the zero value has no bins, and is
// for UnmarshalBinary.
//
// Bin i holds edge i and the numbers from there to edge i + 1, exclusive; the
// last bin holds its upper edge too, as in NumPy. No number is rounded to find
// its bin.
//
// The state is a group, like an Accumulator's, and depends on the edges, on the
// multiset of the numbers and on nothing else. Sums keep the promise exact.
//
// A bin takes 64 bytes, more if its numbers are far apart. A Histogram must not
// be copied: Clone does that. Several goroutines must not use it at once while
// one of them adds.
//
// References:
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
type Histogram struct {
	edges   []float64
	bins    []Accumulator
	outside Outside
}

// Outside holds the numbers of the numbers in no bin of a Histogram. After Sub
// each may be negative.
type Outside struct {
	Below  int64 // finite, below the first edge
	Above  int64 // finite, above the last edge
	NaN    int64
	PosInf int64
	NegInf int64
}

// fields returns the counts in the order of the bytes of a state.
func (o *Outside) fields() [5]*int64 {
	return [5]*int64{&o.Below, &o.Above, &o.NaN, &o.PosInf, &o.NegInf}
}

// ErrEdges is the error of edges that are fewer than two, not finite or not in
// ascending order, and of histograms with other edges.
var ErrEdges = errors.New("exact: the edges of a histogram are two or more finite numbers " +
	"in ascending order, and the same in histograms that are merged")

// NewHistogram returns a histogram without numbers. The edges are two or more
// finite numbers, each above the one before it; other edges are ErrEdges.
func NewHistogram(edges []float64) (*Histogram, error) {
	h := &Histogram{edges: slices.Clone(edges)}
	for i := range h.edges {
		h.edges[i] += 0 // −0 becomes +0
	}
	if !areEdges(h.edges) {
		return nil, ErrEdges
	}
	h.bins = make([]Accumulator, len(edges)-1)
	return h, nil
}

// areEdges reports whether a histogram may have these edges.
func areEdges(edges []float64) bool {
	for i, e := range edges {
		if !isFinite(e) || e == 0 && math.Signbit(e) || i > 0 && e <= edges[i-1] {
			return false
		}
	}
	return len(edges) >= 2
}

// Clone returns a copy.
func (h *Histogram) Clone() *Histogram {
	return &Histogram{edges: h.edges, bins: slices.Clone(h.bins), outside: h.outside}
}

// Bins returns the number of bins.
func (h *Histogram) Bins() int { return len(h.bins) }

// Edges returns the edges.
func (h *Histogram) Edges() []float64 { return slices.Clone(h.edges) }

// Bin returns the sum of the numbers in bin i, which has their count.
func (h *Histogram) Bin(i int) Accumulator { return h.bins[i] }

// Outside returns the numbers of the numbers in no bin.
func (h *Histogram) Outside() Outside { return h.outside }

// Count returns the number of all numbers added.
func (h *Histogram) Count() (n int64) {
	for i := range h.bins {
		n += h.bins[i].all
	}
	for _, c := range h.outside.fields() {
		n += *c
	}
	return n
}

// Add adds x.
func (h *Histogram) Add(x float64) {
	o, last := &h.outside, len(h.edges)-1
	switch {
	case x != x:
		o.NaN++
	case math.IsInf(x, 1):
		o.PosInf++
	case math.IsInf(x, -1):
		o.NegInf++
	case last < 0 || x > h.edges[last]:
		o.Above++
	case x < h.edges[0]:
		o.Below++
	default:
		h.bins[h.find(x)].Add(x)
	}
}

// find returns the bin of a number between the first edge and the last.
func (h *Histogram) find(x float64) int {
	low, high := 0, len(h.bins) // edges[low] ≤ x, and x < edges[high] or high is the last
	for high-low > 1 {
		if middle := (low + high) / 2; h.edges[middle] <= x {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// AddSlice adds every element of x.
func (h *Histogram) AddSlice(x []float64) {
	for _, v := range x {
		h.Add(v)
	}
}

// Merge adds every number of b, which has the same edges; otherwise it returns
// ErrEdges, and h is as before. It does not change b.
func (h *Histogram) Merge(b *Histogram) error { return h.combine(b, 1, (*Accumulator).Merge) }

// Sub removes every number of b, as if it had never been added: the inverse of
// Merge.
func (h *Histogram) Sub(b *Histogram) error { return h.combine(b, -1, (*Accumulator).Sub) }

func (h *Histogram) combine(b *Histogram, sign int64, to func(a, b *Accumulator)) error {
	if !slices.Equal(h.edges, b.edges) {
		return ErrEdges
	}
	for i := range h.bins {
		to(&h.bins[i], &b.bins[i])
	}
	theirs := b.outside
	for i, c := range h.outside.fields() {
		*c += sign * *theirs.fields()[i]
	}
	return nil
}

const kindHistogram = 'h'

// MarshalBinary returns the state in canonical bytes: the same edges and the
// same multiset have the same bytes on every machine. The error is nil.
func (h *Histogram) MarshalBinary() ([]byte, error) { return h.AppendBinary(nil) }

// AppendBinary appends the bytes of MarshalBinary to b: after the counts of
// Outside the number of edges, the edges, and for each bin its count, its count
// of −0 and its sum.
func (h *Histogram) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, magic...)
	b = append(b, kindHistogram, version)
	for _, c := range h.outside.fields() {
		b = binary.AppendVarint(b, *c)
	}
	b = binary.AppendUvarint(b, uint64(len(h.edges)))
	for _, e := range h.edges {
		//lastbit:ignore nankey no edge is NaN
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(e))
	}
	for i := range h.bins {
		l := h.bins[i].carried()
		b = binary.AppendVarint(b, l.count.all)
		b = binary.AppendVarint(b, l.count.negZero)
		b = appendDigits(b, l.sum[:])
	}
	return b, nil
}

// UnmarshalBinary sets h to the state that b holds. Bytes that MarshalBinary
// does not write are an error, and leave h unchanged.
func (h *Histogram) UnmarshalBinary(b []byte) error {
	var c Histogram
	d := decoder{b: b}
	d.header(kindHistogram)
	for _, n := range c.outside.fields() {
		*n = d.varint()
	}
	n := d.uvarint()
	if d.err == nil && n > uint64(len(d.b)/8) {
		d.fail("they end too early")
	}
	for i := uint64(0); i < n && d.err == nil; i++ {
		c.edges = append(c.edges, math.Float64frombits(binary.LittleEndian.Uint64(d.take(8))))
	}
	if d.err == nil && n != 0 && !areEdges(c.edges) {
		d.fail("these are not edges")
	}
	for i := uint64(1); i < n && d.err == nil; i++ {
		var l long
		l.count.all, l.count.negZero = d.varint(), d.varint()
		d.digits(l.sum[:], ofNumbers)
		c.bins = append(c.bins, Accumulator{})
		c.bins[i-1].set(&l)
	}
	if err := d.end(); err != nil {
		return err
	}
	*h = c
	return nil
}

// Digest returns the SHA-256 hash of the state's bytes.
func (h *Histogram) Digest() [sha256.Size]byte {
	b, _ := h.AppendBinary(nil)
	return sha256.Sum256(b)
}
