package exact

import (
	"crypto/sha256"
	"math/big"
)

// Moments holds n, Σ x, Σ x², Σ x³ and Σ x⁴ of float64 numbers, exactly. The
// zero value holds no numbers, and is ready to use.
//
// Its state is a group, like an Accumulator's: integers that Merge adds and Sub
// subtracts. It depends on the multiset of the numbers and on nothing else.
// Results keep the promise exact: each is the value of its formula in real
// arithmetic, rounded once, to nearest, ties to even. No intermediate result
// overflows, underflows or cancels. In the formulas, µ is the mean and mₖ = Σ
// (x − µ)^k / n.
//
// If a number is not finite, the mean is as the function Mean gives it, and
// every other result is NaN. A result without a value is NaN too: 0/0, and one
// that needs more numbers than there are. A variance of zero is +0. After Sub
// has removed numbers that were not there, the formulas hold for the
// differences, and the root of a negative number is NaN.
//
// Moments hold up to 2^63 numbers in 4 KiB, more if they are far apart. They
// may be copied. Several goroutines must not use them at once while one of them
// adds. A result costs 1 to 30 µs, more for higher powers.
//
// References:
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
//   - [JoanesGill1998] D. N. Joanes and C. A. Gill. Comparing Measures of
//     Sample Skewness and Kurtosis. Journal of the Royal Statistical Society,
//     Series D (The Statistician) 47(1):183–189, 1998.
type Moments struct {
	x, xx  Accumulator // the counts of xx are unused
	powers powers
}

// Reset makes m hold no numbers.
func (m *Moments) Reset() { *m = Moments{} }

// Count returns n, the number of numbers added.
func (m *Moments) Count() int64 { return m.x.all }

// Add adds x. AddSlice is faster.
func (m *Moments) Add(x float64) {
	m.x.Add(x)
	if x-x == 0 {
		m.xx.AddProduct(x, x)
		m.powers.add(x)
	}
}

// AddSlice adds every element of x. Large slices use all cores. An element
// costs about 5 ns.
func (m *Moments) AddSlice(x []float64) {
	m.x.AddSlice(x)
	m.xx.AddDot(x, x)
	addPowers(&m.powers, x)
}

// AddSlice32 adds every element of x.
func (m *Moments) AddSlice32(x []float32) {
	m.x.AddSlice32(x)
	m.xx.AddDot32(x, x)
	addPowers(&m.powers, x)
}

// Merge adds every number of b. It does not change b.
func (m *Moments) Merge(b *Moments) {
	m.x.Merge(&b.x)
	m.xx.Merge(&b.xx)
	m.powers.merge(&b.powers, 1)
}

// Sub removes every number of b, as if it had never been added: the inverse of
// Merge.
func (m *Moments) Sub(b *Moments) {
	m.x.Sub(&b.x)
	m.xx.Sub(&b.xx)
	m.powers.merge(&b.powers, -1)
}

// Mean returns µ = Σ x / n. Special values are as in the function Mean.
func (m *Moments) Mean() float64 { return m.x.Mean() }

// Variance returns s² = Σ (x − µ)² / (n − 1), the unbiased variance of a
// sample.
func (m *Moments) Variance() float64 { return roundRatio[float64](m.variance()) }

// StdDev returns √(Σ (x − µ)² / (n − 1)), the standard deviation of a sample.
func (m *Moments) StdDev() float64 { return roundRoot[float64](1, m.variance()) }

// PopVariance returns m₂, the variance of a population.
func (m *Moments) PopVariance() float64 { return roundRatio[float64](m.popVariance()) }

// PopStdDev returns √m₂, the standard deviation of a population.
func (m *Moments) PopStdDev() float64 { return roundRoot[float64](1, m.popVariance()) }

// Skew returns G₁ = √(n·(n − 1))/(n − 2) · m₃/m₂^(3/2), the skewness of a
// sample, as gonum's stat.Skew and the SKEW of spreadsheets do. It is NaN for
// fewer than three numbers.
//
// References:
//   - [JoanesGill1998] D. N. Joanes and C. A. Gill. Comparing Measures of
//     Sample Skewness and Kurtosis. Journal of the Royal Statistical Society,
//     Series D (The Statistician) 47(1):183–189, 1998.
func (m *Moments) Skew() float64 {
	n, s := m.central()
	if s == nil {
		return roundRatio[float64](nan())
	}
	sign, r := s.skew()
	r.num.Mul(r.num, product(n, plus(n, -1)))
	r.den.Mul(r.den, square(plus(n, -2)))
	return roundRoot[float64](sign, r)
}

// PopSkew returns g₁ = m₃/m₂^(3/2), the skewness of a population.
func (m *Moments) PopSkew() float64 {
	_, s := m.central()
	if s == nil {
		return roundRatio[float64](nan())
	}
	return roundRoot[float64](s.skew())
}

// ExKurtosis returns G₂ = (n − 1)/((n − 2)·(n − 3)) · ((n + 1)·(m₄/m₂² − 3) +
// 6), the excess kurtosis of a sample, as gonum's stat.ExKurtosis and the KURT
// of spreadsheets do. It is NaN for fewer than four numbers.
//
// References:
//   - [JoanesGill1998] D. N. Joanes and C. A. Gill. Comparing Measures of
//     Sample Skewness and Kurtosis. Journal of the Royal Statistical Society,
//     Series D (The Statistician) 47(1):183–189, 1998.
func (m *Moments) ExKurtosis() float64 {
	n, s := m.central()
	if s == nil {
		return roundRatio[float64](nan())
	}
	r := s.kurtosis()
	r.num.Mul(r.num, plus(n, 1))
	r.num.Add(r.num, product(big.NewInt(6), r.den))
	r.num.Mul(r.num, plus(n, -1))
	r.den.Mul(r.den, product(plus(n, -2), plus(n, -3)))
	return roundRatio[float64](r)
}

