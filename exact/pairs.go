package exact

import (
	"crypto/sha256"
	"math/big"
)

// Pairs holds n, Σ x, Σ y, Σ x², Σ x·y and Σ y² of pairs of float64 numbers,
// exactly, for covariances, correlation and linear regression. The zero value
// holds no pairs, and is ready to use.
//
// Its state is a group, like an Accumulator's, and depends on the multiset of
// the pairs and on nothing else. Results keep the promise exact: each is the
// value of its formula in real arithmetic, rounded once, to nearest, ties to
// even. No intermediate result overflows, underflows or cancels. In the
// formulas, µ and ν are the means of x and y.
//
// If an x or a y is not finite, the mean of its side is as the function Mean
// gives it, and every other result that depends on it is NaN. A result without
// a value is NaN too: 0/0, such as the slope if all x are equal, and one that
// needs more pairs than there are. After Sub has removed pairs that were not
// there, the formulas hold for the differences.
//
// Pairs holds up to 2^63 pairs in 320 bytes, more if they are far apart. It may
// be copied. Several goroutines must not use it at once while one of them adds.
// A result costs 1 to 20 µs.
//
// References:
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
type Pairs struct {
	x, y       Accumulator
	xx, xy, yy Accumulator // the counts of these are unused
}

// Covariance is Pairs, by its other name.
type Covariance = Pairs

// Reset makes c hold no pairs.
func (c *Pairs) Reset() { *c = Pairs{} }

// Count returns n, the number of pairs added.
func (c *Pairs) Count() int64 { return c.x.all }

// Add adds the pair (x, y). AddSlice is faster.
func (c *Pairs) Add(x, y float64) {
	c.x.Add(x)
	c.y.Add(y)
	c.xx.AddProduct(x, x)
	c.xy.AddProduct(x, y)
	c.yy.AddProduct(y, y)
}

// AddSlice adds every pair (x[i], y[i]). It panics if the lengths differ. Large
// slices use all cores.
func (c *Pairs) AddSlice(x, y []float64) {
	c.xy.AddDot(x, y)
	c.x.AddSlice(x)
	c.y.AddSlice(y)
	c.xx.AddDot(x, x)
	c.yy.AddDot(y, y)
}

// AddSlice32 adds every pair (x[i], y[i]). It panics if the lengths differ.
func (c *Pairs) AddSlice32(x, y []float32) {
	c.xy.AddDot32(x, y)
	c.x.AddSlice32(x)
	c.y.AddSlice32(y)
	c.xx.AddDot32(x, x)
	c.yy.AddDot32(y, y)
}

// Merge adds every pair of b. It does not change b.
func (c *Pairs) Merge(b *Pairs) {
	for i, a := range b.sums() {
		c.sums()[i].Merge(a)
	}
}

// Sub removes every pair of b, as if it had never been added: the inverse of
// Merge.
func (c *Pairs) Sub(b *Pairs) {
	for i, a := range b.sums() {
		c.sums()[i].Sub(a)
	}
}

// sums returns the sums of the state.
func (c *Pairs) sums() [5]*Accumulator {
	return [5]*Accumulator{&c.x, &c.y, &c.xx, &c.xy, &c.yy}
}

// MeanX returns µ = Σ x / n. Special values are as in the function Mean.
func (c *Pairs) MeanX() float64 { return c.x.Mean() }

// MeanY returns ν = Σ y / n.
func (c *Pairs) MeanY() float64 { return c.y.Mean() }

// VarianceX returns Σ (x − µ)² / (n − 1).
func (c *Pairs) VarianceX() float64 {
	return roundRatio[float64](covariance(&c.x, &c.x, &c.xx, 1))
}

// VarianceY returns Σ (y − ν)² / (n − 1).
func (c *Pairs) VarianceY() float64 {
	return roundRatio[float64](covariance(&c.y, &c.y, &c.yy, 1))
}

// Covariance returns Σ (x − µ)·(y − ν) / (n − 1), the unbiased covariance of a
// sample.
func (c *Pairs) Covariance() float64 {
	return roundRatio[float64](covariance(&c.x, &c.y, &c.xy, 1))
}

// PopCovariance returns Σ (x − µ)·(y − ν) / n, the covariance of a population.
func (c *Pairs) PopCovariance() float64 {
	return roundRatio[float64](covariance(&c.x, &c.y, &c.xy, 0))
}

// Correlation returns Σ (x − µ)·(y − ν) / √(Σ (x − µ)² · Σ (y − ν)²), Pearson's
// coefficient, from −1 to 1.
func (c *Pairs) Correlation() float64 {
	s := c.central()
	return roundRoot[float64](s.xy.Sign(), s.rSquared())
}

// RSquared returns the square of the correlation: the part of the variance of y
// that the line Intercept + Slope·x explains.
func (c *Pairs) RSquared() float64 {
	return roundRatio[float64](c.central().rSquared())
}

// Slope returns β = Σ (x − µ)·(y − ν) / Σ (x − µ)². The line α + β·x minimizes
// the squares of the residuals y − α − β·x.
func (c *Pairs) Slope() float64 {
	s := c.central()
	return roundRatio[float64](ratio{num: s.xy, den: s.xx})
}

// Intercept returns α = ν − β·µ, where β is the real number that Slope rounds.
func (c *Pairs) Intercept() float64 {
	s := c.central()
	if s.xx.Sign() == 0 {
		return roundRatio[float64](nan())
	}
	// (Σy·Σx² − Σx·Σxy) / (n·Σx² − (Σx)²)
	return roundRatio[float64](ratio{
		num: cross(c.y.numbers(), c.x.numbers(), c.xy.products(), c.xx.products()),
		den: s.xx,
		e:   smallest,
	})
}

