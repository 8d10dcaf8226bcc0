package binned

// Algorithm3 returns T = Σ_f Σ_i q_i^f by Algorithm 3 of Demmel and Nguyen, the
// Reproducible Sum, in its k-fold form 3_k:
//
//	1: X := max |x_i|
//	2: j := ⌈log2(n·X / (1 − 2·n·u))⌉
//	3: M := 2^j
//	4: T := 0
//	5: for i = 1 to n, in any order:
//	6:   S := M ⊕ x_i            (rounded)
//	7:   q_i := S ⊖ M            (exact)
//	8:   x_i := x_i ⊖ q_i        (exact)
//	9:   T := T ⊕ q_i            (exact)
//
// Each further fold applies lines 5 to 9 to the remainders x_i (of a copy),
// with 2·u·M, which bounds the remainders, in the place of X. The T of the
// folds are added from the last to the first. k = 1 is Algorithm 3 itself.
//
// Promise: binned. Special values, overflow and errors are as in the package
// comment; x is not written to. Cost: 1 + 4·k operations per value.
// BoundAlgorithm3 bounds the error.
//
// References:
//   - [Demmel2013] James Demmel and Hong Diep Nguyen. Fast Reproducible
//     Floating-Point Summation. 21st IEEE Symposium on Computer Arithmetic
//     (ARITH 21), pages 163–172, 2013.
func Algorithm3[T Float](x []T, k int) (T, error) {
	var p Partial[T]
	if err := p.algorithm3(int64(len(x)), k, MaxAbs(x)); err != nil {
		return 0, err
	}
	p.AddSlice(x)
	return p.Sum()
}

// NewAlgorithm3 returns the empty partial sums of Algorithm3 for n values of
// magnitude at most maxAbs. Both are of all parts together; n is a bound, fewer
// values may be added.
//
// It returns an error for k, n or maxAbs out of range; see the package comment.
func NewAlgorithm3[T Float](n int64, k int, maxAbs T) (*Partial[T], error) {
	p := new(Partial[T])
	if err := p.algorithm3(n, k, maxAbs); err != nil {
		return nil, err
	}
	return p, nil
}

// algorithm3 sets the extractors of Algorithm 3.
func (p *Partial[T]) algorithm3(n int64, k int, maxAbs T) error {
	if err := p.init(n, k, maxAbs); err != nil {
		return err
	}
	n, maxAbs = atLeastOne(n, maxAbs)
	p.rule = toExtractor
	p.e = extractorExponent(n, maxAbs, 2)
	p.step = formatOf[T]().p - 1 - extractorExponent(n, T(1), 2)
	return nil
}

// BoundAlgorithm3 returns a bound of |T − Σ x_i| for the result sum = T of
// Algorithm3, rounded up. With one level it is the bound of Theorem 2,
//
//	4/(1 − 2nu) · n²·u·max|x_i|;
//
// with k levels it is
//
//	(4/(1 − 2nu))^k · n^(k+1)·u^k·max|x_i| + u·|T| + 16/(1 − 2nu) · n²·u²·max|x_i|.
//
// The slides print only the first of these terms, as c·n^(k+1)·u^k·max|x_i|.
// That omits the rounding of the sum of the folds: 1 + 2^−60 already has a
// larger error. The other two terms bound that rounding.
//
// The bound holds for a finite sum. BoundAlgorithm3 panics for n and k that
// Algorithm3 refuses.
//
// References:
//   - [Demmel2013] James Demmel and Hong Diep Nguyen. Fast Reproducible
//     Floating-Point Summation. 21st IEEE Symposium on Computer Arithmetic
//     (ARITH 21), pages 163–172, 2013.
func BoundAlgorithm3[T Float](n int64, k int, maxAbs, sum T) float64 {
	checkBound[T](n, k)
	u := unitRoundoff[T]()
	nu := float64(float64(n) * u)
	shrink := up(4 * nu / (1 - float64(2*nu)))
	return foldBound(n, k, maxAbs, sum, shrink, 4*u, u)
}
