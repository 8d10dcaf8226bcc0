//go:build purego || !(amd64 || arm64)

package kernel

func orderedBlock64(_ Level, op OrderedOp, x, y *float64, n int, stack *float64, levels uint64, dst *float64) float64 {
	return orderedBlockGeneric(op, x, y, n, stack, levels, dst)
}

func orderedBlock32(_ Level, op OrderedOp, x, y *float32, n int, stack *float32, levels uint64, dst *float32) float32 {
	return orderedBlockGeneric(op, x, y, n, stack, levels, dst)
}
