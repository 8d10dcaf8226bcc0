package proof

import (
	"math/rand/v2"
	"testing"
)

// TestContest holds that the first input wins whose trials weigh most, as where
// every input takes all trials, and that most are spared.
func TestContest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	tried, all := 0, 0
	for range 300 {
		weights := make([]int, 1+rng.IntN(8))
		for k := range weights {
			weights[k] = 1 + rng.IntN(3)
		}
		hard := rng.IntN(len(weights)) // which nearly all inputs fail
		c := newContest(weights)
		most, over := -1, false
		for range 24 {
			passes, score := make([]bool, len(weights)), 0
			for k, w := range weights {
				if passes[k] = rng.IntN(10) > 0 && (k != hard || rng.IntN(50) == 0); passes[k] {
					score += w
				}
			}
			wins := c.enter(func(k int) bool { tried++; return passes[k] })
			if all += len(weights); wins != (score > most) {
				t.Fatalf("an input of %d after one of %d: wins %v", score, most, wins)
			}
			most = max(most, score)
			over = over || score == c.total
			if c.most != most || c.isOver() != over {
				t.Fatalf("best %d, over %v; want %d, %v", c.most, c.isOver(), most, over)
			}
		}
	}
	if 2*tried > all {
		t.Errorf("%d of %d trials took place", tried, all)
	}
}