// ResidualStdDev returns √(Σ (y − α − β·x)² / (n − 2)), the standard error of
// the regression, where α and β are the real numbers that Intercept and Slope
// round. It is NaN for fewer than three pairs.
func (c *Pairs) ResidualStdDev() float64 {
	s := c.central()
	return roundRoot[float64](1, ratio{
		num: cross(s.xx, s.xy, s.xy, s.yy),
		den: product(s.n, plus(s.n, -2), s.xx),
		e:   2 * smallest,
	})
}

// centralProducts holds n, and n² times the variance of x, the covariance and
// the variance of y of a population, as multiples of 2^(2·smallest). The last
// three are 0 if they have no value.
type centralProducts struct{ n, xx, xy, yy *big.Int }

func (c *Pairs) central() centralProducts {
	n := big.NewInt(c.x.all)
	if c.x.isInfinite() || c.y.isInfinite() {
		return centralProducts{n, new(big.Int), new(big.Int), new(big.Int)}
	}
	x, y := c.x.numbers(), c.y.numbers()
	return centralProducts{
		n:  n,
		xx: cross(n, x, x, c.xx.products()),
		xy: cross(n, x, y, c.xy.products()),
		yy: cross(n, y, y, c.yy.products()),
	}
}

func (s centralProducts) rSquared() ratio {
	return ratio{num: square(s.xy), den: product(s.xx, s.yy)}
}

// PairsLimbs is the length of the vector that Pairs.AppendLimbs appends.
const PairsLimbs = pairsCounts + 5*limbs

// CovarianceLimbs is PairsLimbs, by its other name.
const CovarianceLimbs = PairsLimbs

const (
	kindPairs = 'c'
	// pairsCounts is the number of counts: five of x, and four of y, whose
	// count of all is the same as for x.
	pairsCounts = 9
)

// longPairs are the sums of Pairs, in their order, in memory for all exponents.
type longPairs [5]long

// carried returns a copy in canonical form.
func (c *Pairs) carried() *longPairs {
	l := new(longPairs)
	for i, a := range c.sums() {
		l[i] = a.carried()
	}
	return l
}

// short returns the Pairs of l, which is carried.
func (l *longPairs) short() (c Pairs) {
	for i, a := range c.sums() {
		a.set(&l[i])
	}
	return c
}

// numbers returns the sums of the state.
func (l *longPairs) numbers() []number {
	multiples := [len(l)]int{ofNumbers, ofNumbers, 0, 0, 0}
	numbers := make([]number, len(l))
	for i := range l {
		numbers[i] = number{l[i].sum[:], multiples[i]}
	}
	return numbers
}

func (l *longPairs) counts() []int64 {
	x, y := l[0].count.values(), l[1].count.values()
	return append(x[:], y[1:]...)
}

func (l *longPairs) setCounts(v []int64) {
	l[0].count.set([5]int64(v))
	l[1].count.set([5]int64{v[0], v[5], v[6], v[7], v[8]})
}

// AppendLimbs appends the state to dst as a vector of PairsLimbs integers. The
// elementwise sum of up to 2^30 such vectors is a vector of the merged state.
//
// The vector begins with the numbers of pairs; of −0, NaN, +Inf and −Inf among
// the x; and of these among the y. The digits of Σ x, Σ y, Σ x², Σ x·y and Σ y²
// follow, the lowest first, in units of 2^(32i − 2148).
func (c *Pairs) AppendLimbs(dst []int64) []int64 {
	d := c.carried()
	return appendVector(dst, d.counts(), d.numbers())
}

// AddLimbs merges a vector of AppendLimbs, or the sum of up to 2^30 of them. A
// vector of another length, or with digits that no such sum has, is an error
// and leaves c unchanged.
func (c *Pairs) AddLimbs(v []int64) error {
	l := new(longPairs)
	if err := setVector(v, PairsLimbs, pairsCounts, l.numbers()); err != nil {
		return err
	}
	l.setCounts(v)
	b := l.short()
	c.Merge(&b)
	return nil
}

// MarshalBinary returns the state in canonical bytes: Pairs that hold the same
// sums of as many pairs have the same bytes on every machine. The error is nil.
func (c *Pairs) MarshalBinary() ([]byte, error) { return c.AppendBinary(nil) }

// AppendBinary appends the bytes of MarshalBinary to b.
func (c *Pairs) AppendBinary(b []byte) ([]byte, error) {
	d := c.carried()
	return appendNumbers(b, kindPairs, d.counts(), d.numbers()), nil
}

// UnmarshalBinary sets c to the state that b holds. Bytes that MarshalBinary
// does not write are an error, and leave c unchanged.
func (c *Pairs) UnmarshalBinary(b []byte) error {
	l := new(longPairs)
	d := decoder{b: b}
	d.header(kindPairs)
	l.setCounts(d.someCounts(pairsCounts))
	d.numbers(l.numbers())
	if err := d.end(); err != nil {
		return err
	}
	*c = l.short()
	return nil
}

// Digest returns the SHA-256 hash of the state's bytes. The same multiset of
// pairs has the same digest.
func (c *Pairs) Digest() [sha256.Size]byte {
	b, _ := c.AppendBinary(nil)
	return sha256.Sum256(b)
}
