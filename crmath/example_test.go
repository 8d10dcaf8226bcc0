package crmath_test

import (
	"fmt"

	"github.com/lastbit/lastbit/crmath"
)

// The natural logarithm of the smallest number is as good as any; the power of ten that
// is a midpoint between two numbers goes to the even one.
func Example() {
	fmt.Println(crmath.Log(5e-324))
	fmt.Println(crmath.Exp10(23) == 1e23, crmath.Log10(1e22), crmath.Exp2(-1074))
	// Output:
	// -744.4400719213812
	// true 22 5e-324
}

// A slice is computed in vectors, in place if need be, and gives the bits that a loop gives.
func ExampleExpSlice() {
	x := []float64{0, 1, -1, 710}
	crmath.ExpSlice(x, x)
	fmt.Println(x, x[1] == crmath.Exp(1))
	// Output:
	// [1 2.718281828459045 0.36787944117144233 +Inf] true
}

// On amd64, package math's result is off by one and a half units in the last place, at this argument.
func ExampleDeviation() {
	x := -3.1520826432463664
	theirs, _ := crmath.Deviation("exp", 0.042762974043415405, x)
	ours, _ := crmath.Deviation("exp", crmath.Exp(x), x)
	fmt.Printf("%.3f %.3f\n", theirs, ours)
	// Output: -1.549 0.451
}
