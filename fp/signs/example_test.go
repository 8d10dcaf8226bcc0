package signs_test

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/fp/signs"
)

func Example() {
	inf := math.Inf(1)
	fmt.Println(signs.Signbit(-2), signs.Signbit(inf-inf))
	fmt.Println(signs.Copysign(3, -2), signs.Copysign(3, inf-inf))
	// Output:
	// true false
	// -3 3
}
