package reveal_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// BenchmarkAgainstThePaper reveals the same target by the paper's algorithm,
// FPRev in one lane, and by auto, in turn. The metrics are the calls of each,
// and how many times faster auto is. Both runs include the certificate and the
// replay, which the paper's tool does not have; without them it would save at
// most as many calls as the certificate takes.
func BenchmarkAgainstThePaper(b *testing.B) {
	for _, w := range []struct {
		name    string
		address string
		spec    probe.Spec
	}{
		{"npsum/n=1024", "py:numpy.sum",
			probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 1024}},
		{"npsum-axis1/n=4096", "py:numpy.sum",
			probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 4096, Axis: "1", M: 256}},
		{"gemm/k=512", "blas:openblas",
			probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 512}},
		{"gemm/k=512/numpy", "py:numpy.matmul",
			probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 512}},
	} {
		b.Run(w.name, func(b *testing.B) {
			target, err := open(context.Background(), w.address, w.spec)
			var fault *probe.Fault
			if errors.As(err, &fault) && strings.HasSuffix(fault.ID, "missing") {
				b.Skip(err)
			}
			if err != nil {
				b.Fatal(err)
			}
			defer target.Close()
			var paper, auto time.Duration
			var calls [2]int
			for b.Loop() {
				for k, opt := range []reveal.Options{{Algorithm: "fprev", OneLane: true}, {}} {
					start := time.Now()
					f, err := reveal.Reveal(context.Background(), target, opt)
					if err != nil || !f.Verified {
						b.Fatalf("%v: %v", f, err)
					}
					calls[k] = f.Calls
					if k == 0 {
						paper += time.Since(start)
					} else {
						auto += time.Since(start)
					}
				}
			}
			b.ReportMetric(float64(calls[0]), "paper-calls")
			b.ReportMetric(float64(calls[1]), "calls")
			b.ReportMetric(float64(paper)/float64(auto), "times-faster")
		})
	}
}

// BenchmarkMillion reveals np.sum of 2^20 summands.
func BenchmarkMillion(b *testing.B) {
	target, err := open(context.Background(), "py:numpy.sum",
		probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 1 << 20})
	if err != nil {
		b.Skip(err)
	}
	defer target.Close()
	for b.Loop() {
		f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
		if err != nil || !f.Verified {
			b.Fatalf("%v: %v", f, err)
		}
		b.ReportMetric(float64(f.Calls), "calls")
	}
}
