package lapack_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gonumblas "gonum.org/v1/gonum/blas"
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

// eigenvalues returns the sorted magnitudes of the eigenvalues of a Hessenberg
// matrix.
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

// TestTinyNorm computes eigenvalues of matrices that are scaled, since their
// norms are small, or that have small blocks.
func TestTinyNorm(t *testing.T) {
	for _, c := range []struct {
		uplo gonumblas.Uplo
		d, e []float64
	}{
		{gonumblas.Upper, []float64{2, 2, 2}, []float64{1, 1}},
		{gonumblas.Lower, []float64{2, 2, 2, 2, 2}, []float64{1, 1, 1, 1}},
		{gonumblas.Upper, []float64{0x1p200, 2, 2, 2, 2}, []float64{0, 1, 1, 1}},
		{gonumblas.Lower, []float64{2, 2, 2, 2, 0x1p200}, []float64{1, 1, 1, 0}},
	} {
		for _, scale := range []float64{1, 0x1p-410, 0x1p-600, 0x1p-900} {
			n := len(c.d)
			a, d, e := make([]float64, n*n), slices.Clone(c.d), slices.Clone(c.e)
			for i := range n {
				d[i] *= scale
				a[i*n+i] = d[i]
				if i+1 < n {
					e[i] *= scale
					a[i*n+i+1], a[(i+1)*n+i] = e[i], e[i]
				}
			}
			w, vectors := make([]float64, n), slices.Clone(a)
			work := make([]float64, 8*n)
			var l lapack.Implementation
			if !l.Dsyev(gonum.EVCompute, c.uplo, n, vectors, n, w, work, len(work)) {
				t.Fatal("eigenvectors do not converge")
			}
			got := make([]float64, n)
			if !l.Dsyev(gonum.EVNone, c.uplo, n, a, n, got, work, len(work)) || !l.Dsterf(n, d, e) {
				t.Fatal("eigenvalues do not converge")
			}
			for i := range w {
				if !near(got[i], w[i]) || !near(d[i], w[i]) {
					t.Errorf("scale %g: eigenvalue %d of %v is %v and %v, want %v",
						scale, i, c.d, got[i], d[i], w[i])
				}
			}
		}
	}
}

func near(x, y float64) bool { return math.Abs(x-y) <= 0x1p-40*math.Abs(y) }

// TestSingleElement factors a matrix of one element in a slice of one, whose
// rows are farther apart.
func TestSingleElement(t *testing.T) {
	for _, job := range []gonum.SVDJob{gonum.SVDNone, gonum.SVDAll, gonum.SVDStore} {
		for _, jobVT := range []gonum.SVDJob{gonum.SVDNone, gonum.SVDAll, gonum.SVDStore} {
			s, u, vt := make([]float64, 1), make([]float64, 1), make([]float64, 1)
			work := make([]float64, 100)
			ok := lapack.Implementation{}.Dgesvd(job, jobVT, 1, 1, []float64{-3}, 5, s, u, 7, vt, 6,
				work, len(work))
			if !ok || s[0] != 3 {
				t.Errorf("%c, %c: the singular value is %v", job, jobVT, s[0])
			}
		}
	}
}
