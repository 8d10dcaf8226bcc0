package exact

import "crypto/sha256"

// WeightedMean holds n, Σ w and Σ w·x of numbers x with weights w, exactly. The
// zero value holds no numbers, and is ready to use.
//
// Its state is a group, like an Accumulator's, and depends on the multiset of
// the pairs (w, x) and on nothing else. It keeps the promise exact: Mean is
// Σ w·x / Σ w in real arithmetic, rounded once, to nearest, ties to even. NaN,
// infinities and zeros are as in the function Mean with weights.
//
// A WeightedMean holds up to 2^63 numbers in 128 bytes, more if they are far
// apart. It may be copied. Several goroutines must not use it at once while one
// of them adds.
//
// References:
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
type WeightedMean struct {
	w, wx Accumulator
}

// Reset makes m hold no numbers.
func (m *WeightedMean) Reset() { *m = WeightedMean{} }

// Count returns n, the number of numbers added.
func (m *WeightedMean) Count() int64 { return m.w.all }

// Add adds the number x of weight w.
func (m *WeightedMean) Add(x, w float64) {
	m.w.Add(w)
	m.wx.AddProduct(w, x)
}

// AddSlice adds every number x[i] of weight w[i]. It panics if the lengths
// differ. Large slices use all cores.
func (m *WeightedMean) AddSlice(x, w []float64) {
	m.wx.AddDot(w, x)
	m.w.AddSlice(w)
}

// Merge adds every number of b. It does not change b.
func (m *WeightedMean) Merge(b *WeightedMean) {
	m.w.Merge(&b.w)
	m.wx.Merge(&b.wx)
}

// Sub removes every number of b, as if it had never been added: the inverse of
// Merge.
func (m *WeightedMean) Sub(b *WeightedMean) {
	m.w.Sub(&b.w)
	m.wx.Sub(&b.wx)
}

// Mean returns Σ w·x / Σ w.
func (m *WeightedMean) Mean() float64 { return quotient[float64](&m.wx, &m.w) }

// Mean32 returns Σ w·x / Σ w, rounded once to float32.
func (m *WeightedMean) Mean32() float32 { return quotient[float32](&m.wx, &m.w) }

// Weight returns Σ w, rounded once.
func (m *WeightedMean) Weight() float64 { return m.w.Float64() }

const (
	kindWeightedMean = 'w'
	// weightedCounts is the number of counts: five of w, and four of w·x, whose
	// count of all is the same as for w.
	weightedCounts = 9
)

// weightedCountsOf returns the counts of sums of w and of w·x.
func weightedCountsOf(w, wx *long) []int64 {
	v, p := w.count.values(), wx.count.values()
	return append(v[:], p[1:]...)
}

// setWeightedCounts is the inverse of weightedCountsOf.
func setWeightedCounts(w, wx *long, v []int64) {
	w.count.set([5]int64(v))
	wx.count.set([5]int64{v[0], v[5], v[6], v[7], v[8]})
}

// MarshalBinary returns the state in canonical bytes: the same multiset has the
// same bytes on every machine. The error is nil.
func (m *WeightedMean) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// AppendBinary appends the bytes of MarshalBinary to b.
func (m *WeightedMean) AppendBinary(b []byte) ([]byte, error) {
	w, wx := m.w.carried(), m.wx.carried()
	return appendNumbers(b, kindWeightedMean, weightedCountsOf(&w, &wx),
		[]number{{w.sum[:], ofNumbers}, {wx.sum[:], 0}}), nil
}

// UnmarshalBinary sets m to the state that b holds. Bytes that MarshalBinary
// does not write are an error, and leave m unchanged.
func (m *WeightedMean) UnmarshalBinary(b []byte) error {
	var w, wx long
	d := decoder{b: b}
	d.header(kindWeightedMean)
	setWeightedCounts(&w, &wx, d.someCounts(weightedCounts))
	d.numbers([]number{{w.sum[:], ofNumbers}, {wx.sum[:], 0}})
	if err := d.end(); err != nil {
		return err
	}
	m.Reset()
	m.w.set(&w)
	m.wx.set(&wx)
	return nil
}

// Digest returns the SHA-256 hash of the state's bytes.
func (m *WeightedMean) Digest() [sha256.Size]byte {
	b, _ := m.AppendBinary(nil)
	return sha256.Sum256(b)
}
