package reveal_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/heap"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/clib"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/probe/python"
	"github.com/lastbit/lastbit/probe/sim"
)

// TestMain lets the heap grow further between collections, which take a fifth
// of the time otherwise.
func TestMain(m *testing.M) {
	clib.ServeIfWorker()
	heap.Floor(256 << 20)
	os.Exit(m.Run())
}

var snakes = python.Driver{Share: true}

// open opens a target.
func open(ctx context.Context, address string, s probe.Spec) (probe.Target, error) {
	s.Timeout = 5 * time.Minute // machines are busy
	driver, rest, _ := strings.Cut(address, ":")
	switch driver {
	case "go", "gonum":
		return gofunc.Open(ctx, address, s)
	case "sim":
		return sim.Open(ctx, rest, s)
	case "py":
		return snakes.Open(ctx, rest, s)
	case "blas":
		return clib.OpenCBLAS(ctx, rest, s)
	case "clib":
		return clib.Open(ctx, rest, s)
	}
	return nil, fmt.Errorf("no driver %s", driver)
}

var (
	single = []fp.Format{fp.Binary32}
	double = []fp.Format{fp.Binary64}
	blas   = []fp.Format{fp.Binary32, fp.Binary64}
)
