// Package cost has functions of the forms that the compiler counts.
package cost

import "math"

type vector struct{ x, y, z float64 }

type particle struct {
	vector
	at   vector
	mass float64
}

func add(a, b float64) float64 { return a + b }

func scaled(v vector, f float64) vector { return vector{v.x * f, v.y * f, v.z * f} }

func keyed(v vector, f float64) vector { return vector{x: v.x * f, y: v.y * f, z: v.z * f} }

func (v vector) plus(w vector) vector { return vector{v.x + w.x, v.y + w.y, v.z + w.z} }

func (v *vector) by(f float64) { v.x *= f; v.y *= f; v.z *= f }

func (v vector) dot(w vector) float64 { return v.x*w.x + v.y*w.y + v.z*w.z }

func (v vector) norm() float64 { return math.Sqrt(v.dot(v)) }

func (p *particle) step(dt float64) { p.at = p.at.plus(scaled(p.vector, dt)) }

func (p *particle) embedded() float64 { return p.x + p.at.x }

func variables(x, y float64) float64 {
	s := x + y
	t := s * x
	s += t
	return s - t
}

func declared(x float64) float64 {
	var a, b float64
	var c = x
	a, b = b, x
	return a + b + c
}

func branch(x, y float64) float64 {
	if x > y {
		return x
	}
	return y
}

func loop(x []float64) (s float64) {
	for i := 0; i < len(x); i++ {
		s += x[i]
	}
	return s
}

func ranged(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

func counted(n int) (s float64) {
	for i := range n {
		s += float64(i)
	}
	return s
}

func kahan(inc, sum, c float64) (newSum, newC float64) {
	t := sum + inc
	switch {
	case math.IsInf(t, 0):
		c = 0
	case math.Abs(sum) >= math.Abs(inc):
		c += (sum - t) + inc
	default:
		c += (inc - t) + sum
	}
	return t, c
}

func several(x, y float64) (float64, float64) { return x * y, x + y }

func uses(x, y float64) float64 {
	a, b := several(x, y)
	return a + b
}

func converted(i int, f float32) float64 { return float64(i) + float64(f) + float64(float32(i)) }

func array(x [3]float64, p *[3]float64) float64 { return x[0] + p[1] + (*p)[2] }

func slices(x []float64) []float64 { return append(x[:1], x[2:]...) }

func pointer(p *float64) float64 { return *p + 1 }

func address() *vector { return &vector{1, 2, 3} }

func panics(x float64) float64 {
	if x < 0 {
		panic("negative")
	}
	return x
}

func generic[T float32 | float64](x, y T) T { return x*y + 1 }

func calls(x float64) float64 { return generic(x, x) + add(x, 1) }

func limits(x float64) float64 { return min(max(x, 0), 1) }

func not(x, y bool) bool { return !x && !(y || x) }

func increments(n int) int { n++; n--; return n }

func closure(x float64) float64 {
	f := func(y float64) float64 { return x + y }
	return f(1)
}

var use = []any{add, scaled, keyed, branch, loop, ranged, counted, kahan, uses, converted, array,
	slices, pointer, address, panics, calls, limits, not, increments, closure, variables, declared,
	generic[float32], (*particle).step, (*particle).embedded, (*vector).by, vector.norm}
