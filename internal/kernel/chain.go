package kernel

import "unsafe"

//go:generate sh -c "cd ../_asm && go run ./chainamd64 -out ../kernel/chain_amd64.s -stubs ../kernel/chain_amd64.go -pkg kernel"
//go:generate sh -c "cd ../_asm && go run ./chainarm64 -out ../kernel/chain_arm64.s -stubs ../kernel/chain_arm64.go"

// chain holds the bodies of a level for matrix products of one format.
type chain[T float32 | float64] struct {
	ChainShape
	tile chainTile[T]
	// packColumns takes packedRows rows, and a multiple of packedCols columns.
	packRows, packColumns  func(dst *T, dstRow int, src *T, srcRow int, rows, cols int, alpha T)
	packedRows, packedCols int

	axpy  func(rows, n int, a *T, aRow int, x, y *T) // rows is 1 or chainAxpyRows, or halved
	dots  func(n int, a *T, aRow int, x, sums *T)    // chainDotsRows rows
	dot   func(n int, a *T, aRow int, x, sums *T)    // one row; nil: none
	outer func(rows, n int, x, y, a *T, aRow int)

	// The bodies of AddTerms, AddMultiple, Multiply, Divide and Rotate.
	orderedShort func(op uint64, x, y *T, n int) T
	shortAxpy    func(n int, alpha T, x, y *T)
	shortScale   func(n int, alpha T, x *T)
	shortDivide  func(n int, d T, x *T)
	shortRotate  func(n int, c, s T, x, y *T)

	// The body of Products; it is not used for float32.
	shortProducts func(n int, x, y *float32, dst *float64)

	// hasAxpyFew reports whether axpy takes chainAxpyRows/2, /4, … rows too.
	hasAxpyFew bool

	// dotsAVX512 is dots for chainDotsRowsAVX512 rows. lanes stores the lanes
	// of as many, and uneven is dots for rows of n + i·step products, at most
	// as many. They are nil at other levels.
	dotsAVX512, lanes func(n int, a *T, aRow int, x, sums *T)
	uneven            func(rows, n, step, whole int, a *T, aRow int, x *T, xRow int, sums *T)

	// corner and cornerOuter are the bodies of AddCorner and AddCornerOuter;
	// nil at other levels than AVX-512.
	corner, cornerOuter func(rows int, x, y, a *T, aRow, all int, masks uint64)

	// eliminate is the body of Eliminate and of AddOuterScaled, and reflect is
	// the body of Reflect, for maxColumns columns at a time. Both are nil at
	// other levels than AVX2 and AVX-512.
	eliminate func(rows, n int, scale T, x *T, xRow int, y, a *T, aRow, keep int)
	reflect   func(rows, n int, scale T, x *T, xRow int, a *T, aRow int)

	// choleskyUpper and choleskyLower are the bodies of CholeskyUpper and
	// CholeskyLower; nil for float32 and for NEON.
	choleskyUpper func(n int, a *T, aRow int) int
	choleskyLower func(n int, a *T, aRow int, t *T) int

	// symmetricUpper and symmetricLower are the bodies of ReflectSymmetric; nil
	// except for float64 with AVX-512.
	symmetricUpper, symmetricLower func(n int, tau T, x, y, a *T, aRow int)

	triangles[T] // nil for float32

	// rotate is the body of RotateRows, for vectors of Width elements; nil
	// except for float64 on amd64.
	rotate func(rows, vectors int, c, s *T, step int, a *T, aRow, last int)

	// The bodies of Reflector; nil for float32.
	threeRows, threeColumns reflectThree
}

// chainTile is the body of Chain.Tile.
type chainTile[T float32 | float64] func(vectors, k int, a *T, aRow, aCol int, b *T, bRow int,
	c *T, cRow int, next *T)

// ChainShape is the shape of a level's tiles.
type ChainShape struct {
	Rows    int
	Vectors int // most vectors of a row
	Width   int // elements of a vector
}

// Columns returns the most columns of a tile.
func (s ChainShape) Columns() int { return s.Vectors * s.Width }

