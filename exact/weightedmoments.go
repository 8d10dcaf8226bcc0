package exact

import (
	"crypto/sha256"
	"math/big"
)

// WeightedMoments holds n, Σ w, Σ w·x, Σ w² and Σ w·x² of numbers x with
// weights w, exactly. The zero value holds no numbers, and is ready to use.
//
// Its state is a group, like an Accumulator's, and depends on the multiset of
// the pairs (w, x) and on nothing else. Results keep the promise exact: each is
// the value of its formula in real arithmetic, rounded once, to nearest, ties
// to even. In the formulas, W is Σ w and µ is Σ w·x / W.
//
// If a number or a weight is not finite, the mean is as the function Mean gives
// it, and every other result is NaN. A result without a value is NaN too, and a
// variance of zero is +0. With negative weights a variance may be negative; its
// root is NaN then.
//
// WeightedMoments hold up to 2^63 numbers in 1.8 KiB, more if they are far
// apart. They may be copied. Several goroutines must not use them at once while
// one of them adds.
//
// References:
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
type WeightedMoments struct {
	mean WeightedMean
	ww   Accumulator // its counts are unused
	wxx  cubes       // in units of 2^(3·smallest)
	// added counts the additions to wxx since the last carry.
	added int
}

// Reset makes m hold no numbers.
func (m *WeightedMoments) Reset() { *m = WeightedMoments{} }

// Count returns n, the number of numbers added.
func (m *WeightedMoments) Count() int64 { return m.mean.Count() }

// Add adds the number x of weight w.
func (m *WeightedMoments) Add(x, w float64) {
	m.mean.Add(x, w)
	if !isFinite(x) || !isFinite(w) {
		return
	}
	m.ww.AddProduct(w, w)
	a, e := significand(x)
	b, f := significand(w)
	m.room()
	addWords(m.wxx[:], w < 0, 2*e+f-3*smallest, times(squared(a), b))
}

// AddSlice adds every number x[i] of weight w[i]. It panics if the lengths
// differ.
func (m *WeightedMoments) AddSlice(x, w []float64) {
	if len(x) != len(w) {
		panic("exact: the slices of weighted moments differ in length")
	}
	for i, v := range x {
		m.Add(v, w[i])
	}
}

// room makes room for one more addition.
func (m *WeightedMoments) room() {
	if m.added++; m.added >= maxAdds {
		carry(m.wxx[:])
		m.added = 1
	}
}

// squares returns Σ w·x² in canonical form.
func (m *WeightedMoments) squares() cubes {
	c := m.wxx
	carry(c[:])
	return c
}

// combine adds every number of b, or removes it.
func (m *WeightedMoments) combine(b *WeightedMoments, sign int64) {
	c := b.squares()
	m.room()
	for i, d := range c {
		m.wxx[i] += sign * d
	}
}

// Merge adds every number of b. It does not change b.
func (m *WeightedMoments) Merge(b *WeightedMoments) {
	m.combine(b, 1)
	m.mean.Merge(&b.mean)
	m.ww.Merge(&b.ww)
}

// Sub removes every number of b, as if it had never been added: the inverse of
// Merge.
func (m *WeightedMoments) Sub(b *WeightedMoments) {
	m.combine(b, -1)
	m.mean.Sub(&b.mean)
	m.ww.Sub(&b.ww)
}

// Weight returns W = Σ w, rounded once.
func (m *WeightedMoments) Weight() float64 { return m.mean.Weight() }

// Mean returns µ = Σ w·x / W.
func (m *WeightedMoments) Mean() float64 { return m.mean.Mean() }

// Variance returns Σ w·(x − µ)² / (W − 1): weights are frequencies, as in the
// function Variance.
func (m *WeightedMoments) Variance() float64 { return roundRatio[float64](m.variance()) }

// StdDev returns the root of the real number that Variance rounds.
func (m *WeightedMoments) StdDev() float64 { return roundRoot[float64](1, m.variance()) }

// PopVariance returns Σ w·(x − µ)² / W.
func (m *WeightedMoments) PopVariance() float64 { return roundRatio[float64](m.popVariance()) }

