// Package corpus holds patterns of multiplications and additions.
package corpus

import (
	"math"

	"example.com/corpus/inner"
)

type vector struct{ x, y, z float64 }

func (v vector) scale(f float64) vector { return vector{v.x * f, v.y * f, v.z * f} }
func (v vector) plus(w vector) vector   { return vector{v.x + w.x, v.y + w.y, v.z + w.z} }
func (v vector) dot(w vector) float64   { return v.x*w.x + v.y*w.y + v.z*w.z }

func plain(x, y, z float64) (a, b, c, d float64) {
	return x*y + z, z + x*y, z - x*y, x*y - z
}

func negated(x, y, z float64) (a, b, c float64) {
	return -(x * y) + z, -x*y + z, z - -(x * y)
}

func rounded(x, y, z float64) (a, b float64) {
	t := float64(x * y)
	return float64(x*y) + z, t + z
}

func meant(x, y, z float64) float64 { return math.FMA(x, y, z) }

func constants(x, z float64) (a, b, c, d, e, f float64) {
	return x*2 + z, x*1 + z, x*-1 + z, x*3 + z, x/4 + z, x/3 + z
}

func two(x, y, z, w float64) float64 { return x*y + z*w }

func variables(x, y, z float64, b bool) (r, s float64) {
	t := x * y
	r = t + z
	if b {
		t = 0
	}
	return r, t + r
}

func loop(x, y []float64) (s float64) {
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

func axpy(a float64, x, y []float64) {
	for i := range x {
		y[i] += a * x[i]
	}
}

func horner(x float64) float64 {
	return ((0.1*x+0.2)*x+0.3)*x + 0.4
}

func narrow(x, y, z float32) (float32, float64) {
	return x*y + z, 0.1*float64(x)*float64(y) + float64(z)
}

func wide(x, y, z float32) float64 {
	return float64(x)*float64(y) + float64(z) // exact
}

//go:noinline
func exactAndParameter(x, y float32, z float64, p *vector) float64 {
	z = float64(x)*float64(y) + z     // exact
	p.y += float64(x) * float64(y)    // exact
	return float64(int8(x))*0.5 + p.x // exact
}

// exactAndInlined is inlined below, where z is a product: one may be fused.
func exactAndInlined(x, y float32, z float64) float64 {
	return float64(x)*float64(y) + z
}

func inlines(x, y float32, z float64) float64 { return exactAndInlined(x, y, z*z) }

func vectors(v, w vector) (vector, float64) {
	u := v.scale(2.5).plus(w)
	return u, u.dot(v)
}

func inlined(x, y, z float64) (a, b, c float64) {
	return inner.Product(x, y) + z, inner.Sum(x*y, z), inner.Fused(x, y, z)
}

func generic(x, y, z float32) float32 { return inner.Generic(x, y, z) }

func products(a, b complex128, c complex64) (complex128, complex64) {
	return a * b, c * c // exact
}

func memory(p *vector, x, y float64) float64 {
	p.x = x * y
	p.y = x
	return p.x + y
}

func closure(x, y float64) func(float64) float64 {
	t := x * y
	return func(z float64) float64 { return t + z*z }
}

func dead(x, y, z float64) float64 {
	const on = false
	if on {
		return x*y + z
	}
	return z
}

func unsigned(b *vector, a []float64, v any, x float64) (p uint, q, r, s uint64, t uintptr) {
	b.x *= x
	p = uint(b.x)
	a[0] *= x
	return p, uint64(-(x * b.y)), uint64(a[0]), uint64((x * x)), uintptr(square(v.(float64)))
}

func square(x float64) float64 { return x * x }

// Use keeps all functions.
var Use = []any{plain, negated, rounded, meant, constants, two, variables, loop, axpy, horner,
	narrow, vectors, inlined, generic, products, memory, closure, dead, unsigned}
