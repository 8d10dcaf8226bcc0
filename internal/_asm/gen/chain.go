package gen

import "fmt"

// The tiles of internal/kernel's ChainTile: rows, and vectors of a row.
const (
	ChainRowsAVX512    = 8
	ChainVectorsAVX512 = 3
	ChainRowsAVX2      = 4
	ChainVectorsAVX2   = 3
	ChainRowsNEON      = 6
	ChainVectorsNEON   = 4
)

// ChainTileSignature returns the parameters of the stub of a tile.
func ChainTileSignature(size int) string {
	return fmt.Sprintf("(vectors, k int, a *%[1]s, aRow, aCol int, b *%[1]s, bRow int, "+
		"c *%[1]s, cRow int, next *%[1]s)", Float(size))
}

// ChainPackSignature returns the parameters of the stubs that pack.
func ChainPackSignature(size int) string {
	return fmt.Sprintf("(dst *%[1]s, dstRow int, src *%[1]s, srcRow int, rows, cols int, "+
		"alpha %[1]s)", Float(size))
}

// ChainDoc returns a stub's comment after its name. generator is the folder
// that writes the body.
func ChainDoc(operation string, size int, level, generator string) string {
	return fmt.Sprintf("is %s of %s with %s.", operation, Float(size), level) + Origin(generator)
}

// The size of the lanes of a row in chainDots, the rows of one of its calls,
// the most rows of a call of chainAxpy, and vectors of one of chainEliminate
// and of chainRotate.
const (
	ChainLanesBytes     = 64
	ChainDotsRows       = 4
	ChainDotsRowsAVX512 = 8
	ChainAxpyRows       = 8

	ChainEliminateVectors = 8
	ChainRotateVectors    = 4
)

// ChainDotsSignature returns the parameters of the stub of chainDots.
func ChainDotsSignature(size int) string {
	return fmt.Sprintf("(n int, a *%[1]s, aRow int, x, sums *%[1]s)", Float(size))
}

// ChainLanesSignature returns the parameters of the stub of chainLanes.
func ChainLanesSignature(size int) string {
	return fmt.Sprintf("(n int, a *%[1]s, aRow int, x, lanes *%[1]s)", Float(size))
}

// ChainUnevenSignature returns the parameters of the stub of chainUneven.
func ChainUnevenSignature(size int) string {
	return fmt.Sprintf("(rows, n, step, whole int, a *%[1]s, aRow int, x *%[1]s, xRow int, "+
		"sums *%[1]s)", Float(size))
}

// ChainEliminateSignature returns the parameters of the stub of chainEliminate.
func ChainEliminateSignature(size int) string {
	return fmt.Sprintf("(rows, n int, scale %[1]s, x *%[1]s, xRow int, y, a *%[1]s, "+
		"aRow, keep int)", Float(size))
}

// ChainReflectSignature returns the parameters of the stub of chainReflect.
func ChainReflectSignature(size int) string {
	return fmt.Sprintf("(rows, n int, scale %[1]s, x *%[1]s, xRow int, a *%[1]s, aRow int)",
		Float(size))
}

// ChainCornerSignature returns the parameters of the stubs of corners.
func ChainCornerSignature(size int) string {
	return fmt.Sprintf("(rows int, x, y, a *%[1]s, aRow, all int, masks uint64)", Float(size))
}

// ChainCholeskyOrder is the most rows of the matrices of chainCholesky.
const ChainCholeskyOrder = 64

// ChainCholeskySignature returns the parameters and the result of the stubs of
// chainCholeskyUpper and chainCholeskyLower.
func ChainCholeskySignature(size int, isLower bool) string {
	t := ""
	if isLower {
		t = ", t *" + Float(size)
	}
	return fmt.Sprintf("(n int, a *%s, aRow int%s) int", Float(size), t)
}

// ChainSymmetricOrder is the most rows of the matrices of chainSymmetric.
const ChainSymmetricOrder = 8

// ChainSymmetricSignature returns the parameters of the stubs of
// chainSymmetricUpper and chainSymmetricLower.
func ChainSymmetricSignature(size int) string {
	return fmt.Sprintf("(n int, tau %[1]s, x, y, a *%[1]s, aRow int)", Float(size))
}

