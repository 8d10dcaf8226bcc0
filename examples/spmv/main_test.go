package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/examples/internal/demo"
)

const (
	goldenExact   = "889213e86cb48958"
	goldenOrdered = "d95437c6378a30cb"
)

// TestGolden multiplies by several workers; exactly, with several numberings of
// the columns too.
func TestGolden(t *testing.T) {
	for workers := range 5 {
		for numbering := range 4 {
			check(t, goldenExact, "-workers %d -numbering %d", workers+1, numbering)
		}
		check(t, goldenOrdered, "-dot ordered -workers %d", workers+1)
	}
}

func check(t *testing.T, golden, format string, values ...any) {
	t.Helper()
	args := fmt.Sprintf("-n 100 "+format, values...)
	var out strings.Builder
	err := run(strings.Fields(args), &out)
	if err != nil || !strings.HasPrefix(out.String(), golden+" ") {
		t.Errorf("%s: %q (%v), want hash %s", args, out.String(), err, golden)
	}
}

// TestNaive shows the need: workers who share out the values of a row, and add
// their parts, give other bits for each number of workers.
func TestNaive(t *testing.T) {
	const n, counts = 100, 6
	a, x := system(n, demo.Numbering(n, 0))
	hashes := map[string]bool{}
	for workers := 1; workers <= counts; workers++ {
		y := make([]float64, n)
		for i := range y {
			columns, values := a.Row(i)
			for w := range workers {
				var part float64
				for k := len(values) * w / workers; k < len(values)*(w+1)/workers; k++ {
					part += float64(values[k] * x[columns[k]])
				}
				y[i] += part
			}
		}
		hashes[demo.NewHash().Floats(y).String()] = true
	}
	t.Logf("parts of rows: %d different hashes for %d numbers of workers", len(hashes), counts)
	if len(hashes) == 1 {
		t.Error("the number of workers makes no difference: the matrix proves nothing")
	}
}

func TestFlags(t *testing.T) {
	const want = "spmv: -dot fast: it must be exact or ordered; spmv -h lists the flags"
	if err := run([]string{"-dot", "fast"}, t.Output()); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
