package chain

import (
	"sync"

	"github.com/lastbit/lastbit/internal/kernel"
)

// worker computes areas of a product, one after another.
type worker[T float32 | float64] struct {
	product[T] // a copy, so that the original stays on the stack
	kernel.ChainShape
	*buffers[T]
}

// buffers hold panels of the outer factor and of the other, and a tile.
type buffers[T float32 | float64] struct{ outerPanels, innerPanels, tile []T }

// Idle buffers.
var pool32, pool64 sync.Pool

// pool returns the idle buffers of a format.
func pool[T float32 | float64]() *sync.Pool {
	if sizeOf[T]() == 4 {
		return &pool32
	}
	return &pool64
}

// takeBuffers returns idle buffers, or empty ones.
func takeBuffers[T float32 | float64]() *buffers[T] {
	if b, ok := pool[T]().Get().(*buffers[T]); ok {
		return b
	}
	return new(buffers[T])
}

// newWorker returns a worker. It holds buffers until it is closed.
func newWorker[T float32 | float64](p *product[T]) worker[T] {
	b, s := takeBuffers[T](), p.kernels.Shape()
	grow(&b.innerPanels, p.innerSize())
	grow(&b.tile, s.Rows*s.Columns())
	return worker[T]{*p, s, b}
}

// close makes the buffers idle.
func (w *worker[T]) close() { pool[T]().Put(w.buffers) }

// grow makes a buffer of at least n elements.
func grow[T float32 | float64](b *[]T, n int) {
	if len(*b) < n {
		*b = make([]T, n)
	}
}

// compute updates the matrix by all products of its elements.
func (w *worker[T]) compute() {
	for i := range w.blocks() {
		for p := 0; p < w.k; p += w.depth {
			w.update(w.block(i), p, min(w.depth, w.k-p))
		}
	}
}

// update updates a block by the products from p to p+k.
func (w *worker[T]) update(block area, p, k int) {
	if w.part.relation(block) == outside {
		return
	}
	for piece := range w.packings(block, k) {
		w.packOuter(w.outerPanels, block, p, k, piece)
	}
	a := block
	if w.outerLeft {
		for ; a.j < block.jEnd; a.j += w.columns {
			a.jEnd = min(a.j+w.columns, block.jEnd)
			w.updateArea(a, p, k, w.outerPanels)
		}
		return
	}
	for ; a.i < block.iEnd; a.i += w.rows {
		a.iEnd = min(a.i+w.rows, block.iEnd)
		w.updateArea(a, p, k, w.outerPanels)
	}
}

// updateArea updates an area by the products from p to p+k. It packs the inner
// factor. outer holds the panels of the other for the area.
func (w *worker[T]) updateArea(a area, p, k int, outer []T) {
	if w.part.relation(a) == outside {
		return
	}
	if w.outerLeft {
		for row := 0; row < k; row += packedTogether {
			w.packRight(w.innerPanels, a, p, k, row)
		}
		w.updateByRows(a, p, k, outer, w.innerPanels)
		return
	}
	w.packLeft(w.innerPanels, a, p, k)
	w.updateByColumns(a, p, k, w.innerPanels, outer)
}

// packedPanels is the number of panels of the left matrix that are packed as
// one piece.
const packedPanels = 4

// packings returns the number of pieces that packOuter takes to pack the panels
// of a block.
func (p *product[T]) packings(block area, k int) int {
	if p.outerLeft {
		return ceil(block.iEnd-block.i, packedPanels*p.kernels.Shape().Rows)
	}
	return ceil(k, packedTogether)
}

// packOuter packs a piece of the outer factor's panels.
func (w *worker[T]) packOuter(panels []T, block area, p, k, piece int) {
	if w.outerLeft {
		at := piece * packedPanels * w.Rows
		block.i += at
		block.iEnd = min(block.i+packedPanels*w.Rows, block.iEnd)
		w.packLeft(panels[at*k:], block, p, k)
		return
	}
	w.packRight(panels, block, p, k, piece*packedTogether)
}

// packLeft packs the rows of an area, columns p to p+k of the left matrix, into
// panels of as many rows as a tile has. A panel holds column after column.
func (w *worker[T]) packLeft(panels []T, a area, p, k int) {
	from := w.left.transposed()
	for i, at := a.i, 0; i < a.iEnd; i, at = i+w.Rows, at+w.Rows*k {
		if rows := min(w.Rows, a.iEnd-i); !w.isLeftDirect(rows) {
			w.pack(panels[at:][:w.Rows*k], w.Rows, from.From(p, i), k, rows, w.left.scale)
		}
	}
}

// packedTogether is the number of rows of the right matrix that are packed into
// one panel after another: so few pages of memory are in use that each is read
// from its beginning to its end.
const packedTogether = 16

// packRight packs the columns of an area, packedTogether rows of rows p to p+k
// of the right matrix, from one of them on, into panels of as many columns as a
// tile has. A panel holds row after row.
func (w *worker[T]) packRight(panels []T, a area, p, k, row int) {
	rows := min(packedTogether, k-row)
	for j, at := a.j, 0; j < a.jEnd; j, at = j+w.Columns(), at+w.Columns()*k {
		cols := min(w.Columns(), a.jEnd-j)
		if w.isRightDirect(cols) {
			continue
		}
		width := ceil(cols, w.Width) * w.Width
		panel := panels[at+row*width:][:rows*width]
		w.pack(panel, width, w.right.From(p+row, j), rows, cols, w.right.scale)
	}
}

// A factor is not packed if it is used less often than packing costs: by at
// most maxDirect rows or columns of the other, or maxFarDirect if its own are
// so far apart that they share few sets of the cache.
const (
	maxDirect     = 256
	maxFarDirect  = 32
	maxNearStride = 4096 // bytes
)

