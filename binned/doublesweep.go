package binned

// DoubleSweep returns t = Σ_f T^f, the sum of the k levels of high-order parts
// of the values, by the double sweep of Arteaga, Fuhrer and Hoefler (Algorithm
// 3 in the appendix, described in section III.A):
//
//	1, 2: m := max |v_i|
//	3: α := 2^⌈log2(n / (1 − 2·n·ε))⌉
//	4: M^1 := α·2^⌈log2 m⌉
//	5: M^f := α·ε·M^(f−1) for 2 ≤ f ≤ k
//	6: T^f := 0 for 1 ≤ f ≤ k
//	7: for i = 1 to n, in any order:
//	8:   r^0 := v_i
//	9:   for f = 1 to k:
//	10:    q^f := (r^(f−1) ⊕ M^f) ⊖ M^f
//	11:    T^f := T^f ⊕ q^f
//	12:    r^f := r^(f−1) ⊖ q^f
//	16: t := T^k ⊕ … ⊕ T^1, from level k up to level 1
//
// Line 10 is printed with S^f on the left. In section III.A M² is α·κ·ε·M with
// κ = 1/2, one bit lower than line 5; this function keeps to the algorithm.
//
// Promise: binned. Special values, overflow and errors are as in the package
// comment; v is not written to. Cost: 1 + 4·k operations per value.
// BoundDoubleSweep bounds the error.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
func DoubleSweep[T Float](v []T, k int) (T, error) {
	var p Partial[T]
	if err := p.doubleSweep(int64(len(v)), k, MaxAbs(v)); err != nil {
		return 0, err
	}
	p.AddSlice(v)
	return p.Sum()
}

// NewDoubleSweep returns the empty partial sums of DoubleSweep for n values of
// magnitude at most maxAbs. Both are of all parts together; n is a bound, fewer
// values may be added.
//
// It returns an error for k, n or maxAbs out of range; see the package comment.
func NewDoubleSweep[T Float](n int64, k int, maxAbs T) (*Partial[T], error) {
	p := new(Partial[T])
	if err := p.doubleSweep(n, k, maxAbs); err != nil {
		return nil, err
	}
	return p, nil
}

// doubleSweep sets the extractors of the double sweep.
func (p *Partial[T]) doubleSweep(n int64, k int, maxAbs T) error {
	if err := p.init(n, k, maxAbs); err != nil {
		return err
	}
	n, maxAbs = atLeastOne(n, maxAbs)
	alpha := logAlpha[T](n)
	p.rule = toExtractor
	p.e = alpha + ceilLog2(maxAbs)
	p.step = formatOf[T]().p - 1 - alpha
	return nil
}

// logAlpha returns log2 α of Arteaga2014, section III.A:
// ⌈log2(n / (1 − 2·n·ε))⌉ with ε = 2·u.
func logAlpha[T Float](n int64) int { return extractorExponent(n, T(1), 4) }

// BoundDoubleSweep returns a bound of |t − Σ v_i| for the result sum = t of
// DoubleSweep, rounded up: equation (2) of section III.A with κ·ε = u,
//
//	2k·u·|t| + 8n/(1 − 8nu) · u²·M^1 + n·u·M^k.
//
// The last term is printed as 2/3·n·u·M^k. That belongs to extractors 3·2^j,
// whose ULP is 2/3·ε·M. Here M is a power of two, and n remainders of nearly
// u·M each exceed it.
//
// The bound holds for a finite sum. BoundDoubleSweep panics for n and k that
// DoubleSweep refuses.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
func BoundDoubleSweep[T Float](n int64, k int, maxAbs, sum T) float64 {
	checkBound[T](n, k)
	if n == 0 || maxAbs == 0 {
		return 0
	}
	alpha := logAlpha[T](n)
	e := alpha + ceilLog2(maxAbs)
	return levelBound(n, k, e, formatOf[T]().p-1-alpha, sum)
}
