package reveal_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// squareOptions returns arithmetics of sums of squares.
func squareOptions() []probetest.Options {
	all := []probetest.Options{
		{},
		{FMA: true},
		{Root: true},
		{FMA: true, Root: true, Lanes: 7},
		{FTZ: true},
		{Acc: fp.Binary64, Prod: fp.Binary64},
		{DType: fp.Binary64},
		{DType: fp.Binary64, FMA: true, Root: true},
		{DType: fp.BFloat16, Acc: fp.Binary32},
		{DType: fp.BFloat16},
		{DType: fp.BFloat16, Acc: fp.Binary32, Out: fp.Binary32, Lanes: 20},
		{DType: fp.Binary16},
		{DType: fp.Binary16, Acc: fp.Binary32},
		{DType: fp.Binary16, Acc: fp.Binary32, Out: fp.Binary32, Root: true},
	}
	for i := range all {
		all[i].Op = probe.SumSq
	}
	return all
}

// TestSquares reveals random trees from rooted triples only.
func TestSquares(t *testing.T) {
	for k, o := range squareOptions() {
		for _, n := range []int{1, 2, 3, 4, 5, 9, 40} {
			for s := range probetest.Shapes() {
				shape := probetest.Shape(s)
				if !shape.Binary() {
					continue
				}
				t.Run(fmt.Sprintf("%d/%v/%d", k, shape, n), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(uint64(n), uint64(k)))
					tree := probetest.RandomTree(rng, n, shape)
					target := probetest.FromTree(tree, o)
					f := revealtest.Must(t, target, reveal.Options{}, tree)
					t.Log(f.Calls, f.Evidence, f.Traits)
					revealtest.Replays(t, target, f, 50)
				})
			}
		}
	}
}

// TestSquareRefusals names every kind of refusal where only rooted triples are
// asked.
func TestSquareRefusals(t *testing.T) {
	for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64} {
		for _, n := range []int{8, 9, 20} {
			for _, c := range probetest.Refusals(n, dtype) {
				switch c.Name {
				case "order by sign of the first", "sum of absolute values":
					continue // squares have one sign: these are trees
				case "skips small summands":
					c.Also = append(c.Also, "unsupported")
				}
				t.Run(fmt.Sprintf("%s/%v/%d", c.Name, dtype, n), func(t *testing.T) {
					c.Target = probetest.OfSquares(c.Target)
					revealtest.Refuses(t, c, reveal.Options{})
				})
			}
		}
	}
}
