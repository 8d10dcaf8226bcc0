package arithmetic_test

import (
	"os"
	"testing"

	"github.com/lastbit/lastbit/internal/heap"
	"github.com/lastbit/lastbit/probe/clib"
)

// TestMain lets the heap grow further between collections, which take a fifth
// of the time otherwise.
func TestMain(m *testing.M) {
	clib.ServeIfWorker()
	heap.Floor(256 << 20)
	os.Exit(m.Run())
}
