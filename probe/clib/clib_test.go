package clib

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/internal/drivertest"
	"github.com/lastbit/lastbit/probe/probetest"
)

func TestMain(m *testing.M) {
	ServeIfWorker()
	os.Exit(m.Run())
}

// compile makes a shared library of C source and returns its path.
func compile(t testing.TB, source string) string {
	t.Helper()
	needs(t)
	return require.Library(t, source)
}

// needs ends a test where no library can be loaded.
func needs(t testing.TB) {
	t.Helper()
	if !dl.Supported {
		t.Skip(dl.ErrUnsupported)
	}
}

// blas opens a BLAS, or ends the test where it is missing.
func blas(t testing.TB, name string, s probe.Spec) probe.Target {
	t.Helper()
	needs(t)
	target, err := OpenCBLAS(context.Background(), name, s)
	return drivertest.Opened(t, target, err, libraryMissing, name)
}

// intrusive writes to every descriptor that it can, as the child of a fork
// does.
const intrusive = `#include <stddef.h>
#include <unistd.h>
double intrusive(const double *x, size_t n) {
	for (int fd = 3; fd < 64; fd++) if (write(fd, "hello\n", 6) < 0) continue;
	return x[0];
}
`

// TestIntrusiveFunction checks that a function that writes where answers are
// read is refused in words about the function, not about this program.
func TestIntrusiveFunction(t *testing.T) {
	_, err := Open(t.Context(), compile(t, intrusive)+":intrusive", probe.Spec{N: 4})
	f := drivertest.Fault(t, err, "worker-protocol")
	if strings.Contains(f.Error(), "ServeIfWorker") ||
		!strings.Contains(f.Cure, "double intrusive(const double *x, size_t n)") {
		t.Error(f)
	}
}

// TestNotASum checks that a function of the C library that is not a sum is
// refused in words about the function, not about this program.
func TestNotASum(t *testing.T) {
	if runtime.GOOS != "linux" || !dl.Supported {
		require.Missing(t, "Linux, whose C library has a known name")
	}
	for symbol, ids := range map[string][]string{
		"fork":      {"worker-protocol", notASumSymbol},
		"exit":      {"worker-died"},
		"getpid":    {notASumSymbol},
		"not_there": {symbolMissing},
	} {
		_, err := Open(t.Context(), "libc.so.6:"+symbol, probe.Spec{N: 4, Timeout: 5 * time.Second})
		var f *probe.Fault
		if !errors.As(err, &f) || !slices.Contains(ids, f.ID) || f.Cure == "" ||
			strings.Contains(f.Error(), "ServeIfWorker") {
			t.Errorf("%s: %v", symbol, err)
		}
	}
}

// TestSquares runs the suite on a sum of squares.
func TestSquares(t *testing.T) {
	so := compile(t, functions)
	probetest.Run(t, func() (probe.Target, error) {
		s := probe.Spec{Op: probe.SumSq, DType: fp.Binary32, N: 20}
		return Open(context.Background(), so+":squaresf", s)
	})
}
