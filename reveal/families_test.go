package reveal_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestDerivedFamilies reveals sums of vector code that no list has.
func TestDerivedFamilies(t *testing.T) {
	for _, c := range []struct {
		family string
		n      int
		dtype  fp.Format
	}{
		{"take 128, fold 64, take 64, fold 8×8, fold 1, fold 2, fold 4, rest onto",
			2148, fp.Binary32},
		{"take 48, fold 16×3, take 16, fold 8, fold 4, fold 1, fold 2, rest apart",
			3000, fp.Binary64},
		{"take 8 as cascade(block=8, base=8, levels=4), fold 4, take 4, fold 2, fold 1, rest onto",
			2206, fp.Binary32},
		{"take 16×4 as backward(4), take 16, fold 1×4, take 4, rest onto, fold 4×4",
			2103, fp.Binary64},
		{"halves(128, head apart) of take 32, fold 1, fold 2, fold 4×8, rest onto",
			2101, fp.Binary32},
		{"chunks(1024) of strided(2×8)+chain+pairwise", 2048, fp.Binary64},
		{"take 64, fold 32, fold 1, fold 2, rest apart, fold 4×8", 2119, fp.Binary16},
		{"head 3, take 12, fold 4×3, take 4, rest onto, fold 1, fold 2", 2114, fp.Binary32},
		{"lead 8×2, take 16, fold 8, fold 1×8, rest onto", 2077, fp.Binary64},
		{"take 16, fold 8, fold 1×8, take 8, rest spread, fold 1, fold 4, fold 2",
			2093, fp.Binary32},
		{"loop 6 as (((s 3) (0 4)) (1 (2 5))), loop 4 as (s ((0 2) (1 3))), rest onto",
			2056, fp.Binary64},
	} {
		family, err := sumtree.ParseFamily(c.family)
		if err != nil {
			t.Fatal(err)
		}
		tree := family.Tree(c.n)
		target := probetest.FromTree(tree, probetest.Options{DType: c.dtype})
		f := revealtest.Must(t, target, reveal.Options{}, tree)
		t.Logf("%s: %d calls, %d of them for the certificate", f.Family, f.Calls,
			f.Evidence.CertificateCalls)
		if f.Family != c.family || f.Algorithm != "family" {
			t.Errorf("%s of %d in %v is found as %q by %s", c.family, c.n, c.dtype, f.Family,
				f.Algorithm)
		}
	}
}

// TestDerivingCostsLittle compares the calls for random trees, which belong to
// no family, with the calls of the algorithm that finds them.
func TestDerivingCostsLittle(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	tree := probetest.RandomTree(rng, 2048, probetest.Uniform)
	calls := map[string]int{}
	for _, algorithm := range []string{"auto", "packed"} {
		target := probetest.FromTree(tree, probetest.Options{})
		opt := reveal.Options{Algorithm: algorithm}
		calls[algorithm] = revealtest.Must(t, target, opt, tree).Calls
	}
	if calls["auto"] > calls["packed"]+60 {
		t.Errorf("auto takes %d calls, packed %d", calls["auto"], calls["packed"])
	}
}

// TestFamiliesOfLibraries demands a family for the sums and dots of libraries.
// BLIS has kernels by the processor, and the order of some is of no family.
func TestFamiliesOfLibraries(t *testing.T) {
	t.Parallel()
	for i, c := range []struct {
		address string
		op      probe.Op
		dtypes  []fp.Format
	}{
		{"blas:openblas", probe.Dot, blas},
		{"blas:blis", probe.Dot, blas},
		{"blas:reference", probe.Dot, blas},
		{"py:numpy.dot", probe.Dot, blas},
		{"py:numpy.einsum", probe.Dot, blas},
		{"py:numpy.einsum", probe.Sum, blas},
		{"py:torch.sum", probe.Sum, blas},
		{"py:torch.dot", probe.Dot, blas},
		{"gonum:floats.Sum", probe.Sum, double},
		{"gonum:floats.Dot", probe.Dot, double},
		{"gonum:blas32.Dot", probe.Dot, single},
		{"gonum:blas32.DDot", probe.Dot, single},
	} {
		for j, dtype := range c.dtypes {
			if len(c.dtypes) > 1 && (i+j)%2 == 1 && !revealtest.IsWhole() {
				continue
			}
			spec := probe.Spec{Op: c.op, DType: dtype, N: 1007}
			target, err := open(t.Context(), c.address, spec)
			var fault *probe.Fault
			if errors.As(err, &fault) && strings.HasSuffix(fault.ID, "missing") {
				require.Missing(t, c.address)
			}
			if err != nil {
				t.Fatal(err)
			}
			f := revealtest.Must(t, target, reveal.Options{}, nil)
			t.Logf("%s in %v: %s, %d calls", c.address, dtype, f.Family, f.Calls)
			named := f.Family != "" && f.Algorithm == "family"
			if !named && c.address != "blas:blis" {
				t.Errorf("%s in %v: family %q, by %s", c.address, dtype, f.Family, f.Algorithm)
			}
			target.Close()
		}
	}
}

// TestFamiliesOfMatrixProducts demands a family for the rows of libraries'
// matrix products, and for data off alignment.
func TestFamiliesOfMatrixProducts(t *testing.T) {
	for _, c := range []struct {
		address string
		dtypes  []fp.Format
		spec    probe.Spec
	}{
		{"blas:openblas", blas, probe.Spec{Op: probe.Gemv}},
		{"blas:openblas", blas, probe.Spec{Op: probe.Gemm, M: 1, Cols: 8}},
		{"blas:openblas", blas, probe.Spec{Op: probe.Gemm, M: 3, Cols: 8}},
		{"blas:blis", blas, probe.Spec{Op: probe.Gemv}},
		{"py:numpy.dot", blas, probe.Spec{Op: probe.Gemv}},
		{"py:numpy.dot", blas, probe.Spec{Op: probe.Gemm, M: 1, Cols: 8}},
		{"gonum:floats.Sum", double, probe.Spec{Op: probe.Sum, Align: 8}},
		{"gonum:blas32.Dot", single, probe.Spec{Op: probe.Dot, Align: 4}},
		{"gonum:blas32.DDot", single, probe.Spec{Op: probe.Dot, Align: 8}},
	} {
		for _, dtype := range c.dtypes {
			for i, n := range []int{63, 15, 100} {
				if !revealtest.IsOfToday(i) {
					continue
				}
				s := c.spec
				s.DType, s.N = dtype, n
				target, err := open(t.Context(), c.address, s)
				var fault *probe.Fault
				if errors.As(err, &fault) && strings.HasSuffix(fault.ID, "missing") {
					require.Missing(t, c.address)
				}
				if err != nil {
					t.Fatal(err)
				}
				f := revealtest.Must(t, target, reveal.Options{}, nil)
				family, err := sumtree.ParseFamily(f.Family)
				if err != nil || !family.Tree(n).Equal(f.Tree) {
					t.Errorf("%s is of family %q, %v", target.Key(), f.Family, err)
				}
				target.Close()
			}
		}
	}
}
