package lapack_test

import (
	"math"
	"math/rand/v2"
	"testing"

	gonum "gonum.org/v1/gonum/blas"
	gonumlapack "gonum.org/v1/gonum/lapack"

	"github.com/lastbit/lastbit/blas/lapack"
)

// TestRotations holds Dlasr on neighbouring rows and columns against one
// rotation after another, with some that change nothing, on infinities too.
func TestRotations(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for trial := range 400 {
		m, n, lda := 1+rng.IntN(24), 1+rng.IntN(24), 24+rng.IntN(3)
		side, planes := gonum.Right, n-1
		if trial%2 == 0 {
			side, planes = gonum.Left, m-1
		}
		direct := gonumlapack.Forward
		if trial/2%2 == 0 {
			direct = gonumlapack.Backward
		}
		c, s := make([]float64, planes), make([]float64, planes)
		for i := range c {
			c[i], s[i] = rng.NormFloat64(), rng.NormFloat64()
			if rng.IntN(4) == 0 {
				c[i], s[i] = 1, 0
			}
		}
		a := make([]float64, m*lda)
		for i := range a {
			a[i] = rng.NormFloat64()
			if rng.IntN(50) == 0 {
				a[i] = math.Inf(1)
			}
		}
		want := append([]float64(nil), a...)
		rotateOneByOne(side, direct, m, n, c, s, want, lda)
		lapack.Implementation{}.Dlasr(side, gonumlapack.Variable, direct, m, n, c, s, a, lda)
		for i, v := range a {
			if isOther(v, want[i]) {
				t.Fatalf("%c%c of %d×%d, lda %d: element %d is %v, want %v",
					side, direct, m, n, lda, i, v, want[i])
			}
		}
	}
}

// rotateOneByOne is the definition of Dlasr.
func rotateOneByOne(
	side gonum.Side, direct gonumlapack.Direct, m, n int, c, s, a []float64, lda int,
) {
	vectors, apart, step := m, lda, 1
	if side == gonum.Left {
		vectors, apart, step = n, 1, lda
	}
	for k := range c {
		j := k
		if direct == gonumlapack.Backward {
			j = len(c) - 1 - k
		}
		for i := range vectors {
			x, y := &a[i*apart+j*step], &a[i*apart+(j+1)*step]
			if c[j] != 1 || s[j] != 0 {
				*x, *y = float64(s[j]**y)+float64(c[j]**x), float64(c[j]**y)-float64(s[j]**x)
			}
		}
	}
}

// isOther reports whether two numbers differ in bits and are not both NaN.
func isOther(a, b float64) bool {
	return math.Float64bits(a) != math.Float64bits(b) && !(math.IsNaN(a) && math.IsNaN(b))
}
