// Package explain finds out why two results of one operation differ: where,
// how far, and the cause.
//
//	c := explain.NewCounter(fp.Binary32, []int{64, 48}, false)
//	c.Add(a, b)
//	d := c.Differences() // 730 of 3072, by 3 ULPs at most
//
//	p, err := explain.NewProduct(explain.MatMul, lhs, rhs)
//	x, err := explain.Explain(ctx, p, a, b, explain.Options{})
//	fmt.Println(x.Causes) // [fma]
//
// # Method
//
// A catalogue lists the ways to compute: the families of package sumtree, and
// arithmetics (fused products, accumulators, shorter inputs, flushed
// subnormals, directions of rounding, matrix units). Each is replayed on a few
// elements, those that differ among them, and on all elements where it
// reproduces the few. The causes are the properties that a model of one result
// and a model of the other differ in, of the pair with the fewest differences.
//
// The models are in catalogue.go, the search for them in search.go, and
// cause.go decides which causes are named.
//
// # Promise
//
// A model is named where it reproduces every element bit for bit, and a cause
// where both results have a model, on enough evidence: an implementation that
// the catalogue lacks would have given the same results in one of 2^8 cases by
// accident. Pairs of models with as few differences and other causes are
// refused, with three exceptions, which results cannot distinguish: an
// accumulator wider than binary32 is preferred to the correctly rounded sum of
// results up to binary32, and the other way round for binary64; a library's
// function to the correctly rounded one; and, beside a result of a matrix unit,
// an ordinary sum to the correctly rounded one.
//
// # Special values
//
// Two NaN are equal, whatever their bits. +0 and −0 differ, by 0 ULPs. A sum of
// −0 may be replayed as +0 throughout, as one that starts from +0.
//
// # Cost
//
// Counting takes a few nanoseconds an element, in memory that does not grow.
// An explanation takes up to some 10^9 additions, seconds of all processors.
//
// References:
//   - [Higham1993] Nicholas J. Higham. The Accuracy of Floating Point
//     Summation. SIAM Journal on Scientific Computing 14(4):783–799, 1993.
package explain
