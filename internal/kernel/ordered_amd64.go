//go:build !purego

package kernel

func orderedBlock64(level Level, op OrderedOp, x, y *float64, n int, stack *float64, levels uint64, dst *float64) float64 {
	switch level {
	case AVX512:
		return orderedBlock64AVX512(uint64(op), x, y, n, stack, levels, dst)
	case AVX2:
		return orderedBlock64AVX2(uint64(op), x, y, n, stack, levels, dst)
	case Generic:
		return orderedBlockGeneric(op, x, y, n, stack, levels, dst)
	}
	panic(level.missing())
}

func orderedBlock32(level Level, op OrderedOp, x, y *float32, n int, stack *float32, levels uint64, dst *float32) float32 {
	switch level {
	case AVX512:
		return orderedBlock32AVX512(uint64(op), x, y, n, stack, levels, dst)
	case AVX2:
		return orderedBlock32AVX2(uint64(op), x, y, n, stack, levels, dst)
	case Generic:
		return orderedBlockGeneric(op, x, y, n, stack, levels, dst)
	}
	panic(level.missing())
}
