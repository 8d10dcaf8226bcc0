package clib

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lastbit/lastbit/internal/dl"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
)

func TestMain(m *testing.M) {
	ServeIfWorker()
	os.Exit(m.Run())
}

// compile makes a shared library of C source and returns its path.
func compile(t testing.TB, source string) string {
	t.Helper()
	needs(t)
	cc := require.Program(t, "cc")
	dir := t.TempDir()
	c, so := filepath.Join(dir, "lib.c"), filepath.Join(dir, "lib.so")
	if err := os.WriteFile(c, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-O1", "-ffp-contract=off", "-o", so, c).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return so
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
	var f *probe.Fault
	if errors.As(err, &f) && f.ID == libraryMissing {
		require.Missing(t, name)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { target.Close() })
	return target
}

// fault returns the Fault that err is, or fails.
func fault(t testing.TB, err error, id string) *probe.Fault {
	t.Helper()
	var f *probe.Fault
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want the fault %s", err, id)
	}
	if f.ID != id || f.Thing == "" || f.Cause == "" || f.Cure == "" {
		t.Fatalf("got %v, want the fault %s with thing, cause and cure", f, id)
	}
	return f
}
