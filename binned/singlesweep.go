package binned

// SingleSweep returns t = Σ_f T^f, the sum of the k levels of high-order parts
// of the values, by the single sweep of Arteaga, Fuhrer and Hoefler (Algorithm
// 2, section III.B):
//
//	1: α := 2^⌈log2(n / (1 − 2·n·ε))⌉, N^1 := 2^Emax, N^(f+1) := α·ε·N^f
//	2: h := max {f : N^f supports v_1}, which is N^f ≥ α·2^⌈log2 |v_1|⌉
//	3: M^f := N^(h−1+f) for 0 ≤ f ≤ k
//	4: T^f := 0 for 0 ≤ f ≤ k
//	6: for i = 1 to n, in any order:
//	7:   while M^1 does not support v_i: move all M and T down one level,
//	     with T^1 := T^0 and T^2 := T^1 ⊖ T^0; a larger M^0 enters, T^0 := 0
//	16:  q^0 := (M^0 ⊕ v_i) ⊖ M^0;  T^0 := T^0 ⊕ q^0;  r^0 := v_i
//	19:  for f = 1 to k:
//	20:    q^f := (M^f ⊕ r^(f−1)) ⊖ M^f
//	21:    T^f := T^f ⊕ q^f
//	22:    r^f := r^(f−1) ⊖ q^f
//	25: T^1 := T^1 ⊖ T^0
//	27: t := T^k ⊕ … ⊕ T^2 ⊕ (T^1 ⊕ T^0)
//
// It departs from the paper as printed where that does not work:
//   - Extractors are powers of two there. Added to one, negative values lead
//     into the binade below, whose grid is finer. A positive value with a
//     negative remainder then gives two levels another sum than the lower one
//     alone, and the result depends on the order. With 1.5·M in the place of M,
//     as in the authors' code, both signs have the grid ε·M.
//   - Line 3 is printed with N^(h+f), which contradicts lines 2 and 13.
//   - Line 7 needs |v_i|, and lines 8 to 12 are for k ≥ 2 only.
//   - N^1 = 2^Emax supports values up to 2^Emax/α only, and M^0 is a level
//     above M^1. The grid goes on to N^0, N^−1 … for larger values.
//   - Lemma 1 of the appendix, that a value supported by N^f contributes
//     nothing to N^(f−2), loses a factor of n² in its proof; it holds for α·ε ≤
//     1/2.
//   - Values here go through r^0 := v_i ⊖ q^0, so that T^1 never contains T^0
//     and needs no subtraction. Window explains why the result is the same.
//   - Line 28 is printed in the order T^1, then T^0; see Window.Sum.
//
// Promise: binned. Special values, overflow and errors are as in the package
// comment; v is not written to. Cost: 1 + 4·(k + 1) operations per value, in
// one pass over memory. BoundSingleSweep bounds the error.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
func SingleSweep[T Float](v []T, k int) (T, error) {
	var w Window[T]
	if err := w.singleSweep(int64(len(v)), k); err != nil {
		return 0, err
	}
	w.AddSlice(v)
	return w.Sum()
}

// NewSingleSweep returns the empty partial sums of SingleSweep for n values of
// all parts together. n is a bound: fewer values may be added.
//
// It returns an error for k or n out of range; see the package comment.
func NewSingleSweep[T Float](n int64, k int) (*Window[T], error) {
	w := new(Window[T])
	if err := w.singleSweep(n, k); err != nil {
		return nil, err
	}
	return w, nil
}

// singleSweep sets the grid of the single sweep.
func (w *Window[T]) singleSweep(n int64, k int) error {
	if err := checkCount[T](n); err != nil {
		return err
	}
	w.n = n
	w.alpha = logAlpha[T](max(n, 1))
	w.step = formatOf[T]().p - 1 - w.alpha
	return w.init(k, k+1)
}

// BoundSingleSweep returns a bound of |t − Σ v_i| for the result sum = t of
// SingleSweep, rounded up. It is the bound of BoundDoubleSweep with the
// extractors of the grid, beginning with the smallest that supports maxAbs.
//
// M^1 may lie nearly a level above the double sweep's M^1, so the last term is
// up to the last term of the double sweep with k − 1 levels (section III.C).
//
// The bound holds for a finite sum. BoundSingleSweep panics for n and k that
// SingleSweep refuses.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
func BoundSingleSweep[T Float](n int64, k int, maxAbs, sum T) float64 {
	checkBound[T](n, k)
	var w Window[T]
	w.singleSweep(n, k)
	return w.bound(n, maxAbs, sum)
}
