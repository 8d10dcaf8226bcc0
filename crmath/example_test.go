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
