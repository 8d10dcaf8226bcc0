package residue

import (
	"sync"

	"github.com/lastbit/lastbit/internal/kernel"
)

// Parallel calls do for ranges of n items, of some nanoseconds of work each.
type Parallel func(n, work int, do func(i, end int))

// Product is a product of two factors, ready to be computed.
type Product struct {
	kernels     kernel.Residues
	table       *table
	left, right side
	blocks      int // of an element's products
	width       int
}

// The elements that are joined at once: their residues fit the second level of
// the cache, and so do the residues of their rows.
const (
	tileRows    = 8 * kernel.ResidueRows
	tileColumns = 2 * kernel.ResidueColumns
)

// RowsAtOnce divides the first row of those that Multiply computes.
const RowsAtOnce = tileRows

// maxResidues bounds the bytes of the residues of a factor.
const maxResidues = 1 << 27

// Depth returns the depth of products to be computed at once, of factors with
// at most n rows: residues fit the memory, and sums 32 bits.
func Depth(n int) int {
	depth := maxResidues / (len(moduli) * n)
	return max(min(depth, MaxDepth)/kernel.ResidueBlock, 4) * kernel.ResidueBlock
}

// pool holds idle buffers.
type pool[T any] struct{ idle sync.Pool }

// get returns a buffer of n elements of any value.
func (p *pool[T]) get(n int) []T {
	if b, ok := p.idle.Get().(*[]T); ok && cap(*b) >= n {
		return (*b)[:n]
	}
	return make([]T, n)
}

func (p *pool[T]) put(b []T) { p.idle.Put(&b) }

// Idle buffers.
var (
	residues pool[byte]
	sums     pool[int32]
)

// New returns the product of the rows of left and the rows of right. It returns
// nil if no number of moduli is enough for most elements. Close it after use.
func New(k kernel.Residues, run Parallel, left, right Rows) *Product {
	p := &Product{
		kernels: k, left: side{Rows: left}, right: side{Rows: right},
		blocks: ceil(left.Depth, kernel.ResidueBlock),
		width:  ceil(right.N, kernel.ResidueColumns) * kernel.ResidueColumns,
	}
	for _, s := range []*side{&p.left, &p.right} {
		s.rows = make([]measure, s.N)
		run(s.N, s.Depth, func(i, end int) {
			for ; i < end; i++ {
				s.rows[i] = measureRow(s.Row(i))
			}
		})
	}
	plan, ok := choose(&p.left, &p.right)
	if !ok {
		return nil
	}
	p.table = tables[plan.moduli]()
	p.left.scale(plan.left)
	p.right.scale(plan.right)
	p.left.allocate(p.blocks, kernel.ResidueRows, plan.moduli)
	p.right.allocate(p.blocks, kernel.ResidueColumns, plan.moduli)
	work := 4 * plan.moduli * left.Depth
	run(ceil(left.N, kernel.ResidueRows), work, func(i, end int) {
		for ; i < end; i++ {
			p.splitLeft(i)
		}
	})
	run(p.width/columnsAtOnce, 2*work, func(j, end int) {
		for ; j < end; j++ {
			p.splitRight(j)
		}
	})
	return p
}

// Close ends the use of the product.
func (p *Product) Close() {
	for _, s := range []*side{&p.left, &p.right} {
		residues.put(s.planes)
		s.planes = nil
	}
}

// allocate makes room for the residues of a factor, in panels of some rows.
func (s *side) allocate(blocks, rows, moduli int) {
	n := ceil(s.N, rows) * rows
	s.plane = n * blocks * kernel.ResidueBlock
	s.planes = residues.get(s.plane * moduli)
	all := make([]float64, 3*n)
	s.sums, s.errors, s.units = all[:n], all[n:2*n], all[2*n:]
}

// splitLeft stores the residues of a panel of the left factor.
func (p *Product) splitLeft(panel int) {
	const row, step = kernel.ResidueBlock, kernel.ResidueRows * kernel.ResidueBlock
	for i := panel * kernel.ResidueRows; i < min((panel+1)*kernel.ResidueRows, p.left.N); i++ {
		dst := p.left.planes[panel*p.blocks*step+i%kernel.ResidueRows*row:]
		x, m := p.left.Row(i), &p.left.rows[i]
		exact := p.kernels.Split(dst, p.left.plane, step, m.usable(x), m.power, 0x1p48/m.power,
			p.table.left, true)
		p.left.record(i, exact)
	}
}

// columnsAtOnce is the number of columns whose residues are transposed at once.
const columnsAtOnce = 16

