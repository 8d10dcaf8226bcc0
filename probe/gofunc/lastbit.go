package gofunc

import (
	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/ordered"
	"github.com/lastbit/lastbit/probe"
)

// lastbitEntries returns the addresses of this module's own sums
// and products.
func lastbitEntries() []entry {
	both := []fp.Format{fp.Binary64, fp.Binary32}
	return []entry{
		{address: "lastbit:ordered.Sum", ops: []probe.Op{probe.Sum}, dtypes: both,
			module: lastbitModule,
			open: openEither(func(x, _ []float64) float64 { return ordered.Sum(x) },
				func(x, _ []float32) float32 { return ordered.Sum(x) })},
		{address: "lastbit:ordered.Dot", ops: []probe.Op{probe.Dot}, dtypes: both,
			module: lastbitModule,
			open:   openEither(ordered.Dot[float64], ordered.Dot[float32])},
		{address: "lastbit:ordered.Gemv", ops: []probe.Op{probe.Gemv}, dtypes: both,
			module: lastbitModule, strides: true, open: openOrdered},
		{address: "lastbit:ordered.Gemm", ops: []probe.Op{probe.Gemm}, dtypes: both,
			module: lastbitModule, open: openOrdered},
		{address: "lastbit:exact.Sum", ops: []probe.Op{probe.Sum}, dtypes: both,
			module: lastbitModule,
			open: openEither(func(x, _ []float64) float64 { return exact.Sum(x) },
				func(x, _ []float32) float32 { return exact.Sum(x) })},
		{address: "lastbit:exact.Dot", ops: []probe.Op{probe.Dot}, dtypes: both,
			module: lastbitModule,
			open:   openEither(exact.Dot[float64], exact.Dot[float32])},
	}
}

// openOrdered opens a routine of blas.Ordered for the requested format.
func openOrdered(e entry, s probe.Spec) (computer, error) {
	var o blas.Ordered
	if s.DType == fp.Binary32 {
		return openBLAS(routines[float32]{o.Sdot, o.Sgemv, o.Sgemm})(e, s)
	}
	return openBLAS(routines[float64]{o.Ddot, o.Dgemv, o.Dgemm})(e, s)
}

// openEither opens the function for the requested format.
func openEither(double func(x, y []float64) float64,
	single func(x, y []float32) float32) func(entry, probe.Spec) (computer, error) {
	return func(_ entry, s probe.Spec) (computer, error) {
		if s.DType == fp.Binary32 {
			return newVectors(s, single), nil
		}
		return newVectors(s, double), nil
	}
}
