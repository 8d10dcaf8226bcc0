package a

import (
	"encoding/binary"
	"fmt"
	"math"
)

func bits(x, y float64, b []byte, seen map[uint64]bool) bool {
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x)) // want `the bits of x depend on`
	exponent := math.Float64bits(x) >> 52
	_ = seen[math.Float64bits(x)]                        // want `the bits of x`
	return math.Float64bits(x) == math.Float64bits(y) || // want `the bits of x` `the bits of y`
		exponent == 0
}

func guarded(x float64, b []byte) []byte {
	if math.IsNaN(x) {
		x = math.NaN()
	}
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
}

func constants(x float64) bool {
	const nan = 0x7ff8000000000001
	return math.Float64bits(x) == 1<<63 ||
		math.Float64bits(x) == nan || // want `the bits of x`
		math.Float32bits(float32(x)) == 0x3f800000
}

func made(x, y float64, w []float64, f float32) (uint64, uint32) {
	a := math.Float64bits(x / x)       // want `x / x .* where arithmetic makes it NaN`
	a += math.Float64bits(x - x)       // want `the bits of x - x depend`
	a += math.Float64bits(w[0] / w[0]) // want `the bits of`
	a += math.Float64bits(0 / x)       // want `the bits of 0 / x`
	a += math.Float64bits(0 * x)       // want `the bits of 0 \* x`
	a += math.Float64bits(-(x / x))    // want `the bits of`
	a += math.Float64bits(x/x + y)     // want `the bits of`
	a += math.Float64bits(x - y)
	zero := 0.0
	a += math.Float64bits(zero / zero)                // want `the bits of zero / zero`
	a += math.Float64bits(math.Inf(1) - math.Inf(1))  // want `the bits of`
	a += math.Float64bits(math.Inf(1) + math.Inf(-1)) // want `the bits of`
	a += math.Float64bits(math.Sqrt(-1))              // want `the bits of math.Sqrt\(-1\)`
	a += math.Float64bits(math.NaN() + x)             // want `the bits of`
	a += math.Float64bits(math.NaN())
	nan := x / x
	a += math.Float64bits(nan)          // want `the bits of nan depend`
	b := math.Float32bits(float32(nan)) // want `the bits of`
	b += math.Float32bits(f / f)        // want `the bits of f / f`
	if math.Signbit(nan) ||             // want `the sign of nan depends`
		math.Copysign(1, x-x) < 0 { // want `the sign of x - x`
		b++
	}
	if math.IsNaN(nan) {
		return a, b
	}
	return math.Float64bits(math.Inf(1) + math.Inf(1)), b
}

func printed(x float64) {
	fmt.Println(math.Float64bits(x / x)) // want `the bits of x / x depend`
	fmt.Println(math.Float64bits(math.NaN()))
}

// keys are reported with the flag only: they are a mistake on every machine.
func keys(m map[float64]int, x float64) {
	m[x]++
}
