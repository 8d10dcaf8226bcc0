//go:build !static

package blas_test

import (
	"os"
	"strings"
	"testing"

	gonum "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/testblas"

	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
)

// implementation has all of gonum's interfaces.
type implementation interface {
	gonum.Float64
	gonum.Float32
	gonum.Complex128
	gonum.Complex64
}

// implementations are those that the tests compare with gonum's: both BLAS on
// the kernels of every level.
var implementations = onEveryLevel()

func onEveryLevel() map[string]implementation {
	all := map[string]implementation{"Ordered": blas.Ordered{}, "Exact": blas.Exact{}}
	for _, level := range kernel.Levels() {
		ordered, exact := blas.Forced(chain.Setting{Level: &level, Threads: 2, Work: 1})
		all["Ordered on "+level.String()] = ordered
		all["Exact on "+level.String()] = exact
	}
	return all
}

// TestGonumFloat64 runs gonum's public tests of a float64 BLAS.
func TestGonumFloat64(t *testing.T) {
	for name, b := range implementations {
		t.Run(name, func(t *testing.T) { testFloat64(t, b) })
	}
}

// rotmg pairs the transformations of a BLAS with the Drotm of Ordered: gonum
// tests that it makes an element zero, which is right after two roundings only.
type rotmg struct{ gonum.Float64 }

func (rotmg) Drotm(n int, x []float64, incX int, y []float64, incY int, p gonum.DrotmParams) {
	blas.Ordered{}.Drotm(n, x, incX, y, incY, p)
}

// testFloat64 runs the tests on one BLAS.
func testFloat64(t *testing.T, b gonum.Float64) {
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"Dasum", func(t *testing.T) { testblas.DasumTest(t, b) }},
		{"Daxpy", func(t *testing.T) { testblas.DaxpyTest(t, b) }},
		{"Dcopy", func(t *testing.T) { testblas.DcopyTest(t, b) }},
		{"Ddot", func(t *testing.T) { testblas.DdotTest(t, b) }},
		{"Dgbmv", func(t *testing.T) { testblas.DgbmvTest(t, b) }},
		{"Dgemm", func(t *testing.T) { testblas.TestDgemm(t, b) }},
		{"Dgemv", func(t *testing.T) { testblas.DgemvTest(t, b) }},
		{"Dger", func(t *testing.T) { testblas.DgerTest(t, b) }},
		{"Dnrm2", func(t *testing.T) { testblas.Dnrm2Test(t, b) }},
		{"Drot", func(t *testing.T) { testblas.DrotTest(t, b) }},
		{"Drotg", func(t *testing.T) { testblas.DrotgTest(t, b, false) }},
		{"Drotm", func(t *testing.T) { testblas.DrotmTest(t, b) }},
		{"Drotmg", func(t *testing.T) { testblas.DrotmgTest(t, rotmg{b}) }},
		{"Dsbmv", func(t *testing.T) { testblas.DsbmvTest(t, b) }},
		{"Dscal", func(t *testing.T) { testblas.DscalTest(t, b) }},
		{"Dspmv", func(t *testing.T) { testblas.DspmvTest(t, b) }},
		{"Dspr", func(t *testing.T) { testblas.DsprTest(t, b) }},
		{"Dspr2", func(t *testing.T) { testblas.Dspr2Test(t, b) }},
		{"Dswap", func(t *testing.T) { testblas.DswapTest(t, b) }},
		{"Dsymm", func(t *testing.T) { testblas.DsymmTest(t, b) }},
		{"Dsymv", func(t *testing.T) { testblas.DsymvTest(t, b) }},
		{"Dsyr", func(t *testing.T) { testblas.DsyrTest(t, b) }},
		{"Dsyr2", func(t *testing.T) { testblas.Dsyr2Test(t, b) }},
		{"Dsyr2k", func(t *testing.T) { testblas.Dsyr2kTest(t, b) }},
		{"Dsyrk", func(t *testing.T) { testblas.DsyrkTest(t, b) }},
		{"Dtbmv", func(t *testing.T) { testblas.DtbmvTest(t, b) }},
		{"Dtbsv", func(t *testing.T) { testblas.DtbsvTest(t, b) }},
		{"Dtpmv", func(t *testing.T) { testblas.DtpmvTest(t, b) }},
		{"Dtpsv", func(t *testing.T) { testblas.DtpsvTest(t, b) }},
		{"Dtrmm", func(t *testing.T) { testblas.DtrmmTest(t, b) }},
		{"Dtrmv", func(t *testing.T) { testblas.DtrmvTest(t, b) }},
		{"Dtrsm", func(t *testing.T) { testblas.DtrsmTest(t, b) }},
		{"Dtrsv", func(t *testing.T) { testblas.DtrsvTest(t, b) }},
		{"Dtxmv", func(t *testing.T) { testblas.DtxmvTest(t, b) }},
		{"Idamax", func(t *testing.T) { testblas.IdamaxTest(t, b) }},
	} {
		t.Run(test.name, test.run)
	}
}

