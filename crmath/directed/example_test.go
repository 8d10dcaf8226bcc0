package directed_test

import (
	"fmt"

	"github.com/lastbit/lastbit/crmath/directed"
	"github.com/lastbit/lastbit/fp"
)

// Two directions enclose the real value. Only where it is representable are
// their results the same.
func Example() {
	fmt.Printf("%.17g %.17g\n", directed.Exp(1, fp.Down), directed.Exp(1, fp.Up))
	fmt.Println(directed.Log2(8, fp.Down), directed.Log2(8, fp.Up))
	// Output:
	// 2.7182818284590451 2.7182818284590455
	// 3 3
}

// A result rounded to odd is right after a second rounding, to a shorter
// format. Rounded to nearest, this one becomes the midpoint of two numbers of
// binary16 and then the even one, but the real value is above the midpoint.
func ExampleExp() {
	x := 0x1.ffe002aa6ab12p-12
	for _, m := range []fp.Mode{fp.NearestEven, fp.ToOdd} {
		fmt.Println(m, fp.Binary16.Round(directed.Exp(x, m), fp.NearestEven))
	}
	// Output:
	// rne 1
	// ro 1.0009765625
}

// The direction decides what overflow and underflow give.
func ExamplePow() {
	for _, m := range []fp.Mode{fp.NearestEven, fp.TowardZero, fp.Up, fp.Down, fp.ToOdd} {
		fmt.Println(m, directed.Pow(-10, 309, m), directed.Pow(-10, -325, m))
	}
	// Output:
	// rne -Inf -0
	// rz -1.7976931348623157e+308 -0
	// ru -1.7976931348623157e+308 -0
	// rd -Inf -5e-324
	// ro -1.7976931348623157e+308 -5e-324
}
