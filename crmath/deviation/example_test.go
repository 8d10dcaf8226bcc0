package deviation_test

import (
	"fmt"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/deviation"
)

// On amd64, package math's exponential of this argument is off by one and a
// half units in the last place. The correctly rounded one is off by less than
// half a unit.
func Example() {
	x := -3.1520826432463664
	theirs := 0.042762974043415405 // math.Exp(x) on amd64
	fmt.Printf("%.3f %.3f\n", deviation.Exp.ULPs(theirs, x), deviation.Exp.ULPs(crmath.Exp(x), x))
	// Output: -1.549 0.451
}

// Arguments are in the order of crmath's function.
func ExampleBinary_ULPs() {
	fmt.Println(deviation.Pow.ULPs(9, 3, 2), deviation.Hypot.ULPs(5.000000000000001, 3, 4))
	fmt.Printf("%.3f\n", deviation.Atan2.ULPs(crmath.Atan2(1, 2), 1, 2))
	// Output:
	// 0 1
	// -0.409
}
