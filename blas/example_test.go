package blas_test

import (
	"fmt"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas"
)

// A dot product by the published tree has the same bits on every machine, and
// one that is rounded once has them in every order of the data.
func Example() {
	x := []float64{1e16, 1, -1e16, 1, 0.5, 0.25, 3, 7, 0.125}
	y := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}
	fmt.Println(blas.Ordered{}.Ddot(len(x), x, 1, y, 1))
	fmt.Println(blas.Exact{}.Ddot(len(x), x, 1, y, 1))

	x[0], x[1] = x[1], x[0]
	fmt.Println(blas.Ordered{}.Ddot(len(x), x, 1, y, 1))
	fmt.Println(blas.Exact{}.Ddot(len(x), x, 1, y, 1))
	// Output:
	// 13.25
	// 12.875
	// 14
	// 12.875
}

// Each element of a matrix product is one chain of fused multiply-adds.
func ExampleOrdered() {
	a := []float64{1, 2, 3, 4, 5, 6} // 2 × 3, by rows
	b := []float64{1, 0.5, 0.25, 2, 1, 0}
	c := make([]float64, 4) // 2 × 2
	blas.Ordered{}.Dgemm(gonum.NoTrans, gonum.NoTrans, 2, 2, 3, 1, a, 3, b, 2, 0, c, 2)
	fmt.Println(c)
	// Output: [4.5 4.5 11.25 12]
}

// The float64 0.1 and 0.3 are not a tenth and three tenths: the first times 3
// is larger by 2.8e-17, and not by as much as a rounded product tells.
func ExampleExact() {
	x, y := []float64{0.1, -0.3}, []float64{3, 1}
	fmt.Println(blas.Exact{}.Ddot(2, x, 1, y, 1))
	fmt.Println(float64(x[0]*y[0]) + float64(x[1]*y[1]))
	// Output:
	// 2.7755575615628914e-17
	// 5.551115123125783e-17
}
