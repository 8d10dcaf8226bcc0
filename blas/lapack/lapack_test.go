package lapack_test

import (
	"os"
	"testing"

	gonum "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/blas/lapack"
)

// The tests use gonum's global BLAS to check results.
func TestMain(m *testing.M) {
	blas64.Use(blas.Ordered{})
	os.Exit(m.Run())
}

// implementations are those that the tests run.
var implementations = map[string]gonum.Float64{
	"Ordered": blas.Ordered{},
	"Exact":   blas.Exact{},
}

// TestGonum runs gonum's public tests of a LAPACK. The slow ones run where
// LASTBIT_LAPACK is "all", as in make lapack.
func TestGonum(t *testing.T) {
	for name, b := range implementations {
		t.Run(name, func(t *testing.T) {
			run(t, quick, b)
			if os.Getenv("LASTBIT_LAPACK") == "all" {
				run(t, slow, b)
			}
		})
	}
}

func run(t *testing.T, s suite, b gonum.Float64) {
	for routine, test := range s {
		t.Run(routine, func(t *testing.T) {
			t.Parallel()
			test(t, lapack.Implementation{BLAS: b})
		})
	}
}
