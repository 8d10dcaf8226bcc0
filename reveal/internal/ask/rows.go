package ask

import (
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// besides is a content of all rows except the main lane's.
type besides struct {
	name string // completes "where the other rows hold"
	fill Fill   // nil: the main lane's own input
}

// surroundings lists contents of the other rows: zeros first, and all numbers
// together last.
func surroundings(c *Channel) []besides {
	f := c.Key.DType
	huge, tiny := math.Ldexp(1, f.MaxExp()-1), f.Smallest()
	constant := func(v float64) Fill {
		return func(row []float64) {
			for i := range row {
				row[i] = v
			}
		}
	}
	rng := RandApart(c, "rows")
	random := func(row []float64) {
		for i := range row {
			row[i] = f.Round(rng.NormFloat64(), fp.NearestEven) //lastbit:ignore libm an input
		}
	}
	return []besides{
		{"zeros", constant(0)},
		{"the same input", nil},
		{"ones", constant(1)},
		{"−1", constant(-1)},
		{"huge numbers", constant(huge)},
		{"the least subnormal number", constant(tiny)},
		{"random numbers", random},
		{"numbers of all sizes", sizes([]float64{1, -huge, tiny, -1, huge, -tiny})},
	}
}

// sizes returns the fill that repeats a list of numbers.
func sizes(list []float64) Fill {
	return func(row []float64) {
		for i := range row {
			row[i] = list[i%len(list)]
		}
	}
}

// askBeside asks the main lane an input, beside others in all other rows.
func askBeside(c *Channel, y []float64, fill Fill, others besides) (float64, error) {
	clearRows(c)
	main := c.pool[0]
	for lane := range c.target.Lanes() {
		c.dirty = append(c.dirty, lane)
		switch {
		case lane == main || others.fill == nil:
			writeRow(c, lane, fill)
		default:
			others.fill(c.row(lane))
		}
	}
	c.batch.filled = append(c.batch.filled[:0], c.dirty...)
	err := c.call(y)
	return c.batch.Out[main], err
}

// rowsMatter looks for contents of the other rows that change the result of an
// input, each time to the same result. It returns a fact, RowsMatter, or nil.
func rowsMatter(c *Channel, y []float64, fill Fill) (*verdict.Fact, error) {
	if c.Lanes() == 1 {
		return nil, nil
	}
	all := surroundings(c)
	c.Expect("rows", len(all)*repeats)
	var first float64
	for k, others := range all {
		out, err := askBeside(c, y, fill, others)
		for n := 1; n < repeats && err == nil; n++ {
			var again float64
			if again, err = askBeside(c, y, fill, others); err == nil && !SameBits(again, out) {
				return nil, nil
			}
		}
		if err != nil {
			return nil, err
		}
		if k == 0 {
			first = out
		}
		if !SameBits(out, first) {
			what := "the result of a row depends on the other rows: it is the first one where " +
				"they hold " + all[0].name + ", and the second one where they hold " + others.name
			return &verdict.Fact{Reason: verdict.RowsMatter, What: what,
				Witness: c.Witness(what, y, fill, []float64{first, out}, nil)}, nil
		}
	}
	return nil, nil
}

// maxBeside bounds the inputs that Beside asks.
const maxBeside = 2

// Beside asks inputs again whose results show an order, where the other rows
// hold numbers of all sizes and signs. The error is a Fact, RowsMatter or
// Changed, when a result is another one.
func Beside(c *Channel, samples []Sample) error {
	if c.Lanes() == 1 {
		return nil
	}
	all := surroundings(c)
	asked := 0
	c.Expect("rows", maxBeside)
	for _, s := range slices.Backward(samples) {
		if asked == maxBeside {
			return nil
		}
		if s.Out == 0 || s.Out-s.Out != 0 || !tellsOrders(c, s) {
			continue
		}
		asked++
		out, err := askBeside(c, s.Y, Values(s.X), all[len(all)-1])
		if err != nil {
			return err
		}
		if !SameBits(out, s.Out) {
			return whyChanged(c, s.Y, Values(s.X), s.Out, out)
		}
	}
	return nil
}

// tellsOrders reports whether a chain and a reverse chain add a sample to two
// results.
func tellsOrders(c *Channel, s Sample) bool {
	if c.Key.Op.Positive() {
		return 2*Count(s.X) >= len(s.X)
	}
	f := c.Key.Out
	var forward, backward float64
	at := func(i int) float64 {
		if s.Y == nil {
			return s.X[i]
		}
		return f.Mul(s.X[i], s.Y[i], fp.NearestEven)
	}
	for i := range s.X {
		forward = f.Add(forward, at(i), fp.NearestEven)
		backward = f.Add(backward, at(len(s.X)-1-i), fp.NearestEven)
	}
	return forward != backward
}

// whyChanged returns the fact that an input gave two results: RowsMatter, where
// the other rows of the calls make the difference, or else Changed.
func whyChanged(c *Channel, y []float64, fill Fill, first, second float64) error {
	fact, err := rowsMatter(c, y, fill)
	if err != nil {
		return err
	}
	if fact == nil {
		fact = changed(c, y, fill, first, second)
	}
	return fact
}
