package lapack_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	gonum "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"

	"github.com/lastbit/lastbit/blas"
	ours "github.com/lastbit/lastbit/blas/lapack"
)

// singularValues bounds the relative difference of singular values computed
// with vectors, by Dbdsqr, and without, by Dlasq1. Dbdsqr stops where an error
// is at most 2^(53/8) = 98.7 units roundoff, 1.1e-14; two such errors fit.
//
// gonum's own test allows 1e-14 in all, less than Dbdsqr promises, for one
// matrix that its BLAS is lucky on. TestSingularValues shows matrices that
// differ by more, on each BLAS.
const singularValues = 2 * 98.7 * 0x1p-53

// tolSVD is the tolerance for gonum's DgesvdTest, which compares singular
// values within a tenth of it.
const tolSVD = 10 * singularValues

// TestSingularValues compares singular values with and without vectors, as
// gonum's test does, for matrices of singular values up to 2^900.
func TestSingularValues(t *testing.T) {
	for _, c := range []struct {
		name string
		blas gonum.Float64
		seed uint64
	}{
		{"Ordered", blas.Ordered{}, 44}, {"Ordered", blas.Ordered{}, 489},
		{"Exact", blas.Exact{}, 124}, {"Exact", blas.Exact{}, 212},
	} {
		t.Run(fmt.Sprintf("%s/%d", c.name, c.seed), func(t *testing.T) {
			d := difference(ours.Implementation{BLAS: c.blas}, c.seed)
			if d <= 1e-14 || d > singularValues {
				t.Errorf("they differ by %g", d)
			}
		})
	}
}

// difference returns the largest relative difference of singular values with
// and without vectors.
func difference(l ours.Implementation, seed uint64) float64 {
	const n = 150
	rng := rand.New(rand.NewPCG(seed, 1))
	u, a, v := orthogonal(n, rng), make([]float64, n*n), orthogonal(n, rng)
	for i := range n {
		blas.Ordered{}.Dscal(n, 0x1p900*(1-float64(i)/n), v[i*n:], 1)
	}
	blas.Ordered{}.Dgemm(gonum.NoTrans, gonum.NoTrans, n, n, n, 1, u, n, v, n, 0, a, n)
	solve := func(job lapack.SVDJob) []float64 {
		s, u, v := make([]float64, n), make([]float64, n*n), make([]float64, n*n)
		work := make([]float64, 5*n)
		l.Dgesvd(job, job, n, n, append([]float64(nil), a...), n, s, u, n, v, n, work, len(work))
		return s
	}
	with, without := solve(lapack.SVDAll), solve(lapack.SVDNone)
	largest := 0.0
	for i, v := range with {
		largest = math.Max(largest, math.Abs(v-without[i])/v)
	}
	return largest
}

// orthogonal returns a random orthogonal matrix of order n.
func orthogonal(n int, rng *rand.Rand) []float64 {
	q := make([]float64, n*n)
	for i := range q {
		q[i] = 2*rng.Float64() - 1
	}
	tau, work := make([]float64, n), make([]float64, n)
	ours.Implementation{}.Dgeqrf(n, n, q, n, tau, work, n)
	ours.Implementation{}.Dorgqr(n, n, n, q, n, tau, work, n)
	return q
}
