//go:build !purego

package kernel

import "github.com/lastbit/lastbit/internal/cpu"

// table is the dispatch table of amd64.
var table = [levels]*row{
	AVX512: {
		needs: func() bool { return cpu.AVX512 && notesExceptions },

		foldSum2Float64:  foldSum2Float64AVX512,
		foldSum3Float64:  foldSum3Float64AVX512,
		foldAsum2Float64: foldAsum2Float64AVX512,
		foldSum2Float32:  foldSum2Float32AVX512,
		foldAsum2Float32: foldAsum2Float32AVX512,
		foldDot3Float64:  foldDot3Float64AVX512,
		foldDot2Float32:  foldDot2Float32AVX512,

		orderedBlockFloat64: orderedBlockFloat64AVX512,
		orderedBlockFloat32: orderedBlockFloat32AVX512,

		chainFloat64: &chain[float64]{
			ChainShape:    ChainShape{chainRowsAVX512, chainVectorsAVX512, 8},
			tile:          chainTileFloat64AVX512,
			packRows:      chainPackRowsFloat64AVX2,
			packColumns:   chainPackColumnsFloat64AVX2,
			packedRows:    4,
			packedCols:    4,
			axpy:          chainAxpyFloat64AVX512,
			dots:          chainDotsFloat64AVX2,
			dot:           chainDotFloat64AVX2,
			outer:         chainOuterFloat64AVX512,
			orderedShort:  orderedShortFloat64AVX2,
			shortAxpy:     shortAxpyFloat64AVX2,
			shortScale:    shortScaleFloat64AVX2,
			shortDivide:   shortDivideFloat64AVX2,
			shortRotate:   shortRotateFloat64AVX2,
			shortProducts: shortProductsFloat64AVX2,
			hasAxpyFew:    true,
			dotsAVX512:    chainDotsFloat64AVX512,
			lanes:         chainLanesFloat64AVX512,
			uneven:        chainUnevenFloat64AVX512,
			corner:        chainCornerFloat64AVX512,
			cornerOuter:   chainCornerOuterFloat64AVX512,
			eliminate:     chainEliminateFloat64AVX2,
			reflect:       chainReflectFloat64AVX2,

			choleskyUpper: chainCholeskyUpperFloat64AVX512,
			choleskyLower: chainCholeskyLowerFloat64AVX512,

			symmetricUpper: chainSymmetricUpperFloat64AVX512,
			symmetricLower: chainSymmetricLowerFloat64AVX512,

			triangles: triangles[float64]{
				chainTriangleTimesUpperFloat64AVX2, chainTriangleTimesLowerFloat64AVX2,
				chainTriangleUpdateUpperFloat64AVX2, chainTriangleUpdateLowerFloat64AVX2,
			},

			rotate:       chainRotateFloat64AVX512,
			threeRows:    chainThreeRowsFloat64AVX2,
			threeColumns: chainThreeColumnsFloat64AVX2,
		},
		chainFloat32: &chain[float32]{
			ChainShape:   ChainShape{chainRowsAVX512, chainVectorsAVX512, 16},
			tile:         chainTileFloat32AVX512,
			packRows:     chainPackRowsFloat32AVX2,
			packColumns:  chainPackColumnsFloat32AVX2,
			packedRows:   4,
			packedCols:   8,
			axpy:         chainAxpyFloat32AVX512,
			dots:         chainDotsFloat32AVX2,
			dot:          chainDotFloat32AVX2,
			outer:        chainOuterFloat32AVX512,
			orderedShort: orderedShortFloat32AVX2,
			shortAxpy:    shortAxpyFloat32AVX2,
			shortScale:   shortScaleFloat32AVX2,
			shortDivide:  shortDivideFloat32AVX2,
			shortRotate:  shortRotateFloat32AVX2,
			hasAxpyFew:   true,
			dotsAVX512:   chainDotsFloat32AVX512,
			lanes:        chainLanesFloat32AVX512,
			uneven:       chainUnevenFloat32AVX512,
			corner:       chainCornerFloat32AVX512,
			cornerOuter:  chainCornerOuterFloat32AVX512,
			eliminate:    chainEliminateFloat32AVX2,
			reflect:      chainReflectFloat32AVX2,
		},

		chainCompensatedFloat64: chainCompensatedFloat64AVX512,

		residues: &residues{
			residueSplitVNNI, residueTransposeVNNI, residueTileVNNI, residueJoinVNNI,
			residueRoundVNNI,
		},

		offsetFloat64: &offset[float64]{
			lanes:   8,
			rows:    chainDotsRowsAVX512,
			dots:    offsetDotsFloat64AVX512,
			addRows: offsetRowsFloat64AVX512,
			round:   offsetRoundFloat64AVX512,
		},
		offsetFloat32: &offset[float32]{
			lanes:   8,
			rows:    chainDotsRowsAVX512,
			dots:    offsetDotsFloat32AVX512,
			addRows: offsetRowsFloat32AVX512,
			round:   offsetRoundFloat64AVX512,
		},

		complexFloat64: &complexBodies[float64]{
			rows:    8,
			addRows: complexRowsFloat64AVX512,
			scale:   complexScaleFloat64AVX512,
			dots:    complexDotsFloat64AVX512,
			dot:     complexDotFloat64AVX512,
		},
		complexFloat32: &complexBodies[float32]{
			rows:    8,
			addRows: complexRowsFloat32AVX512,
			scale:   complexScaleFloat32AVX512,
			dots:    complexDotsFloat32AVX512,
			dot:     complexDotFloat32AVX512,
		},

		stochFloat64: &Stoch[float64]{
			Add:  stochAddFloat64AVX512,
			Sub:  stochSubFloat64AVX512,
			Mul:  stochMulFloat64AVX512,
			Div:  stochDivFloat64AVX512,
			Sqrt: stochSqrtFloat64AVX512,
			FMA:  stochFMAFloat64AVX512,
			Dot:  stochDotFloat64AVX512,
			Filters: StochFilters[float64]{
				Spread:   stochSpreadFloat64AVX512,
				Sum:      stochDropSumFloat64AVX512,
				Diff:     stochDropDiffFloat64AVX512,
				FusedSum: stochDropFusedFloat64AVX512,
			},
		},

		stochFloat32: &Stoch[float32]{
			Add:  stochAddFloat32AVX512,
			Sub:  stochSubFloat32AVX512,
			Mul:  stochMulFloat32AVX512,
			Div:  stochDivFloat32AVX512,
			Sqrt: stochSqrtFloat32AVX512,
			FMA:  stochFMAFloat32AVX512,
			Dot:  stochDotFloat32AVX512,
			Filters: StochFilters[float32]{
				Spread:   stochSpreadFloat32AVX512,
				Sum:      stochDropSumFloat32AVX512,
				Diff:     stochDropDiffFloat32AVX512,
				FusedSum: stochDropFusedFloat32AVX512,
			},
		},

		plainSumFloat64: plainSumFloat64AVX512,
		plainDotFloat64: plainDotFloat64AVX512,

		plainPairsFloat64: &plainPairs[float64]{plainAddFloat64AVX512, plainMulFloat64AVX512},
		plainPairsFloat32: &plainPairs[float32]{plainAddFloat32AVX512, plainMulFloat32AVX512},
	},
	AVX2: {
		needs: func() bool { return cpu.AVX2 && notesExceptions },

		foldSum2Float64:  foldSum2Float64AVX2,
		foldSum3Float64:  foldSum3Float64AVX2,
		foldAsum2Float64: foldAsum2Float64AVX2,
		foldSum2Float32:  foldSum2Float32AVX2,
		foldAsum2Float32: foldAsum2Float32AVX2,
		foldDot3Float64:  foldDot3Float64AVX2,
		foldDot2Float32:  foldDot2Float32AVX2,

		orderedBlockFloat64: orderedBlockFloat64AVX2,
		orderedBlockFloat32: orderedBlockFloat32AVX2,

		chainFloat64: &chain[float64]{
			ChainShape:    ChainShape{chainRowsAVX2, chainVectorsAVX2, 4},
			tile:          chainTileFloat64AVX2,
			packRows:      chainPackRowsFloat64AVX2,
			packColumns:   chainPackColumnsFloat64AVX2,
			packedRows:    4,
			packedCols:    4,
			axpy:          chainAxpyFloat64AVX2,
			dots:          chainDotsFloat64AVX2,
			dot:           chainDotFloat64AVX2,
			outer:         chainOuterFloat64AVX2,
			orderedShort:  orderedShortFloat64AVX2,
			shortAxpy:     shortAxpyFloat64AVX2,
			shortScale:    shortScaleFloat64AVX2,
			shortDivide:   shortDivideFloat64AVX2,
			shortRotate:   shortRotateFloat64AVX2,
			shortProducts: shortProductsFloat64AVX2,
			hasAxpyFew:    true,
			eliminate:     chainEliminateFloat64AVX2,
			reflect:       chainReflectFloat64AVX2,

			choleskyUpper: chainCholeskyUpperFloat64AVX2,
			choleskyLower: chainCholeskyLowerFloat64AVX2,

			triangles: triangles[float64]{
				chainTriangleTimesUpperFloat64AVX2, chainTriangleTimesLowerFloat64AVX2,
				chainTriangleUpdateUpperFloat64AVX2, chainTriangleUpdateLowerFloat64AVX2,
			},

			rotate:       chainRotateFloat64AVX2,
			threeRows:    chainThreeRowsFloat64AVX2,
			threeColumns: chainThreeColumnsFloat64AVX2,
		},
		chainFloat32: &chain[float32]{
			ChainShape:   ChainShape{chainRowsAVX2, chainVectorsAVX2, 8},
			tile:         chainTileFloat32AVX2,
			packRows:     chainPackRowsFloat32AVX2,
			packColumns:  chainPackColumnsFloat32AVX2,
			packedRows:   4,
			packedCols:   8,
			axpy:         chainAxpyFloat32AVX2,
			dots:         chainDotsFloat32AVX2,
			dot:          chainDotFloat32AVX2,
			outer:        chainOuterFloat32AVX2,
			orderedShort: orderedShortFloat32AVX2,
			shortAxpy:    shortAxpyFloat32AVX2,
			shortScale:   shortScaleFloat32AVX2,
			shortDivide:  shortDivideFloat32AVX2,
			shortRotate:  shortRotateFloat32AVX2,
			hasAxpyFew:   true,
			eliminate:    chainEliminateFloat32AVX2,
			reflect:      chainReflectFloat32AVX2,
		},

		chainCompensatedFloat64: chainCompensatedFloat64AVX2,

		offsetFloat64: &offset[float64]{
			lanes:   4,
			rows:    chainDotsRows,
			dots:    offsetDotsFloat64AVX2,
			addRows: offsetRowsFloat64AVX2,
			round:   offsetRoundFloat64AVX2,
		},
		offsetFloat32: &offset[float32]{
			lanes:   4,
			rows:    chainDotsRows,
			dots:    offsetDotsFloat32AVX2,
			addRows: offsetRowsFloat32AVX2,
			round:   offsetRoundFloat64AVX2,
		},

		complexFloat64: &complexBodies[float64]{
			rows:    4,
			addRows: complexRowsFloat64AVX2,
			scale:   complexScaleFloat64AVX2,
			dots:    complexDotsFloat64AVX2,
			dot:     complexDotFloat64AVX2,
		},
		complexFloat32: &complexBodies[float32]{
			rows:    4,
			addRows: complexRowsFloat32AVX2,
			scale:   complexScaleFloat32AVX2,
			dots:    complexDotsFloat32AVX2,
			dot:     complexDotFloat32AVX2,
		},

		stochFloat64: &Stoch[float64]{
			Add:  stochAddFloat64AVX2,
			Sub:  stochSubFloat64AVX2,
			Mul:  stochMulFloat64AVX2,
			Div:  stochDivFloat64AVX2,
			Sqrt: stochSqrtFloat64AVX2,
			FMA:  stochFMAFloat64AVX2,
			Dot:  stochDotFloat64AVX2,
			Filters: StochFilters[float64]{
				Spread:   stochSpreadFloat64AVX2,
				Sum:      stochDropSumFloat64AVX2,
				Diff:     stochDropDiffFloat64AVX2,
				FusedSum: stochDropFusedFloat64AVX2,
			},
		},

		stochFloat32: &Stoch[float32]{
			Add:  stochAddFloat32AVX2,
			Sub:  stochSubFloat32AVX2,
			Mul:  stochMulFloat32AVX2,
			Div:  stochDivFloat32AVX2,
			Sqrt: stochSqrtFloat32AVX2,
			FMA:  stochFMAFloat32AVX2,
			Dot:  stochDotFloat32AVX2,
			Filters: StochFilters[float32]{
				Spread:   stochSpreadFloat32AVX2,
				Sum:      stochDropSumFloat32AVX2,
				Diff:     stochDropDiffFloat32AVX2,
				FusedSum: stochDropFusedFloat32AVX2,
			},
		},

		plainSumFloat64: plainSumFloat64AVX2,
		plainDotFloat64: plainDotFloat64AVX2,

		plainPairsFloat64: &plainPairs[float64]{plainAddFloat64AVX2, plainMulFloat64AVX2},
		plainPairsFloat32: &plainPairs[float32]{plainAddFloat32AVX2, plainMulFloat32AVX2},
	},
	Generic: &generic,
}

// notesExceptions reports whether the processor notes that an addition was
// inexact and that a product underflowed, as the folds need. Every processor
// does; an emulator may not.
var notesExceptions = cpu.AVX2 && tryExceptions()

// tryExceptions folds values whose folds are exact, inexact and tiny.
func tryExceptions() bool {
	x, m := [...]float64{1, 0x1p-200}, Constants(4)
	var exact, inexact, tiny Folds
	foldSum2Float64AVX2(&x[0], 1, &m, exact.words())
	foldSum2Float64AVX2(&x[0], 2, &m, inexact.words())
	y := 0x1p-1074
	foldDot3Float64AVX2(&y, &y, 1, &m, tiny.words())
	return exact.Exact() && !inexact.Exact() && !tiny.Exact()
}
