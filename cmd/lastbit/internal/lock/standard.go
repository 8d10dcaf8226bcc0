package lock

import (
	"context"
	"maps"
	"slices"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
)

// Shapes of the operations that are locked where no file names others. Vectors
// of shortN elements show blocks and buffers, vectors of longN show threads. A
// matrix product adds gemmN products for each of gemmSide × gemmSide elements,
// enough for its kernels to block; a product with a vector has gemmSide rows.
const (
	shortN   = 1000
	longN    = 20000
	gemmN    = 128
	gemmSide = 32
)

// standard lists the operations that are locked where no file names others, as
// far as the machine has them.
var standard = []struct {
	target string
	op     probe.Op
	n      int
}{
	{"py:numpy.sum", probe.Sum, shortN},
	{"py:numpy.dot", probe.Dot, shortN},
	{"py:numpy.dot", probe.Dot, longN},
	{"py:numpy.matmul", probe.Gemv, shortN},
	{"py:numpy.matmul", probe.Gemm, gemmN},
	{"py:torch.sum", probe.Sum, shortN},
	{"py:torch.matmul", probe.Gemv, shortN},
	{"py:torch.matmul", probe.Gemm, gemmN},
	{"blas:openblas", probe.Dot, shortN},
	{"blas:openblas", probe.Dot, longN},
	{"blas:openblas", probe.Gemv, shortN},
	{"blas:openblas", probe.Gemm, gemmN},
	{"blas:blis", probe.Dot, shortN},
	{"blas:blis", probe.Gemm, gemmN},
	{"blas:reference", probe.Dot, shortN},
	{"blas:reference", probe.Gemm, gemmN},
}

// Standard probes the standard operations that this machine has, in float32 and
// float64, larger ones that threads share, and the elementary functions in the
// given formats.
func (s *Survey) Standard(ctx context.Context, formats []fp.Format) (*Findings, error) {
	p, err := s.Profile(ctx, s.standardRequests(ctx), formats)
	if err != nil {
		return nil, err
	}
	more, err := s.Profile(ctx, s.above(ctx, p.Profile), nil)
	if err != nil {
		return nil, err
	}
	p.Operations = append(p.Operations, more.Operations...)
	maps.Copy(p.Missing, more.Missing)
	return p, nil
}

// standardRequests returns the requests of the standard operations that this
// machine has, in float32 and float64.
func (s *Survey) standardRequests(ctx context.Context) []lockfile.Request {
	var requests []lockfile.Request
	listings := s.Drivers.List(ctx)
	for _, o := range standard {
		here := slices.ContainsFunc(listings, func(l probe.Listing) bool {
			return l.Address == o.target && l.Absent == "" && slices.Contains(l.Ops, o.op)
		})
		if !here {
			continue
		}
		requests = append(requests, requestsFor(o.target, o.op, o.n)...)
	}
	return requests
}

// Audited returns the requests of all targets that lastbit audit examines, in
// float32 and float64, for its shapes.
func (s *Survey) Audited(ctx context.Context) []lockfile.Request {
	var requests []lockfile.Request
	for _, l := range s.Drivers.List(ctx) {
		d, err := s.Drivers.Driver(l.Address)
		if l.Absent != "" || l.Mean || l.Ranks > 0 || err != nil || d.Unaudited {
			continue
		}
		for _, op := range []probe.Op{probe.Sum, probe.Dot, probe.Gemv, probe.Gemm} {
			if !slices.Contains(l.Ops, op) {
				continue
			}
			n := shortN
			if op == probe.Gemm {
				n = gemmN
			}
			for _, r := range requestsFor(l.Address, op, n) {
				if slices.Contains(l.DTypes, r.Spec.DType) {
					requests = append(requests, r)
				}
			}
		}
	}
	return requests
}

// requestsFor returns the requests of a target in float32 and float64.
func requestsFor(target string, op probe.Op, n int) (requests []lockfile.Request) {
	for _, format := range []fp.Format{fp.Binary32, fp.Binary64} {
		spec := probe.Spec{Op: op, DType: format, N: n, Threads: -1}
		switch op {
		case probe.Gemv:
			spec.M = gemmSide
		case probe.Gemm:
			spec.M, spec.Cols = gemmSide, gemmSide
		}
		requests = append(requests, lockfile.Request{Target: target, Spec: spec})
	}
	return requests
}
