package sums

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/dataset"
	"github.com/lastbit/lastbit/fp"
)

// money returns a block of decimals and the same numbers as fractions.
func money(rng *rand.Rand, rows, scale int) (*dataset.Column, []*big.Rat) {
	c := &dataset.Column{Scale: scale, Units: make([][]float64, 3)}
	for k := range c.Units {
		c.Units[k] = make([]float64, rows)
	}
	c.Values = make([]float64, rows)
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	var numbers []*big.Rat
	for i := range rows {
		sum := new(big.Int)
		for k := range 1 + rng.IntN(len(c.Units)) {
			m := big.NewInt(1 + rng.Int64N(1<<53-1))
			m.Lsh(m, uint(53*(2-k)))
			c.Units[k][i], _ = new(big.Float).SetInt(m).Float64()
			sum.Add(sum, m)
		}
		if rng.IntN(2) == 0 {
			for k := range c.Units {
				if c.Units[k][i] != 0 {
					c.Units[k][i] *= -1
				}
			}
			sum.Neg(sum)
		}
		r := new(big.Rat).SetFrac(sum, unit)
		c.Values[i], _ = r.Float64()
		numbers = append(numbers, r)
	}
	return c, numbers
}

// definition computes an operation on fractions.
func definition(op *Operation, x, y []*big.Rat) *big.Rat {
	n := new(big.Rat).SetInt64(int64(len(x)))
	sum := new(big.Rat)
	for i, v := range x {
		switch op.summands[0] {
		case magnitudes:
			sum.Add(sum, new(big.Rat).Abs(v))
		case products:
			sum.Add(sum, new(big.Rat).Mul(v, y[i]))
		case squares:
			sum.Add(sum, new(big.Rat).Mul(v, v))
		default:
			sum.Add(sum, v)
		}
	}
	mean := new(big.Rat).Quo(sum, n)
	switch op.name {
	case "mean":
		return mean
	case "variance", "stdev", "pvariance", "pstdev":
		total := new(big.Rat)
		for _, v := range x {
			d := new(big.Rat).Sub(v, mean)
			total.Add(total, d.Mul(d, d))
		}
		if op.name[0] != 'p' {
			n.Sub(n, big.NewRat(1, 1))
		}
		return total.Quo(total, n)
	}
	return sum
}

// nearest rounds a fraction, or its root by bisection.
func nearest(r *big.Rat, isRoot bool) float64 {
	if !isRoot {
		x, _ := r.Float64()
		return x
	}
	f := new(big.Float).SetPrec(2000).SetRat(r)
	x, _ := f.Sqrt(f).Float64()
	return x
}

// TestDecimals compares every operation on decimals of several scales with
// fractions: of one block or several, merged, and from an accumulator file.
func TestDecimals(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 1))
	for _, op := range operations {
		for round := range 20 {
			algo := Exact(op, fp.Binary64)
			var parts []*Partial
			var xs, ys []*big.Rat
			for range 1 + rng.IntN(3) {
				p := &Partial{op: op, results: []*series{newSeries("", algo)}}
				if _, err := p.results[0].group(""); err != nil {
					t.Fatal(err)
				}
				rows := 2 + rng.IntN(100)
				x, fx := money(rng, rows, rng.IntN(30))
				y, fy := (*dataset.Column)(nil), []*big.Rat(nil)
				if op.IsOfPairs() {
					y, fy = money(rng, rows, rng.IntN(3))
				}
				if err := p.results[0].add(&dataset.Block{}, x, y); err != nil {
					t.Fatal(err)
				}
				xs, ys = append(xs, fx...), append(ys, fy...)
				q, err := decodePartial(p.encode(), nil)
				if err != nil {
					t.Fatalf("%s: %v", op.name, err)
				}
				parts = append(parts, q)
			}
			all := parts[0]
			for _, p := range parts[1:] {
				if err := all.merge(p); err != nil {
					t.Fatal(err)
				}
			}
			lines, err := all.Lines(algo, true, false)
			if err != nil {
				t.Fatal(err)
			}
			isRoot := op.name == "norm" || op.name == "stdev" || op.name == "pstdev"
			exactly := definition(op, xs, ys)
			if want := nearest(exactly, isRoot); lines[0].Value.x != want {
				t.Errorf("%s, round %d: %v, want %v", op.name, round, lines[0].Value.x, want)
			}
			if lines[0].Count != int64(len(xs)) {
				t.Errorf("%s: %d rows, want %d", op.name, lines[0].Count, len(xs))
			}
			if r, ok := new(big.Rat).SetString(lines[0].Exact); op.isSum &&
				(!ok || r.Cmp(exactly) != 0) {
				t.Errorf("%s: %s, want %v", op.name, lines[0].Exact, exactly)
			}
		}
	}
}

