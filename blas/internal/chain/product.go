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

// The most rows, columns and bytes of a panel's depth, unless a Setting limits
// them. 16 panels of 24 KiB of the left matrix stay in the second level of the
// cache, which has 1 MiB or more, and panels of 3 MiB of the right matrix in
// the third. Panels of both matrices are read from the second level once for
// each tile. They need not fit into the first: a kernel fetches ahead.
const (
	maxRows       = 192
	maxColumns    = 1056
	maxDepthBytes = 3 << 10
)

// limit sets the sizes of the panels, nearly equal along a dimension.
func (p *product[T]) limit(s Setting) {
	shape := p.kernels.Shape()
	p.rows = share(p.m, orElse(s.Rows, maxRows), shape.Rows)
	p.columns = share(p.n, orElse(s.Columns, maxColumns), shape.Columns())
	p.depth = share(p.k, orElse(s.Depth, maxDepthBytes/sizeOf[T]()), 1)
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
	grow(&w.rightPanels, p.columns*p.depth)
	w.compute(area{0, p.m, 0, p.n})
	w.close()
}

// ceil returns n/d, rounded up.
func ceil(n, d int) int { return (n + d - 1) / d }
