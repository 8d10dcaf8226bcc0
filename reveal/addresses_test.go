package reveal_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// peelingC defines sums and dot products of T that add summands one by one
// until a pointer is aligned to BYTES, and then LANES at a time. relative_dot
// adds all summands one by one where the two pointers are not aligned alike.
// same_sum and same_dot add them in the same way at every address.
const peelingC = `
#include <stddef.h>
#include <stdint.h>

static T lanes_of(const T *x, const T *y, size_t n, size_t head) {
	T s = 0, lane[LANES] = {0};
	size_t i = 0, j;
	for (; i < n && i < head; i++)
		s += y ? x[i] * y[i] : x[i];
	for (; i + LANES <= n; i += LANES)
		for (j = 0; j < LANES; j++)
			lane[j] += y ? x[i + j] * y[i + j] : x[i + j];
	for (j = 0; j < LANES; j++)
		s += lane[j];
	for (; i < n; i++)
		s += y ? x[i] * y[i] : x[i];
	return s;
}

static size_t until_aligned(const T *p) {
	return (-(uintptr_t)p & (BYTES - 1)) / sizeof(T);
}

T peeling_sum(const T *x, size_t n) { return lanes_of(x, NULL, n, until_aligned(x)); }
T peeling_dot(const T *x, const T *y, size_t n) { return lanes_of(x, y, n, until_aligned(x)); }
T peeling_by_y(const T *x, const T *y, size_t n) { return lanes_of(x, y, n, until_aligned(y)); }
T relative_dot(const T *x, const T *y, size_t n) {
	return lanes_of(x, y, n, (((uintptr_t)x ^ (uintptr_t)y) & (BYTES - 1)) ? n : 0);
}
T same_sum(const T *x, size_t n) { return lanes_of(x, NULL, n, 0); }
T same_dot(const T *x, const T *y, size_t n) { return lanes_of(x, y, n, 0); }
`

// peeling compiles peelingC and returns the address of a function of it.
func peeling(t *testing.T, dtype fp.Format, bytes, lanes int) (function func(name string) string) {
	t.Helper()
	name := map[fp.Format]string{fp.Binary32: "float", fp.Binary64: "double"}[dtype]
	library := require.Library(t, peelingC, "-DT="+name, fmt.Sprintf("-DBYTES=%d", bytes),
		fmt.Sprintf("-DLANES=%d", lanes))
	return func(name string) string { return "clib:" + library + ":" + name }
}

// TestPeelingDependsOnTheAddress reveals C functions that peel summands until a
// pointer is aligned: the finding has the tree of the address asked for, the
// other tree, and an input that shows the difference.
func TestPeelingDependsOnTheAddress(t *testing.T) {
	for _, c := range []struct {
		bytes, lanes int
		sizes        []int
	}{{16, 4, []int{9, 100}}, {32, 2, []int{333, 5, 9}}, {64, 8, []int{20, 100}}} {
		bytes, sizes := c.bytes, c.sizes
		for _, dtype := range blas {
			function := peeling(t, dtype, bytes, c.lanes)
			for _, c := range []struct {
				name string
				op   probe.Op
			}{{"peeling_sum", probe.Sum}, {"peeling_dot", probe.Dot}, {"peeling_by_y", probe.Dot},
				{"relative_dot", probe.Dot}} {
				for k, n := range sizes {
					if !revealtest.IsOfToday(k) {
						continue
					}
					what := fmt.Sprintf("%s of %v aligned to %d, n = %d", c.name, dtype, bytes, n)
					s := probe.Spec{Op: c.op, DType: dtype, N: n}
					f := depends(t, what, function(c.name), s)
					if f == nil || c.name != "relative_dot" {
						continue
					}
					if at := f.Addresses.Differ[0]; at.X == at.Y {
						t.Errorf("%s: other bits at %+v", what, at)
					}
				}
			}
		}
	}
}

