package order

import (
	"math/rand/v2"
	"testing"
)

// TestTour grows random trees, some of them by one edge again and again so that
// labels run out, and holds areDisjoint against the parents.
func TestTour(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		tour := newTour()
		tour.open(noNode)
		parent := []int{noNode}
		contains := func(u, v int) bool {
			for v != noNode && v != u {
				v = parent[v]
			}
			return v == u
		}
		for k := 1; k < 200; k++ {
			v := rng.IntN(k)
			if seed%2 == 0 {
				v = k - 1
			}
			if rng.IntN(2) == 0 {
				tour.open(v)
				parent = append(parent, v)
			} else {
				tour.wrap(v)
				parent = append(parent, parent[v])
				parent[v] = k
			}
		}
		for u := range parent {
			for v := range parent {
				want := !contains(u, v) && !contains(v, u)
				if got := tour.areDisjoint(u, v); got != want {
					t.Fatalf("seed %d: nodes %d and %d disjoint: %v", seed, u, v, got)
				}
			}
		}
	}
}
