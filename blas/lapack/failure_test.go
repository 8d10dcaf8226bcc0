package lapack_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gonum "gonum.org/v1/gonum/lapack"

	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/blas/lapack"
)

// TestBalanceNaN balances matrices with a NaN. It ends, by a panic.
func TestBalanceNaN(t *testing.T) {
	for n := 2; n <= 4; n++ {
		for at := range n * n {
			a := make([]float64, n*n)
			for i := range a {
				a[i] = 1
			}
			a[at] = math.NaN()
			func() {
				defer func() {
					if got := recover(); got != "lapack: NaN" {
						t.Errorf("order %d, element %d: the panic is %v", n, at, got)
					}
				}()
				lapack.Implementation{}.Dgebal(gonum.PermuteScale, n, a, n, make([]float64, n))
			}()
		}
	}
}

// stalled is a BLAS whose norms are 0 for some calls: reflections by them
// change nothing.
type stalled struct {
	blas.Ordered
	calls int
}

func (s *stalled) Dnrm2(n int, x []float64, incX int) float64 {
	if s.calls--; s.calls > 0 {
		return 0
	}
	return s.Ordered.Dnrm2(n, x, incX)
}

// TestDoubleShiftsFail stalls Dlahqr until it fails. Dhseqr then computes the
// same eigenvalues otherwise.
func TestDoubleShiftsFail(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{16, 30, 48, 49, 60, 120} {
		h := make([]float64, n*n)
		for i := range n {
			for j := max(0, i-1); j < n; j++ {
				h[i*n+j] = rng.NormFloat64()
			}
		}
		want, unconverged := eigenvalues(lapack.Implementation{}, n, h)
		if unconverged != 0 {
			t.Fatalf("order %d: %d do not converge", n, unconverged)
		}
		limit := 30 * n * n // the calls of the iterations of one eigenvalue, or more
		for _, calls := range []int{limit - n, limit} {
			got, unconverged := eigenvalues(
				lapack.Implementation{BLAS: &stalled{calls: calls}}, n, h)
			if unconverged != 0 {
				t.Errorf("order %d: %d do not converge", n, unconverged)
			}
			for i, w := range got {
				if d := math.Abs(w - want[i]); d > 1e-9*math.Abs(want[n-1]) {
					t.Errorf("order %d: magnitude %d is %v, want %v", n, i, w, want[i])
				}
			}
		}
	}
}

// eigenvalues returns the sorted magnitudes of those of a Hessenberg matrix.
func eigenvalues(l lapack.Implementation, n int, h []float64) (all []float64, unconverged int) {
	wr, wi, work := make([]float64, n), make([]float64, n), make([]float64, 11*n)
	z := make([]float64, n*n)
	unconverged = l.Dhseqr(gonum.EigenvaluesAndSchur, gonum.SchurHess, n, 0, n-1,
		slices.Clone(h), n, wr, wi, z, n, work, len(work))
	for i := range n {
		all = append(all, math.Hypot(wr[i], wi[i]))
	}
	slices.Sort(all)
	return all, unconverged
}
