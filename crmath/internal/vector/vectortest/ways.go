package vectortest

import (
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/vector"
)

// Ways holds that a kernel fails in the same lanes, and stores the same bits in
// the others, in two ways to compute. choose selects one of them, and run calls
// the kernel for vector.Most of n arguments, from the one at an index on.
func Ways[T float32 | float64](
	t *testing.T, what string, n int, choose func(second bool), run func(dst *T, at int) uint64,
) {
	t.Helper()
	for at := 0; at+vector.Most <= n; at += vector.Most {
		var dst [2][vector.Most]T
		var fails [2]uint64
		for way := range dst {
			choose(way == 1)
			fails[way] = run(&dst[way][0], at)
		}
		same := fails[0] == fails[1]
		for i, v := range dst[0] {
			same = same && bits(v) == bits(dst[1][i])
		}
		if !same {
			t.Fatalf("%s from argument %d on: %x %v, and %x %v", what, at, fails[0], dst[0],
				fails[1], dst[1])
		}
	}
}
