package exact

// Sum returns Σ x[i], rounded once, to nearest, ties to even.
//
// It keeps the promise exact: the result is the real sum, rounded once, for any
// order of the elements, any processor and any number of cores. No intermediate
// sum overflows: max + max − max is max, and only a real sum that is too large
// is ±Inf. The sum is NaN if an element is NaN, or if +Inf and −Inf both occur;
// otherwise an infinity that occurs is the sum. An empty sum is +0, a sum of −0
// only is −0, and any other zero is +0.
//
// Cost: one pass; from 2^21 elements on, on all cores. It allocates only on
// first use, and keeps that memory for later calls.
//
// References:
//   - [DemmelNguyen2013] James Demmel and Hong Diep Nguyen. Numerical
//     Reproducibility and Accuracy at ExaScale. 21st IEEE Symposium on Computer
//     Arithmetic (ARITH 21), pages 235–237, 2013.
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
func Sum[T Float](x []T) T {
	o := over(values, x, nil)
	return total[T](&o)
}

// Asum returns Σ |x[i]|, rounded once. It is otherwise as Sum; a sum of zeros
// is +0.
func Asum[T Float](x []T) T {
	o := over(magnitudes, x, nil)
	return total[T](&o)
}

// Dot returns Σ x[i]·y[i], rounded once: the products are exact too. It is
// otherwise as Sum, of the products: ∞·0 is NaN, and x·∞ an infinity. It panics
// if the lengths differ.
func Dot[T Float](x, y []T) T {
	o := over(products, x, y)
	return total[T](&o)
}

// total returns the sum of o, rounded once. The inner loops are kernels, which
// internal/kernel/doc.go lists.
func total[T Float](o *operand) T {
	if o.len() >= minParallel {
		var a long
		if addParallel(o, &a) {
			return readLong[T](&a)
		}
	}
	var s stream
	s.add(o)
	return sum[T](&s)
}
