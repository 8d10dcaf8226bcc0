package mpi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/internal/require"
)

// calls is how many reductions a benchmark takes the median of.
const calls = 301

// bench prints what a reduction of 140 int64, as much as an exact accumulator
// has, takes: the median in nanoseconds.
func bench(c *Comm) error {
	x := make([]int64, 140)
	times := make([]time.Duration, 0, calls)
	for range calls {
		start := time.Now()
		if err := Allreduce(c, x, Sum); err != nil {
			return err
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	if c.Rank() == 0 {
		fmt.Println(times[calls/2].Nanoseconds())
	}
	return nil
}

// BenchmarkAllreduce measures one job for each library and number of ranks,
// however often it is asked to.
func BenchmarkAllreduce(b *testing.B) {
	for _, mpirun := range mpiruns {
		for _, n := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("impl=%s/values=140/ranks=%d", strings.TrimPrefix(mpirun, "mpirun."), n), func(b *testing.B) {
				stdout, stderr, err := launch(b, require.Program(b, mpirun), n, "bench")
				if err != nil {
					b.Fatal(err, stderr)
				}
				ns, err := strconv.ParseFloat(strings.TrimSpace(stdout), 64)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(ns, "ns/reduction")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