// depends reveals a target whose order depends on its address, and checks the
// finding against the target.
func depends(t *testing.T, what, address string, s probe.Spec) *reveal.Finding {
	t.Helper()
	target, err := open(t.Context(), address, s)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	f, err := reveal.Reveal(t.Context(), target, reveal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := f.Addresses
	switch {
	case a == nil || !a.Depends:
		t.Errorf("%s: %s, addresses %+v", what, f.Verdict, a)
		return nil
	case !f.Verified || a.Other == nil || !a.Other.Verified || f.Tree.Equal(a.Other.Tree):
		t.Errorf("%s: verified %v, and elsewhere %+v", what, f.Verified, a.Other)
		return nil
	}
	m := target.(probe.Movable)
	b := probe.NewBatch(target)
	copy(b.X, a.Witness.X)
	copy(b.Y, a.Witness.Y)
	for k, at := range []probe.Placement{{}, a.Differ[0]} {
		if err := m.CallAt(t.Context(), b, at); err != nil {
			t.Fatal(err)
		}
		if b.Out[0] != a.Witness.Seen[k] {
			t.Errorf("%s: at %+v the witness gives %v, not %v", what, at, b.Out[0],
				a.Witness.Seen[k])
		}
	}
	if a.Witness.Seen[0] == a.Witness.Seen[1] || summands(a.Witness.X) > 32 {
		t.Errorf("%s: the witness of %d summands saw %v", what, summands(a.Witness.X),
			a.Witness.Seen)
	}
	replaysAt(t, what, m, a.Differ[0], a.Other)
	return f
}

// replaysAt holds a finding against fresh inputs with the operands moved.
func replaysAt(t *testing.T, what string, m probe.Movable, at probe.Placement, f *reveal.Finding) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	b := probe.NewBatch(m)
	for range 20 {
		for _, v := range [][]float64{b.X, b.Y} {
			for i := range v {
				v[i] = f.Key.DType.Round(rng.NormFloat64(), fp.NearestEven)
			}
		}
		if err := m.CallAt(t.Context(), b, at); err != nil {
			t.Fatal(err)
		}
		want, err := f.Tree.Replay(*f.Arithmetic, b.X, b.Y)
		if err != nil || b.Out[0] != want {
			t.Errorf("%s: at %+v it gives %v, want %v, %v", what, at, b.Out[0], want, err)
			return
		}
	}
}

// TestSameAtOtherAddresses reveals functions whose order does not depend on
// addresses.
func TestSameAtOtherAddresses(t *testing.T) {
	for _, dtype := range blas {
		function := peeling(t, dtype, 64, 8)
		for _, n := range []int{2, 7, 100, 1000} {
			isSame(t, function("same_sum"), probe.Spec{Op: probe.Sum, DType: dtype, N: n})
			isSame(t, function("same_dot"), probe.Spec{Op: probe.Dot, DType: dtype, N: n})
			isSame(t, "go:pairwise", probe.Spec{Op: probe.Sum, DType: dtype, N: n})
		}
	}
	isSame(t, "gonum:blas64.Gemv", probe.Spec{Op: probe.Gemv, DType: fp.Binary64, N: 40, M: 3})
}

