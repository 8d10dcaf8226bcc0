package binned

// OneReduction returns T = Σ_f Σ_i q_i^f, the sum of k levels by the form of
// Demmel and Nguyen's algorithms that needs one reduction, the 1-Reduction
// algorithm of their slides with precomputed M:
//
//	N^1 := 2^Emax, N^(f+1) := 2^−W·N^f, W = 40 (float32: 13)
//	h := max {f : max |x_i| ≤ 2^(W−1)·ε·N^f}
//	M^f := N^(h−1+f) for 1 ≤ f ≤ k
//	for i = 1 to n, in any order, for f = 1 to k:
//	  S := 1.5·M^f ⊕ x_i;  q_i := S ⊖ 1.5·M^f
//	  x_i := x_i ⊖ q_i
//	  T^f := T^f + q_i           (exact, with a carry)
//
// The grid does not depend on the data or on n, so the sum does not need n in
// advance; h is found on the way, as in the single sweep. W is less than the
// bits of the significand, so T^f is wide enough for some 2^(p−W) summands, p =
// 53 (24); a carry besides it extends that to n = 2^53 (2^35). A value that N^f
// supports here contributes nothing to N^(f−1), so no zeroth level is needed.
//
// DemmelNguyen2015 publishes the width and the carries. It adds x_i with its
// last bit set to a running sum, where this function adds x_i to a constant.
//
// Promise: binned, and n does not matter. Special values, overflow and errors
// are as in the package comment; x is not written to. Cost: 1 + 4·k operations
// per value, in one pass over memory. BoundOneReduction bounds the error.
//
// References:
//   - [Demmel2013] James Demmel and Hong Diep Nguyen. Fast Reproducible
//     Floating-Point Summation. 21st IEEE Symposium on Computer Arithmetic
//     (ARITH 21), pages 163–172, 2013.
//   - [DemmelNguyen2013] James Demmel and Hong Diep Nguyen. Numerical
//     Reproducibility and Accuracy at ExaScale. 21st IEEE Symposium on Computer
//     Arithmetic (ARITH 21), pages 235–237, 2013.
//   - [DemmelNguyen2015] James Demmel and Hong Diep Nguyen. Parallel
//     Reproducible Summation. IEEE Transactions on Computers 64(7):2060–2070,
//     2015.
func OneReduction[T Float](x []T, k int) (T, error) {
	var w Window[T]
	if err := w.oneReduction(k); err != nil {
		return 0, err
	}
	w.AddSlice(x)
	return w.Sum()
}

// NewOneReduction returns the empty partial sums of OneReduction, or an error
// for k out of range; see the package comment.
func NewOneReduction[T Float](k int) (*Window[T], error) {
	w := new(Window[T])
	if err := w.oneReduction(k); err != nil {
		return nil, err
	}
	return w, nil
}

// oneReduction sets the grid of the one-reduction form.
func (w *Window[T]) oneReduction(k int) error {
	f := formatOf[T]()
	w.oneRed = true
	w.step = 40
	if f.p == 24 {
		w.step = 13
	}
	w.n = 1 << min(2*f.p-w.step, 53) // the carry stays below 2^p
	w.alpha = f.p - w.step
	return w.init(k, k)
}

// BoundOneReduction returns a bound of |T − Σ x_i| for the result sum = T of
// OneReduction for n values, rounded up:
//
//	2k·u·|T| + 8n·u²·M^1 + n·u·M^k,
//
// where u·M^k ≤ 2^(−W·(k−1))·max |x_i|, the form that DemmelNguyen2015 prints.
// The first two terms bound the rounding of the sum of the levels.
//
// The bound holds for a finite sum. BoundOneReduction panics for k that
// OneReduction refuses.
//
// References:
//   - [DemmelNguyen2015] James Demmel and Hong Diep Nguyen. Parallel
//     Reproducible Summation. IEEE Transactions on Computers 64(7):2060–2070,
//     2015.
func BoundOneReduction[T Float](n int64, k int, maxAbs, sum T) float64 {
	checkBound[T](0, k) // any n
	var w Window[T]
	w.oneReduction(k)
	return w.bound(n, maxAbs, sum)
}
