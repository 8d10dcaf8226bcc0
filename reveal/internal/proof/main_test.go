package proof

import (
	"os"
	"testing"

	"github.com/lastbit/lastbit/internal/heap"
)

// TestMain lets the heap grow before it is collected, which takes a fifth of
// the time otherwise.
func TestMain(m *testing.M) {
	heap.Floor(256 << 20)
	os.Exit(m.Run())
}
