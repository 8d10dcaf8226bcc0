package proof

import (
	"fmt"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
)

// twiceAsked is the number of sums of two summands that AddsTwice asks for each
// of the two that may be added twice.
const twiceAsked = 12

// AddsTwice returns a clause that tells of a summand which is added twice: once
// with the weight of the others, 1, and then a part of it is taken away. So
// does a trapezoidal rule that subtracts half of the first and the last summand
// from the sum of all. It is empty for other functions, and where no summand
// between the first and the last one is left.
func AddsTwice(c *ask.Channel) (string, error) {
	if c.N < 3 || c.Key.DType != c.Key.Out {
		return "", nil
	}
	single := func(i int) ask.Fill { return func(row []float64) { row[i] = 1 } }
	middle := c.N / 2
	weights, err := c.AskMain(nil, single(0), single(c.N-1), single(middle))
	if err != nil || weights[2] != 1 {
		return "", err
	}
	for k, i := range []int{0, c.N - 1} {
		if w := weights[k]; w == 1 || w-w != 0 {
			continue
		}
		twice, err := addsTwice(c, i, middle, weights[k])
		if err != nil {
			return "", err
		}
		if twice {
			return fmt.Sprintf("summand %d is added twice: %v of it alone is left, but its sum "+
				"with summand %d is rounded before the rest of it is taken away", i, weights[k],
				middle), nil
		}
	}
	return "", nil
}

// addsTwice reports whether sums of summand i, whose weight is w, and summand j
// are (x[i] + x[j]) − (1−w)·x[i], and some are not w·x[i] + x[j].
func addsTwice(c *ask.Channel, i, j int, w float64) (bool, error) {
	f := c.Key.Out
	rng := ask.RandApart(c, "twice")
	var fills []ask.Fill
	var once, twice []float64
	for range twiceAsked {
		x := f.Round(1+rng.Float64(), fp.TowardZero)
		y := f.Round(64*(1+rng.Float64()), fp.TowardZero)
		fills = append(fills, func(row []float64) { row[i], row[j] = x, y })
		once = append(once, f.Add(f.Mul(w, x, fp.NearestEven), y, fp.NearestEven))
		twice = append(twice, f.Add(f.Add(x, y, fp.NearestEven),
			-f.Mul(1-w, x, fp.NearestEven), fp.NearestEven))
	}
	out, err := c.AskMain(nil, fills...)
	if err != nil {
		return false, err
	}
	differs := false
	for k, v := range out {
		if !ask.SameBits(v, twice[k]) {
			return false, nil
		}
		differs = differs || !ask.SameBits(v, once[k])
	}
	return differs, nil
}
