package blas

import (
	"gonum.org/v1/gonum/blas"
)

// Messages of panics, word for word as in gonum's implementation.
const (
	zeroIncX = "blas: zero x index increment"
	zeroIncY = "blas: zero y index increment"

	mLT0  = "blas: m < 0"
	nLT0  = "blas: n < 0"
	kLT0  = "blas: k < 0"
	kLLT0 = "blas: kL < 0"
	kULT0 = "blas: kU < 0"

	badUplo      = "blas: illegal triangle"
	badTranspose = "blas: illegal transpose"
	badDiag      = "blas: illegal diagonal"
	badSide      = "blas: illegal side"
	badFlag      = "blas: illegal rotm flag"

	badLdA = "blas: bad leading dimension of A"
	badLdB = "blas: bad leading dimension of B"
	badLdC = "blas: bad leading dimension of C"

	shortX  = "blas: insufficient length of x"
	shortY  = "blas: insufficient length of y"
	shortAP = "blas: insufficient length of ap"
	shortA  = "blas: insufficient length of a"
	shortB  = "blas: insufficient length of b"
	shortC  = "blas: insufficient length of c"
)

// require panics with a message unless a condition holds.
func require(ok bool, message string) {
	if !ok {
		panic(message)
	}
}

func checkUplo(ul blas.Uplo) {
	require(ul == blas.Upper || ul == blas.Lower, badUplo)
}

func checkTranspose(t blas.Transpose) {
	require(t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans, badTranspose)
}

func checkDiag(d blas.Diag) {
	require(d == blas.Unit || d == blas.NonUnit, badDiag)
}

func checkSide(s blas.Side) {
	require(s == blas.Left || s == blas.Right, badSide)
}

// checkVector panics with a message if a vector of n > 0 elements does not fit
// in length elements.
func checkVector(length, n, inc int, message string) {
	if inc < 0 {
		inc = -inc
	}
	require(length > (n-1)*inc, message)
}

// checkMatrix panics with a message if a matrix of m > 0 rows of n elements
// does not fit in length elements.
func checkMatrix(length, m, n, ld int, message string) {
	require(length >= ld*(m-1)+n, message)
}

// checkPacked panics if a packed triangle of order n does not fit in length
// elements.
func checkPacked(length, n int) {
	require(length >= n*(n+1)/2, shortAP)
}

// checkPair checks the arguments of a routine for two vectors. It reports
// whether there is anything to do.
func checkPair(n, lenX, incX, lenY, incY int) bool {
	require(incX != 0, zeroIncX)
	require(incY != 0, zeroIncY)
	if n == 0 {
		return false
	}
	require(n > 0, nLT0)
	checkVector(lenX, n, incX, shortX)
	checkVector(lenY, n, incY, shortY)
	return true
}
