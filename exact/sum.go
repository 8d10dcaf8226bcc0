package exact

// Sum returns Σ x[i], rounded once, to nearest, ties to even.
//
// It keeps the promise exact: the result is that of the real sum, whatever the order of
// the elements, the processor and the number of cores. Nothing overflows on the way:
// a large sum that comes back is right, and one that does not is ±Inf. NaN if an
// element is NaN, or if +Inf and −Inf both occur; else the infinity that occurs. An
// empty sum is +0, a sum of −0 only is −0, and every other zero is +0.
//
// Cost: one pass; from 2^21 elements on, all cores. No allocation, but for what
// is kept for the next call, once.
//
// References: DemmelNguyen2013, Neal2015
func Sum[T Float](x []T) T {
	o := over(values, x, nil)
	return total[T](&o)
}

// Asum returns Σ |x[i]|, rounded once. It is otherwise as Sum; the sum of zeros is +0.
func Asum[T Float](x []T) T {
	o := over(magnitudes, x, nil)
	return total[T](&o)
}

// Dot returns Σ x[i]·y[i], rounded once: the products are exact too. A product that is
// not finite, as ∞·0, counts as the NaN or the infinity that it is. It is otherwise as
// Sum, and panics if the lengths differ.
func Dot[T Float](x, y []T) T {
	o := over(products, x, y)
	return total[T](&o)
}

// total returns the sum of o.
func total[T Float](o *operand) T {
	if o.len() >= parallelPays {
		var a Accumulator
		if addParallel(o, &a) {
			return read[T](&a)
		}
	}
	var s stream
	s.add(o)
	return sum[T](&s)
}
