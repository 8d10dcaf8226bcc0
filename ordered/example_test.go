package ordered_test

import (
	"fmt"

	"github.com/lastbit/lastbit/ordered"
	"github.com/lastbit/lastbit/sumtree"
)

// Three numbers are in three lanes: lane 2 is added to lane 0 first.
func ExampleSum() {
	x := []float64{1e16, 1, -1e16}
	loop := 0.0
	for _, v := range x {
		loop += v
	}
	fmt.Println(ordered.Sum(x), loop)
	// Output: 1 0
}

// The order of ten summands, as package sumtree writes it.
func ExampleSum_tree() {
	family, err := sumtree.ParseFamily("interleaved(64, block=8192)")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(family.Tree(10))
	// Output: ((((0 8) 4) (2 6)) (((1 9) 5) (3 7)))
}

// Products are rounded before they are added.
func ExampleDot() {
	x, y := []float64{0.1, -0.1}, []float64{0.1, 0.1}
	fmt.Println(ordered.Dot(x, y))
	// Output: 0
}

func ExampleAsum() {
	fmt.Println(ordered.Asum([]float32{1, -2, 3}))
	// Output: 6
}

// The squares of these numbers overflow; their norm does not.
func ExampleNrm2() {
	fmt.Printf("%.6g\n", ordered.Nrm2([]float64{3e200, 4e200}))
	// Output: 5e+200
}
