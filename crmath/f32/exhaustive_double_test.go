//go:build exhaustive && !static

package f32

import (
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// TestExhaustiveDouble compares the functions that LASTBIT_EXHAUSTIVE names, or
// all, and their kernels at all 2^32 arguments with the results of float64,
// rounded once more. Where such a result is a midpoint of two float32, or
// subnormal there, it is rounded to odd.
func TestExhaustiveDouble(t *testing.T) {
	names := os.Getenv("LASTBIT_EXHAUSTIVE")
	for _, f := range functions {
		if names != "" && !slices.Contains(strings.Split(names, ","), f.name) {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			const workers = 2
			var wg sync.WaitGroup
			for w := range workers {
				wg.Go(func() { f.compareDouble(t, uint32(w), workers) })
			}
			wg.Wait()
		})
	}
}

// compareDouble compares every workers-th block of encodings, in calls and by
// the fastest kernel. Of an odd or even function it compares positive arguments
// so, and negative ones with these.
func (f function) compareDouble(t *testing.T, w, workers uint32) {
	const block = 1 << 12
	var x, want, got [block]float32
	var double [block]float64
	blocks := uint32(1 << 20)
	if f.parity != 0 {
		blocks /= 2
	}
	for i := w; i < blocks && !t.Failed(); i += workers {
		for k := range x {
			x[k] = math.Float32frombits(i*block + uint32(k))
			double[k] = float64(x[k])
		}
		f.double.slice(double[:], double[:])
		for k, y := range double {
			if isUnsure(y) {
				y = f.double.one(float64(x[k]), fp.ToOdd)
			}
			want[k] = f.f(x[k])
			if !identical(want[k], float32(y)) || !f.mirrored(x[k], want[k]) {
				t.Errorf("%s(±%x) = %x, want %x", f.name, x[k], want[k], float32(y))
			}
		}
		if kernel := f.kernel(&best); kernel != nil {
			compareLanes(t, f.name, kernel, x[:], want[:], got[:])
		}
	}
}

// mirrored reports whether the result for -x fits that for x.
func (f function) mirrored(x, result float32) bool {
	return f.parity == 0 || identical(f.f(-x), float32(f.parity)*result)
}
