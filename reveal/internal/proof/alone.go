package proof

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// WrongSummand looks for a summand that, alone among zeros, is not returned.
func WrongSummand(c *ask.Channel) (*verdict.Fact, error) {
	if c.N > maxAlone || c.Key.Mean {
		return nil, nil
	}
	v := 1.5 // two bits, which no node on the way rounds off
	lanes := len(c.Pool())
	c.Expect("summands", c.N/lanes)
	for at := 0; at < c.N; at += lanes {
		var fills []ask.Fill
		for i := at; i < min(at+lanes, c.N); i++ {
			fills = append(fills, func(row []float64) { row[i] = v })
		}
		out, err := c.Ask(nil, fills...)
		if err != nil {
			return nil, err
		}
		for k, o := range out {
			if o != c.Key.Out.Round(v, fp.NearestEven) {
				what := fmt.Sprintf("summand %d alone is not returned as it is", at+k)
				return &verdict.Fact{Reason: verdict.WrongAlone, What: what,
					Witness: c.Witness(what, nil, fills[k], []float64{o}, &v)}, nil
			}
		}
	}
	return nil, nil
}

// LargeAlone returns the fact WrongAlone if a summand as large as a mask is not
// returned where it is alone among zeros: it is cut off, or makes the sum leave
// it out, and then masks that hide nothing prove nothing.
func LargeAlone(c *ask.Channel) (*verdict.Fact, error) {
	if c.Key.Mean || c.Key.Op.Positive() {
		return nil, nil
	}
	for _, i := range []int{0, c.N / 2, c.N - 1} {
		for _, v := range []float64{math.Ldexp(1, c.Scale.Hi), -math.Ldexp(1, c.Scale.Hi)} {
			want := c.Key.Out.Round(v, fp.NearestEven)
			fill := func(row []float64) { row[i] = v }
			out, err := c.AskMain(nil, fill)
			if err != nil {
				return nil, err
			}
			if out[0] != want && want-want == 0 {
				what := fmt.Sprintf("the large summand %d alone is not returned as it is", i)
				return &verdict.Fact{Reason: verdict.WrongAlone, What: what,
					Witness: c.Witness(what, nil, fill, out, &want)}, nil
			}
		}
	}
	return nil, nil
}

// LeftOut returns the fact WrongAlone if a summand of an input that the closest
// arithmetic misses is not returned where it is alone among zeros: the largest
// and the smallest of a few inputs are asked. A program that cuts off what is
// large, or leaves out what is small, adds in no other order. A partial sum in
// a shorter format does so, too, and is not meant.
func (m *Mismatch) LeftOut(c *ask.Channel) (*verdict.Fact, error) {
	if c.Key.Mean || c.Key.Op.Positive() {
		return nil, nil
	}
	missed := Missed(m)
	for k := range missed[:min(len(missed), maxMissed)] {
		for _, i := range smallestAndLargest(c, missed[k].X) {
			v := missed[k].X[i]
			fill := func(row []float64) { row[i] = v }
			out, err := c.AskMain(ones(c), fill)
			if err != nil {
				return nil, err
			}
			if isShortened(out[0], v) {
				continue
			}
			if short, err := isHalf(c, i, out[0]); short || err != nil {
				return nil, err
			}
			what := fmt.Sprintf("summand %d alone is not returned as it is", i)
			return &verdict.Fact{Reason: verdict.WrongAlone, What: what,
				Witness: c.Witness(what, ones(c), fill, out, &v)}, nil
		}
	}
	return nil, nil
}

// smallestAndLargest returns the places of the extreme values among those
// that are normal numbers in the format of results.
func smallestAndLargest(c *ask.Channel, x []float64) []int {
	var at []int
	for i, v := range x {
		if v = math.Abs(v); v >= c.Key.Out.MinNormal() && v <= c.Key.Out.Max() {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	bySize := func(i, j int) int { return cmp.Compare(math.Abs(x[i]), math.Abs(x[j])) }
	return []int{slices.MinFunc(at, bySize), slices.MaxFunc(at, bySize)}
}

// isShortened reports whether out is v, maybe rounded to a shorter format, or
// beyond its range.
func isShortened(out, v float64) bool {
	return math.Abs(out-v) <= math.Abs(v)/coarsest || math.IsInf(out, 0)
}

// coarsest is the inverse of bfloat16's relative error with truncation, the
// largest of any format that holds sums.
const coarsest = 1 << 7

// isHalf reports whether summand i, which gave out, is held in binary16 on its
// way: of that format's smallest number and a quarter of it, the one alone is
// returned and the other not.
func isHalf(c *ask.Channel, i int, out float64) (bool, error) {
	least := fp.Binary16.Smallest()
	if out != 0 || !c.Key.DType.Contains(least/4) {
		return false, nil
	}
	var returned [2]bool
	for k, v := range []float64{least, least / 4} {
		out, err := c.AskMain(ones(c), func(row []float64) { row[i] = v })
		if err != nil {
			return false, err
		}
		returned[k] = out[0] == v
	}
	return returned == [2]bool{true, false}, nil
}
