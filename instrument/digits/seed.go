package digits

import "math/rand/v2"

// seeds returns the seeds of a number of runs, which one number fixes.
func seeds(seed uint64, runs int) []uint64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	all := make([]uint64, runs)
	for i := range all {
		all[i] = rng.Uint64() >> 11 // exact in JSON numbers of any reader
	}
	return all
}