// TestGonumComplex128 runs gonum's public tests of a complex128 BLAS. Exact is
// slow: it runs on the kernels that it chooses, and on every level with
// LASTBIT_LAPACK=all.
func TestGonumComplex128(t *testing.T) {
	for name, b := range implementations {
		if strings.HasPrefix(name, "Exact on ") && os.Getenv("LASTBIT_LAPACK") != "all" {
			continue
		}
		t.Run(name, func(t *testing.T) { testComplex128(t, b) })
	}
}

// testComplex128 runs the tests on one BLAS.
func testComplex128(t *testing.T, b implementation) {
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"Dzasum", func(t *testing.T) { testblas.DzasumTest(t, b) }},
		{"Dznrm2", func(t *testing.T) { testblas.Dznrm2Test(t, b) }},
		{"Izamax", func(t *testing.T) { testblas.IzamaxTest(t, b) }},
		{"Zaxpy", func(t *testing.T) { testblas.ZaxpyTest(t, b) }},
		{"Zcopy", func(t *testing.T) { testblas.ZcopyTest(t, b) }},
		{"Zdotc", func(t *testing.T) { testblas.ZdotcTest(t, b) }},
		{"Zdotu", func(t *testing.T) { testblas.ZdotuTest(t, b) }},
		{"Zdscal", func(t *testing.T) { testblas.ZdscalTest(t, b) }},
		{"Zgbmv", func(t *testing.T) { testblas.ZgbmvTest(t, b) }},
		{"Zgemm", func(t *testing.T) { testblas.ZgemmTest(t, b) }},
		{"Zgemv", func(t *testing.T) { testblas.ZgemvTest(t, b) }},
		{"Zgerc", func(t *testing.T) { testblas.ZgercTest(t, b) }},
		{"Zgeru", func(t *testing.T) { testblas.ZgeruTest(t, b) }},
		{"Zhbmv", func(t *testing.T) { testblas.ZhbmvTest(t, b) }},
		{"Zhemm", func(t *testing.T) { testblas.ZhemmTest(t, b) }},
		{"Zhemv", func(t *testing.T) { testblas.ZhemvTest(t, b) }},
		{"Zher", func(t *testing.T) { testblas.ZherTest(t, b) }},
		{"Zher2", func(t *testing.T) { testblas.Zher2Test(t, b) }},
		{"Zher2k", func(t *testing.T) { testblas.Zher2kTest(t, b) }},
		{"Zherk", func(t *testing.T) { testblas.ZherkTest(t, b) }},
		{"Zhpmv", func(t *testing.T) { testblas.ZhpmvTest(t, b) }},
		{"Zhpr", func(t *testing.T) { testblas.ZhprTest(t, b) }},
		{"Zhpr2", func(t *testing.T) { testblas.Zhpr2Test(t, b) }},
		{"Zscal", func(t *testing.T) { testblas.ZscalTest(t, b) }},
		{"Zswap", func(t *testing.T) { testblas.ZswapTest(t, b) }},
		{"Zsymm", func(t *testing.T) { testblas.ZsymmTest(t, b) }},
		{"Zsyr2k", func(t *testing.T) { testblas.Zsyr2kTest(t, b) }},
		{"Zsyrk", func(t *testing.T) { testblas.ZsyrkTest(t, b) }},
		{"Ztbmv", func(t *testing.T) { testblas.ZtbmvTest(t, b) }},
		{"Ztbsv", func(t *testing.T) { testblas.ZtbsvTest(t, b) }},
		{"Ztpmv", func(t *testing.T) { testblas.ZtpmvTest(t, b) }},
		{"Ztpsv", func(t *testing.T) { testblas.ZtpsvTest(t, b) }},
		{"Ztrmm", func(t *testing.T) { testblas.ZtrmmTest(t, b) }},
		{"Ztrmv", func(t *testing.T) { testblas.ZtrmvTest(t, b) }},
		{"Ztrsm", func(t *testing.T) { testblas.ZtrsmTest(t, b) }},
		{"Ztrsv", func(t *testing.T) { testblas.ZtrsvTest(t, b) }},
	} {
		t.Run(test.name, test.run)
	}
}
