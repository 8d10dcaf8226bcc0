package strict

import "math"

func computed(x, y float64) bool {
	d := x - y
	return math.Signbit(x-y) || // want `x - y has another sign .* where it is NaN`
		math.Signbit(d) || // want `d has another sign`
		math.Copysign(1, x) < 0 // want `x has another sign .*; use signs.Copysign`
}

func values(all []float64) (float64, bool) {
	negative := math.Signbit                                  // want `a NaN has .* use signs`
	copied := math.Copysign(pair())                           // want `a NaN has another sign`
	return copied, negative(all[0]) || (math.Signbit)(all[1]) // want `all\[1\] has another sign`
}

var sign = func(x float64) float64 { return math.Copysign(1, x) } // want `x has another sign`

func pair() (float64, float64) { return 1, 2 }

func constants(x float64, n int) float64 {
	return math.Copysign(x, -1) + math.Copysign(x, float64(n)) + math.Copysign(x, -math.Abs(x)) +
		math.Copysign(x, math.Copysign(x*x, -1)) + math.Copysign(x, math.Inf(n))
}

func around(x, y float64) int {
	if x == 0 && math.Signbit(x) || math.IsNaN(y) || math.Signbit(y) {
		return 1
	}
	if x > y {
		return int(math.Copysign(1, x) + math.Copysign(1, -y))
	} else if math.Signbit(y) {
		return 2
	}
	if x < y || math.Signbit(x) { // want `x has another sign`
		return 3
	}
	if math.Abs(x) < 1 || x == 2 {
		return int(math.Copysign(1, x))
	}
	if !math.IsNaN(x) && !(x != x || y != y) {
		return int(math.Copysign(x, x*1)) // want `x \* 1 has`
	} else if x < 1 && y < 1 && math.Signbit(y) {
		return 4
	}
	return 0
}

func before(x, y, z float64) float64 {
	if math.IsNaN(x) || math.IsNaN(y) {
		return x + y
	}
	if math.IsNaN(z) {
		println("NaN")
	}
	z = math.Copysign(z, x) + math.Copysign(1, z) // want `z has another sign`
	for range 3 {
		if x != x {
			break
		}
		z += math.Copysign(1, y) // want `y has another sign`
		y -= x
	}
	x = math.Copysign(1, x)
	return z
}

func cases(x, y float64) float64 {
	switch {
	case x == 0:
		return math.Copysign(0, x)
	case math.IsNaN(y):
		return math.NaN()
	case math.IsInf(x, 0):
		return math.Copysign(1, x) + math.Copysign(1, y)
	case x < 0, y < 0:
		return math.Copysign(1, x) // want `x has another sign`
	default:
		return math.Copysign(2, y)
	}
}

func after(x, y float64) float64 {
	switch {
	case math.IsNaN(x):
		return 0
	case x > 1:
		x = 1
	}
	switch {
	case y > 1, math.IsNaN(y):
		y = 0
	}
	return math.Copysign(x, y) // want `y has another sign`
}

func through(x float64) float64 {
	switch {
	case math.IsNaN(x):
		fallthrough
	case x > 1:
		return math.Copysign(1, x)
	}
	switch {
	case x > 0:
		if x > 2 {
			return math.Copysign(x, x)
		}
		fallthrough
	default:
		return math.Copysign(2, x) // want `x has another sign`
	}
}

func shadowed(x float64, all []float64) (s float64) {
	if math.IsNaN(x) {
		return 0
	}
	for i := range all {
		x := all[i]
		s += math.Copysign(1, x) // want `x has another sign`
		if all[i] > 0 {
			s += math.Copysign(1, all[i])
		}
	}
	p := &s
	if s > 0 {
		*p = s - s
		return math.Copysign(1, s) // want `s has another sign`
	}
	return math.Copysign(s, x)
}

func ignored(x float64) bool {
	return math.Signbit(x) //lastbit:ignore nankey x is finite
}
