package binned

// Algorithm4 returns T = Σ_f Σ_i q_i^f by Algorithm 4 of Demmel and Nguyen, the
// Faster Reproducible Sum, in its k-fold form 4_k, with every rounding toward
// −∞:
//
//	1: X := max |x_i|
//	2: j := ⌈log2(n·X / (1 − 4·n·u))⌉
//	3: M := 3·2^j
//	4: M_1 := M
//	5: for i = 1 to n, in any order:
//	6:   M_(i+1) := M_i ⊕ x_i     (rounded down)
//	7:   q_i := M_(i+1) ⊖ M_i     (exact)
//	8:   x_i := x_i ⊖ q_i         (rounded down)
//	10: T := M_(n+1) ⊖ M          (exact)
//
// Each further fold applies lines 4 to 10 to the remainders x_i (of a copy),
// with ulp(M), which bounds the remainders, in the place of X. The T of the
// folds are added from the last to the first, rounding to nearest. k = 1 is
// Algorithm 4 itself.
//
// Go always rounds to nearest. But since all M_i are multiples of ulp(M) in one
// binade, q_i is the largest multiple of ulp(M) up to x_i, for any M_i. That is
// computed here, exactly, from the error of M ⊕ x_i (Algorithm 5).
//
// Line 2 is printed with 1 − 2·n·u, which leaves room for rounding to nearest.
// When each q_i may lie nearly ulp(M) = 4·u·2^j below x_i, keeping all M_i in
// one binade needs n·X + n·4u·2^j ≤ 2^j. As printed, the sums of −X, −X, −X and
// numbers like it can leave the binade of M and then depend on the order.
//
// Promise: binned. Special values, overflow and errors are as in the package
// comment; x is not written to. Cost: with directed rounding 1 + (3k − 1)
// operations per value, emulated 1 + 12k. BoundAlgorithm4 bounds the error.
//
// References:
//   - [Demmel2013] James Demmel and Hong Diep Nguyen. Fast Reproducible
//     Floating-Point Summation. 21st IEEE Symposium on Computer Arithmetic
//     (ARITH 21), pages 163–172, 2013.
func Algorithm4[T Float](x []T, k int) (T, error) {
	var p Partial[T]
	if err := p.algorithm4(int64(len(x)), k, MaxAbs(x)); err != nil {
		return 0, err
	}
	p.AddSlice(x)
	return p.Sum()
}

// NewAlgorithm4 returns the empty partial sums of Algorithm4 for n values of
// magnitude at most maxAbs. Both are of all parts together; n is a bound, fewer
// values may be added.
//
// It returns an error for k, n or maxAbs out of range; see the package comment.
func NewAlgorithm4[T Float](n int64, k int, maxAbs T) (*Partial[T], error) {
	p := new(Partial[T])
	if err := p.algorithm4(n, k, maxAbs); err != nil {
		return nil, err
	}
	return p, nil
}

// algorithm4 sets the extractors of Algorithm 4.
func (p *Partial[T]) algorithm4(n int64, k int, maxAbs T) error {
	if err := p.init(n, k, maxAbs); err != nil {
		return err
	}
	n, maxAbs = atLeastOne(n, maxAbs)
	p.rule = downward
	p.e = extractorExponent(n, maxAbs, 4) + 1 // M = 3·2^j = 1.5·2^(j+1)
	p.step = formatOf[T]().p - 2 - extractorExponent(n, T(1), 4)
	return nil
}

// BoundAlgorithm4 returns a bound of |T − Σ x_i| for the result sum = T of
// Algorithm4, rounded up. With one level it is
//
//	8/(1 − 4nu) · n²·u·max|x_i|;
//
// with k levels it is
//
//	(8/(1 − 4nu))^k · n^(k+1)·u^k·max|x_i| + u·|T| + 40/(1 − 4nu) · n²·u²·max|x_i|.
//
// Theorem 4 prints 4/(1 − 2nu) · n²·u·max|x_i| for one level, which does not
// hold: remainders reach ulp(M) = 4u·2^j, while 2^j can be nearly 2n·max|x_i|.
// One large value among many that are a little below zero shows it. The last
// two terms bound the rounding of the sum of the folds, which the slides omit,
// and of the remainders (the slides' c_2 with u²).
//
// The bound holds for a finite sum. BoundAlgorithm4 panics for n and k that
// Algorithm4 refuses.
//
// References:
//   - [Demmel2013] James Demmel and Hong Diep Nguyen. Fast Reproducible
//     Floating-Point Summation. 21st IEEE Symposium on Computer Arithmetic
//     (ARITH 21), pages 163–172, 2013.
func BoundAlgorithm4[T Float](n int64, k int, maxAbs, sum T) float64 {
	checkBound[T](n, k)
	u := unitRoundoff[T]()
	nu := float64(n) * u
	shrink := up(8 * nu / (1 - float64(4*nu)))
	return foldBound(n, k, maxAbs, sum, shrink, 5*u, u)
}
