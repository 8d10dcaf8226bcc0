package chain

import "github.com/lastbit/lastbit/internal/kernel"

// product is a matrix product to be computed: to += left·right.
type product[T float32 | float64] struct {
	kernels     kernel.Chain[T]
	isNew       bool // the elements of to are +0, whatever they hold
	part        Part
	m, n, k     int
	left, right factor[T]
	to          kernel.Operand[T]

	rows, columns, depth int // of a set of packed panels

	// outerLeft selects the outer factor, left or right: its panels are packed
	// once for a block, and the other's for each area of it.
	outerLeft bool
}

// factor is a matrix whose elements are multiplied by scale, and rounded.
type factor[T float32 | float64] struct {
	kernel.Operand[T]
	scale T
}

// transposed returns the product that computes the transposed matrix. Its
// elements have the same chains, because a product does not depend on the order
// of its factors.
func (p product[T]) transposed() product[T] {
	p.m, p.n = p.n, p.m
	p.left, p.right = p.right, p.left
	for _, o := range []*kernel.Operand[T]{&p.left.Operand, &p.right.Operand, &p.to} {
		o.Row, o.Col = o.Col, o.Row
	}
	switch p.part {
	case Lower:
		p.part = Upper
	case Upper:
		p.part = Lower
	}
	return p
}

// The most rows or columns of the panels of both factors, and bytes of a
// panel's depth, unless a Setting limits them. The outer factor's panels, of 3
// or 6 MiB, stay in the third level of the cache. The other's, of 576 KiB, stay
// in the second, which has 1 MiB or more.
//
// With AVX-512, a panel of 24 columns is read from the second level for each
// tile: a kernel fetches ahead, so it need not fit into the first. A panel of 8
// rows fits, and stays there where the left factor is the outer one.
const (
	maxInner        = 192
	maxOuterColumns = 1056
	maxOuterRows    = 2112
	maxDepthBytes   = 3 << 10
)

// minOuterLeft is the size of the right factor's panels in bytes from which the
// left factor is the outer one, unless a Setting has another: larger panels do
// not stay in the second level of the cache, which has 2 MiB or less.
const minOuterLeft = 2<<20 + 1

// limit sets the sizes of the panels, nearly equal along a dimension.
func (p *product[T]) limit(s Setting) {
	shape := p.kernels.Shape()
	p.depth = share(p.k, orElse(s.Depth, maxDepthBytes/sizeOf[T]()), 1)
	columns := orElse(s.Columns, maxOuterColumns)
	rows := orElse(s.Rows, maxInner)
	bytes := min(p.n, columns) * p.depth * sizeOf[T]()
	if p.outerLeft = bytes >= orElse(s.OuterLeft, minOuterLeft); p.outerLeft {
		columns, rows = orElse(s.Columns, maxInner), orElse(s.Rows, maxOuterRows)
	}
	p.rows = share(p.m, rows, shape.Rows)
	p.columns = share(p.n, columns, shape.Columns())
}

// share returns the share of n for the fewest equal parts that have at most
// limit elements, rounded up to a multiple of unit.
func share(n, limit, unit int) int { return ceil(ceil(n, ceil(n, limit)), unit) * unit }

// orElse returns n, or other for 0.
func orElse(n, other int) int {
	if n == 0 {
		return other
	}
	return n
}

// sizeOf returns the size of an element in bytes. float32 rounds 1 + 2^-30.
func sizeOf[T float32 | float64]() int {
	if T(1)+T(1.0/(1<<30)) == 1 {
		return 4
	}
	return 8
}

// area is a rectangle of elements: rows from i to iEnd, columns from j to jEnd.
type area struct{ i, iEnd, j, jEnd int }

// relation compares an area with a part of the matrix.
type relation int

const (
	outside relation = iota
	across
	inside
)

// relation returns whether the area's elements belong to the part.
func (p Part) relation(a area) relation {
	switch {
	case p == All,
		p == Lower && a.jEnd-1 <= a.i,
		p == Upper && a.j >= a.iEnd-1:
		return inside
	case p == Lower && a.j > a.iEnd-1,
		p == Upper && a.jEnd-1 < a.i:
		return outside
	}
	return across
}

// The fewest products for one goroutine, unless a Setting bounds them: many
// times the cost of starting it, and of giving work to one that is ready.
const (
	minWork      = 1 << 20
	minReadyWork = 1 << 18
)

// run computes the product with as many goroutines as pay.
func (p *product[T]) run(s Setting) {
	all := float64(p.m) * float64(p.n) * float64(p.k)
	work, isShort := orElse(s.Work, minWork), false
	if all < 4*minWork && s.Work == 0 {
		work, isShort = minReadyWork, true
	}
	if threads := int(min(float64(s.threads()), all/float64(work))); threads > 1 {
		shared := *p // so that p may stay on the stack
		shared.runTogether(threads, isShort)
		return
	}
	w := newWorker(p)
	grow(&w.outerPanels, p.outerSize())
	w.compute()
	w.close()
}

// outerSize and innerSize return the numbers of elements of panels.
func (p *product[T]) outerSize() int {
	if p.outerLeft {
		return p.rows * p.depth
	}
	return p.columns * p.depth
}

func (p *product[T]) innerSize() int {
	if p.outerLeft {
		return p.columns * p.depth
	}
	return p.rows * p.depth
}

// blocks returns the number of blocks: parts of the matrix that share a set of
// the outer factor's panels.
func (p *product[T]) blocks() int {
	if p.outerLeft {
		return ceil(p.m, p.rows)
	}
	return ceil(p.n, p.columns)
}

// block returns a block: all columns, or all rows.
func (p *product[T]) block(i int) area {
	if p.outerLeft {
		return area{i * p.rows, min((i+1)*p.rows, p.m), 0, p.n}
	}
	return area{0, p.m, i * p.columns, min((i+1)*p.columns, p.n)}
}

// outerAt returns the place of an area in the outer factor's panels of its
// block, for k products of each element.
func (p *product[T]) outerAt(block, a area, k int) int {
	if p.outerLeft {
		return (a.i - block.i) * k
	}
	return (a.j - block.j) * k
}

// ceil returns n/d, rounded up.
func ceil(n, d int) int { return (n + d - 1) / d }