// PopStdDev returns the root of the real number that PopVariance rounds.
func (m *WeightedMoments) PopStdDev() float64 { return roundRoot[float64](1, m.popVariance()) }

// ReliabilityVariance returns Σ w·(x − µ)² / (W − Σ w² / W), the unbiased
// variance if the weights are reliabilities, of any scale.
func (m *WeightedMoments) ReliabilityVariance() float64 {
	return roundRatio[float64](m.reliability())
}

// EffectiveCount returns W² / Σ w², the number of numbers of equal weight with
// a mean as reliable.
func (m *WeightedMoments) EffectiveCount() float64 {
	if m.isInfinite() {
		return roundRatio[float64](nan())
	}
	return roundRatio[float64](ratio{num: square(m.mean.w.numbers()), den: m.ww.products()})
}

// isInfinite reports whether a number or a weight is not finite.
func (m *WeightedMoments) isInfinite() bool {
	return m.mean.w.isInfinite() || m.mean.wx.isInfinite()
}

// central returns W, and W·Σ w·(x − µ)², as multiples of 2^smallest and
// 2^(4·smallest), or nil if there is no such value.
func (m *WeightedMoments) central() (w, c *big.Int) {
	w = m.mean.w.numbers()
	if m.isInfinite() || w.Sign() == 0 {
		return nil, nil
	}
	wx, squares := m.mean.wx.products(), m.squares()
	return w, cross(w, wx, wx, integer(squares[:]))
}

// variance returns Σ w·(x − µ)² / (W − 1).
func (m *WeightedMoments) variance() ratio {
	w, c := m.central()
	if w == nil {
		return nan()
	}
	one := new(big.Int).Lsh(big.NewInt(1), -smallest)
	return ratio{num: c, den: product(w, one.Sub(w, one)), e: 2 * smallest}
}

// popVariance returns Σ w·(x − µ)² / W.
func (m *WeightedMoments) popVariance() ratio {
	w, c := m.central()
	if w == nil {
		return nan()
	}
	return ratio{num: c, den: square(w), e: 2 * smallest}
}

// reliability returns Σ w·(x − µ)² / (W − Σ w² / W).
func (m *WeightedMoments) reliability() ratio {
	w, c := m.central()
	if w == nil {
		return nan()
	}
	return ratio{num: c, den: new(big.Int).Sub(square(w), m.ww.products()), e: 2 * smallest}
}

const kindWeightedMoments = 'v'

// longWeighted are WeightedMoments in memory for all exponents.
type longWeighted struct {
	w, wx, ww long
	wxx       cubes
}

// numbers returns the sums of the state.
func (l *longWeighted) numbers() []number {
	return []number{{l.w.sum[:], ofNumbers}, {l.wx.sum[:], 0}, {l.ww.sum[:], 0}, {l.wxx[:], 0}}
}

// MarshalBinary returns the state in canonical bytes: the same multiset has the
// same bytes on every machine. The error is nil.
func (m *WeightedMoments) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// AppendBinary appends the bytes of MarshalBinary to b.
func (m *WeightedMoments) AppendBinary(b []byte) ([]byte, error) {
	l := &longWeighted{m.mean.w.carried(), m.mean.wx.carried(), m.ww.carried(), m.squares()}
	return appendNumbers(b, kindWeightedMoments, weightedCountsOf(&l.w, &l.wx), l.numbers()), nil
}

// UnmarshalBinary sets m to the state that b holds. Bytes that MarshalBinary
// does not write are an error, and leave m unchanged.
func (m *WeightedMoments) UnmarshalBinary(b []byte) error {
	l := new(longWeighted)
	d := decoder{b: b}
	d.header(kindWeightedMoments)
	setWeightedCounts(&l.w, &l.wx, d.someCounts(weightedCounts))
	d.numbers(l.numbers())
	if err := d.end(); err != nil {
		return err
	}
	m.Reset()
	m.mean.w.set(&l.w)
	m.mean.wx.set(&l.wx)
	m.ww.set(&l.ww)
	m.wxx = l.wxx
	return nil
}

// Digest returns the SHA-256 hash of the state's bytes.
func (m *WeightedMoments) Digest() [sha256.Size]byte {
	b, _ := m.AppendBinary(nil)
	return sha256.Sum256(b)
}
