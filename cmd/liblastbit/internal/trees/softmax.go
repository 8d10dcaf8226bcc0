package trees

import (
	"math"

	"github.com/lastbit/lastbit/ordered"
)

// largest returns the largest element, or NaN if there is one. Of no elements
// it is −∞.
func largest[T number](x []T) T {
	m := T(math.Inf(-1))
	for _, v := range x {
		if !(v <= m) {
			if m != m {
				break
			}
			m = v
		}
	}
	return m
}

// exponentials stores exp(x ⊖ m) in dst, which may be x, and returns their sum.
func (f *functions[T]) exponentials(dst, x []T, m T) T {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = v - m
	}
	f.exp(dst, dst)
	return ordered.Sum(dst)
}

// softmax stores exp(x ⊖ m) ⊘ s in dst, which may be x. It returns m and s. The
// safe form of −∞ only is 0.
func (f *functions[T]) softmax(dst, x []T, isSafe bool) (m, s T) {
	m = largest(x)
	if isSafe && m == T(math.Inf(-1)) {
		clear(dst)
		return m, 0
	}
	s = f.exponentials(dst, x, m)
	if len(dst) > 0 {
		f.kernels.Divide(len(dst), s, &dst[0])
	}
	return m, s
}

// logSoftmax stores (x ⊖ m) ⊖ log(s).
func (f *functions[T]) logSoftmax(dst, x []T) {
	m := largest(x)
	s := [1]T{f.exponentials(dst, x, m)}
	f.log(s[:], s[:])
	for i, v := range x {
		dst[i] = v - m - s[0]
	}
}

// softmaxSlope stores (g ⊖ d) ⊗ y with d = Σ g⊗y.
func softmaxSlope[T number](dst, g, y []T) {
	d := ordered.Dot(g, y)
	dst, y = dst[:len(g)], y[:len(g)]
	for i, v := range g {
		dst[i] = (v - d) * y[i]
	}
}

// logSoftmaxSlope stores g ⊖ exp(y)⊗s with s = Σ g.
func (f *functions[T]) logSoftmaxSlope(dst, g, y []T) {
	s := ordered.Sum(g)
	f.exp(dst, y)
	dst = dst[:len(g)]
	for i, v := range g {
		dst[i] = v - T(dst[i]*s)
	}
}