// PopExKurtosis returns g₂ = m₄/m₂² − 3, the excess kurtosis of a population.
func (m *Moments) PopExKurtosis() float64 {
	_, s := m.central()
	if s == nil {
		return roundRatio[float64](nan())
	}
	return roundRatio[float64](s.kurtosis())
}

func (m *Moments) variance() ratio    { return covariance(&m.x, &m.x, &m.xx, 1) }
func (m *Moments) popVariance() ratio { return covariance(&m.x, &m.x, &m.xx, 0) }

// central holds nᵏ·mₖ for k from 2 to 4, as multiples of 2^(k·smallest).
type central struct{ m2, m3, m4 *big.Int }

// central returns n and the central moments, or nil if a number is not finite.
func (m *Moments) central() (n *big.Int, c *central) {
	n = big.NewInt(m.x.all)
	if m.x.isInfinite() {
		return n, nil
	}
	p := m.powers.carried()
	s1, s2, s3, s4 := m.x.numbers(), m.xx.products(), integer(p.cube[:]), integer(p.fourth[:])
	times := func(k int64, factors ...*big.Int) *big.Int {
		return product(append(factors, big.NewInt(k))...)
	}
	sum := func(terms ...*big.Int) *big.Int {
		z := new(big.Int)
		for _, t := range terms {
			z.Add(z, t)
		}
		return z
	}
	return n, &central{
		m2: cross(n, s1, s1, s2),
		m3: sum(product(n, n, s3), times(-3, n, s1, s2), times(2, s1, s1, s1)),
		m4: sum(product(n, n, n, s4), times(-4, n, n, s1, s3), times(6, n, s1, s1, s2),
			times(-3, s1, s1, s1, s1)),
	}
}

// skew returns the sign and the square of m₃/m₂^(3/2).
func (c *central) skew() (sign int, r ratio) {
	return c.m3.Sign(), ratio{num: square(c.m3), den: product(c.m2, c.m2, c.m2)}
}

// kurtosis returns m₄/m₂² − 3.
func (c *central) kurtosis() ratio {
	den := square(c.m2)
	return ratio{num: new(big.Int).Sub(c.m4, product(big.NewInt(3), den)), den: den}
}

// MomentsLimbs is the length of the vector that Moments.AppendLimbs appends.
const MomentsLimbs = 5 + 2*limbs + len(cubes{}) + len(fourths{})

const kindMoments = 'm'

// longMoments are Moments in memory for all exponents.
type longMoments struct {
	x, xx  long
	powers powers
}

// carried returns a copy in canonical form.
func (m *Moments) carried() *longMoments {
	return &longMoments{x: m.x.carried(), xx: m.xx.carried(), powers: m.powers.carried()}
}

// short returns the Moments of l, which is carried.
func (l *longMoments) short() (m Moments) {
	m.x.set(&l.x)
	m.xx.set(&l.xx)
	m.powers = l.powers
	return m
}

// numbers returns the sums of the state.
func (m *longMoments) numbers() []number {
	return []number{
		{m.x.sum[:], ofNumbers},
		{m.xx.sum[:], 0},
		{m.powers.cube[:], 0},
		{m.powers.fourth[:], 0},
	}
}

// AppendLimbs appends the state to dst as a vector of MomentsLimbs integers.
// The elementwise sum of up to 2^30 such vectors is a vector of the merged
// state.
//
// The vector begins with the numbers of summands, of −0, NaN, +Inf and −Inf.
// The digits follow, the lowest first: of Σ x and Σ x² in units of 2^(32i −
// 2148), of Σ x³ in units of 2^(32i − 3222), and of Σ x⁴ in units of 2^(32i −
// 4296).
func (m *Moments) AppendLimbs(dst []int64) []int64 {
	c := m.carried()
	counts := c.x.count.values()
	return appendVector(dst, counts[:], c.numbers())
}

// AddLimbs merges a vector of AppendLimbs, or the sum of up to 2^30 of them. A
// vector of another length, or with digits that no such sum has, is an error
// and leaves m unchanged.
func (m *Moments) AddLimbs(v []int64) error {
	var l longMoments
	if err := setVector(v, MomentsLimbs, 5, l.numbers()); err != nil {
		return err
	}
	l.x.count.set([5]int64(v))
	b := l.short()
	m.Merge(&b)
	return nil
}

// MarshalBinary returns the state in canonical bytes: Moments that hold the
// same sums of as many numbers have the same bytes on every machine. The error
// is nil.
func (m *Moments) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// AppendBinary appends the bytes of MarshalBinary to b.
func (m *Moments) AppendBinary(b []byte) ([]byte, error) {
	c := m.carried()
	counts := c.x.count.values()
	return appendNumbers(b, kindMoments, counts[:], c.numbers()), nil
}

// UnmarshalBinary sets m to the state that b holds. Bytes that MarshalBinary
// does not write are an error, and leave m unchanged.
func (m *Moments) UnmarshalBinary(b []byte) error {
	var l longMoments
	d := decoder{b: b}
	d.header(kindMoments)
	l.x.count.set(d.counts())
	d.numbers(l.numbers())
	if err := d.end(); err != nil {
		return err
	}
	*m = l.short()
	return nil
}

// Digest returns the SHA-256 hash of the state's bytes. The same multiset of
// numbers has the same digest.
func (m *Moments) Digest() [sha256.Size]byte {
	b, _ := m.AppendBinary(nil)
	return sha256.Sum256(b)
}