// splitRight stores the residues of some columns of the right factor.
func (p *Product) splitRight(part int) {
	const (
		plane = columnsAtOnce * kernel.ResidueBlock
		step  = kernel.ResidueColumns * kernel.ResidueBlock
		group = 4
	)
	first := part * columnsAtOnce
	end := min(first+columnsAtOnce, p.right.N)
	panel := first / kernel.ResidueColumns * p.blocks * step
	at := panel + first%kernel.ResidueColumns*group
	rows := make([]byte, plane*len(p.table.right))
	var inexact [columnsAtOnce]bool
	for block := range p.blocks {
		from := block * kernel.ResidueBlock
		to := min(from+kernel.ResidueBlock, p.right.Depth)
		for j := first; j < end; j++ {
			x, m := p.right.Row(j)[from:to], &p.right.rows[j]
			exact := p.kernels.Split(rows[(j-first)*kernel.ResidueBlock:], plane, 0, m.usable(x),
				m.power, 0x1p48/m.power, p.table.right, false)
			inexact[j-first] = inexact[j-first] || !exact
		}
		for l := range p.table.right {
			p.kernels.Transpose(p.right.planes[l*p.right.plane+at+block*step:], rows[l*plane:])
		}
	}
	for j := first; j < end; j++ {
		p.right.record(j, !inexact[j-first])
	}
}

// Width returns the number of elements between the beginnings of two rows of
// the results.
func (p *Product) Width() int { return p.width }

// Multiply computes the rows from one to another. hi + lo is nearly the
// product, and each row has Width elements.
func (p *Product) Multiply(run Parallel, from, to int, hi, lo []float64) {
	columns := ceil(p.width, tileColumns)
	tiles := ceil(to-from, tileRows) * columns
	work := tileRows * tileColumns * p.left.Depth / 256 * len(p.table.left)
	run(tiles, work, func(t, end int) {
		residues := sums.get(len(p.table.left) * tileRows * tileColumns)
		defer sums.put(residues)
		for ; t < end; t++ {
			i, j := from+t/columns*tileRows, t%columns*tileColumns
			p.tile(i, min(i+tileRows, to), j, min(j+tileColumns, p.width), residues)
			for row := i; row < min(i+tileRows, to); row++ {
				at := (row-from)*p.width + j
				end := (row-from)*p.width + min(j+tileColumns, p.width)
				p.kernels.Join(hi[at:end], lo[at:end], residues[(row-i)*tileColumns:],
					tileRows*tileColumns, p.table.join, p.left.units[row], p.right.units[j:])
			}
		}
	})
}

// tile computes the residues of some elements. The first row and column begin
// panels.
func (p *Product) tile(i, iEnd, j, jEnd int, sums []int32) {
	const a, b = kernel.ResidueRows, kernel.ResidueColumns
	bytes := p.blocks * kernel.ResidueBlock
	for l := range p.table.left {
		left := p.left.planes[l*p.left.plane:][:p.left.plane]
		right := p.right.planes[l*p.right.plane:][:p.right.plane]
		for col := j; col < jEnd; col += b {
			for row := i; row < iEnd; row += a {
				at := (l*tileRows+row-i)*tileColumns + col - j
				p.kernels.Tile(p.blocks, left[row*bytes:], right[col*bytes:], sums[at:],
					tileColumns)
			}
		}
	}
}

// Norms returns the product of the Euclidean norms of a row and a column, not
// rounded down.
func (p *Product) Norms(i, j int) float64 { return p.left.rows[i].norm * p.right.rows[j].norm }

// Bound returns a bound of the error of an element.
func (p *Product) Bound(i, j int) float64 {
	e := float64(p.left.errors[i]*p.right.sums[j]) + float64(p.left.sums[i]*p.right.errors[j])
	e += float64(float64(p.table.joined*p.left.units[i]) * p.right.units[j])
	return float64(e * (1 + 0x1p-20))
}

// Round stores the elements of row i, rounded once, and bits for those that
// cannot be rounded, as [kernel.Residues.Round] does. hi and lo hold that row.
func (p *Product) Round(i int, dst []float64, open []byte, hi, lo []float64) {
	row := kernel.RoundRow{Error: p.left.errors[i], Norm: p.left.sums[i],
		Joined: p.table.joined * p.left.units[i]}
	p.kernels.Round(dst, open, hi, lo, &row, p.right.sums, p.right.errors, p.right.units)
}

// ceil returns n/d, rounded up.
func ceil(n, d int) int { return (n + d - 1) / d }
