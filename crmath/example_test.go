package crmath_test

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/crmath"
)

// Results are right at the ends of the domain too: the logarithm of the
// smallest number, the power of ten halfway between two numbers, which goes to
// the even one, and the smallest result of Exp2.
func Example() {
	fmt.Println(crmath.Log(5e-324))
	fmt.Println(crmath.Exp10(23) == 1e23, crmath.Log10(1e22), crmath.Exp2(-1074))
	// Output:
	// -744.4400719213812
	// true 22 5e-324
}

// A slice function computes in vectors, in place if need be, and returns the
// bits of single calls.
func ExampleExpSlice() {
	x := []float64{0, 1, -1, 710}
	crmath.ExpSlice(x, x)
	fmt.Println(x, x[1] == crmath.Exp(1))
	// Output:
	// [1 2.718281828459045 0.36787944117144233 +Inf] true
}

// Arguments of any size are reduced with as many bits of π as they need.
func ExampleSin() {
	fmt.Println(crmath.Sin(math.Pi), crmath.Sin(1e22), crmath.Sin(math.MaxFloat64))
	// Output:
	// 1.2246467991473532e-16 -0.8522008497671888 0.004961954789184062
}

// Pow returns exact powers and roots where there are any.
func ExamplePow() {
	fmt.Println(crmath.Pow(3, 33), crmath.Pow(0x1.44p4, 0.25), crmath.Pow(-2, 3),
		crmath.Pow(-2, 0.5))
	// Output:
	// 5.559060566555523e+15 2.1213203435596424 -8 NaN
}

// Hypot overflows only where its result does.
func ExampleHypot() {
	fmt.Printf("%x %x\n", crmath.Hypot(0x3p1000, 0x4p1000), crmath.Hypot(0x3p-1000, 0x4p-1000))
	// Output:
	// 0x1.4p+1002 0x1.4p-998
}

// PowSlice takes two slices, and may overwrite either.
func ExamplePowSlice() {
	x, y := []float64{2, 9, 10}, []float64{10, 0.5, -1}
	crmath.PowSlice(y, x, y)
	fmt.Println(y)
	// Output:
	// [1024 3 0.1]
}

// A thousandth of a billionth a day for a year: 1+x alone would lose most of
// the digits of x.
func ExampleCompound() {
	fmt.Println(crmath.Compound(1e-12, 365), crmath.Pown(1+1e-12, 365))
	// Output:
	// 1.000000000365 1.0000000003650324
}

// Angles in half turns have no error of π.
func ExampleSinpi() {
	fmt.Println(crmath.Sinpi(1), crmath.Cospi(0.5), crmath.Tanpi(0.25), crmath.Atanpi(-1))
	fmt.Println(crmath.Sin(math.Pi), crmath.Cos(math.Pi/2))
	// Output:
	// 0 0 1 -0.25
	// 1.2246467991473532e-16 6.123233995736766e-17
}
