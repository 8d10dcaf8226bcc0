package trees

import (
	"unsafe"

	"github.com/lastbit/lastbit/cmd/liblastbit/internal/array"
)

// The constants of gelu.
const (
	rootHalf   = 0.70710678118654757 // √½, in float64
	rootTwoPi  = 0.79788456080286541 // √(2/π)
	density    = 0.3989422804014327  // 1/√(2π)
	kappa      = 0.044715
	threeKappa = 0.134145
)

// activationBlock is the number of elements that are computed at a time.
const activationBlock = 1 << 10

// An activation stores a function of x, or the product of x and a slope at y. t
// and u have room for as many elements.
type activation[T number] func(f *functions[T], dst, x, y, t, u []T)

// activationOf returns the function of that name, or nil, and whether it has
// two arguments.
func activationOf[T number](name string) (a activation[T], two bool) {
	switch name {
	case "sigmoid":
		return sigmoid[T], false
	case "silu":
		return silu[T], false
	case "gelu":
		return gelu[T], false
	case "gelu_tanh":
		return geluTanh[T], false
	case "silu_backward":
		return siluSlope[T], true
	case "gelu_backward":
		return geluSlope[T], true
	case "gelu_tanh_backward":
		return geluTanhSlope[T], true
	}
	return nil, false
}

// Activate stores the results of an activation of n elements. Its error is
// ErrUnknown for other names.
func Activate(name string, f array.Format, n int, x, y, out unsafe.Pointer) error {
	switch f {
	case array.Float32:
		return activate[float32](name, n, x, y, out)
	case array.Float64:
		return activate[float64](name, n, x, y, out)
	}
	return ErrUnknown
}

func activate[T number](name string, n int, x, y, out unsafe.Pointer) error {
	a, two := activationOf[T](name)
	if a == nil || two != (y != nil) {
		return ErrUnknown
	}
	xs, to := elements[T](x, n), elements[T](out, n)
	ys := xs
	if two {
		ys = elements[T](y, n)
	}
	f := functionsOf[T]()
	parts := (n + activationBlock - 1) / activationBlock
	count := workers(parts, 4*n) // an element takes as long as some products
	scratch := make([][]T, count)
	share(count, parts, func(worker, part int) {
		if scratch[worker] == nil {
			scratch[worker] = make([]T, 2*min(n, activationBlock))
		}
		i, j := part*activationBlock, min((part+1)*activationBlock, n)
		t, u := scratch[worker][:j-i], scratch[worker][j-i:][:j-i]
		a(&f, to[i:j], xs[i:j], ys[i:j], t, u)
	})
	return nil
}

// sigmoid stores 1 ⊘ (1 ⊕ exp(−x)).
func sigmoid[T number](f *functions[T], dst, x, _, t, _ []T) {
	dst, x = dst[:len(t)], x[:len(t)] // spares loops checks
	f.minusExp(t, x)
	for i, e := range t {
		dst[i] = 1 / (1 + e)
	}
}

// minusExp stores exp(−x).
func (f *functions[T]) minusExp(dst, x []T) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = -v
	}
	f.exp(dst, dst)
}

// silu stores x ⊘ (1 ⊕ exp(−x)).
func silu[T number](f *functions[T], dst, x, _, t, _ []T) {
	dst, x = dst[:len(t)], x[:len(t)] // spares loops checks
	f.minusExp(t, x)
	for i, e := range t {
		dst[i] = x[i] / (1 + e)
	}
}

// siluSlope stores g ⊗ (s ⊗ (1 ⊕ x ⊗ (1 ⊖ s))), where s is sigmoid.
func siluSlope[T number](f *functions[T], dst, g, x, t, _ []T) {
	dst, g, x = dst[:len(t)], g[:len(t)], x[:len(t)]
	sigmoid(f, t, x, nil, t, nil)
	for i, s := range t {
		dst[i] = g[i] * T(s*T(1+T(x[i]*T(1-s))))
	}
}

// normal stores erfc(x ⊗ −√½): twice the normal distribution.
func (f *functions[T]) normal(dst, x []T) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = v * T(-rootHalf)
	}
	f.erfc(dst, dst)
}

// gelu stores erfc(x ⊗ −√½) ⊗ (x ⊗ ½).
func gelu[T number](f *functions[T], dst, x, _, t, _ []T) {
	dst, x = dst[:len(t)], x[:len(t)] // spares loops checks
	f.normal(t, x)
	for i, e := range t {
		dst[i] = e * T(x[i]*0.5)
	}
}

// inner stores tanh(((x⊗x⊗x⊗κ) ⊕ x) ⊗ √(2/π)).
func (f *functions[T]) inner(dst, x []T) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = T(T(T(T(v*v)*v)*T(kappa))+v) * T(rootTwoPi)
	}
	f.tanh(dst, dst)
}

// geluTanh stores (inner ⊕ 1) ⊗ (x ⊗ ½).
func geluTanh[T number](f *functions[T], dst, x, _, t, _ []T) {
	dst, x = dst[:len(t)], x[:len(t)] // spares loops checks
	f.inner(t, x)
	for i, e := range t {
		dst[i] = T(e+1) * T(x[i]*0.5)
	}
}

// geluSlope stores g ⊗ (½ ⊗ erfc(x ⊗ −√½) ⊕ (exp((x⊗x) ⊗ −½) ⊗ 1/√(2π)) ⊗ x).
func geluSlope[T number](f *functions[T], dst, g, x, t, u []T) {
	dst, g, x, u = dst[:len(t)], g[:len(t)], x[:len(t)], u[:len(t)]
	for i, v := range x {
		u[i] = T(v*v) * T(-0.5)
	}
	f.exp(u, u)
	f.normal(t, x)
	for i, e := range t {
		slope := T(e*0.5) + T(T(u[i]*T(density))*x[i])
		dst[i] = g[i] * slope
	}
}

// geluTanhSlope stores g ⊗ ((t ⊕ 1) ⊗ ½ ⊕ ((1 ⊖ t⊗t) ⊗ d) ⊗ (x ⊗ ½)) with t =
// inner and d = ((x⊗x) ⊗ 3κ ⊕ 1) ⊗ √(2/π).
func geluTanhSlope[T number](f *functions[T], dst, g, x, t, _ []T) {
	dst, g, x = dst[:len(t)], g[:len(t)], x[:len(t)]
	f.inner(t, x)
	for i, e := range t {
		v := x[i]
		d := T(T(T(v*v)*T(threeKappa))+1) * T(rootTwoPi)
		slope := T(T(e+1)*0.5) + T(T(T(1-T(e*e))*d)*T(v*0.5))
		dst[i] = g[i] * slope
	}
}
