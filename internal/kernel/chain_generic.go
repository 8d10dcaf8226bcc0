package kernel

import "unsafe"

// The tile of the portable body: its elements stay in registers.
const (
	chainRowsGeneric    = 2
	chainColumnsGeneric = 4
)

// genericChain returns the portable bodies.
func genericChain[T float32 | float64]() *chain[T] {
	return &chain[T]{
		ChainShape:  ChainShape{chainRowsGeneric, 1, chainColumnsGeneric},
		tile:        chainTileGeneric[T],
		packRows:    chainPackRowsGeneric[T],
		packColumns: chainPackColumnsGeneric[T],
		packedRows:  1,
		packedCols:  1,
	}
}

// chainTileGeneric is the portable body of Tile.
func chainTileGeneric[T float32 | float64](
	_, k int, a *T, aRow, aCol int, b *T, bRow int, c *T, cRow int, _ *T,
) {
	size := int(unsafe.Sizeof(*a))
	c0, c1 := (*[4]T)(unsafe.Pointer(c)), (*[4]T)(unsafe.Add(unsafe.Pointer(c), cRow*size))
	c00, c01, c02, c03 := c0[0], c0[1], c0[2], c0[3]
	c10, c11, c12, c13 := c1[0], c1[1], c1[2], c1[3]
	pa, pb := unsafe.Pointer(a), unsafe.Pointer(b)
	for p := 0; ; {
		a0, a1, r := *(*T)(pa), *(*T)(unsafe.Add(pa, aRow*size)), (*[4]T)(pb)
		c00, c01 = FMA(a0, r[0], c00), FMA(a0, r[1], c01)
		c02, c03 = FMA(a0, r[2], c02), FMA(a0, r[3], c03)
		c10, c11 = FMA(a1, r[0], c10), FMA(a1, r[1], c11)
		c12, c13 = FMA(a1, r[2], c12), FMA(a1, r[3], c13)
		if p++; p == k {
			break
		}
		pa, pb = unsafe.Add(pa, aCol*size), unsafe.Add(pb, bRow*size)
	}
	c0[0], c0[1], c0[2], c0[3] = c00, c01, c02, c03
	c1[0], c1[1], c1[2], c1[3] = c10, c11, c12, c13
}

// chainPackRowsGeneric is the portable body of Pack for rows of src.
func chainPackRowsGeneric[T float32 | float64](
	dst *T, dstRow int, src *T, srcRow int, rows, cols int, alpha T,
) {
	for i := range rows {
		from := unsafe.Slice(Operand[T]{src, srcRow, 1}.Element(i, 0), cols)
		to := unsafe.Slice(Operand[T]{dst, dstRow, 1}.Element(i, 0), cols)
		for j, v := range from {
			to[j] = alpha * v
		}
	}
}

// chainPackColumnsGeneric is the portable body of Pack for columns of src.
func chainPackColumnsGeneric[T float32 | float64](
	dst *T, dstRow int, src *T, srcRow int, rows, cols int, alpha T,
) {
	packAny(Operand[T]{dst, 1, dstRow}, Operand[T]{src, srcRow, 1}, rows, cols, alpha)
}
