package binned

import "math"

// unitRoundoff returns u = 2^−p.
func unitRoundoff[T Float]() float64 { return math.Ldexp(1, -formatOf[T]().p) }

// atLeastOne returns parameters that give extractors to an empty sum and to
// zeros, where any would do.
func atLeastOne[T Float](n int64, maxAbs T) (int64, T) {
	if maxAbs == 0 {
		maxAbs = ldexp(T(1), formatOf[T]().emin)
	}
	return max(n, 1), maxAbs
}

// checkBound panics for parameters that the sum refuses.
func checkBound[T Float](n int64, k int) {
	if err := checkLevels(k); err != nil {
		panic(err)
	}
	if err := checkCount[T](n); err != nil {
		panic(err)
	}
}

// up returns the number after x, which bounds every number that rounds to x.
func up(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }

// foldBound returns n·maxAbs·shrink^k, and for k > 1 in addition
// roundoff·n·maxAbs·shrink + u·|sum|, rounded up.
func foldBound[T Float](n int64, k int, maxAbs, sum T, shrink, roundoff, u float64) float64 {
	if n == 0 || maxAbs == 0 {
		return 0
	}
	nx := up(float64(n) * float64(maxAbs))
	b := nx
	for range k {
		b = up(b * shrink)
	}
	if k > 1 {
		b = up(b + up(roundoff*up(nx*shrink)))
		b = up(b + up(u*math.Abs(float64(sum))))
	}
	return b
}

// levelBound returns 2k·u·|sum| + 8n/(1 − 8nu)·u²·M^1 + n·u·M^k, rounded up,
// for M^f = 2^(e − (f−1)·step). Where the denominator is not positive, it is
// left out: only second-order terms need it.
func levelBound[T Float](n int64, k, e, step int, sum T) float64 {
	f := formatOf[T]()
	u := unitRoundoff[T]()
	second := up(math.Ldexp(8*float64(n), e-2*f.p))
	if d := 1 - float64(8*float64(n)*u); d > 0 {
		second = up(second / d)
	}
	last := up(math.Ldexp(float64(n), e-(k-1)*step-f.p))
	return up(up(up(2*float64(k)*u*math.Abs(float64(sum)))+second) + last)
}

// bound is levelBound with the extractors that support maxAbs.
func (w *Window[T]) bound(n int64, maxAbs, sum T) float64 {
	if n == 0 || maxAbs == 0 {
		return 0
	}
	w.h = w.supporting(maxAbs)
	return levelBound(n, w.k, w.extractor(w.zeroth()), w.step, sum)
}
