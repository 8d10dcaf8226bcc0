package reveal

import (
	"context"
	"math"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// CellMap shows which cells of a matrix of outputs are computed alike.
type CellMap struct {
	Key   probe.Key `json:"key"`
	Rows  int       `json:"rows"`
	Cols  int       `json:"cols"`
	Class []int     `json:"class"` // of every cell, row by row; class 0 has Key.OutIndex
	Calls int       `json:"calls"`
	// Representative of every class: [row, column] of its first cell, except
	// for class 0, which is represented by the cell asked about.
	Representative [][2]int `json:"representative"`
}

// cellInputs is the number of inputs of each sort that cells are compared on.
const cellInputs = 5

// Cells puts inputs into a matrix product that are the same for all cells, and
// groups the cells by their outputs: masks and counts, which show the tree, and
// random numbers, which show the arithmetic. Cells of different classes
// certainly differ; cells of one class agreed on every input.
//
// Calls: ten, and those that find the scale of masks. The error is a
// *probe.Fault when the target could not be run.
func Cells(ctx context.Context, t probe.CellTarget, opt Options) (*CellMap, error) {
	if err := opt.check(t.Key()); err != nil {
		return nil, err
	}
	c := newRun(ctx, t, opt, 0).c
	if err := ask.Calibrate(c); err != nil {
		return nil, err
	}
	rows, cols := t.Cells()
	m := &CellMap{Key: t.Key(), Rows: rows, Cols: cols, Class: make([]int, rows*cols)}
	hash := make([]uint64, rows*cols)
	all := make([]float64, rows*cols)
	compare := func(y []float64, fill ask.Fill) error {
		if err := c.AskCells(y, fill, all); err != nil {
			return err
		}
		for i, v := range all {
			hash[i] = (hash[i] ^ math.Float64bits(v)) * 0x9E3779B97F4A7C15
			hash[i] ^= hash[i] >> 29
		}
		return nil
	}
	c.Expect("cells", 2*cellInputs)
	for _, s := range c.Inputs.Structures(cellInputs) {
		if err := compare(nil, s.Input(c)); err != nil {
			return nil, err
		}
	}
	for range cellInputs {
		s := c.Inputs.Sample(ask.Normal, nil, c.Inputs.SecondFactors())
		if err := compare(s.Y, ask.Values(s.X)); err != nil {
			return nil, err
		}
	}
	m.Calls = c.Calls()
	m.number(hash)
	return m, nil
}

// number assigns equal classes to equal hashes, the asked cell's class first.
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
