package exec

import (
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
)

// TestConformance runs the suite of every driver on the programs of testdata,
// written from docs/reference/wire.md in C and in Python.
func TestConformance(t *testing.T) {
	t.Run("C", func(t *testing.T) {
		address := compiled(t)
		probetest.Run(t, func() (probe.Target, error) {
			return Open(t.Context(), address, probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 100})
		})
	})
	t.Run("Python", func(t *testing.T) {
		address := `"` + require.Program(t, "python3") + `" testdata/dot.py`
		probetest.Run(t, func() (probe.Target, error) {
			return Open(t.Context(), address, probe.Spec{Op: probe.Dot, DType: fp.Binary64, N: 30})
		})
	})
}
