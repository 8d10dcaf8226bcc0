package wire

import (
	"fmt"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/plan"
	"github.com/lastbit/lastbit/probe/probetest"
)

// TestConformance runs the suite of every driver on a program written with
// Serve, in a process of its own.
func TestConformance(t *testing.T) {
	for _, shared := range []bool{false, true} {
		for _, s := range []probe.Spec{
			{Op: probe.Sum, DType: fp.Binary32, N: 40},
			{Op: probe.Sum, DType: fp.Binary64, N: 5}, // the program chooses the lanes
			{Op: probe.Sum, DType: fp.BFloat16, N: 33, Axis: "1", M: 5},
			{Op: probe.Dot, DType: fp.Binary16, N: 21},
			{Op: probe.Gemv, DType: fp.Binary64, N: 20, M: 7},
			{Op: probe.Gemm, DType: fp.Binary32, N: 9, M: 4, Cols: 3, OutIndex: []int{1, 2}},
		} {
			t.Run(fmt.Sprintf("%s/%s/shared=%v", s.Op, s.DType, shared), func(t *testing.T) {
				key, lanes, err := plan.Key("test:program", s)
				if err != nil {
					t.Fatal(err)
				}
				p := program(t, "honest")
				p.Shared = shared
				probetest.Run(t, func() (probe.Target, error) {
					w, err := Open(t.Context(), p, key, lanes)
					if err != nil {
						return nil, err
					}
					return w.Target(), nil
				})
			})
		}
	}
}
