//go:build !purego

package kernel

// table is the dispatch table of arm64. Every processor has NEON.
var table = [levels]*row{
	NEON: {
		foldSum2Float64:  foldSum2Float64NEON,
		foldSum3Float64:  foldSum3Float64NEON,
		foldAsum2Float64: foldAsum2Float64NEON,
		foldSum2Float32:  foldSum2Float32NEON,
		foldAsum2Float32: foldAsum2Float32NEON,
		foldDot3Float64:  foldDot3Float64NEON,
		foldDot2Float32:  foldDot2Float32NEON,

		orderedBlockFloat64: orderedBlockFloat64NEON,
		orderedBlockFloat32: orderedBlockFloat32NEON,

		chainFloat64: &chain[float64]{
			ChainShape:    ChainShape{chainRowsNEON, chainVectorsNEON, 2},
			tile:          chainTileFloat64NEON,
			packRows:      chainPackRowsFloat64NEON,
			packColumns:   chainPackColumnsFloat64NEON,
			packedRows:    2,
			packedCols:    2,
			axpy:          chainAxpyFloat64NEON,
			dots:          chainDotsFloat64NEON,
			outer:         chainOuterFloat64NEON,
			orderedShort:  orderedShortGeneric[float64],
			shortAxpy:     shortAxpyFloat64NEON,
			shortScale:    shortScaleFloat64NEON,
			shortDivide:   shortDivideGeneric[float64],
			shortRotate:   shortRotateGeneric[float64],
			shortProducts: shortProductsGeneric,

			triangles:    trianglesGeneric(),
			threeRows:    chainThreeRowsGeneric,
			threeColumns: chainThreeColumnsGeneric,
		},
		chainFloat32: &chain[float32]{
			ChainShape:   ChainShape{chainRowsNEON, chainVectorsNEON, 4},
			tile:         chainTileFloat32NEON,
			packRows:     chainPackRowsFloat32NEON,
			packColumns:  chainPackColumnsFloat32NEON,
			packedRows:   2,
			packedCols:   4,
			axpy:         chainAxpyFloat32NEON,
			dots:         chainDotsFloat32NEON,
			outer:        chainOuterFloat32NEON,
			orderedShort: orderedShortGeneric[float32],
			shortAxpy:    shortAxpyFloat32NEON,
			shortScale:   shortScaleFloat32NEON,
			shortDivide:  shortDivideGeneric[float32],
			shortRotate:  shortRotateGeneric[float32],
		},

		chainCompensatedFloat64: chainCompensatedFloat64Generic,

		offsetFloat64: offsetGeneric[float64](),
		offsetFloat32: offsetGeneric[float32](),

		complexFloat64: complexGeneric[float64](),
		complexFloat32: complexGeneric[float32](),

		stochFloat64: &Stoch[float64]{
			Add:  stochAddFloat64NEON,
			Sub:  stochSubFloat64NEON,
			Mul:  stochMulFloat64NEON,
			Div:  stochDivFloat64NEON,
			Sqrt: stochSqrtFloat64NEON,
			FMA:  stochFMAFloat64NEON,
			Dot:  stochDotFloat64NEON,
		},

		stochFloat32: &Stoch[float32]{
			Add:  stochAddFloat32NEON,
			Sub:  stochSubFloat32NEON,
			Mul:  stochMulFloat32NEON,
			Div:  stochDivFloat32NEON,
			Sqrt: stochSqrtFloat32NEON,
			FMA:  stochFMAFloat32NEON,
			Dot:  stochDotFloat32NEON,
		},
	},
	Generic: &generic,
}

// The bodies on vectors are those on matrices of one row.

func shortAxpyFloat64NEON(n int, alpha float64, x, y *float64) {
	chainAxpyFloat64NEON(1, n, x, n, &alpha, y)
}

func shortAxpyFloat32NEON(n int, alpha float32, x, y *float32) {
	chainAxpyFloat32NEON(1, n, x, n, &alpha, y)
}

func shortScaleFloat64NEON(n int, alpha float64, x *float64) {
	chainPackRowsFloat64NEON(x, n, x, n, 1, n, alpha)
}

func shortScaleFloat32NEON(n int, alpha float32, x *float32) {
	chainPackRowsFloat32NEON(x, n, x, n, 1, n, alpha)
}
