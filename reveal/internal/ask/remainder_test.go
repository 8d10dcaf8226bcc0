package ask

import (
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestRemaindersAreCounts asks random structures of sums that round in one
// direction, and holds the remainders against the counts that masks leave in
// sums that round to nearest.
func TestRemaindersAreCounts(t *testing.T) {
	const seed = 17
	rng := rand.New(rand.NewPCG(seed, 18))
	moved := map[bool]int{} // structures whose output is a count, and others
	for _, o := range []probetest.Options{
		{}, {DType: fp.Binary64}, {DType: fp.Binary16}, {DType: fp.BFloat16},
		{Acc: fp.Binary64}, {DType: fp.Binary16, Acc: fp.Binary32},
		{DType: fp.BFloat16, Acc: fp.Binary32}, {Acc: fp.Binary64, Out: fp.Binary64},
	} {
		for _, o.Mode = range []fp.Mode{fp.TowardZero, fp.Up} {
			for _, n := range []int{3, 4, 10, 33, 300} {
				tree := probetest.RandomTree(rng, n, probetest.Shapes()[rng.IntN(3)])
				c := NewChannel(t.Context(), probetest.FromTree(tree, o), Options{Seed: seed})
				if ok, err := ReadRemainders(c); err != nil || !ok {
					t.Fatalf("%+v, n = %d: no remainders (%v)", o, n, err)
				}
				for k := range 60 {
					s := c.Inputs.Structure(k%2 == 1)
					out, err := c.AskMain(nil, s.Input(c))
					if err != nil {
						t.Fatal(err)
					}
					want, err := tree.Replay(sumtree.Plain(fp.Binary64), s.Logical(), nil)
					if err != nil {
						t.Fatal(err)
					}
					got, ok := c.Scale.Count(out[0])
					if !ok || got != want {
						t.Fatalf("seed %d, %+v, n = %d, %v: %x is a count of %v, want %v",
							seed, o, n, tree, out[0], got, want)
					}
					moved[out[0] == c.Scale.Output(want)]++
				}
			}
		}
	}
	if moved[true] == 0 || moved[false] == 0 {
		t.Errorf("seed %d: masks moved in %d structures, and did not in %d", seed, moved[false],
			moved[true])
	}
}

// TestRemainderBits holds the room that results have for counts against the
// bound on multiples of Step.
func TestRemainderBits(t *testing.T) {
	for _, tt := range []struct{ n, p, want int }{
		{3, 8, 4}, {4, 8, 3}, {1000, 8, 3}, {10, 11, 5}, {1000, 11, 4}, {3, 24, 20},
		{1000, 24, 12}, {1 << 20, 24, 11}, {3, 53, 49}, {1 << 30, 53, 25},
	} {
		if got := remainderBits(tt.n, tt.p); got != tt.want {
			t.Errorf("%d summands, %d bits: %d, want %d", tt.n, tt.p, got, tt.want)
		}
	}
}
