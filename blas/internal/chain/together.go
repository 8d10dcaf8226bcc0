package chain

import (
	"sync/atomic"

	"github.com/lastbit/lastbit/internal/crew"
)

// together is a product that goroutines compute in steps. They share the panels
// of the right matrix, and take pieces of each step. None waits for another
// that has not begun.
type together[T float32 | float64] struct {
	product[T]
	steps []step
	right [2]*buffers[T] // of even steps, of odd steps
}

// step is the part of a product that has one set of panels of the right matrix.
type step struct {
	block area // all rows
	p, k  int  // its products

	packing, updating pieces
	areas             []area // to be updated

	// rounds counts the steps that have updated each area, and round the steps
	// of the block before this one.
	rounds []atomic.Int64
	round  int
}

// pieces are pieces of work that goroutines take one after another.
type pieces struct {
	crew.Parts
	count int
	done  atomic.Int64
}

// reset makes all pieces ready to be taken by some goroutines.
func (p *pieces) reset(count, threads int) {
	p.count = count
	p.Reset(count, threads)
}

// each does pieces until all are taken.
func (p *pieces) each(worker int, do func(i int)) {
	p.Each(worker, func(i int) {
		do(i)
		p.done.Add(1)
	})
}

// await waits until all are done.
func (p *pieces) await() { crew.Await(&p.done, int64(p.count)) }

// runTogether computes the product with at most some goroutines.
func (p *product[T]) runTogether(threads int, isShort bool) {
	t := together[T]{product: *p, steps: p.steps(threads)}
	for i := range min(2, len(t.steps)) {
		t.right[i] = takeBuffers[T]()
		grow(&t.right[i].rightPanels, p.columns*p.depth)
	}
	threads = min(threads, len(t.steps[0].areas))
	if isShort {
		crew.RunShort(threads, t.work)
	} else {
		crew.Run(threads, t.work)
	}
	for i := range min(2, len(t.steps)) {
		pool[T]().Put(t.right[i])
	}
}

// work does pieces of the steps until all are taken. A step packs panels where
// the last but one had them, and updates an area after the step before it.
func (t *together[T]) work(worker int) {
	w := newWorker(&t.product)
	defer w.close()
	for i := range t.steps {
		s, panels := &t.steps[i], t.right[i%2].rightPanels
		if i > 1 {
			t.steps[i-2].updating.await()
		}
		s.packing.each(worker, func(piece int) {
			w.packRight(panels, s.block, s.p, s.k, piece*packedTogether)
		})
		s.packing.await()
		s.updating.each(worker, func(piece int) {
			a, rounds := s.areas[piece], &s.rounds[piece]
			crew.Await(rounds, int64(s.round))
			w.packLeft(a, s.p, s.k)
			w.updateTiles(a, s.p, s.k, panels[(a.j-s.block.j)*s.k:])
			rounds.Add(1)
		})
	}
}

// steps returns the steps of the product for some goroutines.
func (p *product[T]) steps(threads int) []step {
	steps := make([]step, 0, ceil(p.n, p.columns)*ceil(p.k, p.depth))
	for j := 0; j < p.n; j += p.columns {
		block := area{0, p.m, j, min(j+p.columns, p.n)}
		areas := p.areas(block, threads)
		rounds := make([]atomic.Int64, len(areas))
		for first := 0; first < p.k; first += p.depth {
			steps = append(steps, step{block: block, p: first, k: min(p.depth, p.k-first),
				areas: areas, rounds: rounds, round: first / p.depth})
			s := &steps[len(steps)-1]
			s.updating.reset(len(areas), threads)
			if len(areas) > 0 && !p.isRightDirect(block.jEnd-block.j) {
				s.packing.reset(ceil(s.k, packedTogether), threads)
			}
		}
	}
	return steps
}

// minPieceRows bounds the rows of the areas that goroutines take from below:
// each reads all panels of the right matrix for its columns.
const minPieceRows = 64

// areas splits a block with all rows into areas of whole tiles, several for
// each goroutine. It leaves out those without elements of the part.
func (p *product[T]) areas(block area, threads int) (areas []area) {
	shape := p.kernels.Shape()
	want := 4 * threads
	if p.part != All {
		want *= 2
	}
	rows := share(p.m, max(minPieceRows, p.m/(ceil(ceil(p.m, p.rows), want)*want)), shape.Rows)
	rows = min(rows, p.rows)
	cols := block.jEnd - block.j
	for ceil(p.m, rows)*ceil(block.jEnd-block.j, cols) < want && cols > shape.Columns() {
		cols = share(cols, ceil(cols, 2), shape.Columns())
	}
	for i := 0; i < p.m; i += rows {
		for j := block.j; j < block.jEnd; j += cols {
			a := area{i, min(i+rows, p.m), j, min(j+cols, block.jEnd)}
			if p.part.relation(a) != outside {
				areas = append(areas, a)
			}
		}
	}
	return areas
}
