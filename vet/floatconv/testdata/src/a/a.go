package a

import (
	"math"
	"math/rand"
)

func conversions(x float64, n int, s []float64) int {
	i := int(x)             // want `int\(x\) depends on .* bounds of int first`
	i += int(uint32(s[0]))  // want `uint32\(s\[0\]\) depends`
	i += int(math.Floor(x)) // want `depends`
	i += int(float64(n) * 0.5)
	i += int(math.Floor(float64(n) / 3))
	i += int(rand.Float64() * 100)
	i += int(math.Sqrt(float64(len(s))))
	i += int(int8(math.Sin(float64(n)) * 100))
	i += int(int8(float64(n))) // want `int8\(float64\(n\)\) depends`
	const c = 3.0
	return i + int(c)
}

func guarded(x float64, s []float64) int {
	if !(x >= 0 && x < 100) {
		return 0
	}
	i := int(x) + int(math.Floor(x*2))
	if s[0] > 5 {
		return i
	}
	return i + int(x)
}

func bits(x float64) uint64 { return math.Float64bits(x) }

func limited(x float64) int {
	if math.Abs(x) < 1e6 {
		return int(x)
	}
	if math.IsNaN(x) {
		return 0
	}
	return int(min(max(x, 0), 255)) + int(math.Copysign(3, x))
}

func named(x float64) int {
	if math.IsNaN(x) {
		return 0
	}
	return int(x) // want `int\(x\) depends`
}

func late(x float64) int {
	n := int(x) // want `int\(x\) depends on the processor`
	if x < -1e9 || x > 1e9 {
		return 0
	}
	return n
}
