//go:build purego || !(amd64 || arm64)

package kernel

func orderedBlock64(level Level, op OrderedOp, x, y *float64, n int, stack *float64, levels uint64, dst *float64) float64 {
	if level != Generic {
		panic(level.missing())
	}
	return orderedBlockGeneric(op, x, y, n, stack, levels, dst)
}

func orderedBlock32(level Level, op OrderedOp, x, y *float32, n int, stack *float32, levels uint64, dst *float32) float32 {
	if level != Generic {
		panic(level.missing())
	}
	return orderedBlockGeneric(op, x, y, n, stack, levels, dst)
}
