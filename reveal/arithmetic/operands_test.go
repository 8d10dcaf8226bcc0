package arithmetic_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/clib"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestFourWaysToFlush reveals sums and dot products that keep subnormals, flush
// sums, flush operands only, or both, for few summands and for many.
func TestFourWaysToFlush(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{2, 3, 5, 20} {
		for mode, want := range []string{"kept", "results flushed", "operands flushed", "flushed"} {
			for _, products := range []bool{false, true} {
				name := fmt.Sprintf("n = %d, %s, products %v", n, want, products)
				tree := probetest.RandomTree(rng, n, probetest.Shapes()[rng.IntN(3)])
				if rng.IntN(2) == 0 {
					tree = probetest.Chain(n)
				}
				target := probetest.FromTree(tree, probetest.Options{Products: products,
					FTZ: mode&1 == 1, DAZ: mode&2 == 2, FromZero: rng.IntN(2) == 0})
				f := revealtest.Find(t, target, uint64(n))
				if !f.Verified || f.Verdict != reveal.TreeVerdict || !f.Tree.Equal(tree) {
					t.Errorf("%s:", name)
					revealtest.Wrong(t, f)
					continue
				}
				told := want
				if n == 2 && !products && mode == 2 {
					told = "inputs flushed" // the only operands
				}
				if f.Traits.Subnormals != told {
					t.Errorf("%s: %s", name, f.Traits.Subnormals)
				}
				revealtest.Replays(t, target, f, 100)
			}
		}
	}
}

// modesC has loops under the bits of MXCSR that flush: denormals are zeros
// (0x40), flush to zero (0x8000), and both; and loops whose accumulator is
// wider than their summands.
const modesC = `
#include <stddef.h>
#include <xmmintrin.h>
#define SUM(name, bits, T, A) T name(const T *x, size_t n) { \
	unsigned old = _mm_getcsr(); _mm_setcsr(old | (bits)); volatile A s = 0; \
	for (size_t i = 0; i < n; i++) s = s + x[i]; \
	T r = (T)s; _mm_setcsr(old); return r; }
#define DOT(name, bits, T) T name(const T *x, const T *y, size_t n) { \
	unsigned old = _mm_getcsr(); _mm_setcsr(old | (bits)); volatile T s = 0; \
	for (size_t i = 0; i < n; i++) { volatile T p = x[i] * y[i]; s = s + p; } \
	T r = s; _mm_setcsr(old); return r; }
SUM(daz32, 0x40, float, float) SUM(ftz32, 0x8000, float, float) SUM(both32, 0x8040, float, float)
SUM(daz64, 0x40, double, double) SUM(ftz64, 0x8000, double, double)
SUM(wide32, 0, float, long double) SUM(wide64, 0, double, long double)
DOT(dotdaz32, 0x40, float) DOT(dotftz32, 0x8000, float) DOT(dotboth64, 0x8040, double)
double longdot64(const double *x, const double *y, size_t n) {
	long double s = 0; for (size_t i = 0; i < n; i++) s += x[i] * y[i]; return (double)s; }
`

// TestModesOfTheProcessor reveals loops in C, in each mode of the processor for
// subnormal numbers and in its 80-bit format.
func TestModesOfTheProcessor(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the modes are those of amd64")
	}
	library := require.Library(t, modesC)
	for i, c := range []struct {
		name        string
		f           fp.Format
		subnormals  string
		accumulator string
	}{
		{"daz32", fp.Binary32, "operands flushed", "f32"},
		{"ftz32", fp.Binary32, "results flushed", "f32"},
		{"both32", fp.Binary32, "flushed", "f32"},
		{"daz64", fp.Binary64, "operands flushed", "f64"},
		{"ftz64", fp.Binary64, "results flushed", "f64"},
		{"wide32", fp.Binary32, "kept", "x87 (64 bits)"},
		{"wide64", fp.Binary64, "kept", "x87 (64 bits)"},
		{"dotdaz32", fp.Binary32, "operands flushed", "f32"},
		{"dotftz32", fp.Binary32, "results flushed", "f32"},
		{"dotboth64", fp.Binary64, "flushed", "f64"},
		{"longdot64", fp.Binary64, "kept", "x87 (64 bits)"},
	} {
		for k, n := range []int{3, 7, 40} {
			if (i+k)%3 == 0 && !revealtest.IsWhole() {
				continue
			}
			s := probe.Spec{DType: c.f, N: n, Op: probe.Sum}
			if c.name[:3] == "dot" || c.name == "longdot64" {
				s.Op = probe.Dot
			}
			target, err := clib.Open(t.Context(), library+":"+c.name, s)
			if err != nil {
				t.Fatal(err)
			}
			f := revealtest.Find(t, target, uint64(n))
			if !f.Verified || f.Traits.Subnormals != c.subnormals ||
				f.Traits.Accumulator != c.accumulator {
				t.Errorf("%s, n = %d:", c.name, n)
				revealtest.Wrong(t, f)
			}
			if err := target.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestTinyProducts replays products that are so close to the least normal
// number that processors differ in whether they are tiny.
func TestTinyProducts(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the modes are those of amd64")
	}
	target, err := clib.Open(t.Context(), require.Library(t, modesC)+":dotftz32",
		probe.Spec{DType: fp.Binary32, N: 2, Op: probe.Dot})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	f := revealtest.Find(t, target, 1)
	if f.Arithmetic == nil {
		t.Fatal("it has no arithmetic")
	}
	b := probe.NewBatch(target)
	rng := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		q := float64(rng.IntN(1<<12)) * 0x1p-23
		b.X[0], b.Y[0] = 0x1p-126*(1+q), fp.Binary32.Round(1/(1+q), fp.Mode(rng.IntN(4)))
		b.X[1], b.Y[1] = 0, 1
		if err := target.Call(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		got, err := f.Tree.Replay(*f.Arithmetic, b.X, b.Y)
		if err != nil || !revealtest.EqualBits(got, b.Out[0]) {
			t.Fatalf("%v %v: %v, not %v", b.X, b.Y, got, b.Out[0])
		}
	}
}
