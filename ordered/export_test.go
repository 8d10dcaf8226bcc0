package ordered

import "github.com/lastbit/lastbit/internal/kernel"

// SumOn and DotOn are Sum and Dot on a kernel; more than a block is shared
// among a number of goroutines.
func SumOn[T float32 | float64](level kernel.Level, workers int, x []T) T {
	return on(level, workers, kernel.OrderedSum, x, nil)
}

func DotOn[T float32 | float64](level kernel.Level, workers int, x, y []T) T {
	return on(level, workers, kernel.OrderedDot, x, y)
}

func on[T float32 | float64](level kernel.Level, workers int, op kernel.OrderedOp, x, y []T) T {
	if len(x) <= blockSize[T]() {
		return total(level, op, x, y)
	}
	return large(level, op, x, y, workers, false)
}
