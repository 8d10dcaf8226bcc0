package digits

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMinimize looks for parts of a set that are known, and ends early if it
// may not try often.
func TestMinimize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	all := make([]int, 200)
	for i := range all {
		all[i] = i
	}
	for range 50 {
		want := rng.Perm(len(all))[:1+rng.IntN(4)]
		slices.Sort(want)
		has := func(part []int) (bool, error) {
			for _, w := range want {
				if !slices.Contains(part, w) {
					return false, nil
				}
			}
			return true, nil
		}
		got, ended, err := minimize(all, 1000, has)
		if err != nil || ended || !slices.Equal(got, want) {
			t.Fatalf("%v, ended %v, error %v, not %v", got, ended, err, want)
		}
		got, ended, err = minimize(all, 3, has)
		holds, _ := has(got)
		if err != nil || !ended || !holds {
			t.Fatalf("3 trials: %v, ended %v, error %v", got, ended, err)
		}
	}
}
