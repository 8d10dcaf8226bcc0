package order

import (
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
)

// TestAuto holds the choice between packed and fprev for fixed costs: by calls,
// and by time where that is clear.
func TestAuto(t *testing.T) {
	const fast, slow = time.Microsecond, time.Millisecond
	for _, c := range []struct {
		n, lanes   int
		dtype      fp.Format
		call, work time.Duration
		want       string
	}{
		{2, 1, fp.Binary32, fast, fast, "family"},
		{16, 1, fp.Binary32, fast, fast, "fprev"},
		{17, 1, fp.Binary32, fast, fast, "packed"},
		{8192, 1, fp.Binary32, fast, fast, "packed"},
		{8192, 1, fp.Binary32, slow, fast, "packed"},
		{8192, 1, fp.Binary32, fast, slow, "fprev"}, // work of its own outweighs calls
		{64, 1, fp.Binary32, fast, slow, "packed"},  // and so here, but little is saved
		{512, 16, fp.Binary32, slow, fast, "packed"},
		{512, 256, fp.Binary32, slow, fast, "fprev"},
		{4096, 1, fp.BFloat16, slow, fast, "packed"},
		{4096, 4096, fp.BFloat16, slow, fast, "scaled"},
	} {
		ch := opened(t, probetest.Chain(c.n), probetest.Options{DType: c.dtype})
		ch.SetPool(make([]int, c.lanes))
		plan := Plan("auto", ch, Costs{Call: c.call, Work: c.work})
		general := plan[min(1, len(plan)-1)].Name
		if general != c.want {
			t.Errorf("n=%d, %d lanes, %v, a call of %v, work of %v: %s, want %s",
				c.n, c.lanes, c.dtype, c.call, c.work, general, c.want)
		}
	}
}
