package kernel

import (
	"math"
	"unsafe"
)

// The tile of the portable body: its elements stay in registers.
const (
	chainRowsGeneric    = 2
	chainColumnsGeneric = 4
)

// chainGeneric returns the portable bodies around a tile.
func chainGeneric[T float32 | float64](tile chainTile[T]) *chain[T] {
	return &chain[T]{
		ChainShape:    ChainShape{chainRowsGeneric, 1, chainColumnsGeneric},
		tile:          tile,
		packRows:      chainPackRowsGeneric[T],
		packColumns:   chainPackColumnsGeneric[T],
		packedRows:    1,
		packedCols:    1,
		axpy:          chainAxpyGeneric[T],
		dots:          chainDotsGeneric[T],
		dot:           chainDotGeneric[T],
		outer:         chainOuterGeneric[T],
		orderedShort:  orderedShortGeneric[T],
		shortAxpy:     shortAxpyGeneric[T],
		shortScale:    shortScaleGeneric[T],
		shortDivide:   shortDivideGeneric[T],
		shortRotate:   shortRotateGeneric[T],
		shortProducts: shortProductsGeneric,
	}
}

// chainGenericFloat64 returns the portable bodies for float64.
func chainGenericFloat64() *chain[float64] {
	c := chainGeneric(chainTileFloat64Generic)
	c.choleskyUpper, c.choleskyLower = choleskyUpperGeneric, choleskyLowerGeneric
	c.triangles = trianglesGeneric()
	c.threeRows, c.threeColumns = chainThreeRowsGeneric, chainThreeColumnsGeneric
	return c
}

// chainTileFloat64Generic is the portable body of Tile for float64.
func chainTileFloat64Generic(
	_, k int, a *float64, aRow, aCol int, b *float64, bRow int, c *float64, cRow int, _ *float64,
) {
	const size = 8
	row0 := (*[4]float64)(unsafe.Pointer(c))
	row1 := (*[4]float64)(unsafe.Add(unsafe.Pointer(c), cRow*size))
	c00, c01, c02, c03 := row0[0], row0[1], row0[2], row0[3]
	c10, c11, c12, c13 := row1[0], row1[1], row1[2], row1[3]
	pa, pb := unsafe.Pointer(a), unsafe.Pointer(b)
	for p := 0; ; {
		a0, a1, r := *(*float64)(pa), *(*float64)(unsafe.Add(pa, aRow*size)), (*[4]float64)(pb)
		c00, c10 = math.FMA(a0, r[0], c00), math.FMA(a1, r[0], c10)
		c01, c11 = math.FMA(a0, r[1], c01), math.FMA(a1, r[1], c11)
		c02, c12 = math.FMA(a0, r[2], c02), math.FMA(a1, r[2], c12)
		c03, c13 = math.FMA(a0, r[3], c03), math.FMA(a1, r[3], c13)
		if p++; p == k {
			break
		}
		pa, pb = unsafe.Add(pa, aCol*size), unsafe.Add(pb, bRow*size)
	}
	row0[0], row0[1], row0[2], row0[3] = c00, c01, c02, c03
	row1[0], row1[1], row1[2], row1[3] = c10, c11, c12, c13
}

// chainTileFloat32Generic is the portable body of Tile for float32. Its
// accumulators are numbers of float32 in the format float64. They add as in
// fmaFloat32: products are exact, fused or not.
//
//lastbit:ignore fma the products are exact
func chainTileFloat32Generic(
	_, k int, a *float32, aRow, aCol int, b *float32, bRow int, c *float32, cRow int, _ *float32,
) {
	const size = 4
	row0 := (*[4]float32)(unsafe.Pointer(c))
	row1 := (*[4]float32)(unsafe.Add(unsafe.Pointer(c), cRow*size))
	c00, c01, c02, c03 := float64(row0[0]), float64(row0[1]), float64(row0[2]), float64(row0[3])
	c10, c11, c12, c13 := float64(row1[0]), float64(row1[1]), float64(row1[2]), float64(row1[3])
	pa, pb := unsafe.Pointer(a), unsafe.Pointer(b)
	for p := 0; ; {
		a0, a1 := float64(*(*float32)(pa)), float64(*(*float32)(unsafe.Add(pa, aRow*size)))
		r := (*[4]float32)(pb)
		b0, b1, b2, b3 := float64(r[0]), float64(r[1]), float64(r[2]), float64(r[3])
		s0, s1, s2, s3 := a0*b0+c00, a0*b1+c01, a0*b2+c02, a0*b3+c03
		if mayRoundTwice(s0) || mayRoundTwice(s1) || mayRoundTwice(s2) || mayRoundTwice(s3) {
			s0, s1 = addToOdd(a0*b0, c00), addToOdd(a0*b1, c01)
			s2, s3 = addToOdd(a0*b2, c02), addToOdd(a0*b3, c03)
		}
		c00, c01, c02, c03 = to32(s0), to32(s1), to32(s2), to32(s3)
		s0, s1, s2, s3 = a1*b0+c10, a1*b1+c11, a1*b2+c12, a1*b3+c13
		if mayRoundTwice(s0) || mayRoundTwice(s1) || mayRoundTwice(s2) || mayRoundTwice(s3) {
			s0, s1 = addToOdd(a1*b0, c10), addToOdd(a1*b1, c11)
			s2, s3 = addToOdd(a1*b2, c12), addToOdd(a1*b3, c13)
		}
		c10, c11, c12, c13 = to32(s0), to32(s1), to32(s2), to32(s3)
		if p++; p == k {
			break
		}
		pa, pb = unsafe.Add(pa, aCol*size), unsafe.Add(pb, bRow*size)
	}
	row0[0], row0[1], row0[2], row0[3] = float32(c00), float32(c01), float32(c02), float32(c03)
	row1[0], row1[1], row1[2], row1[3] = float32(c10), float32(c11), float32(c12), float32(c13)
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
