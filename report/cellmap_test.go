package report

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/probe"
)

// tiles is a map as a blocked matrix product gives it: another tree in the last
// rows and columns.
func tiles(rows, cols, fromRow, fromCol int) Cells {
	c := Cells{
		Title: "sgemm",
		Rows:  rows,
		Cols:  cols,
		Class: make([]int, rows*cols),
		Names: []string{"main kernel", "edge kernel"},
	}
	for i := range c.Class {
		if i/cols >= fromRow || i%cols >= fromCol {
			c.Class[i] = 1
		}
	}
	return c
}

func TestGoldenCellMaps(t *testing.T) {
	noise := tiles(40, 90, 40, 90)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range noise.Class {
		noise.Class[i] = rng.IntN(60) - 1
	}
	var text bytes.Buffer
	small, large := tiles(20, 20, 16, 18), tiles(500, 700, 496, 688)
	for _, c := range []Cells{small, large, tiles(1, 1, 1, 1), noise} {
		if err := CellText(&text, c); err != nil {
			t.Fatal(err)
		}
		text.WriteString("\n")
	}
	golden(t, "cells.txt", text.Bytes())
	for name, c := range map[string]Cells{"cells20.svg": small, "cells500.svg": large} {
		var svg bytes.Buffer
		if err := CellSVG(&svg, c); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, svg.Bytes())
		golden(t, name, svg.Bytes())
	}
}

// TestAreasCoverEveryCellOnce holds for random maps.
func TestAreasCoverEveryCellOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 200 {
		c := Cells{Rows: 1 + rng.IntN(12), Cols: 1 + rng.IntN(12)}
		c.Class = make([]int, c.Rows*c.Cols)
		for i := range c.Class {
			c.Class[i] = rng.IntN(3) - 1
		}
		hits := make([]int, len(c.Class))
		for _, a := range c.areas() {
			for r := a.rows.from; r < a.rows.to; r++ {
				for k := a.cols.from; k < a.cols.to; k++ {
					hits[r*c.Cols+k]++
					if c.Class[r*c.Cols+k] != a.class {
						t.Fatalf("%v: cell %d,%d is of class %d", a, r, k, c.Class[r*c.Cols+k])
					}
				}
			}
		}
		for i, h := range hits {
			if h != 1 {
				t.Fatalf("cell %d is drawn %d times", i, h)
			}
		}
		total := 0
		for _, k := range c.counts() {
			total += k.cells
		}
		if total != len(c.Class) {
			t.Fatalf("%d of %d cells counted", total, len(c.Class))
		}
	}
}

func TestBadCellMaps(t *testing.T) {
	for _, c := range []Cells{
		{}, {Rows: 2, Cols: 2, Class: []int{0}}, {Rows: 1, Cols: 1, Class: []int{-2}},
	} {
		for _, f := range []func(io.Writer, Cells) error{CellText, CellSVG} {
			var fault *probe.Fault
			if err := f(io.Discard, c); !errors.As(err, &fault) || fault.ID != "bad-cell-map" {
				t.Errorf("%+v: %v", c, err)
			}
		}
	}
}
