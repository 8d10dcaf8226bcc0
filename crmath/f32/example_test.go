package f32_test

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/crmath/f32"
)

// A sine that is right for any argument, and a power that is exactly halfway between two float32, which goes to
// the even one.
func Example() {
	fmt.Println(f32.Exp(1), f32.Sin(math.MaxFloat32), f32.Pow(4099, 2))
	// Output:
	// 2.7182817 -0.5218765 1.68018e+07
}
