package ask

import (
	"math"

	"github.com/lastbit/lastbit/probe"
)

// A Split is a large summand on one leaf, and tiny ones on others.
type Split struct {
	Big  int
	Tiny []int
}

// SplitLevels are levels for inputs that ask several splits at once. With B
// the large summand and u its last place, a split adds u to B where its tiny
// summands meet each other before any of them meets B: they are a little more
// than half of u together, and no more than that without one of them. The last
// bit of B is 0. So two numbers B + u that meet are 2B + 2u, and one of them is
// a tie with B that goes down to 2B. Where equal numbers of splits meet in
// twos, the result shows whether all of them add u.
type SplitLevels struct {
	Levels
	known map[int][2]float64 // by number of splits: the outputs for no and yes
}

// FindSplitLevels returns levels of splits for the accumulator of l, nil where
// there are none. Inputs and results have to be in the accumulator's format.
func FindSplitLevels(c *Channel, l *Levels) (*SplitLevels, error) {
	if l.atBoundary || l.Masks || l.Wide != 0 || c.Key.Out != l.Acc || c.Key.DType != l.Acc {
		return nil, nil
	}
	if c.Key.Op == probe.Softmax {
		return &SplitLevels{Levels: *l, known: map[int][2]float64{}}, nil
	}
	top := 1 << (l.Acc.Precision() / 2)
	least := int(float64(top) * math.Sqrt2 / 2)
	for m := top - 2; m > least; m -= max(2, (top-least)/maxLevels&^1) {
		some := newLevels(c, accumulator{l.Acc, 0}, float64(m*m))
		if ok, err := some.calibrate(c); err != nil || ok {
			return &SplitLevels{Levels: some, known: map[int][2]float64{}}, err
		}
	}
	return nil, nil
}

// MaxTiny returns the most tiny summands of a split whose sum, rounded in any
// order, shows whether one is missing. Half of all leaves are left.
func (l *SplitLevels) MaxTiny(c *Channel) int {
	return min(1<<(l.Acc.Precision()/2-3), c.N/2)
}

// tiny returns the input of one of k tiny summands.
func (l *SplitLevels) tiny(c *Channel, k int) float64 {
	big := l.Big * l.Big
	if c.Key.Op == probe.Softmax {
		big = 1
	}
	return inputFor(c, l.Acc.ULP(big)/2/(float64(k)-0.5))
}

// Fit reports whether the result shows if all of the splits add u. They are in
// disjoint subtrees, which meet in twos.
func (l *SplitLevels) Fit(c *Channel, splits []Split) (bool, error) {
	out, ok := l.known[len(splits)]
	if !ok {
		var no, yes Patch
		for _, s := range splits {
			no.Set(s.Big, l.Big)
			yes.Set(s.Big, l.Big)
			yes.Set(s.Tiny[0], l.Double)
		}
		got, err := c.AskMain(nil, l.among(c, no), l.among(c, yes))
		if err != nil {
			return false, err
		}
		out = [2]float64{got[0], got[1]}
		l.known[len(splits)] = out
	}
	return !SameBits(out[0], out[1]) && out[0] == out[0] && out[1] == out[1], nil
}

// AllAdd asks groups of splits that fit, one group an input, and reports
// whether all splits of all groups add u.
func (l *SplitLevels) AllAdd(c *Channel, lanes []int, groups ...[]Split) (bool, error) {
	fills := make([]Fill, len(groups))
	for k, splits := range groups {
		var p Patch
		for _, s := range splits {
			p.Set(s.Big, l.Big)
			each := l.tiny(c, len(s.Tiny))
			for _, i := range s.Tiny {
				p.Set(i, each)
			}
		}
		fills[k] = l.among(c, p)
	}
	out, err := c.AskIn(lanes, nil, fills...)
	if err != nil {
		return false, err
	}
	for k, o := range out {
		if !SameBits(o, l.known[len(groups[k])][1]) {
			return false, nil
		}
	}
	return true, nil
}

// LosesAll asks splits, one an input, and reports whether each loses all its
// tiny summands: no two of them meet before the large one. One of them is left
// out where no other leaf is left.
func (l *Levels) LosesAll(c *Channel, lanes []int, splits ...Split) (bool, error) {
	fills := make([]Fill, len(splits))
	for k, s := range splits {
		var p Patch
		p.Set(s.Big, l.Big)
		for _, i := range s.Tiny[:min(len(s.Tiny), c.N-2)] {
			p.Set(i, l.Small)
		}
		fills[k] = l.among(c, p)
	}
	out, err := c.AskIn(lanes, nil, fills...)
	if err != nil {
		return false, err
	}
	for _, o := range out {
		if !SameBits(o, l.Low) {
			return false, nil
		}
	}
	return true, nil
}

// among returns the fill of a patch of leaves without a summand. Where the
// smallest summand gives the result, one more leaf needs a speck.
func (l *Levels) among(c *Channel, p Patch) Fill {
	if c.Key.Op == probe.Softmax {
		taken := make([]bool, c.N)
		for _, i := range p.At {
			taken[i] = true
		}
		for i, is := range taken {
			if !is {
				p.Set(i, l.Speck)
				break
			}
		}
	}
	return func(row []float64) {
		l.clear(row, nil)
		p.write(row)
	}
}