// isSame holds that a target gives the same bits at other addresses.
func isSame(t *testing.T, address string, s probe.Spec) {
	t.Helper()
	target, err := open(t.Context(), address, s)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	f, err := reveal.Reveal(t.Context(), target, reveal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a := f.Addresses; !f.Verified || a == nil || a.Depends || a.Tried < 3 {
		t.Errorf("%s %s %v n = %d: verified %v, addresses %+v", address, s.Op, s.DType, s.N,
			f.Verified, a)
	}
}

// TestGonumDependsOnTheAddress reveals the functions of gonum that align their
// data.
func TestGonumDependsOnTheAddress(t *testing.T) {
	for _, n := range []int{20, 1000} {
		depends(t, "gonum", "gonum:floats.Sum", probe.Spec{N: n})
	}
}

// TestOwnGoFunctionDependsOnTheAddress reveals a Go function that looks at
// where its slice begins.
func TestOwnGoFunctionDependsOnTheAddress(t *testing.T) {
	sum := func(x []float32) float32 {
		var even, odd float32
		half := uintptr(unsafe.Pointer(&x[0]))/2048%2 == 1
		for i, v := range x {
			if half && i%2 == 1 {
				odd += v
			} else {
				even += v
			}
		}
		return even + odd
	}
	f := revealtest.Must(t, gofunc.New("sum", sum, 200), reveal.Options{}, probetest.Chain(200))
	a := f.Addresses
	if a == nil || !a.Depends || a.Differ[0].X < 2048 || a.Other.Family == f.Family {
		t.Fatalf("addresses %+v", a)
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var again reveal.Finding
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if a := again.Addresses; a == nil || !a.Other.Tree.Equal(f.Addresses.Other.Tree) {
		t.Errorf("read again from JSON: %+v", a)
	}
}

// TestAddressesNotTried reveals targets that do not place operands themselves.
func TestAddressesNotTried(t *testing.T) {
	for _, target := range []probe.Target{
		probetest.FromTree(probetest.Chain(20), probetest.Options{}),
		&still{Target: gofunc.New("sum", func(x []float64) float64 { return x[0] + x[1] }, 2)},
	} {
		f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
		if err != nil || f.Addresses != nil {
			t.Errorf("%+v, %v", f.Addresses, err)
		}
	}
}

// still is a target that cannot move its operands at all.
type still struct{ probe.Target }

func (*still) Reach() probe.Placement { return probe.Placement{} }

func (s *still) CallAt(ctx context.Context, b *probe.Batch, _ probe.Placement) error {
	return s.Call(ctx, b)
}

// TestAddressesOfLibraries reveals sums of NumPy, PyTorch and OpenBLAS, and
// holds what the finding says of addresses against targets opened with other
// alignments.
func TestAddressesOfLibraries(t *testing.T) {
	for _, c := range []struct {
		address string
		s       probe.Spec
	}{
		{"py:numpy.sum", probe.Spec{DType: fp.Binary32, N: 1000}},
		{"py:numpy.sum", probe.Spec{DType: fp.Binary64, N: 100, Axis: "0", M: 4}},
		{"py:numpy.dot", probe.Spec{Op: probe.Dot, DType: fp.Binary64, N: 1000}},
		{"py:numpy.einsum", probe.Spec{Op: probe.Dot, DType: fp.Binary32, N: 300}},
		{"blas:openblas", probe.Spec{Op: probe.Dot, DType: fp.Binary32, N: 1000}},
		{"blas:openblas", probe.Spec{Op: probe.Gemv, DType: fp.Binary64, N: 70, M: 5}},
		{"blas:openblas", probe.Spec{Op: probe.Gemm, DType: fp.Binary64, N: 60, M: 8, Cols: 4}},
	} {
		target, err := open(t.Context(), c.address, c.s)
		var fault *probe.Fault
		if errors.As(err, &fault) && strings.HasSuffix(fault.ID, "missing") {
			require.Missing(t, c.address)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer target.Close()
		f, err := reveal.Reveal(t.Context(), target, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a := f.Addresses; a == nil || a.Tried < 3 {
			t.Errorf("%s: addresses %+v", c.address, a)
			continue
		}
		inv, err := reveal.Invariant(t.Context(), reveal.Sweep{Axis: "align",
			Values: []string{"0", "8", "16", "32"},
			Open: func(ctx context.Context, i int) (probe.Target, error) {
				s := c.s
				s.Align = []int{0, 8, 16, 32}[i]
				return open(ctx, c.address, s)
			}}, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %v n = %d: %d tried, differ %v", c.address, c.s.Op, c.s.N, f.Addresses.Tried,
			f.Addresses.Differ)
		if len(inv.Classes) > 1 && !f.Addresses.Depends {
			t.Errorf("%s: %d classes by alignment, and the finding says the same", c.address,
				len(inv.Classes))
		}
	}
}
