package chain

import (
	"sync/atomic"

	"github.com/lastbit/lastbit/internal/crew"
)

// together is a product that goroutines compute in steps. They share the panels
// of the outer factor, and take pieces of each step. None waits for another
// that has not begun.
type together[T float32 | float64] struct {
	product[T]
	steps []step
	outer [2]*buffers[T] // of even steps, of odd steps
}

// step is the part of a product that has one set of panels of the outer factor.
type step struct {
	block area
	p, k  int // its products

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
		t.outer[i] = takeBuffers[T]()
		grow(&t.outer[i].outerPanels, p.outerSize())
	}
	threads = min(threads, len(t.steps[0].areas))
	if isShort {
		crew.RunShort(threads, t.work)
	} else {
		crew.Run(threads, t.work)
	}
	for i := range min(2, len(t.steps)) {
		pool[T]().Put(t.outer[i])
	}
}

// work does pieces of the steps until all are taken. A step packs panels where
// the last but one had them, and updates an area after the step before it.
func (t *together[T]) work(worker int) {
	w := newWorker(&t.product)
	defer w.close()
	for i := range t.steps {
		s, panels := &t.steps[i], t.outer[i%2].outerPanels
		if i > 1 {
			t.steps[i-2].updating.await()
		}
		s.packing.each(worker, func(piece int) {
			w.packOuter(panels, s.block, s.p, s.k, piece)
		})
		s.packing.await()
		s.updating.each(worker, func(piece int) {
			a, rounds := s.areas[piece], &s.rounds[piece]
			crew.Await(rounds, int64(s.round))
			w.updateArea(a, s.p, s.k, panels[t.outerAt(s.block, a, s.k):])
			rounds.Add(1)
		})
	}
}

// steps returns the steps of the product for some goroutines.
func (p *product[T]) steps(threads int) []step {
	steps := make([]step, 0, p.blocks()*ceil(p.k, p.depth))
	for i := range p.blocks() {
		block := p.block(i)
		areas := p.areas(block, threads)
		rounds := make([]atomic.Int64, len(areas))
		for first := 0; first < p.k; first += p.depth {
			steps = append(steps, step{block: block, p: first, k: min(p.depth, p.k-first),
				areas: areas, rounds: rounds, round: first / p.depth})
			s := &steps[len(steps)-1]
			s.updating.reset(len(areas), threads)
			if len(areas) > 0 {
				s.packing.reset(p.packings(block, s.k), threads)
			}
		}
	}
	return steps
}

// minPiece bounds the rows or columns of the areas that goroutines take from
// below: each reads all panels of the outer factor for its area.
const minPiece = 64

// areas splits a block into areas of whole tiles, several for each goroutine.
// It leaves out those without elements of the part.
func (p *product[T]) areas(block area, threads int) (areas []area) {
	shape := p.kernels.Shape()
	rows := division{block.iEnd - block.i, 1, shape.Rows}
	columns := division{block.jEnd - block.j, 1, shape.Columns()}
	inner, outer, most := &rows, &columns, p.rows
	if p.outerLeft {
		inner, outer, most = &columns, &rows, p.columns
	}
	want := 4 * threads
	if p.part != All {
		want *= 2
	}
	even := ceil(inner.n, ceil(ceil(inner.n, most), want)*want)
	inner.parts = ceil(inner.n, min(most, max(minPiece, even)))
	for inner.parts*outer.parts < want && outer.parts < outer.units() {
		outer.parts = min(2*outer.parts, outer.units())
	}
	for i := range rows.parts {
		for j := range columns.parts {
			a := block
			a.i, a.iEnd = rows.part(block.i, i)
			a.j, a.jEnd = columns.part(block.j, j)
			if p.part.relation(a) != outside {
				areas = append(areas, a)
			}
		}
	}
	return areas
}

// division divides n rows or columns into parts of whole units, at most as many
// as there are units. The parts differ by one unit at most.
type division struct{ n, parts, unit int }

// units returns the number of units.
func (d division) units() int { return ceil(d.n, d.unit) }

// part returns the first element of a part and its end, from some element on.
func (d division) part(from, i int) (first, end int) {
	units := d.units()
	return from + units*i/d.parts*d.unit, from + min(d.n, units*(i+1)/d.parts*d.unit)
}
