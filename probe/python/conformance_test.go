package python

import (
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
)

// TestPlainConformance runs the suite of every driver on Python's own sums.
func TestPlainConformance(t *testing.T) {
	python := require.Program(t, "python3")
	d := &Driver{Python: python, Share: true}
	t.Cleanup(d.Close)
	for _, address := range []string{"math.fsum", "sum"} {
		t.Run(address, func(t *testing.T) {
			probetest.Run(t, func() (probe.Target, error) {
				return d.Open(t.Context(), address, probe.Spec{N: 40})
			})
		})
	}
}

// TestNumPyConformance runs the suite on vectors, axes and matrices of NumPy.
// Its workers are forks of one: to load the library takes longer than the
// suite.
func TestNumPyConformance(t *testing.T) {
	python := interpreterWith(t, "numpy")
	d := &Driver{Python: forked(t, python, "numpy")}
	for address, s := range map[string]probe.Spec{
		"numpy.sum":         {DType: fp.Binary32, N: 100, Stride: 2, Align: 8},
		"numpy.mean":        {DType: fp.Binary64, N: 64, Axis: "0", M: 5},
		"numpy.cumsum":      {DType: fp.Binary16, N: 33},
		"numpy.dot":         {DType: fp.Binary64, N: 50},
		"numpy.inner":       {Op: probe.Gemv, DType: fp.Binary32, N: 20, M: 7, Order: "F"},
		"numpy.linalg.norm": {DType: fp.Binary64, N: 20, Axis: "1", M: 3},
		"numpy.matmul": {Op: probe.Gemm, DType: fp.Binary32, N: 30, M: 6, Cols: 4,
			OutIndex: []int{1, 2}},
	} {
		var except []probetest.Exception
		if address == "numpy.linalg.norm" {
			except = append(except, probetest.Rooted)
		}
		t.Run(address, func(t *testing.T) {
			probetest.Run(t,
				func() (probe.Target, error) { return d.Open(t.Context(), address, s) }, except...)
		})
	}
}
