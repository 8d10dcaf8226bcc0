package arithmetic_test

import (
	"fmt"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// flushingUnit adds numbers of float32 in a mode of the processor.
type flushingUnit struct{ daz, ftz bool }

func (u flushingUnit) add(a, b float64) float64 {
	if u.daz {
		a, b = revealtest.Flushed(a), revealtest.Flushed(b)
	}
	s := fp.Binary32.Add(a, b, fp.NearestEven)
	if u.ftz {
		s = revealtest.Flushed(s)
	}
	return s
}

// sum adds the sums of pairs, or of pairs of pairs, to lanes that begin with
// +0, the lanes to each other, and the rest to their sum.
func (u flushingUnit) sum(x []float64, width, lanes int) (s float64) {
	var group func(x []float64) float64
	group = func(x []float64) float64 {
		if len(x) == 1 {
			return x[0]
		}
		return u.add(group(x[:len(x)/2]), group(x[len(x)/2:]))
	}
	all := make([]float64, lanes)
	for ; len(x) >= width*lanes; x = x[width*lanes:] {
		for k := range all {
			all[k] = u.add(all[k], group(x[k*width:(k+1)*width]))
		}
	}
	s = group(all)
	for _, v := range x {
		s = u.add(s, v)
	}
	return s
}

// TestFlushedSumsOfPairs holds that loops which add sums of pairs to registers
// are verified where operands are flushed, sums are, or both: the first sum is
// added to +0, and no other.
func TestFlushedSumsOfPairs(t *testing.T) {
	for mode := 1; mode < 4; mode++ {
		unit := flushingUnit{daz: mode&1 == 1, ftz: mode&2 == 2}
		for k, shape := range [][2]int{{2, 1}, {4, 1}, {2, 2}} {
			for j, n := range []int{6, 7, 16, 41} {
				if !revealtest.IsOfToday(mode + k + j) {
					continue
				}
				t.Run(fmt.Sprint(unit, shape, n), func(t *testing.T) {
					target := revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
						return unit.sum(x, shape[0], shape[1])
					})
					f := revealtest.Find(t, target, uint64(n))
					if !f.Verified {
						revealtest.Wrong(t, f)
						return
					}
					revealtest.Replays(t, target, f, 50)
				})
			}
		}
	}
}
