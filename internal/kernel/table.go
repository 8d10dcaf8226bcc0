package kernel

// row is a row of the dispatch table: the bodies of all kernels at one level.
// The table of an architecture is in table_amd64.go, table_arm64.go or
// table_other.go; its last row is generic.
//
// Every body is named operation, format, level, as the field without the level.
// Only the plain sums, the residues and the stochastic kernels may be nil.
// Pointers take the place of slices because assembly receives pointers.
type row struct {
	needs func() bool // nil: nothing

	foldSum2Float64  fold[float64]
	foldSum3Float64  fold[float64]
	foldAsum2Float64 fold[float64]
	foldSum2Float32  fold[float32]
	foldAsum2Float32 fold[float32]
	foldDot3Float64  foldDot[float64]
	foldDot2Float32  foldDot[float32]

	orderedBlockFloat64 orderedBlock[float64]
	orderedBlockFloat32 orderedBlock[float32]

	chainFloat64 *chain[float64]
	chainFloat32 *chain[float32]

	chainCompensatedFloat64 func(n int, x, y, sums *float64)

	residues *residues // nil: portable

	offsetFloat64 *offset[float64]
	offsetFloat32 *offset[float32]

	complexFloat64 *complexBodies[float64]
	complexFloat32 *complexBodies[float32]

	stochFloat64 *Stoch[float64] // nil: none
	stochFloat32 *Stoch[float32]

	plainSumFloat64 func(x *float64, n int) float64
	plainDotFloat64 func(x, y *float64, n int) float64

	plainPairsFloat64 *plainPairs[float64]
	plainPairsFloat32 *plainPairs[float32]
}

// The signatures of the kernels.
type (
	fold[T float32 | float64]         func(x *T, n int, m *[3]float64, f *words)
	foldDot[T float32 | float64]      func(x, y *T, n int, m *[3]float64, f *words)
	orderedBlock[T float32 | float64] func(op uint64, x, y *T, n int, stack *T, levels uint64,
		dst *T) T
)

// generic is the last row of every table: the portable bodies.
var generic = row{
	foldSum2Float64:  foldSum2Generic[float64],
	foldSum3Float64:  foldSum3Float64Generic,
	foldAsum2Float64: foldAsum2Generic[float64],
	foldSum2Float32:  foldSum2Generic[float32],
	foldAsum2Float32: foldAsum2Generic[float32],
	foldDot3Float64:  foldDot3Float64Generic,
	foldDot2Float32:  foldDot2Float32Generic,

	orderedBlockFloat64: orderedBlockGeneric[float64],
	orderedBlockFloat32: orderedBlockGeneric[float32],

	chainFloat64: chainGenericFloat64(),
	chainFloat32: chainGeneric(chainTileFloat32Generic),

	chainCompensatedFloat64: chainCompensatedFloat64Generic,

	offsetFloat64: offsetGeneric[float64](),
	offsetFloat32: offsetGeneric[float32](),

	complexFloat64: complexGeneric[float64](),
	complexFloat32: complexGeneric[float32](),
}
