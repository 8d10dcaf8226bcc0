package arithmetic_test

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/lastbit/lastbit/probe/clib"
)

// TestMain lets the heap grow further between collections, which take a fifth
// of the time otherwise.
func TestMain(m *testing.M) {
	clib.ServeIfWorker()
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
