package reveal

import (
	"context"
	"math"

	"github.com/lastbit/lastbit/probe"
)

// CellMap says which cells of a matrix of outputs are computed alike.
type CellMap struct {
	Key   probe.Key `json:"key"`
	Rows  int       `json:"rows"`
	Cols  int       `json:"cols"`
	Class []int     `json:"class"` // of every cell, row by row; class 0 is that of Key.OutIndex
	Calls int       `json:"calls"`
	// Representative of every class: [row, column] of its first cell, but for
	// class 0, which is represented by the cell asked about.
	Representative [][2]int `json:"representative"`
}

// cellInputs is how many inputs of each sort the cells are compared on.
const cellInputs = 5

// Cells puts inputs into a matrix product that are the same for all cells, and
// groups the cells by their outputs: masks and counts, which show the tree, and
// random numbers, which show the arithmetic. Cells of different classes certainly
// differ; cells of one class agreed on every input.
func Cells(ctx context.Context, t probe.CellTarget, opt Options) (*CellMap, error) {
	if err := opt.check(t.Key()); err != nil {
		return nil, err
	}
	p := newProber(ctx, t, opt)
	if err := p.calibrate(); err != nil {
		return nil, err
	}
	rows, cols := t.Cells()
	m := &CellMap{Key: t.Key(), Rows: rows, Cols: cols, Class: make([]int, rows*cols)}
	hash := make([]uint64, rows*cols)
	all := make([]float64, rows*cols)
	ask := func(y []float64, fill func([]float64)) error {
		p.clear()
		for lane := range t.Lanes() {
			fill(p.row(lane))
			p.dirty = append(p.dirty, lane)
		}
		if err := p.callCells(y, all); err != nil {
			return err
		}
		for i, v := range all {
			hash[i] = (hash[i] ^ math.Float64bits(v)) * 0x9E3779B97F4A7C15
			hash[i] ^= hash[i] >> 29
		}
		return nil
	}
	p.expect("cells", 2*cellInputs)
	for _, s := range p.structures(cellInputs) {
		if err := ask(nil, s.fill(s.exp, p.sc.unit)); err != nil {
			return nil, err
		}
	}
	for range cellInputs {
		y := p.secondFactors()
		if err := ask(y, copied(p.sampleOf("normal", nil, y))); err != nil {
			return nil, err
		}
	}
	m.Calls = p.calls
	m.number(hash)
	return m, nil
}

// callCells makes one call for all cells.
func (p *prober) callCells(y []float64, all []float64) error {
	p.setY(y)
	if err := p.counted(); err != nil {
		return err
	}
	return p.t.(probe.CellTarget).CallCells(p.ctx, p.batch, all)
}

// number gives equal hashes equal classes, the asked cell's class first.
func (m *CellMap) number(hash []uint64) {
	asked := [2]int{}
	copy(asked[:], m.Key.OutIndex)
	class := map[uint64]int{hash[asked[0]*m.Cols+asked[1]]: 0}
	m.Representative = [][2]int{asked}
	for i, h := range hash {
		c, ok := class[h]
		if !ok {
			c = len(class)
			class[h] = c
			m.Representative = append(m.Representative, [2]int{i / m.Cols, i % m.Cols})
		}
		m.Class[i] = c
	}
}
