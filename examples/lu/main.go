package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/blas/lapack"
	"github.com/lastbit/lastbit/examples/internal/demo"
)

func main() { demo.Main(run) }

func run(args []string, stdout io.Writer) error {
	flags := demo.NewFlags("lu")
	n := flags.Int("n", 500, 1, 20000, "rows and columns of the matrix")
	block := flags.Int("block", 64, 0, 20000, "columns of a block; 0 takes getf2, without blocks")
	workers := flags.Workers()
	if err := flags.Parse(args, stdout); err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(*workers))

	a := demo.Uniforms(demo.Random(1), *n**n)
	pivots := make([]int, *n)
	if !factorize(blas.Ordered{}, a, *n, *block, pivots) {
		return errors.New("lu: the matrix is singular: take another -n")
	}
	how := "getf2"
	if *block > 0 {
		how = fmt.Sprintf("getrf, blocks of %d", *block)
	}
	_, err := fmt.Fprintf(stdout, "%s  L, U and the pivots of a %d×%d matrix by %s\n",
		hash(a, pivots), *n, *n, how)
	return err
}

func hash(lu []float64, pivots []int) *demo.Hash { return demo.NewHash().Floats(lu).Ints(pivots) }

// factorize replaces a with L and U by getrf, or by getf2 without blocks. It
// returns false if the matrix is singular.
func factorize(b gonum.Float64, a []float64, n, block int, pivots []int) bool {
	if block == 0 {
		return lapack.Implementation{BLAS: b}.Dgetf2(n, n, a, n, pivots)
	}
	return getrf(b, a, n, block, pivots)
}

// getrf factorizes block after block of columns, as LAPACK's getrf does, which
// has a block size of its own.
//
// An element (i, j) of the rest is updated by Dger in getf2, and by Dtrsm and
// Dgemm here. Each of them, in blas.Ordered, continues the chain
//
//	a[i,j] ← fma(−l[i,p], u[p,j], a[i,j])    for p = 0, 1, 2, …
//
// where the one before it has stopped, so that the blocks leave no trace.
func getrf(b gonum.Float64, a []float64, n, block int, pivots []int) bool {
	l := lapack.Implementation{BLAS: b}
	regular := true
	for j := 0; j < n; j += block {
		end := min(j+block, n)
		width, rest := end-j, n-end
		panel := a[j*n+j:]
		regular = l.Dgetf2(n-j, width, panel, n, pivots[j:end]) && regular
		for i := j; i < end; i++ {
			pivots[i] += j
		}
		l.Dlaswp(j, a, n, j, end-1, pivots[:end], 1)
		if rest == 0 {
			break
		}
		right := a[end:]
		l.Dlaswp(rest, right, n, j, end-1, pivots[:end], 1)
		u := a[j*n+end:]
		b.Dtrsm(gonum.Left, gonum.Lower, gonum.NoTrans, gonum.Unit, width, rest, 1, panel, n, u, n)
		b.Dgemm(gonum.NoTrans, gonum.NoTrans, rest, rest, width, -1, a[end*n+j:], n, u, n, 1,
			a[end*n+end:], n)
	}
	return regular
}
