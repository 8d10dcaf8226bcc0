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
