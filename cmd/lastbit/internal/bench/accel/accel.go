package accel

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/experiment"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/stopwatch"
	"github.com/lastbit/lastbit/mma"
)

// goal is the rate that each unit is to reach on one core, in million
// multiply-adds a second: a product of 256×256×256 takes less than a second.
const goal = 20

// Table holds the rates of all matrix units, with their arithmetic.
type Table struct {
	Goal float64 `json:"goal"` // million multiply-adds a second
	Rows []Row   `json:"rows"`
}

// Row is a unit.
type Row struct {
	Unit        string         `json:"unit"`
	Name        string         `json:"name"`
	In          fp.Format      `json:"inputs"`
	Instruction string         `json:"instruction"`
	Source      string         `json:"source"`
	Arithmetic  mma.Arithmetic `json:"arithmetic"`
	Rate        float64        `json:"million_multiply_adds_a_second"`
}

// Shape of the product that is timed: long enough that the time of a call and
// of decoding its inputs is small.
const (
	rows    = 16
	columns = 16
	depth   = 512
)

// names returns the names of the units, each once.
func names() (names []string) {
	for _, u := range mma.Units() {
		if !slices.Contains(names, u.Name) {
			names = append(names, u.Name)
		}
	}
	return names
}

// measure times a product of ordinary values in each chosen unit.
func (m *measurement) measure(ctx context.Context, progress experiment.Progress) (*Table, error) {
	units := slices.DeleteFunc(mma.Units(), func(u mma.Unit) bool {
		return !experiment.Wants(m.only, u.Name)
	})
	t := &Table{Goal: goal, Rows: []Row{}}
	for i, u := range units {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress(fmt.Sprintf("%s %v", u.Name, u.In), i, len(units))
		ns := stopwatch.Minima(m.budget, product(u))[0]
		t.Rows = append(t.Rows, Row{Unit: u.Name, Name: u.Full, In: u.In,
			Instruction: u.Instruction, Source: u.Source, Arithmetic: u.Arithmetic,
			Rate: rows * columns * depth / ns * 1e3})
	}
	return t, nil
}

// product returns a function that multiplies two matrices in a unit.
func product(u mma.Unit) func() {
	rng := rand.New(rand.NewPCG(1, 1))
	draw := func(n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			v := rng.NormFloat64() //lastbit:ignore libm values to measure times with
			list[i] = u.In.RoundSaturated(v, fp.NearestEven)
		}
		return list
	}
	x, y, d := draw(rows*depth), draw(columns*depth), make([]float64, rows*columns)
	if u.Block == 0 {
		return func() { u.Multiply(d, x, y, nil, rows, columns, depth) }
	}
	blocks := (depth + u.Block - 1) / u.Block
	scalesX := slices.Repeat([]float64{1}, rows*blocks)
	scalesY := slices.Repeat([]float64{1}, columns*blocks)
	return func() { u.MultiplyScaled(d, x, y, nil, scalesX, scalesY, rows, columns, depth) }
}
