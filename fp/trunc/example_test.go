package trunc_test

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/fp/trunc"
)

func Example() {
	fmt.Println(trunc.Int(2.9), trunc.Int(-2.9), trunc.Uint8(255.5))
	fmt.Println(trunc.Int64(math.Inf(1)))
	// Output:
	// 2 -2 255
	// -9223372036854775808
}