// TestDecimalsAndFloats adds decimals and floats, special ones too.
func TestDecimalsAndFloats(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		op     string
		units  []float64 // of 10^−2
		floats []float64
		want   string // the value
	}{
		{"sum", []float64{10, 20}, []float64{0.5}, "0.8"},
		{"sum", []float64{10}, []float64{inf}, "+Inf"},
		{"sum", []float64{10}, []float64{inf, -inf}, "NaN"},
		{"sum", []float64{0}, []float64{math.Copysign(0, -1)}, "0"},
		{"sum", []float64{-50}, []float64{0.5}, "0"},
		{"mean", []float64{10}, []float64{inf}, "+Inf"},
		{"norm", []float64{300}, []float64{4}, "5"},
		{"norm", []float64{300}, []float64{-inf}, "+Inf"},
		{"variance", []float64{300}, []float64{4}, "0.5"},
		{"variance", []float64{300}, []float64{math.NaN()}, "NaN"},
		{"variance", []float64{300}, nil, "NaN"},
	} {
		op := FindOperation(c.op)
		algo := Exact(op, fp.Binary64)
		s := newSeries("", algo)
		g, err := s.group("")
		if err != nil {
			t.Fatal(err)
		}
		decimals := &dataset.Column{Scale: 2, Units: [][]float64{c.units},
			Values: make([]float64, len(c.units))}
		if err := s.add(&dataset.Block{}, decimals, nil); err != nil {
			t.Fatal(err)
		}
		if err := s.add(&dataset.Block{}, &dataset.Column{Values: c.floats}, nil); err != nil {
			t.Fatal(err)
		}
		line, err := g.line(algo, false)
		if err != nil || line.Value.String() != c.want {
			t.Errorf("%s of %v and %v: %v, %v; want %s", c.op, c.units, c.floats, line.Value, err,
				c.want)
		}
	}
}

// TestDecimalProducts multiplies decimals by floats.
func TestDecimalProducts(t *testing.T) {
	algo := Exact(FindOperation("dot"), fp.Binary64)
	for _, c := range []struct {
		unit, float float64
		want        string
	}{
		{150, 2, "3"}, {-100, 0, "-0"}, {0, math.Inf(1), "NaN"}, {5, math.Inf(-1), "-Inf"},
		{0, 1, "0"}, {1, 0.1, "0.001"},
	} {
		for swap := range 2 {
			s := newSeries("", algo)
			g, err := s.group("")
			if err != nil {
				t.Fatal(err)
			}
			x := &dataset.Column{Scale: 2, Units: [][]float64{{c.unit}},
				Values: []float64{c.unit / 100}}
			y := &dataset.Column{Values: []float64{c.float}}
			if swap == 1 {
				x, y = y, x
			}
			if err := s.add(&dataset.Block{}, x, y); err != nil {
				t.Fatal(err)
			}
			line, err := g.line(algo, false)
			if got := fmt.Sprint(line.Value); err != nil || got != c.want {
				t.Errorf("%v/100 · %v is %s, %v; want %s", c.unit, c.float, got, err, c.want)
			}
		}
	}
}