// ChainTriangleOrder is the most rows of the matrices of chainTriangleTimes.
const ChainTriangleOrder = 64

// ChainTriangleTimesSignature returns the parameters of the stubs of
// chainTriangleTimesUpper and chainTriangleTimesLower.
func ChainTriangleTimesSignature(size int) string {
	return fmt.Sprintf("(n int, alpha %[1]s, x, y, a *%[1]s, aRow int)", Float(size))
}

// ChainTriangleUpdateSignature returns the parameters of the stubs of
// chainTriangleUpdateUpper and chainTriangleUpdateLower.
func ChainTriangleUpdateSignature(size int) string {
	return fmt.Sprintf("(n int, x, y, a *%[1]s, aRow int)", Float(size))
}

// ChainRotateSignature returns the parameters of the stub of chainRotate.
func ChainRotateSignature(size int) string {
	return fmt.Sprintf("(rows, vectors int, c, s *%[1]s, step int, a *%[1]s, aRow, last int)",
		Float(size))
}

// ChainThreeSignature returns the parameters of the stubs of chainThreeRows and
// chainThreeColumns.
func ChainThreeSignature(size int) string {
	return fmt.Sprintf("(n int, h *[5]%[1]s, a *%[1]s, aRow int)", Float(size))
}

// ChainAxpySignature returns the parameters of the stub of chainAxpy.
func ChainAxpySignature(size int) string {
	return fmt.Sprintf("(rows, n int, a *%[1]s, aRow int, x, y *%[1]s)", Float(size))
}

// ChainOuterSignature returns the parameters of the stub of chainOuter.
func ChainOuterSignature(size int) string {
	return fmt.Sprintf("(rows, n int, x, y, a *%[1]s, aRow int)", Float(size))
}

// OffsetDotsSignature returns the parameters of the stub of offsetDots.
func OffsetDotsSignature(size int) string {
	return fmt.Sprintf("(n int, a *%s, aRow int, x *float64, m float64, high *uint64, "+
		"low *float64, changes *uint64)", Float(size))
}

// OffsetRowsSignature returns the parameters of the stub of offsetRows.
func OffsetRowsSignature(size int) string {
	return fmt.Sprintf("(rows, n int, a *%s, aRow int, x *float64, m float64, high *uint64, "+
		"low *float64, changes *uint64)", Float(size))
}

// OffsetRoundSignature returns the parameters of the stub of offsetRound.
func OffsetRoundSignature() string {
	return "(n int, high *uint64, low *float64, changes *uint64, base uint64, " +
		"unit, bound float64, y *float64) int"
}

// ComplexRowsSignature returns the parameters of the stub of complexRows.
func ComplexRowsSignature(size int) string {
	return fmt.Sprintf("(rows, n int, a *%[1]s, aRow int, factors, y *%[1]s)", Float(size))
}

// ComplexScaleSignature returns the parameters of the stub of complexScale.
func ComplexScaleSignature(size int) string {
	return fmt.Sprintf("(n int, factors, x *%s)", Float(size))
}

// ComplexDotsSignature returns the parameters of the stub of complexDots.
func ComplexDotsSignature(size int) string {
	return fmt.Sprintf("(n int, a *%[1]s, aRow int, x, signs, sums *%[1]s)", Float(size))
}

// ShortProductsSignature returns the parameters of the stub of shortProducts.
func ShortProductsSignature() string { return "(n int, x, y *float32, dst *float64)" }

// ShortAxpySignature returns the parameters of the stub of shortAxpy.
func ShortAxpySignature(size int) string {
	return fmt.Sprintf("(n int, alpha %[1]s, x, y *%[1]s)", Float(size))
}

// ShortScaleSignature returns the parameters of the stub of shortScale.
func ShortScaleSignature(size int) string {
	return fmt.Sprintf("(n int, alpha %[1]s, x *%[1]s)", Float(size))
}

// ShortRotateSignature returns the parameters of the stub of shortRotate.
func ShortRotateSignature(size int) string {
	return fmt.Sprintf("(n int, c, s %[1]s, x, y *%[1]s)", Float(size))
}