// Chain holds the kernels of matrix products of one format at one level.
type Chain[T float32 | float64] struct{ body *chain[T] }

// NewChain returns the kernels of a level. It panics for a level that does not
// run here.
func NewChain[T float32 | float64](level Level) Chain[T] {
	b := level.bodies()
	if unsafe.Sizeof(T(0)) == 8 {
		return Chain[T]{(*chain[T])(unsafe.Pointer(b.chainFloat64))}
	}
	return Chain[T]{(*chain[T])(unsafe.Pointer(b.chainFloat32))}
}

// Shape returns the shape of the tiles.
func (c Chain[T]) Shape() ChainShape { return c.body.ChainShape }

// Operand is the address of a matrix: element (i, j) is i·Row + j·Col elements
// from At. Strides may be negative.
type Operand[T float32 | float64] struct {
	At       *T
	Row, Col int
}

// Element returns the address of element (i, j).
func (o Operand[T]) Element(i, j int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(o.At), (i*o.Row+j*o.Col)*int(unsafe.Sizeof(*o.At))))
}

// From returns the matrix without its first i rows and j columns.
func (o Operand[T]) From(i, j int) Operand[T] {
	return Operand[T]{o.Element(i, j), o.Row, o.Col}
}

// RowOf returns the n elements of row i. The columns are neighbours: Col is 1.
func (o Operand[T]) RowOf(i, n int) []T { return unsafe.Slice(o.Element(i, 0), n) }

// Clear sets m × n elements to +0. The columns are neighbours: Col is 1.
func (o Operand[T]) Clear(m, n int) {
	for i := range m {
		clear(o.RowOf(i, n))
	}
}

// Tile updates a tile of c, of Shape().Rows rows and the given number of
// vectors, by k products of each element, k ≥ 1:
//
//	c(i, j) ← fma(a(i, p), b(p, j), c(i, j))    for p = 0, 1, …, k−1
//
// b and c have neighbouring columns: Col is 1. next is the address of the next
// tile that will be updated, or any other: it is not read.
func (c Chain[T]) Tile(vectors, k int, a, b, to Operand[T], next *T) {
	c.body.tile(vectors, k, a.At, a.Row, a.Col, b.At, b.Row, to.At, to.Row, next)
}

// Pack sets dst(i, j) to alpha⊗src(i, j). The columns of dst are neighbours.
func (c Chain[T]) Pack(dst, src Operand[T], rows, cols int, alpha T) {
	b := c.body
	switch {
	case src.Col == 1:
		b.packRows(dst.At, dst.Row, src.At, src.Row, rows, cols, alpha)
		return
	case src.Row == 1:
		// The kernel's rows are src's columns.
		whole, wholeRows := cols-cols%b.packedRows, rows-rows%b.packedCols
		for j := 0; j < whole; j += b.packedRows {
			b.packColumns(dst.Element(0, j), dst.Row, src.Element(0, j), src.Col,
				b.packedRows, wholeRows, alpha)
		}
		// No address may lie beyond a matrix.
		if wholeRows < rows {
			packAny(dst.From(wholeRows, 0), src.From(wholeRows, 0), rows-wholeRows, whole, alpha)
		}
		if whole < cols {
			packAny(dst.From(0, whole), src.From(0, whole), rows, cols-whole, alpha)
		}
		return
	}
	packAny(dst, src, rows, cols, alpha)
}

// packAny is Pack for any strides.
func packAny[T float32 | float64](dst, src Operand[T], rows, cols int, alpha T) {
	for i := range rows {
		for j := range cols {
			*dst.Element(i, j) = alpha * *src.Element(i, j)
		}
	}
}

// The tiles of the assembly. internal/_asm mirrors them, and a test compares.
const (
	chainRowsAVX512    = 8
	chainVectorsAVX512 = 3
	chainRowsAVX2      = 4
	chainVectorsAVX2   = 3
	chainRowsNEON      = 6
	chainVectorsNEON   = 4

	chainLanesBytes     = 64
	chainDotsRows       = 4
	chainDotsRowsAVX512 = 8
	chainAxpyRows       = 8

	chainEliminateVectors = 8
	chainRotateVectors    = 4
)
