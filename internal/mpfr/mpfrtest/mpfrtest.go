// Package mpfrtest opens MPFR for tests.
package mpfrtest

import (
	"testing"

	"github.com/lastbit/lastbit/internal/mpfr"
	"github.com/lastbit/lastbit/internal/require"
)

// Open returns MPFR, or ends the test where it is missing.
func Open(t testing.TB) *mpfr.Library {
	t.Helper()
	l, err := mpfr.Open()
	if err != nil {
		require.Missing(t, "MPFR ("+err.Error()+")")
	}
	return l
}