// isDirect reports whether kernels read a factor where it is, for some rows or
// columns of the other.
func (f factor[T]) isDirect(uses int) bool {
	stride := max(f.Row, -f.Row, f.Col, -f.Col)
	isNear := stride <= maxNearStride/sizeOf[T]()
	return f.scale == 1 && (uses <= maxFarDirect || uses <= maxDirect && isNear)
}

// isLeftDirect reports whether kernels read some rows of the left matrix where
// they are.
func (w *worker[T]) isLeftDirect(rows int) bool {
	return rows == w.Rows && w.left.isDirect(w.n)
}

// isRightDirect reports whether kernels read some columns of the right matrix
// where they are.
func (p *product[T]) isRightDirect(cols int) bool {
	return cols%p.kernels.Shape().Width == 0 && p.right.Col == 1 && p.right.isDirect(p.m)
}

// pack packs rows into a panel whose rows are width long, with zeros at their
// ends.
func (w *worker[T]) pack(panel []T, width int, from kernel.Operand[T], rows, cols int, scale T) {
	if cols < width {
		clear(panel)
	}
	w.kernels.Pack(kernel.Operand[T]{At: &panel[0], Row: width, Col: 1}, from, rows, cols, scale)
}

// transposed returns the transposed matrix.
func (f factor[T]) transposed() kernel.Operand[T] {
	return kernel.Operand[T]{At: f.At, Row: f.Col, Col: f.Row}
}

// updateByColumns updates the tiles of an area by the products from p to p+k,
// one column of tiles after another. left and right hold its panels.
func (w *worker[T]) updateByColumns(a area, p, k int, left, right []T) {
	for j := a.j; j < a.jEnd; j += w.Columns() {
		b := w.rightOf(a, j, p, k, right)
		for i := a.i; i < a.iEnd; i += w.Rows {
			w.updateTile(w.tileAt(a, i, j), p, k, w.leftOf(a, i, p, k, left), b,
				w.to.Element(min(i+w.Rows, w.m-1), j))
		}
	}
}

// updateByRows is updateByColumns for one row of tiles after another.
func (w *worker[T]) updateByRows(a area, p, k int, left, right []T) {
	for i := a.i; i < a.iEnd; i += w.Rows {
		l := w.leftOf(a, i, p, k, left)
		for j := a.j; j < a.jEnd; j += w.Columns() {
			w.updateTile(w.tileAt(a, i, j), p, k, l, w.rightOf(a, j, p, k, right),
				w.to.Element(i, min(j+w.Columns(), w.n-1)))
		}
	}
}

// tileAt returns the tile of an area at row i and column j.
func (w *worker[T]) tileAt(a area, i, j int) area {
	return area{i, min(i+w.Rows, a.iEnd), j, min(j+w.Columns(), a.jEnd)}
}

// leftOf returns the panel of the rows from i on.
func (w *worker[T]) leftOf(a area, i, p, k int, panels []T) kernel.Operand[T] {
	if w.isLeftDirect(min(w.Rows, a.iEnd-i)) {
		return w.left.From(i, p)
	}
	return kernel.Operand[T]{At: &panels[(i-a.i)*k], Row: 1, Col: w.Rows}
}

// rightOf returns the panel of the columns from j on.
func (w *worker[T]) rightOf(a area, j, p, k int, panels []T) kernel.Operand[T] {
	cols := min(w.Columns(), a.jEnd-j)
	if w.isRightDirect(cols) {
		return w.right.From(p, j)
	}
	return kernel.Operand[T]{At: &panels[(j-a.j)*k], Row: ceil(cols, w.Width) * w.Width, Col: 1}
}

// updateTile updates a tile by the products of two panels from p to p+k, or
// sets a new one to them. next is the address of the next tile.
func (w *worker[T]) updateTile(a area, p, k int, left, right kernel.Operand[T], next *T) {
	related := w.part.relation(a)
	if related == outside {
		return
	}
	isNew := w.isNew && p == 0
	vectors := ceil(a.jEnd-a.j, w.Width)
	to := w.to.From(a.i, a.j)
	isWhole := a.iEnd-a.i == w.Rows && a.jEnd-a.j == vectors*w.Width
	if related == inside && isWhole && to.Col == 1 {
		if isNew { // fetched into the cache by the tile before
			to.Clear(w.Rows, a.jEnd-a.j)
		}
		w.kernels.Tile(vectors, k, left, right, to, next)
		return
	}
	tile := kernel.Operand[T]{At: &w.tile[0], Row: w.Columns(), Col: 1}
	if isNew {
		clear(w.tile)
	} else {
		w.copyPart(tile, to, a, related)
	}
	w.kernels.Tile(vectors, k, left, right, tile, to.At)
	w.copyPart(to, tile, a, related)
}

// copyPart copies the elements of an area that belong to the part.
func (w *worker[T]) copyPart(dst, src kernel.Operand[T], a area, related relation) {
	if related == inside && dst.Col == 1 {
		w.kernels.Pack(dst, src, a.iEnd-a.i, a.jEnd-a.j, 1)
		return
	}
	for i := range a.iEnd - a.i {
		first, end := w.columnsOf(a, i)
		for j := first; j < end; j++ {
			*dst.Element(i, j) = *src.Element(i, j)
		}
	}
}

// columnsOf returns the columns of the part in row i of a tile, counted from
// the tile's first column.
func (w *worker[T]) columnsOf(a area, i int) (first, end int) {
	first, end = w.part.columns(a.i+i, w.n)
	return max(first, a.j) - a.j, min(end, a.jEnd) - a.j
}
