package mpi

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/lastbit/lastbit/internal/require"
)

// TestSegments maps shared memory as MPICH does, and removes the noted
// segments, but not the segment of another process.
func TestSegments(t *testing.T) {
	newSegment := func() *os.File {
		f, err := os.CreateTemp("/dev/shm", filepath.Base(segmentPrefix))
		if err != nil {
			require.Missing(t, "/dev/shm")
		}
		t.Cleanup(func() { os.Remove(f.Name()) })
		return f
	}
	mapped, foreign := newSegment(), newSegment()
	defer foreign.Close()
	if err := mapped.Truncate(4096); err != nil {
		t.Fatal(err)
	}
	mem, err := syscall.Mmap(int(mapped.Fd()), 0, 4096, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(mem)
	mapped.Close()

	folder := t.TempDir()
	noteSegments(folder)
	removeSegments(folder)
	if exists(mapped.Name()) || !exists(foreign.Name()) {
		t.Errorf("the segment is there: %v; that of another process: %v", exists(mapped.Name()),
			exists(foreign.Name()))
	}
}
