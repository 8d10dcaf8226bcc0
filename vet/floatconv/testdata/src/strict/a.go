package strict

import "math"

func compared(x float64) int {
	if x < 0 || x > 100 { // NaN passes
		return 0
	}
	return int(x) // want `int\(x\) depends on the processor`
}

func limited(x float64) uint8 {
	return uint8(math.Min(math.Max(x, 0), 255)) // want `depends on the processor`
}

func computed(width int, ratio float64) int {
	if ratio <= 0 {
		return 0
	}
	return int(float64(width) / ratio) // want `depends on the processor`
}

func bounded(x float64) int {
	if x >= 0 && x <= 100 {
		return int(x)
	}
	return 0
}

func small(n uint8) int { return int(math.Sqrt(float64(n))) }

func generic[T ~float32 | ~float64](x T) int {
	return int(x) // want `int\(x\) depends on the processor`
}

func whole[T ~int32 | ~int64](x float64) T {
	return T(x) // want `T\(x\) depends on the processor`
}

func rounded[T ~int32 | ~float64](x, y T) T { return T(x*y) + x }

func clamped(x float64) int64 {
	if math.IsNaN(x) {
		return 0
	}
	if x > math.MaxInt64 {
		x = math.MaxInt64
	}
	if x < math.MinInt64 {
		x = math.MinInt64
	}
	return int64(x) // want `depends on the processor`
}
