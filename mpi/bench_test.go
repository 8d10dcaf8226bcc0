package mpi

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/binned"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/require"
)

// calls is the number of reductions behind a median.
const calls = 201

// bench prints the median times of the reductions of a sum, in nanoseconds.
func bench(c *Comm) error {
	x := []float64{1}
	var a exact.Accumulator
	a.Add(1)
	w, err := binned.NewSingleSweep[float64](1<<20, 3)
	if err != nil {
		return err
	}
	for _, b := range []struct {
		name   string
		reduce func() error
	}{
		{"float64", func() error { return Allreduce(c, x, Sum) }},
		{"exact", func() error { return AllreduceExact(c, &a) }},
		{"single-sweep", func() error { return AllreduceWindow(c, w) }},
	} {
		times := make([]time.Duration, calls)
		for i := range times {
			start := time.Now()
			if err := b.reduce(); err != nil {
				return err
			}
			times[i] = time.Since(start)
			a.Reset() // the windows may not count more than n either
			if w, err = binned.NewSingleSweep[float64](1<<20, 3); err != nil {
				return err
			}
		}
		slices.Sort(times)
		if c.Rank() == 0 {
			fmt.Println(b.name, times[calls/2].Nanoseconds())
		}
	}
	return nil
}

// BenchmarkAllreduce measures a conventional sum, the exact one, and the single
// sweep with three levels. It runs one job for each library and number of
// ranks, for any b.N.
func BenchmarkAllreduce(b *testing.B) {
	for _, mpirun := range mpiruns {
		for _, n := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("impl=%s/ranks=%d", strings.TrimPrefix(mpirun, "mpirun."), n),
				func(b *testing.B) {
					stdout, stderr, err := launch(b, require.Program(b, mpirun), n, "bench")
					if err != nil {
						b.Fatal(err, stderr)
					}
					for line := range strings.Lines(stdout) {
						var name string
						var ns float64
						if _, err := fmt.Sscan(line, &name, &ns); err != nil {
							b.Fatal(err)
						}
						b.ReportMetric(ns, "ns/"+name)
					}
					b.ReportMetric(0, "ns/op")
				})
		}
	}
}
