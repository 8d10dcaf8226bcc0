//go:build static

package f32

import (
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// With the build tag static no shared library is loaded, so that the other tests run
// under an emulator that has none.
func noMPFR(t *testing.T) { require.Missing(t, "MPFR (build tag static)") }

func oracle(t *testing.T, _ string) func(float32) float32       { noMPFR(t); return nil }
func oracle2(t *testing.T, _ string) func(x, y float32) float32 { noMPFR(t); return nil }
