package reveal_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
)

// shared is a model of a sum that threads share.
type shared struct {
	name  string
	n     int
	dtype fp.Format
	// share returns where the parts of a call begin, and the order they are
	// combined in.
	share func(rng *rand.Rand, n int) (starts, order []int)
	early int // bounds the calls before the verdict
	few   int // bounds the summands of the witness
}

// inOrder is the order of a call that combines the parts as they lie.
var inOrder = []int{0, 1, 2, 3, 4, 5, 6, 7}

// models are the ways that threads share a sum of n, by the libraries that do.
var models = []shared{
	{"two parts, cut as the threads find the time", 40_000, fp.Binary32,
		func(rng *rand.Rand, n int) (starts, order []int) {
			return []int{0, n/2 + rng.IntN(n/4)}, inOrder[:2]
		}, 12, 32},
	{"parts combined as they are ready", 70_000, fp.Binary64,
		func(rng *rand.Rand, n int) (starts, order []int) {
			return []int{0, n / 5, n / 2, 3 * n / 4}, rng.Perm(4)
		}, 24, 16},
	{"a part of three that is late in one of fifteen calls", 70_000, fp.Binary32,
		func(rng *rand.Rand, n int) (starts, order []int) {
			if rng.IntN(15) > 0 {
				return []int{0, 2 * n / 5, 4 * n / 5}, inOrder[:3]
			}
			return []int{0, 2 * n / 5, 4 * n / 5}, []int{1, 2, 0}
		}, 72, 32},
	{"a cut among eight neighbours", 70_000, fp.Binary64,
		func(rng *rand.Rand, n int) (starts, order []int) {
			return []int{0, n/2 + rng.IntN(8)}, inOrder[:2]
		}, 72, 32},
	{"eight parts of float16, ready at random", 5000, fp.Binary16,
		func(rng *rand.Rand, n int) (starts, order []int) {
			for k := range 8 {
				starts = append(starts, k*n/8)
			}
			return starts, rng.Perm(8)
		}, 12, 16},
}

// sum adds each part from left to right, and then the parts.
func (s *shared) sum(rng *rand.Rand) func(f fp.Format, x []float64, _ int) float64 {
	return func(f fp.Format, x []float64, _ int) (total float64) {
		starts, order := s.share(rng, len(x))
		for k, part := range order {
			end := len(x)
			if part+1 < len(starts) {
				end = starts[part+1]
			}
			if p := chain(f, x[starts[part]:end]); k == 0 {
				total = p
			} else {
				total = f.Add(total, p, fp.NearestEven)
			}
		}
		return total
	}
}

// chain adds from left to right.
func chain(f fp.Format, x []float64) (sum float64) {
	for _, v := range x {
		sum = f.Add(sum, v, fp.NearestEven)
	}
	return sum
}

// TestSharedSumsAreNamedEarly reveals sums that threads share in another way
// from call to call: few calls give the verdict, before all other questions,
// and people can read its witness.
func TestSharedSumsAreNamedEarly(t *testing.T) {
	for _, m := range models {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(2) {
				rng := rand.New(rand.NewPCG(seed, 1))
				target := probetest.FromFunc("shared", m.n, m.dtype, m.sum(rng))
				isRestless(t, target, seed, m.early, m.few)
			}
		})
	}
}

// TestGoroutinesAreNamedEarly adds three parts in goroutines, and their sums in
// the order that select takes them.
func TestGoroutinesAreNamedEarly(t *testing.T) {
	t.Parallel()
	sum := func(f fp.Format, x []float64, _ int) (total float64) {
		var ready [3]chan float64
		var parts sync.WaitGroup
		for k := range ready {
			ready[k] = make(chan float64, 1)
			parts.Go(func() { ready[k] <- chain(f, x[k*len(x)/3:(k+1)*len(x)/3]) })
		}
		parts.Wait()
		for range ready {
			var part float64
			select {
			case part = <-ready[0]:
			case part = <-ready[1]:
			case part = <-ready[2]:
			}
			total = f.Add(total, part, fp.NearestEven)
		}
		return total
	}
	isRestless(t, probetest.FromFunc("goroutines", 70_000, fp.Binary64, sum), 0, 72, 16)
}

// isRestless reveals a target and holds that it is nondeterministic, after at
// most early calls, and shown by a witness of at most few summands.
func isRestless(t *testing.T, target probe.Target, seed uint64, early, few int) {
	t.Helper()
	first := 0 // calls before the witness is made smaller
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{Seed: seed,
		Progress: func(step string, done, _ int) {
			if step != "witness" {
				first = done
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if f.Verdict != reveal.Nondeterministic || first > early || f.Calls > first+600 {
		t.Fatalf("seed %d: %s after %d calls, %d in all", seed, f.Verdict, first, f.Calls)
	}
	w := f.Witness
	if len(w.Seen) != 2 || w.Seen[0] == w.Seen[1] {
		t.Errorf("seed %d: the witness saw %v", seed, w.Seen)
	}
	k := summands(w.X)
	t.Logf("seed %d: %d calls, %d in all, %d summands", seed, first, f.Calls, k)
	if k > few {
		t.Errorf("seed %d: the witness has %d summands", seed, k)
	}
}
